/** Rates, treatments and exemptions. */
import {
  exemptionReasonCodes,
  exemptionReasonGroups,
  farmersCompensationOf,
  isTreatment,
  surchargesOf,
  taxRatesOf,
} from '#core/catalogs/index.ts'
import type { Extra, Line, TaxOutput } from '#core/invoice/index.ts'
import {
  EXEMPT,
  FARMERS_OR_EXPORT,
  NON_TAXABLE,
  REVERSE_CHARGE,
  TAXED,
  treatmentOf,
} from '#core/invoice/terms.ts'
import { keepDecimals } from '#core/money/index.ts'
import {
  type Context,
  documentRule,
  FRACTION,
  fractionOf,
  linePathsOf,
  lineRule,
  type ReportFailure,
} from './rule.ts'
import { visitEntries } from './sent-entries.ts'

/**
 * Returns the highest IPSI rate that the law allows. Ceuta and Melilla set their rates up to this limit by ordinance.
 */
const highestOfOrdinances = (date: string | undefined): number | undefined => taxRatesOf('IPSI', date)[0]

const isOrdinanceRate = (rate: number, date: string | undefined): boolean =>
  rate >= 0 && rate <= (highestOfOrdinances(date) ?? -1)

/** Whether the rate is the compensation of the special scheme for farmers, paid on top of the price instead of tax. */
const isCompensation = (line: Line, rate: number, { issued, taxGroup, date }: Context): boolean =>
  !issued &&
  taxGroup === 'IVA' &&
  line.tax_regime_key === FARMERS_OR_EXPORT &&
  farmersCompensationOf(date).includes(rate)

/** Returns the rate that was probably meant: a percentage sent as a fraction, or a rate with its surcharge added. */
function likelyRate(received: number, { rates, taxGroup, date }: Context): Extra | undefined {
  const fraction = fractionOf(received, rates)
  if (fraction) return fraction
  const expected = rates.find((rate) =>
    surchargesOf(rate, date).some(
      (surcharge) => surcharge > 0 && keepDecimals(rate + surcharge) === received,
    ),
  )
  return taxGroup === 'IVA' && expected !== undefined ? { expected, case: 'with_surcharge' } : undefined
}

/** Laws on rates and exemptions, for IPSI and for the other taxes. */
const IPSI_LAW = 'art. 18 Ley 8/1991'
const RATE_LAW = 'arts. 90-91 Ley 37/1992'
const EXEMPTION_LAW = 'arts. 20-25 Ley 37/1992'
const IPSI_EXEMPTION_LAW = 'arts. 7-10 Ley 8/1991'

const isIpsi = ({ tax_group }: Extra): boolean => tax_group === 'IPSI'

/** Calls `visit` with each line and each breakdown entry, which have the same tax fields. */
const eachTaxed = (context: Context, visit: (taxed: TaxOutput | Line, path: string) => void): void => {
  if (context.uses.treatments)
    for (const [index, line] of context.sent.lines.entries()) visit(line, `/invoice/lines/${index}`)
  visitEntries(context, visit)
}

/** Reports the fields that contradict the treatment, which may be stated or deduced. */
function contradictions(taxed: TaxOutput | Line, treatment: string, path: string, fail: ReportFailure): void {
  const report = (member: string, received: unknown) =>
    fail(`${path}/${member}`, { tax_treatment_code: treatment, received })
  const { reverse_charge, exemption_reason_code, non_taxable_reason } = taxed
  if (reverse_charge !== undefined && reverse_charge !== (treatment === REVERSE_CHARGE))
    report('reverse_charge', reverse_charge)
  if (exemption_reason_code !== undefined && treatment !== EXEMPT)
    report('exemption_reason_code', exemption_reason_code)
  if (non_taxable_reason !== undefined && treatment !== NON_TAXABLE)
    report('non_taxable_reason', non_taxable_reason)
}

/**
 * Returns the exemption reasons of the breakdown entries by their index, taken from the lines of each entry. The entry
 * itself need not state a reason.
 */
const reasonsOfEntries = ({ stated }: Context): (string | undefined)[] => {
  const { groups, matching } = stated.calculation
  const reasons: (string | undefined)[] = []
  matching?.byGroup.forEach((indexes, groupIndex) => {
    for (const index of indexes) reasons[index] = groups[groupIndex]?.reason
  })
  return reasons
}

const eachExemption = (
  context: Context,
  visit: (code: string, groups: readonly string[], path: string) => void,
): void =>
  eachTaxed(context, ({ exemption_reason_code: code }, path) => {
    if (code !== undefined) visit(code, exemptionReasonGroups(code), `${path}/exemption_reason_code`)
  })

export const TAX_RULES = [
  lineRule({
    code: 'tax_rate_unknown',
    law: `${RATE_LAW}; ${IPSI_LAW}`,
    lawOf: (extra) => (isIpsi(extra) ? IPSI_LAW : RATE_LAW),
    reads: [
      ...linePathsOf('tax_output_rate', 'tax_regime_key'),
      '/invoice/issue_data/operation_date',
      '/invoice/issue_data/issue_date',
    ],
    en: [
      'There is no {tax_group} rate of {received} % on {date}.',
      'Use {allowed}, or correct the operation date (operation_date).',
    ],
    es: [
      'El {tax_group} no tiene ningún tipo del {received} % vigente el {date}.',
      'Use {allowed}, o corrija la fecha de operación (operation_date).',
    ],
    cases: {
      fraction: FRACTION,
      with_surcharge: {
        en: [
          '{received} % is {expected} % plus its equivalence surcharge.',
          'Send {expected}, and the surcharge in taxes_outputs.',
        ],
        es: [
          '{received} % es el {expected} % más su recargo de equivalencia.',
          'Envíe {expected}, y el recargo en taxes_outputs.',
        ],
      },
      undated: {
        en: [
          'There is no {tax_group} rate of {received} % in force.',
          'Use {allowed}, or send operation_date if the operation took place on another date.',
        ],
        es: [
          'El {tax_group} no tiene ningún tipo del {received} % en vigor.',
          'Use {allowed}, o envíe operation_date si la operación se realizó en otra fecha.',
        ],
      },
      none: {
        en: [
          'No {tax_group} rates are known for {date}.',
          'Check operation_date or, if it is missing, issue_date.',
        ],
        es: [
          'No se conocen tipos del {tax_group} para el {date}.',
          'Revise operation_date o, si falta, issue_date.',
        ],
      },
      ordinance: {
        en: [
          'There is no IPSI rate of {received} %: ordinances set it between {minimum} and {maximum}.',
          'Send the rate of the ordinance, usually {allowed}.',
        ],
        es: [
          'El IPSI no tiene ningún tipo del {received} %: las ordenanzas lo fijan entre {minimum} y {maximum}.',
          'Envíe el tipo de la ordenanza, normalmente {allowed}.',
        ],
      },
    },
    caseOf: ({ date, maximum }) =>
      maximum === undefined ? (date === null ? 'undated' : undefined) : 'ordinance',
    applies: ({ taxGroup }) => taxGroup !== 'IGIC',
    check(line, context, fail) {
      const received = line.tax_output_rate
      if (received === undefined || context.rates.includes(received)) return
      const { taxGroup, date } = context
      if (taxGroup === 'IPSI' ? isOrdinanceRate(received, date) : isCompensation(line, received, context))
        return
      const highest = taxGroup === 'IPSI' ? highestOfOrdinances(date) : undefined
      fail('tax_output_rate', {
        received,
        allowed: context.rates,
        tax_group: taxGroup,
        date: date ?? null,
        ...(highest !== undefined ? { minimum: 0, maximum: highest } : {}),
        ...likelyRate(received, context),
      })
    },
  }),
  documentRule({
    code: 'tax_treatment_code_unknown',
    law: 'API specification, "Catalogs"',
    reads: ['/invoice/lines/*/tax_treatment_code', '/invoice/taxes_outputs/*/tax_treatment_code'],
    en: ['Treatment {received} is not in the catalog.', 'Use {allowed}.'],
    es: ['El tratamiento {received} no está en el catálogo.', 'Use {allowed}.'],
    needs: ['treatments'],
    perBlock: true,
    check(context, fail) {
      eachTaxed(context, ({ tax_treatment_code: received }, path) => {
        if (received !== undefined && !isTreatment(received))
          fail(`${path}/tax_treatment_code`, {
            received,
            allowed: [TAXED, EXEMPT, REVERSE_CHARGE, NON_TAXABLE],
          })
      })
    },
  }),
  documentRule({
    code: 'treatment_contradiction',
    origin: 'cuadra',
    law: 'arts. 7, 20-25, 68-70 and 84.Uno.2 Ley 37/1992',
    reads: ['tax_treatment_code', 'reverse_charge', 'exemption_reason_code', 'non_taxable_reason'].flatMap(
      (name) => [...linePathsOf(name), `/invoice/taxes_outputs/*/${name}`],
    ),
    en: [
      '{field} is {received}, which contradicts the treatment {tax_treatment_code}.',
      'Remove {field}, or correct tax_treatment_code or the field it is deduced from.',
    ],
    es: [
      '{field} es {received}, lo que contradice el tratamiento {tax_treatment_code}.',
      'Quite {field}, o corrija tax_treatment_code o el campo del que se deduce.',
    ],
    needs: ['treatments'],
    perBlock: true,
    check(context, fail) {
      if (context.uses.treatments)
        context.invoice.lines.forEach((line, index) => {
          const treatment = line.tax_treatment_code
          const sent = context.sent.lines[index]!
          if (treatment !== undefined && isTreatment(treatment))
            contradictions(sent, treatment, `/invoice/lines/${index}`, fail)
        })
      visitEntries(context, (entry, path) => {
        if (entry.tax_treatment_code !== undefined && isTreatment(entry.tax_treatment_code))
          contradictions(entry, entry.tax_treatment_code, path, fail)
      })
    },
  }),
  documentRule({
    code: 'exemption_reason_required',
    law: 'art. 6.1.j RD 1619/2012',
    reads: [...linePathsOf('tax_treatment_code', 'exemption_reason_code'), '/invoice/taxes_outputs/*'],
    en: ['An exempt operation must state its reason by code.', 'Send exemption_reason_code: {allowed}.'],
    es: [
      'Una operación exenta debe indicar su causa con un código.',
      'Envíe exemption_reason_code: {allowed}.',
    ],
    needs: ['treatments'],
    perBlock: true,
    check(context, fail) {
      const missing = 'exemption_reason_code'
      const report = (path: string) =>
        fail(`${path}/${missing}`, { missing, allowed: exemptionReasonCodes(context.taxGroup) })
      if (context.uses.treatments)
        context.invoice.lines.forEach((line, index) => {
          if (line.tax_treatment_code === EXEMPT && line.exemption_reason_code === undefined)
            report(`/invoice/lines/${index}`)
        })
      if (!context.sent.taxes_outputs) return
      const reasons = reasonsOfEntries(context)
      visitEntries(context, (entry, path, index) => {
        if (treatmentOf(entry) === EXEMPT && entry.exemption_reason_code === undefined && !reasons[index])
          report(path)
      })
    },
  }),
  documentRule({
    code: 'exemption_reason_unknown',
    law: `${EXEMPTION_LAW}; ${IPSI_EXEMPTION_LAW}`,
    lawOf: (extra) => (isIpsi(extra) ? IPSI_EXEMPTION_LAW : EXEMPTION_LAW),
    reads: ['/invoice/lines/*/exemption_reason_code', '/invoice/taxes_outputs/*/exemption_reason_code'],
    en: ['Exemption reason {received} is not in the catalog.', 'Use {allowed} (catalog exemption-reasons).'],
    es: [
      'La causa de exención {received} no está en el catálogo.',
      'Use {allowed} (catálogo exemption-reasons).',
    ],
    needs: ['treatments'],
    perBlock: true,
    check(context, fail) {
      const { taxGroup: tax_group } = context
      eachExemption(context, (received, groups, path) => {
        if (groups.length === 0) fail(path, { received, tax_group, allowed: exemptionReasonCodes(tax_group) })
      })
    },
  }),
  documentRule({
    code: 'exemption_reason_not_valid_for_tax_group',
    law: `${EXEMPTION_LAW}; ${IPSI_EXEMPTION_LAW}`,
    lawOf: (extra) => (isIpsi(extra) ? IPSI_EXEMPTION_LAW : EXEMPTION_LAW),
    reads: [
      '/invoice/lines/*/exemption_reason_code',
      '/invoice/taxes_outputs/*/exemption_reason_code',
      '/invoice/issue_data/tax_group_code',
    ],
    en: [
      'Exemption reason {received} applies to {tax_groups}, not to {tax_group}.',
      'Use a reason of {tax_group}: {allowed}.',
    ],
    es: [
      'La causa de exención {received} es del {tax_groups}, no del {tax_group}.',
      'Use una causa del {tax_group}: {allowed}.',
    ],
    needs: ['treatments'],
    perBlock: true,
    check(context, fail) {
      eachExemption(context, (received, groups, path) => {
        if (groups.length > 0 && !groups.includes(context.taxGroup))
          fail(path, {
            received,
            tax_group: context.taxGroup,
            tax_groups: groups,
            allowed: exemptionReasonCodes(context.taxGroup),
          })
      })
    },
  }),
]
