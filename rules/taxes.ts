/** Rates, treatments, exemptions, surcharge, withholding, and the breakdown that a client sent. */
import {
  exemptionReasonGroups,
  isTreatment,
  surchargePair,
  surchargesOf,
  taxRateOf,
  taxRatesOf,
} from '../src/catalogs/index.ts'
import {
  EXEMPT,
  type Line,
  NON_TAXABLE,
  REVERSE_CHARGE,
  TAXED,
  type TaxOutput,
  treatmentNamed,
} from '../src/invoice/index.ts'
import { type Context, documentRule, type Fail, lineRule } from './rule.ts'

/** Rates of one tax group on one day: the invoices of a batch seldom differ in either. */
let known: { group: string; date: string | undefined; rates: Set<number> } | null = null

const isKnownRate = (group: string, rate: number, date: string | undefined): boolean => {
  if (known === null || known.group !== group || known.date !== date)
    known = { group, date, rates: new Set(taxRatesOf(group, date)) }
  return known.rates.has(rate)
}

const taxRateUnknown = lineRule({
  code: 'tax_rate_unknown',
  law: 'arts. 90-91 Ley 37/1992',
  reads: [
    '/invoice/lines/*/tax_output_rate',
    '/invoice/issue_data/operation_date',
    '/invoice/issue_data/issue_date',
  ],
  en: [
    'Rate {received} % of {tax_group} is not in force on {date}.',
    'Use one of {allowed}, or send the operation_date on which it was.',
  ],
  es: [
    'El tipo {received} % de {tax_group} no está en vigor en {date}.',
    'Use uno de {allowed}, o envíe la operation_date en que lo estuvo.',
  ],
  cases: {
    undated: {
      en: 'Rate {received} % of {tax_group} is not in force.',
      es: 'El tipo {received} % de {tax_group} no está en vigor.',
    },
  },
  caseOf: ({ date }) => (date === null ? 'undated' : undefined),
  applies: ({ taxGroup }) => taxGroup !== 'IGIC',
  check(line, { taxGroup, date }, fail) {
    const received = line.tax_output_rate
    if (received === undefined || isKnownRate(taxGroup, received, date)) return
    // Without tax every group has a rate of 0.
    if (received === 0 && line.tax_treatment_code !== TAXED) return
    fail('tax_output_rate', {
      received,
      allowed: taxRatesOf(taxGroup, date),
      tax_group: taxGroup,
      date: date ?? null,
    })
  },
})

/** The entries that the client sent in its breakdown, with their paths. */
const eachEntry = (context: Context, look: (entry: TaxOutput, path: string, index: number) => void): void => {
  for (const [index, entry] of (context.sent.invoice.taxes_outputs ?? []).entries())
    look(entry, `/invoice/taxes_outputs/${index}`, index)
}

/** Entries and lines carry the same tax fields: a rule about them looks at both. */
const eachTaxed = (context: Context, look: (taxed: TaxOutput | Line, path: string) => void): void => {
  if (context.uses.treatments)
    for (const [index, line] of context.sent.invoice.lines.entries()) look(line, `/invoice/lines/${index}`)
  eachEntry(context, look)
}

const treatmentUnknown = documentRule({
  code: 'tax_treatment_code_unknown',
  law: 'API specification, Catalogs',
  reads: ['/invoice/lines/*/tax_treatment_code', '/invoice/taxes_outputs/*/tax_treatment_code'],
  en: ['Treatment {received} is not in the catalog.', 'Use one of {allowed}.'],
  es: ['El tratamiento {received} no está en el catálogo.', 'Use uno de {allowed}.'],
  check(context, fail) {
    eachTaxed(context, ({ tax_treatment_code: received }, path) => {
      if (received !== undefined && !isTreatment(received))
        fail(`${path}/tax_treatment_code`, {
          received,
          allowed: [TAXED, EXEMPT, REVERSE_CHARGE, NON_TAXABLE],
        })
    })
  },
})

/** Members that say another treatment than the one named or deduced. */
function contradictions(taxed: TaxOutput | Line, treatment: string, path: string, fail: Fail): void {
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

const treatmentContradiction = documentRule({
  code: 'treatment_contradiction',
  origin: 'cuadra',
  law: 'arts. 7, 20-25, 68-70, 84.Uno.2 Ley 37/1992',
  reads: ['/invoice/lines/*/tax_treatment_code', '/invoice/taxes_outputs/*/tax_treatment_code'],
  en: [
    '{field} = {received} contradicts treatment {tax_treatment_code}.',
    'Send the treatment alone, or companions that agree with it.',
  ],
  es: [
    '{field} = {received} contradice el tratamiento {tax_treatment_code}.',
    'Envíe solo el tratamiento, o campos que concuerden con él.',
  ],
  check(context, fail) {
    if (context.uses.treatments)
      context.invoice.lines.forEach((line, index) => {
        const treatment = line.tax_treatment_code!
        if (isTreatment(treatment))
          contradictions(context.sent.invoice.lines[index]!, treatment, `/invoice/lines/${index}`, fail)
      })
    eachEntry(context, (entry, path) => {
      if (entry.tax_treatment_code !== undefined && isTreatment(entry.tax_treatment_code))
        contradictions(entry, entry.tax_treatment_code, path, fail)
    })
  },
})

/** The exemption reason that the lines of each entry have, by the entry's place: it need not repeat it. */
const reasonsOfEntries = ({ calculation: { groups, matching } }: Context): (string | undefined)[] => {
  const reasons: (string | undefined)[] = []
  matching?.byGroup.forEach((indexes, place) => {
    for (const index of indexes) reasons[index] = groups[place]!.reason
  })
  return reasons
}

const exemptionRequired = documentRule({
  code: 'exemption_reason_required',
  law: 'art. 6.1.j RD 1619/2012',
  reads: ['/invoice/lines/*/exemption_reason_code', '/invoice/taxes_outputs/*/exemption_reason_code'],
  en: ['An exempt operation must name its reason by code.', 'Send exemption_reason_code: E1 to E6.'],
  es: [
    'Una operación exenta debe indicar su causa con un código.',
    'Envíe exemption_reason_code: de E1 a E6.',
  ],
  check(context, fail) {
    const missing = 'exemption_reason_code'
    if (context.uses.treatments)
      context.invoice.lines.forEach((line, index) => {
        if (line.tax_treatment_code === EXEMPT && line.exemption_reason_code === undefined)
          fail(`/invoice/lines/${index}/${missing}`, { missing })
      })
    const reasons = reasonsOfEntries(context)
    eachEntry(context, (entry, path, index) => {
      if (treatmentNamed(entry) === EXEMPT && entry.exemption_reason_code === undefined && !reasons[index])
        fail(`${path}/${missing}`, { missing })
    })
  },
})

const eachExemption = (
  context: Context,
  look: (code: string, groups: readonly string[], path: string) => void,
): void =>
  eachTaxed(context, ({ exemption_reason_code: code }, path) => {
    if (code !== undefined) look(code, exemptionReasonGroups(code), `${path}/exemption_reason_code`)
  })

const exemptionUnknown = documentRule({
  code: 'exemption_reason_unknown',
  law: 'arts. 20-25 Ley 37/1992',
  reads: ['/invoice/lines/*/exemption_reason_code', '/invoice/taxes_outputs/*/exemption_reason_code'],
  en: ['Exemption reason {received} is not in the catalog.', 'Use E1 to E6 (catalog exemption-reasons).'],
  es: [
    'La causa de exención {received} no está en el catálogo.',
    'Use de E1 a E6 (catálogo exemption-reasons).',
  ],
  check(context, fail) {
    eachExemption(context, (received, groups, path) => {
      if (groups.length === 0) fail(path, { received })
    })
  },
})

const exemptionOtherGroup = documentRule({
  code: 'exemption_reason_not_valid_for_tax_group',
  law: 'arts. 20-25 Ley 37/1992; Ley 4/2012; Ley 8/1991',
  reads: ['/invoice/lines/*/exemption_reason_code', '/invoice/issue_data/tax_group_code'],
  en: [
    'Exemption reason {received} belongs to {tax_groups}, not to {tax_group}.',
    'Use a reason of {tax_group}.',
  ],
  es: [
    'La causa de exención {received} es de {tax_groups}, no de {tax_group}.',
    'Use una causa de {tax_group}.',
  ],
  check(context, fail) {
    eachExemption(context, (received, groups, path) => {
      if (groups.length > 0 && !groups.includes(context.taxGroup))
        fail(path, { received, tax_group: context.taxGroup, tax_groups: groups })
    })
  },
})

const withholdingUnknown = lineRule({
  code: 'withholding_rate_unknown',
  severity: 'warning',
  origin: 'cuadra',
  law: 'art. 101 Ley 35/2006; arts. 95-101 RD 439/2007',
  reads: ['/invoice/lines/*/tax_withheld_rate'],
  en: [
    'Withholding rate {received} % is not in the catalog; it is applied as sent.',
    'The usual ones are {allowed}.',
  ],
  es: [
    'El tipo de retención {received} % no está en el catálogo; se aplica tal cual.',
    'Los habituales son {allowed}.',
  ],
  applies: ({ uses }) => uses.withholding,
  check(line, { date }, fail) {
    const received = line.tax_withheld_rate
    if (received !== undefined && received !== 0 && !taxRateOf('IRPF', received, date))
      fail('tax_withheld_rate', { received, allowed: taxRatesOf('IRPF', date) })
  },
})

const surchargeUnknown = documentRule({
  code: 'equivalence_surcharge_unknown',
  severity: 'warning',
  origin: 'cuadra',
  law: 'art. 161 Ley 37/1992',
  reads: ['/invoice/taxes_outputs/*/equivalence_surcharge'],
  en: [
    'Surcharge {received} % does not go with a rate of {tax_rate} %.',
    'Send equivalence_surcharge; with this rate it is one of {allowed}.',
  ],
  es: [
    'El recargo {received} % no corresponde a un tipo del {tax_rate} %.',
    'Envíe equivalence_surcharge; con este tipo es uno de {allowed}.',
  ],
  cases: {
    no_rate: {
      en: 'A surcharge amount was sent without its percentage.',
      es: 'Se envió un importe de recargo sin su porcentaje.',
    },
  },
  caseOf: ({ received }) => (received === null ? 'no_rate' : undefined),
  check(context, fail) {
    eachEntry(context, (entry, path) => {
      const { equivalence_surcharge: received, equivalence_surcharge_amount: amount, tax_rate } = entry
      if (received === undefined && (amount === undefined || amount === 0)) return
      if (received !== undefined && surchargePair(tax_rate, received, context.date)) return
      fail(`${path}/equivalence_surcharge`, {
        received: received ?? null,
        tax_rate,
        allowed: surchargesOf(tax_rate, context.date),
      })
    })
  },
})

const breakdownMismatch = (
  code: 'taxes_outputs_mismatch' | 'taxes_withheld_mismatch',
  list: string,
  law: string,
) =>
  documentRule({
    code,
    origin: 'cuadra',
    law,
    reads: [`/invoice/${list}`],
    en: [
      `This entry of ${list} is {received}; the lines give {expected}.`,
      'Correct the entry or the lines, or leave the list out: it is computed.',
    ],
    es: [
      `Esta entrada de ${list} es {received}; las líneas dan {expected}.`,
      'Corrija la entrada o las líneas, u omita la lista: se calcula.',
    ],
    cases: {
      orphan: {
        en: `No line is taxed like this entry of ${list} (base {received}).`,
        es: `Ninguna línea tributa como esta entrada de ${list} (base {received}).`,
      },
      missing: {
        en: `${list} has no entry for lines with a base of {expected}.`,
        es: `${list} no tiene entrada para líneas con una base de {expected}.`,
      },
      sum: {
        en: `Entries of ${list} for the same lines add up to {entries}; the lines give {lines}. With {expected} instead of {received} here they would agree.`,
        es: `Las entradas de ${list} de las mismas líneas suman {entries}; las líneas dan {lines}. Con {expected} en lugar de {received} aquí cuadrarían.`,
      },
    },
    caseOf: ({ expected, received, entries }) =>
      expected === null
        ? 'orphan'
        : received === null
          ? 'missing'
          : entries === undefined
            ? undefined
            : 'sum',
    check({ calculation }, fail) {
      for (const { code: found, path, expected, received, sum } of calculation.mismatches)
        if (found === code) fail(path, { expected, received, ...sum })
    },
  })

export const TAX_RULES = [
  taxRateUnknown,
  treatmentUnknown,
  treatmentContradiction,
  exemptionRequired,
  exemptionUnknown,
  exemptionOtherGroup,
  withholdingUnknown,
  surchargeUnknown,
  breakdownMismatch('taxes_outputs_mismatch', 'taxes_outputs', 'art. 6.1.f-h RD 1619/2012'),
  breakdownMismatch('taxes_withheld_mismatch', 'taxes_withheld', 'art. 93 RD 439/2007'),
]
