/** Warnings about invoices that the authority accepts but the law forbids or an adviser would question. */
import { countryOf, isEuMember } from '../src/catalogs/index.ts'
import { EXEMPT, isMarginKey, type Line, TAXED } from '../src/invoice/index.ts'
import { toMinor, toNumber } from '../src/money/index.ts'
import { recipientCountry } from './one-stop-shop.ts'
import { type Context, documentRule, lineRule, ofLines } from './rule.ts'

const warning = { severity: 'warning', origin: 'cuadra' } as const

const SIMPLIFIED_TYPE = '02'

/** Limits for simplified invoices in euros, tax included (art. 4.1 and 4.2 RD 1619/2012). */
const LIMIT = 400
const LIMIT_OF_RETAIL = 3000

const isWithinUnion = ({ tax_treatment_code: treatment, exemption_reason_code: reason }: Line): boolean =>
  treatment === EXEMPT && reason === 'E5'

const supplyRule = (
  code: string,
  law: string,
  en: readonly [string, string],
  es: readonly [string, string],
  reads: readonly string[],
  applies: (context: Context) => boolean,
  received: (context: Context) => string | null = () => 'E5',
) =>
  lineRule({
    ...warning,
    code,
    law,
    reads: [...ofLines('exemption_reason_code', 'tax_treatment_code'), ...reads],
    en,
    es,
    needs: ['issued', 'treatments'],
    applies: (context) => context.taxGroup === 'IVA' && applies(context),
    check(line, context, fail) {
      if (isWithinUnion(line)) fail('exemption_reason_code', { received: received(context) })
    },
  })

/**
 * Whether the customer is a company. Entities taxed through their members (E, J) are excluded, because they may be
 * retailers under the equivalence surcharge.
 */
const isCompany = ({ facts: { customerId: id } }: Context): boolean =>
  id?.valid === true && id.kind === 'CIF' && !/^[EJ]/.test(id.normalized)

export const ADVICE_RULES = [
  documentRule({
    ...warning,
    code: 'simplified_limit_exceeded',
    law: 'art. 4.1-2 RD 1619/2012',
    reads: ['/invoice/header/invoice_type_code', '/invoice/totals/invoice_total'],
    en: [
      'The simplified invoice totals {received} euros, over the limit of {expected}. Only activities such as retail may go up to 3,000.',
      'Send invoice_type_code 01 and the customer.',
    ],
    es: [
      'La factura simplificada de {received} euros supera el límite de {expected}; solo actividades como el comercio al por menor pueden llegar a 3.000.',
      'Envíe invoice_type_code 01 y el destinatario.',
    ],
    needs: ['issued'],
    check({ invoice }, fail) {
      const received = invoice.totals.invoice_total
      if (invoice.header.invoice_type_code === SIMPLIFIED_TYPE && received > LIMIT)
        fail('/invoice/header/invoice_type_code', {
          expected: received > LIMIT_OF_RETAIL ? LIMIT_OF_RETAIL : LIMIT,
          received,
        })
    },
  }),
  supplyRule(
    'simplified_intra_community_supply',
    'art. 4.4.a RD 1619/2012',
    [
      'An intra-Community supply cannot be on a simplified invoice.',
      'Send invoice_type_code 01 and the customer with its VAT number.',
    ],
    [
      'Una entrega intracomunitaria no puede figurar en una factura simplificada.',
      'Envíe invoice_type_code 01 y el destinatario con su NIF-IVA.',
    ],
    ['/invoice/header/invoice_type_code'],
    ({ invoice }) => invoice.header.invoice_type_code === SIMPLIFIED_TYPE,
  ),
  supplyRule(
    'intra_community_supply_outside_eu',
    'art. 25 Ley 37/1992',
    [
      'E5 requires a customer in another member state; the country is {received}.',
      'Send E2 for an export, or correct country_code.',
    ],
    [
      'E5 exige un destinatario de otro Estado miembro; el país es {received}.',
      'Envíe E2 si es una exportación, o corrija country_code.',
    ],
    ['/invoice/customer/country_code', '/invoice/customer/tax_id'],
    (context) => {
      const country = recipientCountry(context)
      // Supplies of goods to Northern Ireland are intra-Community supplies.
      const isNorthernIrish = context.invoice.customer?.tax_id?.startsWith('XI') === true
      return country !== null && !isEuMember(country, context.date) && !isNorthernIrish
    },
    recipientCountry,
  ),
  documentRule({
    ...warning,
    code: 'equivalence_surcharge_not_due',
    law: 'art. 148 Ley 37/1992; art. 156 Ley 37/1992',
    lawOf: ({ case: reason }) => (reason === 'service' ? 'art. 156 Ley 37/1992' : 'art. 148 Ley 37/1992'),
    reads: ['/invoice/taxes_outputs/*/equivalence_surcharge', '/invoice/lines/*/item_type'],
    en: [
      'The equivalence surcharge does not apply to companies.',
      'Remove the equivalence surcharge, or correct the customer.',
    ],
    es: [
      'El recargo de equivalencia no se aplica a las sociedades.',
      'Quite el recargo o corrija el destinatario.',
    ],
    cases: {
      service: {
        en: [
          'The equivalence surcharge does not apply to services.',
          'Remove the equivalence surcharge, or correct item_type.',
        ],
        es: [
          'El recargo de equivalencia no se aplica a los servicios.',
          'Quite el recargo o corrija item_type.',
        ],
      },
    },
    needs: ['issued', 'entries'],
    check(context, fail) {
      const { invoice, sent, stated, taxGroup } = context
      const { groups, matching } = stated.calculation
      if (taxGroup !== 'IVA') return
      matching?.byGroup.forEach((indexes, groupIndex) => {
        const isService = groups[groupIndex]?.lines.every((at) => invoice.lines[at]?.item_type === 'service')
        for (const index of indexes) {
          const received = sent.taxes_outputs?.[index]?.equivalence_surcharge
          if (!received || !(isService || isCompany(context))) continue
          const path = `/invoice/taxes_outputs/${index}/equivalence_surcharge`
          fail(path, isService ? { received, case: 'service' } : { received })
        }
      })
    },
  }),
  lineRule({
    ...warning,
    code: 'purchase_price_missing',
    law: 'arts. 137 and 145 Ley 37/1992',
    reads: ofLines('purchase_price_incl', 'tax_regime_key', 'tax_treatment_code'),
    en: [
      'Without purchase_price_incl, the whole price is taxed instead of the margin (regime key {tax_regime_key}).',
      'Send purchase_price_incl.',
    ],
    es: [
      'Sin purchase_price_incl tributa todo el precio y no solo el margen (clave de régimen {tax_regime_key}).',
      'Envíe purchase_price_incl.',
    ],
    needs: ['issued', 'keys'],
    check({ purchase_price_incl, tax_regime_key, tax_treatment_code }, _context, fail) {
      if (purchase_price_incl === undefined && isMarginKey(tax_regime_key) && tax_treatment_code === TAXED)
        fail('purchase_price_incl', { tax_regime_key })
    },
  }),
  documentRule({
    ...warning,
    code: 'installment_sum_mismatch',
    law: 'API specification, "payment_details[]"',
    reads: ['/invoice/payment_details/*/installment_amount', '/invoice/totals/total_executable_amount'],
    en: [
      'The instalments add up to {received} instead of {expected} (difference {difference}).',
      'Correct the instalments.',
    ],
    es: [
      'Los vencimientos suman {received} en lugar de {expected} (diferencia {difference}).',
      'Corrija los vencimientos.',
    ],
    needs: ['payments'],
    check({ sent, stated: { calculation } }, fail) {
      const { decimals, totals } = calculation
      let sum = 0
      const { payment_details: details = [] } = sent
      for (const { installment_amount: amount } of details) {
        if (amount === undefined) return
        sum += toMinor(amount, decimals)
      }
      const kept = sent.totals.total_executable_amount
      const expected = totals.total_executable_amount
      if (details.length === 0 || sum === expected) return
      if (kept !== undefined && sum === toMinor(kept, decimals)) return
      const number = (amount: number) => toNumber(amount, decimals)
      fail('/invoice/payment_details', {
        expected: number(expected),
        received: number(sum),
        difference: number(sum - expected),
      })
    },
  }),
  lineRule({
    ...warning,
    code: 'consumption_country_replaced',
    law: 'art. 7 Directive 2006/112/EC',
    reads: ['/invoice/lines/*/consumption_country_code'],
    en: ['For VAT purposes {received} is part of {used}, so {used} is used.', 'Send {used}.'],
    es: ['A efectos del IVA, {received} forma parte de {used}, así que se usa {used}.', 'Envíe {used}.'],
    needs: ['consumption'],
    check({ consumption_country_code: used }, { sent }, fail, index) {
      const received = sent.lines[index]?.consumption_country_code
      const country = received && countryOf(received)?.code
      if (country && country !== used) fail('consumption_country_code', { received, used })
    },
  }),
]
