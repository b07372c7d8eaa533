/** Withholding, equivalence surcharge, and the breakdown that the client sent. */
import { isSurchargePair, surchargesOf, withholdingRatesOf } from '#core/catalogs/index.ts'
import type { TaxOutput, Text } from '#core/invoice/index.ts'
import { TAXED } from '#core/invoice/terms.ts'
import { keepDecimals, toNumber } from '#core/money/index.ts'
import { issuerProvince } from '#engine/normalise/index.ts'
import { COMPARED_TOTALS, MISMATCH_CASES, mistakeOf } from './likely-mistakes.ts'
import {
  type Context,
  documentRule,
  FRACTION,
  fractionOf,
  isPercentage,
  lineRule,
  type ReportFailure,
  WITHHOLDING_LAW,
} from './rule.ts'
import { visitEntries } from './sent-entries.ts'

/** Whether an entry charges tax at a rate above 0. Only such entries can have an equivalence surcharge. */
const carriesTax = (entry: TaxOutput): boolean =>
  entry.tax_rate > 0 &&
  (entry.tax_treatment_code ?? TAXED) === TAXED &&
  entry.reverse_charge !== true &&
  entry.exemption_reason_code === undefined &&
  entry.non_taxable_reason === undefined

/**
 * Whether the law sets this surcharge for this tax rate. Both are rounded first, because another rule reports excess
 * decimals.
 */
const isKnownPair = (rate: number, surcharge: number, date: string | undefined): boolean =>
  isSurchargePair(keepDecimals(rate), keepDecimals(surcharge), date)

/** Reports an equivalence surcharge under IGIC or IPSI, because only IVA has one. */
function failOutsideIva(context: Context, fail: ReportFailure): void {
  visitEntries(context, (entry, path) => {
    const { equivalence_surcharge: received = null, equivalence_surcharge_amount: amount } = entry
    const extra = { received, tax_group: context.taxGroup, case: 'not_iva' }
    if (received || amount) fail(`${path}/equivalence_surcharge`, extra, 'error')
  })
}

/**
 * Whether the reduced withholding rates of Ceuta and Melilla may apply: the operation is under IPSI, or the issuer is
 * domiciled in one of the two cities.
 */
const isReduced = ({ taxGroup, invoice, issued, settings }: Context): boolean =>
  taxGroup === 'IPSI' || issuerProvince(invoice.supplier, issued, settings)?.tax_group_code === 'IPSI'

const breakdownMismatch = (
  code: 'taxes_outputs_mismatch' | 'taxes_withheld_mismatch',
  list: string,
  law: string,
  verb: Text,
) =>
  documentRule({
    code,
    origin: 'cuadra',
    law,
    reads: [`/invoice/${list}`, ...COMPARED_TOTALS],
    en: [
      '{field} is {received}, but the lines give {expected}.',
      `Check the lines; if they are right, correct ${list}.`,
    ],
    es: [
      '{field} es {received}, pero de las líneas resulta {expected}.',
      `Revise las líneas; si son correctas, corrija ${list}.`,
    ],
    cases: {
      ...MISMATCH_CASES,
      orphan: {
        en: `No line ${verb.en} this entry of ${list} (taxable amount {received}).`,
        es: `Ninguna línea ${verb.es} esta entrada de ${list} (base {received}).`,
      },
      missing: {
        en: `${list} has no entry for the lines with a taxable amount of {expected}.`,
        es: `En ${list} falta la entrada de las líneas con base {expected}.`,
      },
      sum: {
        en: `The entries of ${list} for the same lines add up to {entries}, but the lines give {lines}: this value must be {expected}, not {received}.`,
        es: `Las entradas de ${list} de las mismas líneas suman {entries}, pero de las líneas resulta {lines}: este valor debe ser {expected}, no {received}.`,
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
    needs: ['mismatches'],
    check(context, fail) {
      for (const { code: found, path, expected, received, sum } of context.stated.calculation.mismatches)
        if (found === code)
          fail(path, {
            expected,
            received,
            ...sum,
            ...(expected === null || received === null ? undefined : mistakeOf(context)),
          })
    },
  })

export const BREAKDOWN_RULES = [
  documentRule({
    code: 'withholding_base_net',
    severity: 'warning',
    origin: 'cuadra',
    law: 'art. 95.4 RD 439/2007',
    reads: ['/invoice/taxes_withheld'],
    en: [
      "The withholding base {received} excludes the farmers' compensation; including it, the base is {expected}.",
      'Keep the base if the document states it; otherwise, omit taxes_withheld.',
    ],
    es: [
      'La base de retención {received} no incluye la compensación REAGYP; con ella es {expected}.',
      'Deje la base si la indica el documento; si no, omita taxes_withheld.',
    ],
    needs: ['received', 'withholding'],
    check({ stated: { calculation } }, fail) {
      const { decimals, fullWithheldBase, withheld } = calculation
      if (fullWithheldBase === undefined) return
      const received = withheld.reduce((sum, { base }) => sum + base, 0)
      fail('/invoice/taxes_withheld', {
        expected: toNumber(fullWithheldBase, decimals),
        received: toNumber(received, decimals),
      })
    },
  }),
  lineRule({
    code: 'withholding_rate_unknown',
    severity: 'warning',
    origin: 'cuadra',
    law: 'art. 101 Ley 35/2006; arts. 95-101 RD 439/2007',
    reads: ['/invoice/lines/*/tax_withheld_rate', '/invoice/supplier/*'],
    en: [
      'The withholding rate {received} % is not in the catalog; it is applied as sent.',
      'If this is a mistake, send {allowed}.',
    ],
    es: [
      'El tipo de retención del {received} % no está en el catálogo; se aplica tal cual.',
      'Si es un error, envíe {allowed}.',
    ],
    cases: {
      none: {
        en: [
          'The withholding rate {received} % is applied as sent: none is known for that date.',
          'Check the rate and the date.',
        ],
        es: [
          'El tipo de retención del {received} % se aplica tal cual: no hay tipos para esa fecha.',
          'Compruebe el tipo y la fecha.',
        ],
      },
      fraction: FRACTION,
      outside: {
        en: [
          'The withholding rate {received} % is not between 0 and 100.',
          'Send the percentage: 15 means 15 %.',
        ],
        es: [
          'El tipo de retención del {received} % no está entre 0 y 100.',
          'Envíe el porcentaje: 15 significa 15 %.',
        ],
      },
    },
    needs: ['withholding'],
    check(line, context, fail) {
      const received = line.tax_withheld_rate
      if (received === undefined || received === 0) return
      const allowed = withholdingRatesOf(context.date, isReduced(context))
      if (!isPercentage(received)) fail('tax_withheld_rate', { received, allowed, case: 'outside' }, 'error')
      else if (!allowed.includes(received))
        fail('tax_withheld_rate', { received, allowed, ...fractionOf(received, allowed) })
    },
  }),
  documentRule({
    code: 'equivalence_surcharge_unknown',
    severity: 'warning',
    origin: 'cuadra',
    law: 'art. 161 Ley 37/1992',
    reads: ['/invoice/taxes_outputs/*'],
    en: [
      'An equivalence surcharge of {received} % does not match a rate of {tax_rate} %.',
      'Send {allowed} in equivalence_surcharge, or correct the rate.',
    ],
    es: [
      'Un recargo del {received} % no corresponde a un tipo del {tax_rate} %.',
      'Envíe {allowed} en equivalence_surcharge, o corrija el tipo.',
    ],
    cases: {
      no_rate: {
        en: [
          'The equivalence surcharge has no percentage.',
          'Send equivalence_surcharge too: {allowed} with a rate of {tax_rate} %.',
        ],
        es: [
          'El recargo de equivalencia no tiene porcentaje.',
          'Envíe también equivalence_surcharge: {allowed} con un tipo del {tax_rate} %.',
        ],
      },
      none: {
        en: [
          'An equivalence surcharge was sent, but none is known for a rate of {tax_rate} %.',
          'Remove equivalence_surcharge and its amount, or correct the rate.',
        ],
        es: [
          'Se envió un recargo, pero no consta ninguno para un tipo del {tax_rate} %.',
          'Quite equivalence_surcharge y su importe, o corrija el tipo.',
        ],
      },
      untaxed: {
        en: [
          'An equivalence surcharge was sent for an operation without tax.',
          'Remove equivalence_surcharge and its amount.',
        ],
        es: [
          'Se envió un recargo para una operación que no lleva cuota.',
          'Quite equivalence_surcharge y su importe.',
        ],
      },
      not_iva: {
        en: ['{tax_group} has no equivalence surcharge.', 'Correct tax_group_code, or remove the surcharge.'],
        es: [
          'El {tax_group} no tiene recargo de equivalencia.',
          'Corrija tax_group_code o quite el recargo.',
        ],
      },
      outside: {
        en: [
          'An equivalence surcharge of {received} % is not between 0 and 100.',
          'Send the percentage (5.2 for 5.2 %), or remove the equivalence surcharge.',
        ],
        es: [
          'Un recargo del {received} % no está entre 0 y 100.',
          'Envíe el porcentaje (5.2 para el 5,2 %) o quite el recargo.',
        ],
      },
    },
    caseOf: ({ received }) => (received === null ? 'no_rate' : undefined),
    needs: ['entries'],
    check(context, fail) {
      if (context.taxGroup !== 'IVA') {
        failOutsideIva(context, fail)
        return
      }
      visitEntries(context, (entry, path) => {
        const { equivalence_surcharge: received, equivalence_surcharge_amount: amount, tax_rate } = entry
        if (received === undefined ? !amount : isKnownPair(tax_rate, received, context.date)) return
        const at = `${path}/equivalence_surcharge`
        const allowed = carriesTax(entry) ? surchargesOf(tax_rate, context.date) : []
        const extra = { received: received ?? null, tax_rate, allowed }
        if (received !== undefined && !isPercentage(received))
          fail(at, { ...extra, case: 'outside' }, 'error')
        else fail(at, carriesTax(entry) ? extra : { ...extra, case: 'untaxed' })
      })
    },
  }),
  breakdownMismatch('taxes_outputs_mismatch', 'taxes_outputs', 'art. 6.1.f-h RD 1619/2012', {
    en: 'is taxed like',
    es: 'tributa como',
  }),
  breakdownMismatch('taxes_withheld_mismatch', 'taxes_withheld', WITHHOLDING_LAW, {
    en: 'has the withholding of',
    es: 'lleva la retención de',
  }),
]
