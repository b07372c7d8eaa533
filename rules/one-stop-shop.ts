/**
 * One-stop shop (Title IX chapter XI Ley 37/1992, regime key 17) and the foreign tax that it carries.
 *
 * Not checked, because no field tells it: the yearly threshold of 10,000 euros (art. 73) and the place where
 * goods were dispatched from.
 */
import { consumptionRatesOf, countryOf, isEuMember } from '../src/catalogs/index.ts'
import { type Line, NON_TAXABLE, ONE_STOP_SHOP, REVERSE_CHARGE, TAXED } from '../src/invoice/index.ts'
import { toMinor } from '../src/money/index.ts'
import { type Context, documentRule, lineRule } from './rule.ts'

/** First day of the one-stop shop (RDL 7/2021). */
const REGIME_START = '2021-07-01'

const isShopDocument = ({ issued, taxGroup, uses }: Context): boolean =>
  issued && taxGroup === 'IVA' && uses.oneStopShop
const isShopLine = (line: Line): boolean => line.tax_regime_key === ONE_STOP_SHOP
const isReverseCharge = (line: Line): boolean =>
  line.reverse_charge === true || line.tax_treatment_code === REVERSE_CHARGE

/** Country of the recipient, or null where the invoice has none (specification: `ES` if absent). */
const recipientCountry = ({ invoice }: Context): string | null =>
  invoice.customer ? (invoice.customer.country_code ?? 'ES') : null

/** Place of the date that the regime is judged by. */
const datePath = ({ invoice }: Context): string => {
  const { operation_date } = invoice.issue_data
  if (operation_date !== undefined) return '/invoice/issue_data/operation_date'
  const { corrective, is_corrective } = invoice.header
  if (is_corrective && corrective?.tax_period?.end_date !== undefined)
    return '/invoice/header/corrective/tax_period/end_date'
  if (is_corrective && corrective?.invoice_issue_date !== undefined)
    return '/invoice/header/corrective/invoice_issue_date'
  return '/invoice/issue_data/issue_date'
}

const firstShopLine = ({ invoice }: Context): string =>
  `/invoice/lines/${invoice.lines.findIndex(isShopLine)}/tax_regime_key`

const outsideEu = documentRule({
  code: 'oss_customer_outside_eu',
  law: 'art. 163 octiesdecies Ley 37/1992',
  reads: ['/invoice/customer/country_code'],
  en: [
    'Key 17 is for consumers in the Union; {received} is outside.',
    'Use key 02 for an export, or correct country_code.',
  ],
  es: [
    'La clave 17 es para consumidores de la Unión; {received} está fuera.',
    'Use la clave 02 para una exportación, o corrija country_code.',
  ],
  check(context, fail) {
    const received = recipientCountry(context)
    if (isShopDocument(context) && received !== null && !isEuMember(received, context.date))
      fail('/invoice/customer/country_code', { received })
  },
})

const beforeStart = documentRule({
  code: 'oss_before_regime_start',
  law: 'RDL 7/2021; Directive (EU) 2017/2455',
  reads: ['/invoice/issue_data/operation_date', '/invoice/issue_data/issue_date'],
  en: [
    'The one-stop shop began on {expected}; the operation is of {received}.',
    'Use another regime key for operations before that day.',
  ],
  es: [
    'La ventanilla única comenzó el {expected}; la operación es de {received}.',
    'Use otra clave de régimen para operaciones anteriores.',
  ],
  check(context, fail) {
    const { date } = context
    if (isShopDocument(context) && date !== undefined && date < REGIME_START)
      fail(datePath(context), { expected: REGIME_START, received: date })
  },
})

const mixed = lineRule({
  code: 'oss_mixed_with_other_regimes',
  law: 'API specification, "Regime key rules"',
  reads: ['/invoice/lines/*/tax_regime_key'],
  en: [
    'Key 17 must be alone on its invoice; this line has {received}.',
    'Invoice the other operations apart.',
  ],
  es: [
    'La clave 17 debe ir sola en la factura; esta línea lleva {received}.',
    'Facture las otras operaciones aparte.',
  ],
  applies: isShopDocument,
  check(line, _context, fail) {
    if (!isShopLine(line)) fail('tax_regime_key', { received: line.tax_regime_key })
  },
})

const ambiguous = documentRule({
  code: 'oss_regime_key_ambiguous',
  law: 'API specification, "One-stop-shop foreign VAT"',
  reads: ['/invoice/taxes_outputs/*/tax_regime_key'],
  en: [
    'Key 17 stands only in taxes_outputs and could mean several lines.',
    'Put tax_regime_key on the lines.',
  ],
  es: [
    'La clave 17 solo está en taxes_outputs y podría ser de varias líneas.',
    'Ponga tax_regime_key en las líneas.',
  ],
  check({ facts, issued, taxGroup }, fail) {
    if (!issued || taxGroup !== 'IVA') return
    for (const index of facts.ambiguousEntries)
      fail(`/invoice/taxes_outputs/${index}/tax_regime_key`, { received: ONE_STOP_SHOP })
  },
})

const isForeign = (context: Context): boolean => {
  const country = recipientCountry(context)
  return country === null || (country !== 'ES' && isEuMember(country, context.date))
}

const mustBeNonSubject = lineRule({
  code: 'oss_foreign_consumption_must_be_non_subject',
  law: 'arts. 68.Tres, 70.Uno.4 Ley 37/1992',
  reads: ['/invoice/lines/*/tax_treatment_code', '/invoice/customer/country_code'],
  en: [
    'A distance sale taxed in another state is not subject in Spain; the line is {received}.',
    'Send NON_TAXABLE without tax_output_rate, and the foreign tax in the consumption fields.',
  ],
  es: [
    'Una venta a distancia gravada en otro Estado no está sujeta en España; la línea es {received}.',
    'Envíe NON_TAXABLE sin tax_output_rate, y el impuesto extranjero en los campos consumption.',
  ],
  applies: (context) => isShopDocument(context) && isForeign(context),
  check(line, _context, fail) {
    if (isShopLine(line) && line.tax_treatment_code !== NON_TAXABLE && !isReverseCharge(line))
      fail('tax_treatment_code', { expected: NON_TAXABLE, received: line.tax_treatment_code })
  },
})

const reasonMustBeLocation = lineRule({
  code: 'oss_non_subject_reason_must_be_location_rules',
  law: 'arts. 68-70 Ley 37/1992',
  reads: ['/invoice/lines/*/non_taxable_reason'],
  en: [
    'With key 17 the reason is LOCATION_RULES, not {received}.',
    'Send LOCATION_RULES or leave the reason out.',
  ],
  es: [
    'Con la clave 17 la causa es LOCATION_RULES, no {received}.',
    'Envíe LOCATION_RULES u omita la causa.',
  ],
  applies: isShopDocument,
  check(line, _context, fail) {
    if (
      isShopLine(line) &&
      line.tax_treatment_code === NON_TAXABLE &&
      line.non_taxable_reason !== 'LOCATION_RULES'
    )
      fail('non_taxable_reason', { expected: 'LOCATION_RULES', received: line.non_taxable_reason })
  },
})

const spanishMustBeSubject = lineRule({
  code: 'oss_spanish_consumption_must_be_subject',
  law: 'art. 163 quinvicies Ley 37/1992',
  reads: ['/invoice/lines/*/tax_treatment_code', '/invoice/customer/country_code'],
  en: [
    'With key 17 a sale to Spain carries Spanish tax; the line is {received}.',
    'Send TAXABLE_NON_EXEMPT with its rate, or the customer’s country_code.',
  ],
  es: [
    'Con la clave 17 una venta a España lleva IVA español; la línea es {received}.',
    'Envíe TAXABLE_NON_EXEMPT con su tipo, o el country_code del destinatario.',
  ],
  applies: (context) => isShopDocument(context) && recipientCountry(context) === 'ES',
  check(line, _context, fail) {
    if (isShopLine(line) && line.tax_treatment_code !== TAXED && !isReverseCharge(line))
      fail('tax_treatment_code', { expected: TAXED, received: line.tax_treatment_code })
  },
})

const noReverseCharge = lineRule({
  code: 'oss_reverse_charge_not_allowed',
  law: 'art. 163 octiesdecies Ley 37/1992',
  reads: ['/invoice/lines/*/reverse_charge', '/invoice/lines/*/tax_treatment_code'],
  en: [
    'Key 17 is for consumers: the tax cannot be reversed on them.',
    'Leave reverse_charge out, or use another key.',
  ],
  es: [
    'La clave 17 es para consumidores: no cabe inversión del sujeto pasivo.',
    'Quite reverse_charge o use otra clave.',
  ],
  applies: isShopDocument,
  check(line, _context, fail) {
    if (isShopLine(line) && isReverseCharge(line))
      fail(line.reverse_charge === true ? 'reverse_charge' : 'tax_treatment_code', {
        received: line.reverse_charge ?? line.tax_treatment_code,
      })
  },
})

/** Registration of the company: null where there is none. */
const registration = ({ company }: Context) => {
  const oss = company?.oss
  return oss && (oss.status === 'registered' || oss.status === 'pending') ? oss : null
}

const notRegistered = documentRule({
  code: 'oss_regime_not_registered',
  law: 'art. 163 noniesdecies Ley 37/1992',
  reads: ['/invoice/lines/*/tax_regime_key'],
  en: [
    'The company is not registered in the one-stop shop.',
    'Register it (form 035), or use another regime key.',
  ],
  es: [
    'La empresa no está registrada en la ventanilla única.',
    'Regístrela (modelo 035) o use otra clave de régimen.',
  ],
  check(context, fail) {
    if (context.company && isShopDocument(context) && !registration(context)) fail(firstShopLine(context))
  },
})

const notEffective = documentRule({
  code: 'oss_regime_not_effective',
  severity: 'warning',
  law: 'art. 163 noniesdecies Ley 37/1992',
  reads: ['/invoice/lines/*/tax_regime_key'],
  en: [
    'The registration in the one-stop shop is {status}, effective {effective_date}.',
    'Check that it is in force on the date of the operation.',
  ],
  es: [
    'El registro en la ventanilla única está {status}, con efecto {effective_date}.',
    'Compruebe que está en vigor en la fecha de la operación.',
  ],
  cases: {
    undated: {
      en: 'The registration in the one-stop shop is {status}, with no date yet.',
      es: 'El registro en la ventanilla única está {status}, aún sin fecha.',
    },
  },
  caseOf: ({ effective_date }) => (effective_date === null ? 'undated' : undefined),
  check(context, fail) {
    const oss = context.company && isShopDocument(context) ? registration(context) : null
    if (!oss) return
    const effective = oss.effective_date ?? null
    const late = effective !== null && context.date !== undefined && effective > context.date
    if (oss.status === 'pending' || late)
      fail(firstShopLine(context), { status: oss.status, effective_date: effective })
  },
})

const CONSUMPTION_FIELDS = [
  'consumption_country_code',
  'consumption_tax_rate',
  'consumption_tax_amount',
  'consumption_rate_type',
  'supply_type',
] as const

/** First consumption field of the line, its own or the breakdown's. */
const consumptionField = ({ invoice }: Context, index: number): string | undefined => {
  const line = invoice.lines[index]!
  return CONSUMPTION_FIELDS.find((name) => line[name] !== undefined)
}

const usesConsumption = ({ uses }: Context): boolean => uses.consumption

const requiresShop = lineRule({
  code: 'consumption_tax_requires_oss_regime',
  law: 'API specification, "One-stop-shop foreign VAT"',
  reads: CONSUMPTION_FIELDS.map((name) => `/invoice/lines/*/${name}`),
  en: [
    'Foreign tax belongs to an issued VAT invoice with key 17.',
    'Send tax_regime_key 17, or leave the consumption fields out.',
  ],
  es: [
    'El impuesto extranjero corresponde a una factura emitida de IVA con clave 17.',
    'Envíe tax_regime_key 17 o quite los campos consumption.',
  ],
  applies: usesConsumption,
  check(line, context, fail, index) {
    const field = consumptionField(context, index)
    if (field && !(context.issued && context.taxGroup === 'IVA' && isShopLine(line)))
      fail(field, { tax_regime_key: line.tax_regime_key })
  },
})

const requiresNonSubject = lineRule({
  code: 'consumption_tax_requires_non_subject',
  law: 'API specification, "One-stop-shop foreign VAT"',
  reads: ['/invoice/lines/*/tax_treatment_code', '/invoice/lines/*/non_taxable_reason'],
  en: [
    'A line with foreign tax is not subject in Spain; it is {received}.',
    'Send NON_TAXABLE with LOCATION_RULES.',
  ],
  es: [
    'Una línea con impuesto extranjero no está sujeta en España; es {received}.',
    'Envíe NON_TAXABLE con LOCATION_RULES.',
  ],
  applies: usesConsumption,
  check(line, context, fail, index) {
    const field = consumptionField(context, index)
    if (field && !(line.tax_treatment_code === NON_TAXABLE && line.non_taxable_reason === 'LOCATION_RULES'))
      fail(field, {
        expected: NON_TAXABLE,
        received: line.tax_treatment_code,
        non_taxable_reason: line.non_taxable_reason ?? null,
      })
  },
})

const countryRequired = lineRule({
  code: 'consumption_country_required',
  law: 'API specification, "One-stop-shop foreign VAT"',
  reads: ['/invoice/lines/*/consumption_country_code'],
  en: ['The state of consumption is missing.', 'Send consumption_country_code.'],
  es: ['Falta el Estado de consumo.', 'Envíe consumption_country_code.'],
  applies: usesConsumption,
  check(line, context, fail, index) {
    if (consumptionField(context, index) && line.consumption_country_code === undefined)
      fail('consumption_country_code')
  },
})

const countryNotSpain = lineRule({
  code: 'consumption_country_must_not_be_es',
  law: 'API specification, "One-stop-shop foreign VAT"',
  reads: ['/invoice/lines/*/consumption_country_code'],
  en: ['Spain is not a foreign state of consumption.', 'Charge Spanish VAT with tax_output_rate instead.'],
  es: ['España no es un Estado de consumo extranjero.', 'Repercuta IVA español con tax_output_rate.'],
  applies: usesConsumption,
  check(line, _context, fail) {
    if (line.consumption_country_code === 'ES') fail('consumption_country_code', { received: 'ES' })
  },
})

const countryNotEu = lineRule({
  code: 'consumption_country_not_eu',
  law: 'art. 163 octiesdecies Ley 37/1992',
  reads: ['/invoice/lines/*/consumption_country_code'],
  en: [
    '{received} is not a member state of the Union.',
    'Send the member state where the goods or services are consumed.',
  ],
  es: ['{received} no es un Estado miembro de la Unión.', 'Envíe el Estado miembro de consumo.'],
  applies: usesConsumption,
  check(line, { date }, fail) {
    const received = line.consumption_country_code
    if (received !== undefined && !isEuMember(received, date)) fail('consumption_country_code', { received })
  },
})

const rateRequired = lineRule({
  code: 'consumption_tax_rate_required',
  law: 'API specification, "One-stop-shop foreign VAT"',
  reads: ['/invoice/lines/*/consumption_tax_rate'],
  en: ['The rate of the foreign tax is missing.', 'Send consumption_tax_rate.'],
  es: ['Falta el tipo del impuesto extranjero.', 'Envíe consumption_tax_rate.'],
  applies: usesConsumption,
  check(line, context, fail, index) {
    if (consumptionField(context, index) && line.consumption_tax_rate === undefined)
      fail('consumption_tax_rate')
  },
})

const rateInvalid = lineRule({
  code: 'consumption_tax_rate_invalid',
  law: 'API specification, "One-stop-shop foreign VAT"',
  reads: ['/invoice/lines/*/consumption_tax_rate'],
  en: ['A rate of {received} % is outside 0 to 100.', 'Send the percentage: 20 means 20 %.'],
  es: ['Un tipo del {received} % está fuera de 0 a 100.', 'Envíe el porcentaje: 20 es el 20 %.'],
  applies: usesConsumption,
  check(line, _context, fail) {
    const received = line.consumption_tax_rate
    if (received !== undefined && !(received >= 0 && received <= 100))
      fail('consumption_tax_rate', { received, minimum: 0, maximum: 100 })
  },
})

const amountMismatch = lineRule({
  code: 'consumption_tax_amount_mismatch',
  law: 'API specification, "One-stop-shop foreign VAT"',
  reads: ['/invoice/lines/*/consumption_tax_amount'],
  en: [
    'The foreign tax is {received}; base and rate give {expected}.',
    'Correct it, or leave it out: it is computed.',
  ],
  es: [
    'El impuesto extranjero es {received}; base y tipo dan {expected}.',
    'Corríjalo u omítalo: se calcula.',
  ],
  applies: usesConsumption,
  check(line, { sent, calculation }, fail, index) {
    const received = sent.invoice.lines[index]!.consumption_tax_amount
    const expected = line.consumption_tax_amount
    if (received === undefined || expected === undefined || line.consumption_tax_rate === undefined) return
    const { decimals } = calculation
    if (Math.abs(toMinor(received, decimals) - toMinor(expected, decimals)) > 1)
      fail('consumption_tax_amount', { expected, received })
  },
})

const differsFromCustomer = lineRule({
  code: 'consumption_country_differs_from_customer',
  severity: 'warning',
  law: 'art. 68.Tres Ley 37/1992',
  reads: ['/invoice/lines/*/consumption_country_code', '/invoice/customer/country_code'],
  en: ['Consumed in {received}, but the customer is of {expected}.', 'Check where the goods arrive.'],
  es: [
    'Se consume en {received}, pero el destinatario es de {expected}.',
    'Compruebe adónde llegan los bienes.',
  ],
  applies: usesConsumption,
  check(line, context, fail) {
    const expected = recipientCountry(context)
    const received = line.consumption_country_code
    if (expected !== null && received !== undefined && received !== (countryOf(expected)?.vat_as ?? expected))
      fail('consumption_country_code', { expected, received })
  },
})

const rateUnknown = lineRule({
  code: 'consumption_tax_rate_unknown_for_country',
  severity: 'warning',
  law: 'Taxes in Europe Database; Directive 2006/112/EC, arts. 96-99',
  reads: ['/invoice/lines/*/consumption_tax_rate', '/invoice/lines/*/consumption_country_code'],
  en: [
    '{received} % is not a known rate of {consumption_country_code}.',
    'Known there: {allowed}. Check the rate and the date.',
  ],
  es: [
    '{received} % no es un tipo conocido de {consumption_country_code}.',
    'Conocidos allí: {allowed}. Compruebe tipo y fecha.',
  ],
  applies: usesConsumption,
  check(line, { date }, fail) {
    const { consumption_tax_rate: received, consumption_country_code: country } = line
    if (received === undefined || country === undefined || country === 'ES') return
    const rates = consumptionRatesOf(country, date)
    if (rates.length > 0 && !rates.some((rate) => rate.percent === received))
      fail('consumption_tax_rate', {
        received,
        consumption_country_code: country,
        allowed: [...new Set(rates.map((rate) => rate.percent))],
      })
  },
})

const advised = (code: string, field: 'consumption_rate_type' | 'supply_type', allowed: string) =>
  lineRule({
    code,
    severity: 'warning',
    law: 'API specification, "One-stop-shop foreign VAT"',
    reads: [`/invoice/lines/*/${field}`],
    en: [`${field} is missing; the one-stop-shop return (form 369) asks for it.`, `Send one of ${allowed}.`],
    es: [
      `Falta ${field}; lo pide la declaración de ventanilla única (modelo 369).`,
      `Envíe uno de ${allowed}.`,
    ],
    applies: usesConsumption,
    check(line, context, fail, index) {
      if (consumptionField(context, index) && line[field] === undefined) fail(field)
    },
  })

export const ONE_STOP_SHOP_RULES = [
  outsideEu,
  mustBeNonSubject,
  reasonMustBeLocation,
  spanishMustBeSubject,
  noReverseCharge,
  beforeStart,
  mixed,
  ambiguous,
  requiresShop,
  requiresNonSubject,
  countryRequired,
  countryNotSpain,
  countryNotEu,
  rateRequired,
  rateInvalid,
  amountMismatch,
  notRegistered,
  notEffective,
  differsFromCustomer,
  rateUnknown,
  advised(
    'consumption_rate_type_missing',
    'consumption_rate_type',
    'standard, reduced, super_reduced, parking',
  ),
  advised('supply_type_missing', 'supply_type', 'goods, services'),
]
