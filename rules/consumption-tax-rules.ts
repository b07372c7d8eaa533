/** The foreign tax on a one-stop-shop line (API specification, "One-stop-shop foreign VAT"). */
import { consumptionRatesOf, isEuMember, memberStates, vatTerritoryOf } from '#core/catalogs/index.ts'
import type { Line } from '#core/invoice/index.ts'
import { NON_TAXABLE } from '#core/invoice/terms.ts'
import { toMinor } from '#core/money/index.ts'
import { COMPARED_TOTALS, MISMATCH_CASES, mistakeOf } from './likely-mistakes.ts'
import {
  isOneStopShopDocument,
  isOneStopShopLine,
  isOtherMemberStateOrAbsent,
  isOutsideUnion,
  PLACE_LAW,
  recipientCountry,
  SCOPE_LAW,
} from './one-stop-shop-rules.ts'
import { type Context, isPercentage, type LineRule, linePathsOf, lineRule } from './rule.ts'

/** Law on the contents of the one-stop-shop return. */
const RETURN_LAW = 'art. 369g Directive 2006/112/EC'

const LOCATION_RULES = 'LOCATION_RULES'

const CONSUMPTION_FIELDS = [
  'consumption_country_code',
  'consumption_tax_rate',
  'consumption_tax_amount',
  'consumption_rate_type',
  'supply_type',
] as const

/**
 * Returns the name of the first foreign-tax field of the line, whether sent on the line or taken from the breakdown.
 */
const consumptionField = ({ invoice }: Context, index: number): string | undefined =>
  CONSUMPTION_FIELDS.find((name) => invoice.lines[index]?.[name] !== undefined)

/** Whether the line is not subject to tax in Spain under the place-of-supply rules. */
const isLocatedAbroad = (line: Line): boolean =>
  line.tax_treatment_code === NON_TAXABLE && line.non_taxable_reason === LOCATION_RULES

/** Whether the tax of another member state is due, even if the line has no foreign-tax fields. */
const isOwedAbroad = (line: Line, context: Context): boolean =>
  isOneStopShopLine(line) &&
  isLocatedAbroad(line) &&
  isOneStopShopDocument(context) &&
  isOtherMemberStateOrAbsent(context)

/** The fields that determine whether a line has foreign tax. */
const FOREIGN_TAX_PATHS = [
  ...linePathsOf(...CONSUMPTION_FIELDS, 'tax_regime_key', 'tax_treatment_code', 'non_taxable_reason'),
  '/invoice/customer/country_code',
]

/** Whether the line must state the member state and the rate of its foreign tax. */
const carriesForeignTax = (line: Line, context: Context, index: number): boolean =>
  consumptionField(context, index) !== undefined || isOwedAbroad(line, context)

/** Returns a check that fails if a line must state its foreign tax and does not have the field. */
const requires =
  (name: 'consumption_country_code' | 'consumption_tax_rate'): LineRule['check'] =>
  (line, context, fail, index) => {
    if (line[name] === undefined && carriesForeignTax(line, context, index)) fail(name)
  }

/**
 * Whether lines can have foreign tax. For customers outside the Union, `oss_customer_outside_eu` is reported instead.
 */
const mayCarryForeignTax = (context: Context): boolean =>
  isOneStopShopDocument(context) ? !isOutsideUnion(context) : context.uses.consumption

const recommendedField = (
  code: string,
  field: 'consumption_rate_type' | 'supply_type',
  allowed: readonly string[],
) =>
  lineRule({
    code,
    severity: 'warning',
    law: RETURN_LAW,
    reads: linePathsOf(...CONSUMPTION_FIELDS),
    en: [`${field} is missing; the one-stop-shop return (form 369) requires it.`, 'Send {allowed}.'],
    es: [`Falta ${field}; lo pide la declaración de la ventanilla única (modelo 369).`, 'Envíe {allowed}.'],
    needs: ['consumption'],
    check(line, context, fail, index) {
      // A rate of 0 has no rate type.
      if (line.consumption_tax_rate === 0 && field === 'consumption_rate_type') return
      if (consumptionField(context, index) && line[field] === undefined) fail(field, { allowed })
    },
  })

export const CONSUMPTION_TAX_RULES = [
  lineRule({
    code: 'consumption_tax_requires_oss_regime',
    law: SCOPE_LAW,
    reads: linePathsOf(...CONSUMPTION_FIELDS, 'tax_regime_key'),
    en: [
      'Foreign tax requires regime key 17; this line has {tax_regime_key}.',
      'Send tax_regime_key 17, or remove {field} and the other foreign-tax fields.',
    ],
    es: [
      'El impuesto extranjero exige la clave de régimen 17; esta línea lleva la {tax_regime_key}.',
      'Envíe tax_regime_key 17, o quite {field} y los demás campos del impuesto extranjero.',
    ],
    cases: {
      elsewhere: {
        en: [
          'Foreign tax requires an issued invoice with IVA and regime key 17.',
          'Remove {field} and the other foreign-tax fields.',
        ],
        es: [
          'El impuesto extranjero exige una factura expedida con IVA y clave de régimen 17.',
          'Quite {field} y los demás campos del impuesto extranjero.',
        ],
      },
    },
    caseOf: ({ direction, tax_group }) =>
      direction === 'issued' && tax_group === 'IVA' ? undefined : 'elsewhere',
    needs: ['consumption'],
    check(line, context, fail, index) {
      const field = consumptionField(context, index)
      const { issued, taxGroup } = context
      if (field && !(issued && taxGroup === 'IVA' && isOneStopShopLine(line)))
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
    reads: linePathsOf('tax_treatment_code', 'non_taxable_reason', ...CONSUMPTION_FIELDS),
    en: [
      'A line with foreign tax is not subject to tax in Spain; this line is {received}.',
      'Send tax_treatment_code {expected}.',
    ],
    es: [
      'Una línea con impuesto extranjero no está sujeta en España; esta es {received}.',
      'Envíe tax_treatment_code {expected}.',
    ],
    cases: {
      reason: {
        en: [
          'A line with foreign tax is not subject by location, not by {received}.',
          'Send non_taxable_reason {expected}, or omit it.',
        ],
        es: [
          'Una línea con impuesto extranjero no está sujeta por localización, no por {received}.',
          'Envíe non_taxable_reason {expected}, u omita la causa.',
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
    en: [
      'The member state of consumption cannot be Spain.',
      'Charge Spanish VAT with tax_output_rate instead.',
    ],
    es: ['El Estado miembro de consumo no puede ser España.', 'Repercuta IVA español con tax_output_rate.'],
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
      '{received} is not a member state of the European Union.',
      'Send the member state where the goods or services are consumed.',
    ],
    es: [
      '{received} no es un Estado miembro de la Unión Europea.',
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
    es: ['Un tipo del {received} % no está entre 0 y 100.', 'Envíe el porcentaje: 20 significa 20 %.'],
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
    reads: [...linePathsOf('consumption_tax_amount', 'consumption_tax_rate'), ...COMPARED_TOTALS],
    en: [
      'The foreign tax is {received}, but the taxable amount and the rate give {expected}.',
      'Check the line; if it is right, omit {field} to have it computed.',
    ],
    es: [
      'El impuesto extranjero es {received}, pero de la base y el tipo resulta {expected}.',
      'Revise la línea; si es correcta, omita {field} para que se calcule.',
    ],
    cases: MISMATCH_CASES,
    needs: ['consumption'],
    check(line, context, fail, index) {
      const { sent, stated } = context
      const received = sent.lines[index]?.consumption_tax_amount
      const expected = line.consumption_tax_amount
      if (received === undefined || expected === undefined || line.consumption_tax_rate === undefined) return
      const { decimals } = stated.calculation
      if (Math.abs(toMinor(received, decimals) - toMinor(expected, decimals)) > 1)
        fail('consumption_tax_amount', { expected, received, ...mistakeOf(context) })
    },
  }),
  lineRule({
    code: 'consumption_country_differs_from_customer',
    severity: 'warning',
    law: 'art. 68.Tres Ley 37/1992',
    reads: ['/invoice/lines/*/consumption_country_code', '/invoice/customer/country_code'],
    en: [
      'The country of consumption is {received}, but the customer is in {expected}.',
      'Check both countries.',
    ],
    es: [
      'El país de consumo es {received}, pero el destinatario está en {expected}.',
      'Compruebe ambos países.',
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
      'Check the country and the date; if they are right, send {allowed}.',
    ],
    es: [
      'No consta un tipo del {received} % en el país {consumption_country_code}.',
      'Revise el país y la fecha; si son correctos, envíe {allowed}.',
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
  recommendedField('consumption_rate_type_missing', 'consumption_rate_type', [
    'standard',
    'reduced',
    'super_reduced',
    'parking',
  ]),
  recommendedField('supply_type_missing', 'supply_type', ['goods', 'services']),
]
