/** Rates, treatments, exemptions, surcharge, withholding, and the breakdown that a client sent. */
import {
  exemptionReasonCodes,
  exemptionReasonGroups,
  farmersCompensationOf,
  isTreatment,
  surchargePair,
  surchargesOf,
  taxRatesOf,
  withholdingRatesOf,
} from '../src/catalogs/index.ts'
import {
  EXEMPT,
  type Extra,
  type Line,
  NON_TAXABLE,
  REVERSE_CHARGE,
  TAXED,
  type TaxOutput,
  type Text,
  treatmentNamed,
} from '../src/invoice/index.ts'
import { keepDecimals } from '../src/money/index.ts'
import { type Context, documentRule, type Fail, isPercentage, lineRule, WITHHOLDING_LAW } from './rule.ts'

/** Rates of one tax group on one day: the invoices of a batch seldom differ in either. */
let known: { group: string; date: string | undefined; rates: readonly number[] } | null = null

const knownRates = (group: string, date: string | undefined): readonly number[] => {
  if (known === null || known.group !== group || known.date !== date)
    known = { group, date, rates: taxRatesOf(group, date) }
  return known.rates
}

/** Ceuta and Melilla set the rates of IPSI by ordinance: any up to the highest that the law allows them. */
const highestOfOrdinances = (date: string | undefined): number | undefined => taxRatesOf('IPSI', date)[0]

const isOrdinanceRate = (rate: number, date: string | undefined): boolean =>
  rate >= 0 && rate <= (highestOfOrdinances(date) ?? -1)

/** What a farmer under the special regime is paid on top of the price, in place of a tax. */
const isCompensation = (line: Line, rate: number, { issued, taxGroup, date }: Context): boolean =>
  !issued && taxGroup === 'IVA' && line.tax_regime_key === '02' && farmersCompensationOf(date).includes(rate)
/** The law of a tax group where an article of the VAT law would be cited. */
const IPSI_LAW = 'Ley 8/1991'
const RATE_LAW = 'arts. 90-91 Ley 37/1992'
const EXEMPTION_LAW = 'arts. 20-25 Ley 37/1992'
const IPSI_EXEMPTION_LAW = 'arts. 7-10 Ley 8/1991'

const isIpsi = ({ tax_group }: Extra): boolean => tax_group === 'IPSI'

const taxRateUnknown = lineRule({
  code: 'tax_rate_unknown',
  law: `${RATE_LAW}; ${IPSI_LAW}`,
  lawOf: (extra) => (isIpsi(extra) ? IPSI_LAW : RATE_LAW),
  reads: [
    '/invoice/lines/*/tax_output_rate',
    '/invoice/issue_data/operation_date',
    '/invoice/issue_data/issue_date',
  ],
  en: [
    '{tax_group} has no rate of {received} % on {date}.',
    'Use {allowed}, or correct the date of the operation (operation_date).',
  ],
  es: [
    'El {tax_group} no tiene un tipo del {received} % el {date}.',
    'Use {allowed}, o corrija la fecha de la operación (operation_date).',
  ],
  cases: {
    undated: {
      en: [
        '{tax_group} has no rate of {received} % in force.',
        'Use {allowed}, or send operation_date if the operation is of another time.',
      ],
      es: [
        'El {tax_group} no tiene en vigor un tipo del {received} %.',
        'Use {allowed}, o envíe operation_date si la operación es de otra época.',
      ],
    },
    none: {
      en: [
        'No rates of {tax_group} are known for {date}.',
        'Check the dates: operation_date decides, or else issue_date.',
      ],
      es: [
        'No se conocen tipos del {tax_group} para el {date}.',
        'Revise las fechas: decide operation_date y, si falta, issue_date.',
      ],
    },
    ordinance: {
      en: [
        'IPSI has no rate of {received} %: the ordinances of Ceuta and Melilla set it between {minimum} and {maximum}.',
        'Send the rate of the ordinance, usually {allowed}.',
      ],
      es: [
        'El IPSI no tiene un tipo del {received} %: las ordenanzas de Ceuta y Melilla lo fijan entre {minimum} y {maximum}.',
        'Envíe el tipo de la ordenanza, normalmente {allowed}.',
      ],
    },
  },
  caseOf: ({ date, maximum }) =>
    maximum === undefined ? (date === null ? 'undated' : undefined) : 'ordinance',
  applies: ({ taxGroup }) => taxGroup !== 'IGIC',
  check(line, context, fail) {
    const { taxGroup, date } = context
    const received = line.tax_output_rate
    if (received === undefined || knownRates(taxGroup, date).includes(received)) return
    if (taxGroup === 'IPSI' ? isOrdinanceRate(received, date) : isCompensation(line, received, context))
      return
    const highest = taxGroup === 'IPSI' ? highestOfOrdinances(date) : undefined
    fail('tax_output_rate', {
      received,
      allowed: knownRates(taxGroup, date),
      tax_group: taxGroup,
      date: date ?? null,
      ...(highest !== undefined ? { minimum: 0, maximum: highest } : {}),
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
  law: 'API specification, "Catalogs"',
  reads: ['/invoice/lines/*/tax_treatment_code', '/invoice/taxes_outputs/*/tax_treatment_code'],
  en: ['Treatment {received} is not in the catalog.', 'Use {allowed}.'],
  es: ['El tratamiento {received} no está en el catálogo.', 'Use {allowed}.'],
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
  law: 'arts. 7, 20-25, 68-70 and 84.Uno.2 Ley 37/1992',
  reads: ['/invoice/lines/*/tax_treatment_code', '/invoice/taxes_outputs/*/tax_treatment_code'],
  en: [
    '{field} is {received}, which contradicts the treatment {tax_treatment_code}.',
    'Leave {field} out, or correct tax_treatment_code or what it follows from.',
  ],
  es: [
    '{field} es {received}, lo que contradice el tratamiento {tax_treatment_code}.',
    'Quite {field}, o corrija tax_treatment_code o el campo del que se deduce.',
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
  en: ['An exempt operation must name its reason by code.', 'Send exemption_reason_code: {allowed}.'],
  es: [
    'Una operación exenta debe indicar su causa con un código.',
    'Envíe exemption_reason_code: {allowed}.',
  ],
  check(context, fail) {
    const missing = 'exemption_reason_code'
    const report = (path: string) =>
      fail(`${path}/${missing}`, { missing, allowed: exemptionReasonCodes(context.taxGroup) })
    if (context.uses.treatments)
      context.invoice.lines.forEach((line, index) => {
        if (line.tax_treatment_code === EXEMPT && line.exemption_reason_code === undefined)
          report(`/invoice/lines/${index}`)
      })
    const reasons = reasonsOfEntries(context)
    eachEntry(context, (entry, path, index) => {
      if (treatmentNamed(entry) === EXEMPT && entry.exemption_reason_code === undefined && !reasons[index])
        report(path)
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
  law: `${EXEMPTION_LAW}; ${IPSI_EXEMPTION_LAW}`,
  lawOf: (extra) => (isIpsi(extra) ? IPSI_EXEMPTION_LAW : EXEMPTION_LAW),
  reads: ['/invoice/lines/*/exemption_reason_code', '/invoice/taxes_outputs/*/exemption_reason_code'],
  en: ['Exemption reason {received} is not in the catalog.', 'Use {allowed} (catalog exemption-reasons).'],
  es: [
    'La causa de exención {received} no está en el catálogo.',
    'Use {allowed} (catálogo exemption-reasons).',
  ],
  check(context, fail) {
    const { taxGroup: tax_group } = context
    eachExemption(context, (received, groups, path) => {
      if (groups.length === 0) fail(path, { received, tax_group, allowed: exemptionReasonCodes(tax_group) })
    })
  },
})

const exemptionOtherGroup = documentRule({
  code: 'exemption_reason_not_valid_for_tax_group',
  law: `${EXEMPTION_LAW}; ${IPSI_EXEMPTION_LAW}`,
  lawOf: (extra) => (isIpsi(extra) ? IPSI_EXEMPTION_LAW : EXEMPTION_LAW),
  reads: ['/invoice/lines/*/exemption_reason_code', '/invoice/issue_data/tax_group_code'],
  en: [
    'Exemption reason {received} belongs to {tax_groups}, not to {tax_group}.',
    'Use a reason of {tax_group}: {allowed}.',
  ],
  es: [
    'La causa de exención {received} es del {tax_groups}, no del {tax_group}.',
    'Use una causa del {tax_group}: {allowed}.',
  ],
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
})

const withholdingUnknown = lineRule({
  code: 'withholding_rate_unknown',
  severity: 'warning',
  origin: 'cuadra',
  law: 'art. 101 Ley 35/2006; arts. 95-101 RD 439/2007',
  reads: ['/invoice/lines/*/tax_withheld_rate'],
  en: [
    'Withholding rate {received} % is not in the catalog; it is applied as sent.',
    'If it is a mistake, send {allowed}.',
  ],
  es: [
    'El tipo de retención del {received} % no está en el catálogo; se aplica tal cual.',
    'Si es un error, envíe {allowed}.',
  ],
  cases: {
    none: {
      en: [
        'Withholding rate {received} % is applied as sent: the catalog has none for that date.',
        'Check the rate and the date.',
      ],
      es: [
        'El tipo de retención del {received} % se aplica tal cual: el catálogo no tiene ninguno para esa fecha.',
        'Compruebe el tipo y la fecha.',
      ],
    },
    outside: {
      en: [
        'A withholding rate of {received} % is not between 0 and 100.',
        'Send the percentage: 15 means 15 %.',
      ],
      es: [
        'Un tipo de retención del {received} % no está entre 0 y 100.',
        'Envíe el porcentaje: 15 es el 15 %.',
      ],
    },
  },
  applies: ({ uses }) => uses.withholding,
  check(line, { date }, fail) {
    const received = line.tax_withheld_rate
    if (received === undefined || received === 0) return
    const allowed = withholdingRatesOf(date)
    if (!isPercentage(received)) fail('tax_withheld_rate', { received, allowed, case: 'outside' }, 'error')
    else if (!allowed.includes(received)) fail('tax_withheld_rate', { received, allowed })
  },
})

/** Whether an entry says of itself that it is taxed at a rate above 0: no other has a surcharge. */
const carriesTax = (entry: TaxOutput): boolean =>
  entry.tax_rate > 0 &&
  (entry.tax_treatment_code ?? TAXED) === TAXED &&
  entry.reverse_charge !== true &&
  entry.exemption_reason_code === undefined &&
  entry.non_taxable_reason === undefined

/** Of the rates as they are used: those with more decimals than are kept have a warning of their own. */
const isKnownPair = (rate: number, surcharge: number, date: string | undefined): boolean =>
  surchargePair(keepDecimals(rate), keepDecimals(surcharge), date)

const surchargeUnknown = documentRule({
  code: 'equivalence_surcharge_unknown',
  severity: 'warning',
  origin: 'cuadra',
  law: 'art. 161 Ley 37/1992',
  reads: ['/invoice/taxes_outputs/*/equivalence_surcharge'],
  en: [
    'Surcharge {received} % does not go with a rate of {tax_rate} %.',
    'Send {allowed} in equivalence_surcharge, or correct the rate.',
  ],
  es: [
    'Un recargo del {received} % no corresponde a un tipo del {tax_rate} %.',
    'Envíe {allowed} en equivalence_surcharge, o corrija el tipo.',
  ],
  cases: {
    no_rate: {
      en: [
        'A surcharge amount was sent without its percentage.',
        'Send equivalence_surcharge too: {allowed} with a rate of {tax_rate} %.',
      ],
      es: [
        'Se envió un importe de recargo sin su porcentaje.',
        'Envíe también equivalence_surcharge: {allowed} con un tipo del {tax_rate} %.',
      ],
    },
    none: {
      en: [
        'A surcharge was sent, and none is known for a rate of {tax_rate} %.',
        'Leave equivalence_surcharge and its amount out, or correct the rate.',
      ],
      es: [
        'Se envió un recargo y no se conoce ninguno para un tipo del {tax_rate} %.',
        'Quite equivalence_surcharge y su importe, o corrija el tipo.',
      ],
    },
    untaxed: {
      en: [
        'A surcharge was sent for an operation that carries no tax.',
        'Leave equivalence_surcharge and its amount out.',
      ],
      es: [
        'Se envió un recargo para una operación que no lleva cuota.',
        'Quite equivalence_surcharge y su importe.',
      ],
    },
    outside: {
      en: [
        'A surcharge of {received} % is not between 0 and 100.',
        'Send the percentage, 5.2 for 5.2 %, or leave the surcharge out.',
      ],
      es: [
        'Un recargo del {received} % no está entre 0 y 100.',
        'Envíe el porcentaje, 5.2 para el 5,2 %, o quite el recargo.',
      ],
    },
  },
  caseOf: ({ received }) => (received === null ? 'no_rate' : undefined),
  check(context, fail) {
    eachEntry(context, (entry, path) => {
      const { equivalence_surcharge: received, equivalence_surcharge_amount: amount, tax_rate } = entry
      if (received === undefined && (amount === undefined || amount === 0)) return
      if (received !== undefined && isKnownPair(tax_rate, received, context.date)) return
      const at = `${path}/equivalence_surcharge`
      const allowed = carriesTax(entry) ? surchargesOf(tax_rate, context.date) : []
      if (received !== undefined && !isPercentage(received))
        fail(at, { received, tax_rate, allowed, case: 'outside' }, 'error')
      else
        fail(at, {
          received: received ?? null,
          tax_rate,
          allowed,
          ...(carriesTax(entry) ? {} : { case: 'untaxed' }),
        })
    })
  },
})

const breakdownMismatch = (
  code: 'taxes_outputs_mismatch' | 'taxes_withheld_mismatch',
  list: string,
  law: string,
  like: Text,
) =>
  documentRule({
    code,
    origin: 'cuadra',
    law,
    reads: [`/invoice/${list}`],
    en: [
      '{field} is {received}; the lines give {expected}.',
      `Correct the entry or the lines, or leave ${list} out: it is computed.`,
    ],
    es: [
      '{field} es {received}; las líneas dan {expected}.',
      `Corrija la entrada o las líneas, u omita ${list}: se calcula.`,
    ],
    cases: {
      orphan: {
        en: `No line ${like.en} this entry of ${list} (base {received}).`,
        es: `Ninguna línea ${like.es} esta entrada de ${list} (base {received}).`,
      },
      missing: {
        en: `${list} lacks the entry for lines with a base of {expected}.`,
        es: `En ${list} falta la entrada de las líneas con una base de {expected}.`,
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
  breakdownMismatch('taxes_outputs_mismatch', 'taxes_outputs', 'art. 6.1.f-h RD 1619/2012', {
    en: 'is taxed like',
    es: 'tributa como',
  }),
  breakdownMismatch('taxes_withheld_mismatch', 'taxes_withheld', WITHHOLDING_LAW, {
    en: 'has the withholding of',
    es: 'lleva la retención de',
  }),
]
