/** Warnings about invoices that the authority accepts but the law forbids or an adviser would question. */
import { countryOf, isEuMember, withholdingRatesOf } from '#core/catalogs/index.ts'
import type { TaxIdCheck } from '#core/identifiers/index.ts'
import type { Line } from '#core/invoice/index.ts'
import {
  EXEMPT,
  FARMERS_OR_EXPORT,
  isMarginKey,
  NON_TAXABLE,
  REVERSE_CHARGE,
  TAXED,
} from '#core/invoice/terms.ts'
import { toMinor, toNumber } from '#core/money/index.ts'
import { COMPARED_TOTALS, mistakeOf, toleranceTest } from './likely-mistakes.ts'
import { recipientCountry } from './one-stop-shop-rules.ts'
import { type Context, documentRule, linePathsOf, lineRule } from './rule.ts'

const warning = { severity: 'warning', origin: 'cuadra' } as const

const SIMPLIFIED_TYPE = '02'

/** Maximum total of a simplified invoice in euros. Some activities have a higher limit (art. 4.2 RD 1619/2012). */
const LIMIT = 400

/**
 * Whether income tax can be withheld from a company at this rate: 18 % to under 25 % for leases, capital income and
 * non-residents, 7.6 % for leases in Ceuta and Melilla.
 */
const isRateOfCompanies = (rate: number): boolean => (rate >= 18 && rate < 25) || rate === 7.6

/** Exemption reason of intra-Community supplies. */
const E5 = 'E5'

const isWithinUnion = ({ tax_treatment_code: treatment, exemption_reason_code: reason }: Line): boolean =>
  treatment === EXEMPT && reason === E5

/**
 * Whether the tax id is that of a Spanish company. Entities taxed through their members (CIF starting with E or J) do
 * not count: the members may be retailers under the equivalence surcharge, and income tax is withheld from them.
 * Foreign entities (N) do not count either.
 */
const isCompany = (id: TaxIdCheck | null): boolean =>
  id?.valid === true && id.kind === 'CIF' && !/^[EJN]/.test(id.normalized)

/**
 * Returns the country in which the customer is identified: the country of its tax id or, without a valid tax id, the
 * country of its address.
 */
const identifiedIn = (context: Context): string | null => {
  const { customerId: id } = context.facts
  // Supplies of goods to Northern Ireland are intra-Community supplies.
  if (/^\s*XI/i.test(context.invoice.customer?.tax_id ?? '')) return 'XI'
  return id?.valid ? id.country : recipientCountry(context)
}

/** Returns a test for lines whose customer must be identified: reverse charge and intra-Community supplies. */
const isOfIdentified =
  (taxGroup: string) =>
  (line: Line): boolean =>
    line.tax_treatment_code === REVERSE_CHARGE || (taxGroup === 'IVA' && isWithinUnion(line))

export const ADVICE_RULES = [
  documentRule({
    ...warning,
    code: 'simplified_limit_exceeded',
    law: 'art. 4.1-2 RD 1619/2012',
    reads: ['/invoice/header/invoice_type_code', '/invoice/totals/invoice_total'],
    en: [
      'The simplified invoice totals {received} euros; the limit is 400, or 3000 in some activities.',
      'Send invoice_type_code 01 and the customer.',
    ],
    es: [
      'La factura simplificada es de {received} euros; el límite es 400, o 3.000 en algunas actividades.',
      'Envíe invoice_type_code 01 y el destinatario.',
    ],
    needs: ['issued'],
    check({ invoice }, fail) {
      const received = invoice.totals.invoice_total
      if (invoice.header.invoice_type_code === SIMPLIFIED_TYPE && received > LIMIT)
        fail('/invoice/header/invoice_type_code', { expected: LIMIT, received })
    },
  }),
  documentRule({
    ...warning,
    code: 'simplified_intra_community_supply',
    law: 'art. 4.4.a RD 1619/2012',
    reads: [
      ...linePathsOf('exemption_reason_code', 'tax_treatment_code'),
      '/invoice/header/invoice_type_code',
    ],
    en: [
      'Exemption E5 and the reverse charge are not allowed on a simplified invoice.',
      'Send invoice_type_code 01 or 03, and the customer with its tax id.',
    ],
    es: [
      'La exención E5 y la inversión del sujeto pasivo no se admiten en una factura simplificada.',
      'Envíe invoice_type_code 01 o 03, y el destinatario con su NIF.',
    ],
    needs: ['issued', 'treatments'],
    check({ invoice: { header, lines }, taxGroup }, fail) {
      if (header.is_simplified && lines.some(isOfIdentified(taxGroup)))
        fail('/invoice/header/invoice_type_code', { received: header.invoice_type_code })
    },
  }),
  documentRule({
    ...warning,
    code: 'customer_tax_id_missing',
    law: 'art. 6.1.d RD 1619/2012',
    reads: [
      ...linePathsOf('exemption_reason_code', 'tax_treatment_code'),
      '/invoice/customer',
      '/invoice/header/invoice_type_code',
    ],
    en: [
      'The customer needs a tax id: it is a Spanish company, or the invoice has a reverse charge or exemption E5.',
      'Send customer.tax_id.',
    ],
    es: [
      'El destinatario necesita un NIF: es una sociedad española, o hay inversión del sujeto pasivo o exención E5.',
      'Envíe customer.tax_id.',
    ],
    needs: ['issued'],
    check({ invoice, taxGroup }, fail) {
      const { customer, header, lines } = invoice
      if (header.is_simplified || !customer || customer.tax_id !== undefined) return
      const isSpanishCompany =
        taxGroup === 'IVA' && customer.person_type_code === 'J' && customer.country_code === 'ES'
      const isTaxable = ({ tax_treatment_code: treatment }: Line) => treatment !== NON_TAXABLE
      if (lines.some(isOfIdentified(taxGroup)) || (isSpanishCompany && lines.some(isTaxable)))
        fail('/invoice/customer/tax_id')
    },
  }),
  documentRule({
    ...warning,
    code: 'intra_community_supply_outside_eu',
    law: 'art. 25 Ley 37/1992',
    reads: [
      ...linePathsOf('exemption_reason_code', 'tax_treatment_code', 'item_type'),
      '/invoice/customer/country_code',
      '/invoice/customer/tax_id',
    ],
    en: [
      'Exemption E5 requires goods for a customer of another member state, not {received}.',
      'Correct the customer or item_type, or send E2 (export), NON_TAXABLE (service) or the tax rate.',
    ],
    es: [
      'La exención E5 exige bienes para un destinatario de otro Estado miembro, no {received}.',
      'Corrija el destinatario o item_type, o envíe E2 (exportación), NON_TAXABLE (servicio) o el tipo.',
    ],
    needs: ['issued', 'treatments'],
    check(context, fail) {
      const { lines } = context.invoice
      const country = identifiedIn(context)
      // Transport and other services charged with the goods are part of their supply (art. 78.Dos.1).
      const areServices = lines.every((line) => !isWithinUnion(line) || line.item_type === 'service')
      const received = areServices ? 'service' : country
      if (context.taxGroup !== 'IVA' || received === null) return
      if (!areServices && (country === 'XI' || (country !== 'ES' && isEuMember(received, context.date))))
        return
      lines.forEach((line, index) => {
        if (isWithinUnion(line)) fail(`/invoice/lines/${index}/exemption_reason_code`, { received })
      })
    },
  }),
  lineRule({
    ...warning,
    code: 'withholding_not_due',
    law: 'arts. 75 and 95 RD 439/2007',
    reads: ['/invoice/lines/*/tax_withheld_rate', '/invoice/supplier'],
    en: [
      'A withholding of {received} % does not apply to companies.',
      'Remove tax_withheld_rate, or correct the supplier.',
    ],
    es: [
      'A una sociedad no se le practica una retención del {received} %.',
      'Quite tax_withheld_rate o corrija el emisor.',
    ],
    needs: ['withholding'],
    // Suppliers abroad pay the tax of non-residents, at the rate of their treaty.
    applies: ({ facts: { supplierId: id }, invoice: { supplier } }) =>
      id?.valid ? isCompany(id) : supplier.person_type_code === 'J' && supplier.country_code === 'ES',
    check({ tax_withheld_rate: received = 0 }, { date }, fail) {
      // Unknown rates are reported by the rule `withholding_rate_unknown`.
      if (withholdingRatesOf(date).includes(received) && !isRateOfCompanies(received))
        fail('tax_withheld_rate', { received })
    },
  }),
  lineRule({
    ...warning,
    code: 'export_not_exempt',
    law: 'arts. 21-22 Ley 37/1992',
    reads: linePathsOf('tax_regime_key', 'tax_treatment_code'),
    en: [
      'Regime key 02 is for exports, which are exempt; the line is {received}.',
      'Send exemption_reason_code E2, or another tax_regime_key.',
    ],
    es: [
      'La clave de régimen 02 es para exportaciones, que están exentas; la línea es {received}.',
      'Envíe exemption_reason_code E2 u otra tax_regime_key.',
    ],
    needs: ['issued', 'keys'],
    applies: ({ taxGroup }) => taxGroup === 'IVA',
    check({ tax_regime_key: key, tax_treatment_code: received }, _context, fail) {
      if (key === FARMERS_OR_EXPORT && received !== EXEMPT) fail('tax_regime_key', { received })
    },
  }),
  documentRule({
    ...warning,
    code: 'rounding_amount_large',
    law: 'art. 78.Uno Ley 37/1992',
    reads: ['/invoice/totals/rounding_amount', '/invoice/lines'],
    en: [
      'rounding_amount {received} is more than 0.01 per line.',
      'Send discounts, surcharges and advance payments in their own fields.',
    ],
    es: [
      'rounding_amount {received} supera 0,01 por línea.',
      'Envíe los descuentos, recargos y anticipos en sus propios campos.',
    ],
    needs: ['issued'],
    check({ invoice: { totals, lines } }, fail) {
      const received = totals.rounding_amount
      if (received !== undefined && Math.abs(toMinor(received)) > lines.length)
        fail('/invoice/totals/rounding_amount', { received })
    },
  }),
  documentRule({
    ...warning,
    code: 'equivalence_surcharge_not_due',
    law: 'arts. 148 and 156 Ley 37/1992',
    reads: ['/invoice/taxes_outputs/*/equivalence_surcharge', '/invoice/lines/*/item_type'],
    en: [
      'The equivalence surcharge does not apply to companies or to services.',
      'Remove the equivalence surcharge, or correct the customer or item_type.',
    ],
    es: [
      'El recargo de equivalencia no se aplica a las sociedades ni a los servicios.',
      'Quite el recargo o corrija el destinatario o item_type.',
    ],
    needs: ['issued', 'entries'],
    check(context, fail) {
      const { invoice, sent, stated, taxGroup } = context
      const { groups, matching } = stated.calculation
      if (taxGroup !== 'IVA') return
      matching?.byGroup.forEach((indexes, groupIndex) => {
        const isService = groups[groupIndex]?.lines.every((at) => invoice.lines[at]?.item_type === 'service')
        for (const index of indexes) {
          const received = sent.taxes_outputs?.[index]?.equivalence_surcharge
          if (received && (isService || isCompany(context.facts.customerId)))
            fail(`/invoice/taxes_outputs/${index}/equivalence_surcharge`, { received })
        }
      })
    },
  }),
  lineRule({
    ...warning,
    code: 'purchase_price_missing',
    law: 'arts. 137 and 145 Ley 37/1992',
    reads: linePathsOf('purchase_price_incl', 'tax_regime_key', 'tax_treatment_code'),
    en: [
      'Without purchase_price_incl, the whole price is taxed, not the margin (regime key {tax_regime_key}).',
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
    reads: [
      '/invoice/payment_details/*/installment_amount',
      '/invoice/totals/total_executable_amount',
      ...COMPARED_TOTALS,
    ],
    en: [
      'The instalments add up to {received} instead of {expected} (difference {difference}).',
      'Correct their amounts.',
    ],
    es: [
      'Los vencimientos suman {received} en lugar de {expected} (diferencia {difference}).',
      'Corrija sus importes.',
    ],
    needs: ['payments'],
    check(context, fail) {
      const { sent, stated, settings } = context
      const { decimals, totals } = stated.calculation
      let sum = 0
      const { payment_details: details = [] } = sent
      for (const { installment_amount: amount } of details) {
        if (amount === undefined) return
        sum += toMinor(amount, decimals)
      }
      const kept = sent.totals.total_executable_amount
      const expected = totals.total_executable_amount
      if (details.length === 0 || sum === expected) return
      if ((kept !== undefined && sum === toMinor(kept, decimals)) || mistakeOf(context)) return
      // The instalments may add up to the amount to pay that the client computed, which differs within the tolerance.
      if (settings.check && toleranceTest(stated.calculation)(sum, expected)) return
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
