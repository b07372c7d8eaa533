/** The foreign tax that a one-stop-shop line carries (API specification, "One-stop-shop foreign VAT"). */
import { consumptionRatesOf, isEuMember, vatTerritoryOf } from '../src/catalogs/index.ts'
import { type Line, NON_TAXABLE } from '../src/invoice/index.ts'
import { toMinor } from '../src/money/index.ts'
import { isShopDocument, isShopLine, recipientCountry } from './one-stop-shop.ts'
import { type Context, lineRule } from './rule.ts'

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

/** Not subject in Spain because it is taxed where it is consumed. */
const isLocatedAbroad = (line: Line): boolean =>
  line.tax_treatment_code === NON_TAXABLE && line.non_taxable_reason === 'LOCATION_RULES'

/** A customer in another member state: that state's tax is due, whether or not the line says so. */
const isOwedAbroad = (line: Line, context: Context): boolean => {
  const country = recipientCountry(context)
  return (
    isShopLine(line) &&
    isLocatedAbroad(line) &&
    country !== null &&
    country !== 'ES' &&
    isShopDocument(context) &&
    isEuMember(country, context.date)
  )
}

/** Whether the line has to say which tax of which state it carries. */
const carriesForeignTax = (line: Line, context: Context, index: number): boolean =>
  consumptionField(context, index) !== undefined || isOwedAbroad(line, context)

const mayCarryForeignTax = ({ uses }: Context): boolean => uses.consumption || uses.oneStopShop

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
    if (field && !isLocatedAbroad(line))
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
  applies: mayCarryForeignTax,
  check(line, context, fail, index) {
    if (line.consumption_country_code === undefined && carriesForeignTax(line, context, index))
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
  applies: mayCarryForeignTax,
  check(line, context, fail, index) {
    if (line.consumption_tax_rate === undefined && carriesForeignTax(line, context, index))
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
    if (expected !== null && received !== undefined && vatTerritoryOf(received) !== vatTerritoryOf(expected))
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

export const CONSUMPTION_TAX_RULES = [
  requiresShop,
  requiresNonSubject,
  countryRequired,
  countryNotSpain,
  countryNotEu,
  rateRequired,
  rateInvalid,
  amountMismatch,
  differsFromCustomer,
  rateUnknown,
  advised(
    'consumption_rate_type_missing',
    'consumption_rate_type',
    'standard, reduced, super_reduced, parking',
  ),
  advised('supply_type_missing', 'supply_type', 'goods, services'),
]
