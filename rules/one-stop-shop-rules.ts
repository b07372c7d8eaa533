/**
 * One-stop shop (Title IX chapter XI Ley 37/1992, regime key 17) and its foreign tax.
 *
 * The yearly threshold of 10,000 euros (art. 73) and the place from which goods are dispatched are not checked, because
 * the invoice has no fields for them.
 */
import { isEuMember } from '#core/catalogs/index.ts'
import { type Line, operationDay } from '#core/invoice/index.ts'
import { NON_TAXABLE, ONE_STOP_SHOP, REVERSE_CHARGE, TAXED } from '#core/invoice/terms.ts'
import { type Context, documentRule, linePathsOf, lineRule } from './rule.ts'

/**
 * Law on the scope of the Union scheme and the import scheme. Regime key 17 does not cover the external scheme (art.
 * 163 octiesdecies).
 */
export const SCOPE_LAW = 'arts. 163 unvicies and 163 quinvicies Ley 37/1992'
export const PLACE_LAW = 'arts. 68.Tres and 70.Uno.4 Ley 37/1992'
const REGISTRATION_LAW = 'art. 163 duovicies Ley 37/1992'

/** First day of the one-stop shop (RDL 7/2021). */
const REGIME_START = '2021-07-01'

export const isOneStopShopDocument = ({ issued, taxGroup, uses }: Context): boolean =>
  issued && taxGroup === 'IVA' && uses.oneStopShop
export const isOneStopShopLine = (line: Line): boolean => line.tax_regime_key === ONE_STOP_SHOP
const isReverseCharge = (line: Line): boolean =>
  line.reverse_charge === true || line.tax_treatment_code === REVERSE_CHARGE

/** Returns the recipient's country, by default `ES`; null if the invoice has no recipient. */
export const recipientCountry = ({ invoice }: Context): string | null =>
  invoice.customer ? (invoice.customer.country_code ?? 'ES') : null

/** Returns the path of the date that determines whether the regime applies. */
const datePath = ({ invoice: { header, issue_data: data }, settings }: Context): string =>
  operationDay(header, data, data.issue_date ?? settings.today ?? undefined)?.path ??
  '/invoice/issue_data/issue_date'

const firstShopLine = ({ invoice }: Context): string =>
  `/invoice/lines/${invoice.lines.findIndex(isOneStopShopLine)}/tax_regime_key`

/** Whether the recipient is outside the European Union. */
export const isOutsideUnion = (context: Context): boolean => {
  const country = recipientCountry(context)
  return country !== null && !isEuMember(country, context.date)
}

/** Whether the recipient is in another member state, or absent (API specification, "Regime key rules"). */
export const isOtherMemberStateOrAbsent = (context: Context): boolean => {
  const country = recipientCountry(context)
  return country === null || (country !== 'ES' && isEuMember(country, context.date))
}

/** Returns the company's registration if it is registered or pending, and has not ended before the operation. */
const registration = ({ company, date }: Context) => {
  const oss = company?.oss
  const isKnown = oss?.status === 'registered' || oss?.status === 'pending'
  return isKnown && (oss.end_date == null || (date !== undefined && date <= oss.end_date)) ? oss : null
}

export const ONE_STOP_SHOP_RULES = [
  documentRule({
    code: 'oss_customer_outside_eu',
    law: SCOPE_LAW,
    reads: ['/invoice/customer/country_code'],
    en: [
      'Regime key 17 is for consumers in the European Union; the customer’s country is {received}.',
      'Send regime key 02 (export), 01 with NON_TAXABLE (services), or correct country_code.',
    ],
    es: [
      'La clave de régimen 17 es para consumidores de la Unión Europea; el país del destinatario es {received}.',
      'Envíe la clave 02 (exportación), la 01 con NON_TAXABLE (servicios), o corrija country_code.',
    ],
    needs: ['oneStopShop'],
    check(context, fail) {
      if (isOutsideUnion(context))
        fail('/invoice/customer/country_code', { received: recipientCountry(context) })
    },
  }),
  lineRule({
    code: 'oss_foreign_consumption_must_be_non_subject',
    law: PLACE_LAW,
    reads: [
      ...linePathsOf('tax_treatment_code', 'reverse_charge', 'tax_regime_key'),
      '/invoice/customer/country_code',
    ],
    en: [
      'A sale taxed in another member state is not subject in Spain; the line is {received}.',
      'Send NON_TAXABLE, and the foreign tax in the consumption_* fields, without tax_output_rate.',
    ],
    es: [
      'Una venta gravada en otro Estado no está sujeta en España; la línea es {received}.',
      'Envíe NON_TAXABLE sin tax_output_rate, y el impuesto extranjero en los campos consumption_*.',
    ],
    needs: ['oneStopShop'],
    applies: isOtherMemberStateOrAbsent,
    check(line, _context, fail) {
      if (isOneStopShopLine(line) && line.tax_treatment_code !== NON_TAXABLE && !isReverseCharge(line))
        fail('tax_treatment_code', { expected: NON_TAXABLE, received: line.tax_treatment_code })
    },
  }),
  lineRule({
    code: 'oss_non_subject_reason_must_be_location_rules',
    law: 'arts. 68-70 Ley 37/1992',
    reads: linePathsOf('non_taxable_reason', 'tax_treatment_code', 'tax_regime_key'),
    en: [
      'With regime key 17, the reason must be LOCATION_RULES, not {received}.',
      'Send LOCATION_RULES, or omit the reason.',
    ],
    es: [
      'Con la clave de régimen 17 la causa debe ser LOCATION_RULES, no {received}.',
      'Envíe LOCATION_RULES u omita la causa.',
    ],
    needs: ['oneStopShop'],
    check(line, _context, fail) {
      if (
        isOneStopShopLine(line) &&
        line.tax_treatment_code === NON_TAXABLE &&
        line.non_taxable_reason !== 'LOCATION_RULES'
      )
        fail('non_taxable_reason', { expected: 'LOCATION_RULES', received: line.non_taxable_reason })
    },
  }),
  lineRule({
    code: 'oss_spanish_consumption_must_be_subject',
    law: 'art. 163 quinvicies Ley 37/1992',
    reads: [
      ...linePathsOf('tax_treatment_code', 'reverse_charge', 'tax_regime_key'),
      '/invoice/customer/country_code',
    ],
    en: [
      'With regime key 17, a sale to Spain must have Spanish VAT; the line is {received}.',
      'Send TAXABLE_NON_EXEMPT with its rate, or correct the customer’s country_code.',
    ],
    es: [
      'Con la clave de régimen 17 una venta a España lleva IVA español; la línea es {received}.',
      'Envíe TAXABLE_NON_EXEMPT con su tipo, o corrija el country_code del destinatario.',
    ],
    needs: ['oneStopShop'],
    applies: (context) => recipientCountry(context) === 'ES',
    check(line, _context, fail) {
      if (isOneStopShopLine(line) && line.tax_treatment_code !== TAXED && !isReverseCharge(line))
        fail('tax_treatment_code', { expected: TAXED, received: line.tax_treatment_code })
    },
  }),
  lineRule({
    code: 'oss_reverse_charge_not_allowed',
    law: SCOPE_LAW,
    reads: linePathsOf('reverse_charge', 'tax_treatment_code', 'tax_regime_key'),
    en: [
      'Regime key 17 is for sales to consumers, without reverse charge.',
      'Remove the reverse charge, or use another regime key.',
    ],
    es: [
      'La clave de régimen 17 es para ventas a consumidores, sin inversión del sujeto pasivo.',
      'Quite la inversión del sujeto pasivo o use otra clave de régimen.',
    ],
    needs: ['oneStopShop'],
    check(line, _context, fail) {
      if (isOneStopShopLine(line) && isReverseCharge(line))
        fail(line.reverse_charge === true ? 'reverse_charge' : 'tax_treatment_code', {
          received: line.reverse_charge ?? line.tax_treatment_code,
        })
    },
  }),
  documentRule({
    code: 'oss_before_regime_start',
    law: 'art. 10 RDL 7/2021; Directive (EU) 2017/2455',
    reads: [
      '/invoice/issue_data/operation_date',
      '/invoice/issue_data/issue_date',
      '/invoice/header/corrective',
      '/invoice/header/invoice_type_code',
    ],
    en: [
      'The one-stop shop started on {expected}; the operation is of {received}.',
      'Use another regime key for earlier operations.',
    ],
    es: [
      'La ventanilla única comenzó el {expected}; la operación es del {received}.',
      'Use otra clave de régimen para operaciones anteriores.',
    ],
    needs: ['oneStopShop'],
    check(context, fail) {
      const { date } = context
      if (date !== undefined && date < REGIME_START)
        fail(datePath(context), { expected: REGIME_START, received: date })
    },
  }),
  lineRule({
    code: 'oss_mixed_with_other_regimes',
    law: 'API specification, "One-stop-shop foreign VAT"',
    reads: ['/invoice/lines/*/tax_regime_key'],
    en: [
      'Regime key 17 is not combined with others on one invoice; this line has {received}.',
      'Invoice the other operations separately.',
    ],
    es: [
      'La clave de régimen 17 no se combina con otras en una factura; esta línea lleva la {received}.',
      'Facture aparte las demás operaciones.',
    ],
    needs: ['oneStopShop'],
    check(line, _context, fail) {
      if (!isOneStopShopLine(line)) fail('tax_regime_key', { received: line.tax_regime_key })
    },
  }),
  documentRule({
    code: 'oss_regime_key_ambiguous',
    law: 'API specification, "One-stop-shop foreign VAT"',
    reads: ['/invoice/taxes_outputs/*/tax_regime_key'],
    en: [
      'Regime key 17 is only in taxes_outputs: its lines are unknown.',
      'Send tax_regime_key on the lines.',
    ],
    es: [
      'La clave de régimen 17 solo figura en taxes_outputs: no se sabe a qué líneas corresponde.',
      'Envíe tax_regime_key en las líneas.',
    ],
    needs: ['entries'],
    check({ facts, issued, taxGroup }, fail) {
      if (!issued || taxGroup !== 'IVA') return
      for (const index of facts.ambiguousEntries)
        fail(`/invoice/taxes_outputs/${index}/tax_regime_key`, { received: ONE_STOP_SHOP })
    },
  }),
  documentRule({
    code: 'oss_regime_not_registered',
    law: REGISTRATION_LAW,
    reads: ['/invoice/lines/*/tax_regime_key'],
    en: [
      'The company is not registered in the one-stop shop on the date of the operation.',
      'Register it (form 035), add its end_date if it has left, or use another regime key.',
    ],
    es: [
      'La empresa no está registrada en la ventanilla única en la fecha de la operación.',
      'Regístrela (modelo 035), indique su end_date si causó baja, o use otra clave de régimen.',
    ],
    needs: ['oneStopShop', 'company'],
    check(context, fail) {
      if (!registration(context)) fail(firstShopLine(context))
    },
  }),
  documentRule({
    code: 'oss_regime_not_effective',
    severity: 'warning',
    law: REGISTRATION_LAW,
    reads: ['/invoice/lines/*/tax_regime_key'],
    en: [
      'The one-stop-shop registration takes effect on {effective_date}, after the operation.',
      'Use another regime key, or correct one of the dates.',
    ],
    es: [
      'El registro en la ventanilla única surte efecto el {effective_date}, después de la operación.',
      'Use otra clave de régimen o corrija una de las fechas.',
    ],
    cases: {
      pending: {
        en: 'The one-stop-shop registration is pending; it takes effect on {effective_date}.',
        es: 'El registro en la ventanilla única sigue pendiente; surte efecto el {effective_date}.',
      },
      pending_undated: {
        en: 'The one-stop-shop registration is pending.',
        es: 'El registro en la ventanilla única sigue pendiente.',
      },
    },
    caseOf: ({ status, effective_date }) =>
      status !== 'pending' ? undefined : effective_date === null ? 'pending_undated' : 'pending',
    needs: ['oneStopShop', 'company'],
    check(context, fail) {
      const oss = registration(context)
      if (!oss) return
      const effective = oss.effective_date ?? null
      const late = effective !== null && context.date !== undefined && effective > context.date
      if (oss.status === 'pending' || late)
        fail(firstShopLine(context), { status: oss.status, effective_date: effective })
    },
  }),
]
