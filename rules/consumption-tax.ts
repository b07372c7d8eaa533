/** The foreign tax that a one-stop-shop line carries (API specification, "One-stop-shop foreign VAT"). */
import { consumptionRatesOf, isEuMember, memberStates, vatTerritoryOf } from '../src/catalogs/index.ts'
import { type Line, NON_TAXABLE } from '../src/invoice/index.ts'
import { toMinor } from '../src/money/index.ts'
import {
  isForeign,
  isOutsideUnion,
  isShopDocument,
  isShopLine,
  PLACE_LAW,
  recipientCountry,
  SCOPE_LAW,
} from './one-stop-shop.ts'
import { type Context, isPercentage, type LineRule, lineRule, ofLines } from './rule.ts'

/** What the return of the one-stop shop states. */
const RETURN_LAW = 'art. 369g Directive 2006/112/EC'

const LOCATION_RULES = 'LOCATION_RULES'

const CONSUMPTION_FIELDS = [
  'consumption_country_code',
  'consumption_tax_rate',
  'consumption_tax_amount',
  'consumption_rate_type',
  'supply_type',
] as const

/** First consumption field of the line, its own or the breakdown's. */
const consumptionField = ({ invoice }: Context, index: number): string | undefined =>
  CONSUMPTION_FIELDS.find((name) => invoice.lines[index]?.[name] !== undefined)

/** Not subject in Spain because it is taxed where it is consumed. */
const isLocatedAbroad = (line: Line): boolean =>
  line.tax_treatment_code === NON_TAXABLE && line.non_taxable_reason === LOCATION_RULES

/** Another member state's tax is due, whether or not the line says so. */
const isOwedAbroad = (line: Line, context: Context): boolean =>
  isShopLine(line) && isLocatedAbroad(line) && isShopDocument(context) && isForeign(context)

/** What tells whether a line carries foreign tax. */
const FOREIGN_TAX_PATHS = [
  ...ofLines(...CONSUMPTION_FIELDS, 'tax_regime_key', 'tax_treatment_code', 'non_taxable_reason'),
  '/invoice/customer/country_code',
]

/** Whether the line has to say which tax of which state it carries. */
const carriesForeignTax = (line: Line, context: Context, index: number): boolean =>
  consumptionField(context, index) !== undefined || isOwedAbroad(line, context)

/** Reports a line that carries foreign tax and lacks a field of it. */
const requires =
  (name: 'consumption_country_code' | 'consumption_tax_rate'): LineRule['check'] =>
  (line, context, fail, index) => {
    if (line[name] === undefined && carriesForeignTax(line, context, index)) fail(name)
  }

/** Outside the Union there is no state to name: `oss_customer_outside_eu` is reported instead. */
const mayCarryForeignTax = (context: Context): boolean =>
  isShopDocument(context) ? !isOutsideUnion(context) : context.uses.consumption

const advised = (code: string, field: 'consumption_rate_type' | 'supply_type', allowed: readonly string[]) =>
  lineRule({
    code,
    severity: 'warning',
    law: RETURN_LAW,
    reads: ofLines(...CONSUMPTION_FIELDS),
    en: [`${field} is missing; the one-stop-shop return (form 369) asks for it.`, 'Send {allowed}.'],
    es: [`Falta ${field}; lo pide la declaración de la ventanilla única (modelo 369).`, 'Envíe {allowed}.'],
    needs: ['consumption'],
    check(line, context, fail, index) {
      if (consumptionField(context, index) && line[field] === undefined) fail(field, { allowed })
    },
  })

export const CONSUMPTION_TAX_RULES = [
  lineRule({
    code: 'consumption_tax_requires_oss_regime',
    law: SCOPE_LAW,
    reads: ofLines(...CONSUMPTION_FIELDS, 'tax_regime_key'),
    en: [
      'Foreign tax is only for lines with regime key 17; this one has {tax_regime_key}.',
      'Send tax_regime_key 17, or leave {field} and the like out.',
    ],
    es: [
      'El impuesto extranjero es solo para líneas con la clave de régimen 17; esta lleva la {tax_regime_key}.',
      'Envíe tax_regime_key 17, o quite {field} y los campos afines.',
    ],
    cases: {
      elsewhere: {
        en: [
          'Foreign tax is only for issued invoices with IVA and regime key 17.',
          'Leave {field} and the like out.',
        ],
        es: [
          'El impuesto extranjero es solo para facturas expedidas con IVA y clave de régimen 17.',
          'Quite {field} y los campos afines.',
        ],
      },
    },
    caseOf: ({ direction, tax_group }) =>
      direction === 'issued' && tax_group === 'IVA' ? undefined : 'elsewhere',
    needs: ['consumption'],
    check(line, context, fail, index) {
      const field = consumptionField(context, index)
      const { issued, taxGroup } = context
      if (field && !(issued && taxGroup === 'IVA' && isShopLine(line)))
        fail(field, {
          tax_regime_key: line.tax_regime_key,
          direction: issued ? 'issued' : 'received',
          tax_group: taxGroup,
        })
    },
  }),
  lineRule({
    code: 'consumption_tax_requires_non_subject',
    law: PLACE_LAW,
    reads: ofLines('tax_treatment_code', 'non_taxable_reason', ...CONSUMPTION_FIELDS),
    en: [
      'A line with foreign tax is not subject in Spain; this one is {received}.',
      'Send tax_treatment_code {expected}.',
    ],
    es: [
      'Una línea con impuesto extranjero no está sujeta en España; esta es {received}.',
      'Envíe tax_treatment_code {expected}.',
    ],
    cases: {
      reason: {
        en: [
          'A line with foreign tax is not subject in Spain because of where it is taxed; the reason sent is {received}.',
          'Send non_taxable_reason {expected}, or leave it out.',
        ],
        es: [
          'Una línea con impuesto extranjero no está sujeta en España por las reglas de localización; la causa enviada es {received}.',
          'Envíe non_taxable_reason {expected}, o quite la causa.',
        ],
      },
    },
    caseOf: ({ expected }) => (expected === LOCATION_RULES ? 'reason' : undefined),
    needs: ['consumption'],
    check(line, context, fail, index) {
      const field = consumptionField(context, index)
      if (!field || isLocatedAbroad(line)) return
      const { tax_treatment_code: treatment, non_taxable_reason: reason } = line
      if (treatment !== NON_TAXABLE) fail(field, { expected: NON_TAXABLE, received: treatment })
      else fail(field, { expected: LOCATION_RULES, received: reason })
    },
  }),
  lineRule({
    code: 'consumption_country_required',
    law: RETURN_LAW,
    reads: FOREIGN_TAX_PATHS,
    en: ['The member state of consumption is missing.', 'Send consumption_country_code.'],
    es: ['Falta el Estado miembro de consumo.', 'Envíe consumption_country_code.'],
    applies: mayCarryForeignTax,
    check: requires('consumption_country_code'),
  }),
  lineRule({
    code: 'consumption_country_must_not_be_es',
    law: 'art. 68.Tres Ley 37/1992',
    reads: ['/invoice/lines/*/consumption_country_code'],
    en: ['Spain is not a foreign state of consumption.', 'Charge Spanish VAT with tax_output_rate instead.'],
    es: ['España no es un Estado de consumo extranjero.', 'Repercuta IVA español con tax_output_rate.'],
    needs: ['consumption'],
    check(line, _context, fail) {
      if (line.consumption_country_code === 'ES') fail('consumption_country_code', { received: 'ES' })
    },
  }),
  lineRule({
    code: 'consumption_country_not_eu',
    law: SCOPE_LAW,
    reads: ['/invoice/lines/*/consumption_country_code'],
    en: [
      'Country {received} is not a member state of the Union.',
      'Send the member state where the goods or services are consumed.',
    ],
    es: [
      'El país {received} no es un Estado miembro de la Unión.',
      'Envíe el Estado miembro donde se consumen los bienes o servicios.',
    ],
    needs: ['consumption'],
    check(line, { date }, fail) {
      const received = line.consumption_country_code
      if (received !== undefined && !isEuMember(received, date))
        fail('consumption_country_code', { received, allowed: memberStates(date) })
    },
  }),
  lineRule({
    code: 'consumption_tax_rate_required',
    law: RETURN_LAW,
    reads: FOREIGN_TAX_PATHS,
    en: ['The rate of the foreign tax is missing.', 'Send consumption_tax_rate.'],
    es: ['Falta el tipo del impuesto extranjero.', 'Envíe consumption_tax_rate.'],
    applies: mayCarryForeignTax,
    check: requires('consumption_tax_rate'),
  }),
  lineRule({
    code: 'consumption_tax_rate_invalid',
    law: 'arts. 96-99 Directive 2006/112/EC',
    reads: ['/invoice/lines/*/consumption_tax_rate'],
    en: ['A rate of {received} % is not between 0 and 100.', 'Send the percentage: 20 means 20 %.'],
    es: ['Un tipo del {received} % no está entre 0 y 100.', 'Envíe el porcentaje: 20 es el 20 %.'],
    needs: ['consumption'],
    check(line, _context, fail) {
      const received = line.consumption_tax_rate
      if (received !== undefined && !isPercentage(received))
        fail('consumption_tax_rate', { received, minimum: 0, maximum: 100 })
    },
  }),
  lineRule({
    code: 'consumption_tax_amount_mismatch',
    law: RETURN_LAW,
    reads: ofLines('consumption_tax_amount', 'consumption_tax_rate'),
    en: [
      'The foreign tax is {received}; base and rate give {expected}.',
      'Correct it, or leave it out: it is computed.',
    ],
    es: [
      'El impuesto extranjero es {received}; base y tipo dan {expected}.',
      'Corríjalo u omítalo: se calcula.',
    ],
    needs: ['consumption'],
    check(line, { sent, stated }, fail, index) {
      const received = sent.lines[index]?.consumption_tax_amount
      const expected = line.consumption_tax_amount
      if (received === undefined || expected === undefined || line.consumption_tax_rate === undefined) return
      const { decimals } = stated.calculation
      if (Math.abs(toMinor(received, decimals) - toMinor(expected, decimals)) > 1)
        fail('consumption_tax_amount', { expected, received })
    },
  }),
  lineRule({
    code: 'consumption_country_differs_from_customer',
    severity: 'warning',
    law: 'art. 68.Tres Ley 37/1992',
    reads: ['/invoice/lines/*/consumption_country_code', '/invoice/customer/country_code'],
    en: [
      'The country of consumption is {received}, and that of the customer is {expected}.',
      'Check where the goods arrive or the service is received.',
    ],
    es: [
      'El país de consumo es {received} y el del destinatario es {expected}.',
      'Compruebe adónde llegan los bienes o dónde se recibe el servicio.',
    ],
    needs: ['consumption'],
    check(line, context, fail) {
      const expected = recipientCountry(context)
      const received = line.consumption_country_code
      if (
        expected !== null &&
        received !== undefined &&
        vatTerritoryOf(received) !== vatTerritoryOf(expected)
      )
        fail('consumption_country_code', { expected, received })
    },
  }),
  lineRule({
    code: 'consumption_tax_rate_unknown_for_country',
    severity: 'warning',
    law: 'arts. 96-99 Directive 2006/112/EC; Taxes in Europe Database',
    reads: ['/invoice/lines/*/consumption_tax_rate', '/invoice/lines/*/consumption_country_code'],
    en: [
      'No rate of {received} % is known for country {consumption_country_code}.',
      'Send {allowed}, or check the country and the date.',
    ],
    es: [
      'No consta un tipo del {received} % en el país {consumption_country_code}.',
      'Envíe {allowed}, o compruebe el país y la fecha.',
    ],
    needs: ['consumption'],
    check(line, { date }, fail) {
      const { consumption_tax_rate: received, consumption_country_code: country } = line
      if (received === undefined || !isPercentage(received) || country === undefined || country === 'ES')
        return
      const rates = consumptionRatesOf(country, date)
      if (rates.length > 0 && !rates.some((rate) => rate.percent === received))
        fail('consumption_tax_rate', {
          received,
          consumption_country_code: country,
          allowed: [...new Set(rates.map((rate) => rate.percent))],
        })
    },
  }),
  advised('consumption_rate_type_missing', 'consumption_rate_type', [
    'standard',
    'reduced',
    'super_reduced',
    'parking',
  ]),
  advised('supply_type_missing', 'supply_type', ['goods', 'services']),
]
