/**
 * What holds for every invoice, whatever features meet in it: one sentence each, its source, and a short check. A check
 * returns what it found wrong. Those with `needs` are for documents that got so far.
 */

import { valueAt } from '#core/invoice/index.ts'
import { explain, reconcile, validate } from '#engine/index.ts'
import { createHandler } from '#entry/edge/index.ts'
import { answer as answerFormats } from '#entry/request/formats/index.ts'
import { answer } from '#entry/request/index.ts'
import type { FormatCode } from '#formats/index.ts'
import { checkRecord } from '#records/verifactu/index.ts'
import { withoutComputed } from '../property/documents.ts'
import { textsOf } from '../view/texts-of.ts'
import { type BookOutcome, type Combination, sumBy, sumOf, TODAY, TOTALS } from './combination.ts'
import type { Loose } from './invoice.ts'

export interface Finding {
  readonly what: string
  readonly expected: unknown
  readonly received: unknown
}

export interface Invariant {
  /** The sentence that a failure prints. */
  readonly holds: string
  readonly source: string
  /** `document`: whatever was sent. `amounts` (default): it could be calculated. `valid`: it has no error. */
  readonly needs?: 'document' | 'amounts' | 'valid'
  readonly check: (one: Combination) => readonly Finding[] | Promise<readonly Finding[]>
}

// ------------------------------------------------------------------------------------------------- comparisons

const cents = (amount: unknown): number => Math.round(Number(amount ?? 0) * 100)

/** Compares amounts to the cent, or within a tolerance. */
const amount = (what: string, expected: unknown, received: unknown, tolerance = 0): Finding[] =>
  Math.abs(cents(expected) - cents(received)) <= cents(tolerance)
    ? []
    : [{ what, expected: cents(expected) / 100, received: cents(received) / 100 }]

const text = (value: unknown): string => JSON.stringify(value) ?? 'undefined'
const same = (what: string, expected: unknown, received: unknown): Finding[] =>
  text(expected) === text(received) ? [] : [{ what, expected, received }]

/** Returns the first members that differ, so that a failure does not print two documents. */
function difference(what: string, expected: Loose, received: Loose): Finding[] {
  if (text(expected) === text(received)) return []
  if (typeof expected !== 'object' || typeof received !== 'object' || !expected || !received)
    return [{ what, expected, received }]
  const names = new Set([...Object.keys(expected), ...Object.keys(received)])
  const inside = [...names].flatMap((name) => difference(`${what}/${name}`, expected[name], received[name]))
  return inside.slice(0, 5)
}

const none = (what: string, received: readonly unknown[]): Finding[] =>
  received.length === 0 ? [] : [{ what, expected: 'none', received }]

/** Returns a document sent back, with a change. */
const changed = (document: Loose, change: (invoice: Loose) => void): Loose => {
  const copy = structuredClone(document)
  change(copy.invoice)
  return copy
}

const NAMES = [
  'total_gross_amount_before_taxes',
  'total_tax_outputs',
  'total_consumption_taxes',
  'invoice_total',
  'total_taxes_withheld',
  'total_payments_on_account',
  'total_reimbursable_expenses',
  'total_non_taxable_amount',
  'total_executable_amount',
] as const
const totalsDiffer = (
  expected: Loose,
  received: Loose,
  names: readonly string[] = NAMES,
  gap = 0,
  tolerance = 0,
): Finding[] =>
  names.flatMap((name) =>
    amount(name, expected[name], received[name], tolerance + (name === 'total_tax_outputs' ? gap : 0)),
  )

const isTaxed = ({ tax_treatment_code: code }: Loose): boolean => code === 'TAXABLE_NON_EXEMPT'
/** Codes with which an output refuses totals. */
const REFUSES_TOTALS = /totals_differ$|^sums$|tax_differs$/

// ------------------------------------------------------------------------------------------------- records and books

const SII_BASES = ['BaseImponible', 'ImporteTAIReglasLocalizacion', 'ImportePorArticulos7_14_Otros']
const SII_TAXES = ['CuotaRepercutida', 'CuotaSoportada', 'ImporteCompensacionREAGYP']

/** Adds the members of these names, at any depth. */
function deepSum(value: Loose, names: readonly string[]): number {
  if (typeof value !== 'object' || value === null) return 0
  return sumOf(
    Object.entries(value).map(([name, member]) =>
      names.includes(name) ? Number(member) : deepSum(member, names),
    ),
  )
}
const facturaOf = (record: Loose): Loose => record.FacturaExpedida ?? record.FacturaRecibida
const siiBreakdown = (record: Loose): Loose =>
  facturaOf(record).TipoDesglose ?? facturaOf(record).DesgloseFactura

/** What records and books state as the total of an invoice: without foreign tax; of another tax, only the bases. */
const statedTotal = (one: Combination): number =>
  one.isVat
    ? sumOf([one.totals.invoice_total, -(one.totals.total_consumption_taxes ?? 0)])
    : one.sumOfEntries('taxable_base')

const BOOK_SUMS = ['total', 'base', 'tax', 'surcharge', 'deductible'] as const
const bookSums = ({ rows }: BookOutcome): Loose =>
  Object.fromEntries(BOOK_SUMS.map((name) => [name, sumBy(rows, name)]))

/** Keys whose tax is never deductible (AEAT, libros registro; arts. 120 to 163 Ley 37/1992). */
const NOT_DEDUCTIBLE = ['03', '05', '13', '18', '19']

// --------------------------------------------------------------------------------------------------------- formats

const FORMATS = ['facturae_3_2_2', 'ubl_2_1', 'cii_d16b'] as const satisfies readonly FormatCode[]
/** Keys of taxed lines that a format carries (docs/formats.md), with that of farmers; the others are not written. */
const CARRIED_KEYS = ['03', '05', '07']
const keyCarried = (entry: Loose, isFarmer: boolean): string =>
  isTaxed(entry) && [...CARRIED_KEYS, ...(isFarmer ? ['02'] : [])].includes(entry.tax_regime_key)
    ? entry.tax_regime_key
    : '01'

/** Returns the breakdown as amounts by group; a format may write several entries of a group as one. */
function groupsOf(entries: readonly Loose[], isFarmer: boolean): Record<string, readonly number[]> {
  const groups = new Map<string, number[]>()
  for (const entry of entries) {
    const name = [
      entry.tax_treatment_code,
      `${entry.tax_rate} %`,
      `key ${keyCarried(entry, isFarmer)}`,
      entry.exemption_reason_code,
      entry.non_taxable_reason,
    ]
      .filter((part) => part !== undefined)
      .join(' ')
    const amounts = [entry.taxable_base, entry.tax_amount, entry.equivalence_surcharge_amount]
    const before = groups.get(name) ?? []
    groups.set(
      name,
      amounts.map((one, index) => sumOf([before[index], one])),
    )
  }
  return Object.fromEntries([...groups].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** What identifies an invoice, and what its books depend on. */
const identityOf = ({ header, issue_data: data, supplier, customer }: Loose): Loose => ({
  supplier: supplier.tax_id?.replace(/[^\dA-Z]/g, ''),
  customer: customer?.tax_id?.replace(/[^\dA-Z]/g, ''),
  issue_date: data.issue_date,
  operation_date: data.operation_date ?? data.issue_date,
  tax_group_code: data.tax_group_code,
  currency: data.invoice_currency?.invoice_currency_code,
  exchange_rate: data.invoice_currency?.exchange_rate,
  corrected: header.corrective?.invoice_number,
  corrected_date: header.corrective?.invoice_issue_date,
})

/** Declares an invariant for each format. */
const inEveryFormat = (
  holds: string,
  source: string,
  check: (one: Combination, format: FormatCode) => readonly Finding[],
): Invariant => ({
  holds,
  source,
  needs: 'valid',
  check: (one) =>
    FORMATS.flatMap((format) =>
      check(one, format).map((found) => ({ ...found, what: `${format}: ${found.what}` })),
    ),
})

const ownTotals = (one: Combination): Loose => (one.isForeign ? one.totals.invoice_currency : one.totals)

/** The amount of a text of the page: `−1.234,56 €`. */
const amountOf = (value: string): number =>
  Number(
    value
      .replace('\u2212', '-')
      .replace(/[^\d,-]/g, '')
      .replace(',', '.'),
  )

const handler = createHandler({})

export const INVARIANTS: readonly Invariant[] = [
  // ------------------------------------------------------------------------------------------------------- validate
  {
    holds: 'Spanish and English report the same items and the same data.',
    source: 'calculation page, sections 1 and 7',
    needs: 'document',
    check: (one) => {
      const spanish = validate(one.document, { ...one.options, locale: 'es' })
      const codes = ({ errors }: typeof spanish) =>
        errors.map(({ code, path, severity }) => [code, path, severity])
      return [
        ...same('items', codes(one.result), codes(spanish)),
        ...difference('data', one.result.data, spanish.data),
      ]
    },
  },
  {
    holds: 'No message has a hole.',
    source: 'calculation page, section 7',
    needs: 'document',
    check: (one) => {
      const spanish = validate(one.document, { ...one.options, locale: 'es' })
      const messages = [...one.result.errors, ...spanish.errors].map(({ message }) => message)
      return none(
        'messages',
        messages.filter((message) => /\{\w+\}|undefined|NaN|\[object/.test(message)),
      )
    },
  },
  {
    holds: 'The invoice total is the net amount, the Spanish tax and the foreign tax.',
    source: 'calculation page, section 5',
    check: (one) => {
      const { total_gross_amount_before_taxes, total_tax_outputs, total_consumption_taxes } = one.totals
      const sum = sumOf([total_gross_amount_before_taxes, total_tax_outputs, total_consumption_taxes])
      return amount('invoice_total', sum, one.totals.invoice_total, one.tolerance)
    },
  },
  {
    holds: 'The total of the taxes is the sum of the breakdown.',
    source: 'calculation page, section 5',
    check: (one) => {
      const sum = sumOf([one.sumOfEntries('tax_amount'), one.sumOfEntries('equivalence_surcharge_amount')])
      return amount('total_tax_outputs', sum, one.totals.total_tax_outputs, one.tolerance)
    },
  },
  {
    holds: 'The net amount is the sum of the bases, unless a margin is taxed.',
    source: 'calculation page, sections 3 and 5',
    check: (one) =>
      one.hasMargin
        ? []
        : amount(
            'total_gross_amount_before_taxes',
            one.sumOfEntries('taxable_base'),
            one.totals.total_gross_amount_before_taxes,
            one.tolerance,
          ),
  },
  {
    holds: 'The amount to pay follows from the invoice total, also from one that was sent and kept.',
    source: 'calculation page, section 5',
    check: (one) => {
      const { totals } = one
      const expected = sumOf([
        totals.invoice_total,
        -(totals.total_taxes_withheld ?? 0),
        -(totals.total_payments_on_account ?? 0),
        totals.total_reimbursable_expenses,
        totals.rounding_amount,
      ])
      return amount('total_executable_amount', expected, totals.total_executable_amount)
    },
  },
  {
    holds: 'What is withheld is the sum of its breakdown, and what is not subject the sum of its groups.',
    source: 'calculation page, section 5',
    check: ({ invoice, entries, totals }) => [
      ...amount(
        'total_taxes_withheld',
        sumBy(invoice.taxes_withheld ?? [], 'tax_amount'),
        totals.total_taxes_withheld,
      ),
      ...amount(
        'total_non_taxable_amount',
        sumBy(
          entries.filter(({ tax_treatment_code: code }) => code === 'NON_TAXABLE'),
          'taxable_base',
        ),
        totals.total_non_taxable_amount,
      ),
    ],
  },
  {
    holds: 'Exempt, not subject and reverse-charge groups have no tax.',
    source: 'calculation page, section 6',
    check: ({ entries }) =>
      none(
        'groups with tax',
        entries.filter((entry) => !isTaxed(entry) && entry.tax_amount !== 0),
      ),
  },
  {
    holds: 'Totals that are accepted are kept as they were sent.',
    source: 'calculation page, section 5',
    needs: 'valid',
    check: (one) =>
      one.options.totals === 'check'
        ? TOTALS.flatMap((name) => amount(name, one.document.invoice.totals[name], ownTotals(one)[name]))
        : [],
  },
  {
    holds: 'The data sent back gives the same data.',
    source: 'calculation page, section 1',
    check: (one) => {
      const again = validate(withoutComputed(one.data), one.options)
      return difference('data', sortedMembers(one.data), sortedMembers(again.data))
    },
  },
  {
    holds: 'The check of totals accepts what was calculated.',
    source: 'calculation page, section 5',
    needs: 'valid',
    check: (one) => {
      const { errors } = validate(withoutComputed(one.data), { ...one.options, totals: 'check' })
      return none(
        'mismatches',
        errors.flatMap(({ code, severity, path }) =>
          severity === 'error' && code.endsWith('_mismatch') ? [`${code} ${path}`] : [],
        ),
      )
    },
  },
  {
    holds: 'An invoice issued here has the totals of the same invoice imported.',
    source: 'calculation page, section 1',
    check: (one) => {
      if (!one.isIssued || one.options.totals === 'check') return []
      const { data } = validate(one.document, { ...one.options, operation: 'issue' })
      return data ? totalsDiffer(one.totals, data.invoice.totals) : []
    },
  },
  {
    holds: 'The order of the lines changes no total.',
    source: 'calculation page, section 4',
    check: (one) => {
      const reversed = changed(one.document, ({ lines }) => lines.reverse())
      const { data } = validate(reversed, one.options)
      return data ? totalsDiffer(one.totals, data.invoice.totals) : none('data', ['null'])
    },
  },
  {
    holds: 'A line divided into two of the same price gives the same totals.',
    source: 'calculation page, section 4',
    check: (one) => {
      const [line] = one.document.invoice.lines
      const adjustments = ['discount_rate', 'discount_amount', 'charge_rate', 'purchase_price_incl']
      if (Math.abs(line.quantity) !== 3 || adjustments.some((name) => line[name] !== undefined)) return []
      const divided = changed(one.document, ({ lines }) => {
        const sign = Math.sign(line.quantity)
        lines.splice(0, 1, { ...line, quantity: sign }, { ...line, quantity: 2 * sign })
      })
      const { data } = validate(divided, one.options)
      return data ? amount('invoice_total', one.totals.invoice_total, data.invoice.totals.invoice_total) : []
    },
  },
  {
    holds: 'Opposite quantities give the opposite totals.',
    source: 'calculation page, section 2',
    check: (one) => {
      const { taxes_outputs, header } = one.document.invoice
      if (taxes_outputs || header.corrective || one.options.totals === 'check') return []
      const negative = changed(one.document, (invoice) => {
        const { general_discounts = [], general_surcharges = [] } = invoice.totals
        delete invoice.payment_details
        for (const line of invoice.lines) line.quantity = -line.quantity
        for (const entry of [...invoice.lines, ...general_discounts, ...general_surcharges])
          for (const name of ['discount_amount', 'charge_amount'])
            if (entry[name] !== undefined) entry[name] = -entry[name]
      })
      const { data } = validate(negative, one.options)
      const names = NAMES.slice(0, 5)
      const opposite = Object.fromEntries(names.map((name) => [name, -(one.totals[name] ?? 0)]))
      return data ? totalsDiffer(opposite, data.invoice.totals, names) : []
    },
  },
  {
    holds: 'A company under cash basis is asked for key 07 only where the law puts its sales under it.',
    source: 'art. 163 duodecies.Dos Ley 37/1992; calculation page, section 6',
    check: (one) => {
      const isOutside = (entry: Loose): boolean =>
        ['04', '06', '17', '18', '19', '20'].includes(entry.tax_regime_key) ||
        ['TAXABLE_NON_EXEMPT_RC', 'NON_TAXABLE'].includes(entry.tax_treatment_code) ||
        ['E2', 'E3', 'E4', 'E5'].includes(entry.exemption_reason_code)
      return one.has('company under cash basis') && one.entries.every(isOutside)
        ? none(
            'errors',
            one.errorCodes.filter((code) => code === 'recc_key_mismatch'),
          )
        : []
    },
  },

  // --------------------------------------------------------------------------------------------- explain and reconcile
  {
    holds: 'Every explained amount is the amount of the data, and its exact value rounds to it.',
    source: 'calculation page, section 5, explained totals',
    check: (one) =>
      explain(one.document, one.options).flatMap((row) => {
        const value = valueAt(one.data, row.path)
        const exact = Number(row.exact.replace('…', ''))
        const isExact = row.remainder !== undefined || Math.abs(exact - row.rounded) < 0.50001
        // A total that was kept is explained as computed.
        const found = one.options.totals === 'check' ? [] : same(row.path, row.rounded, value)
        return [...found, ...(isExact ? [] : same(`exact value of ${row.path}`, row.exact, row.rounded))]
      }),
  },
  {
    holds: 'Reconciliation finds no difference in what was calculated.',
    source: 'calculation page, section 5, explained totals',
    check: (one) =>
      one.options.totals === 'check' || one.document.invoice.taxes_outputs
        ? []
        : none(
            'differences',
            reconcile(withoutComputed(one.data), one.options).filter(({ difference }) => difference !== 0),
          ),
  },

  // ------------------------------------------------------------------------------------------------ other entry points
  {
    holds: 'The edge handler and the request entry point return what the library returns.',
    source: 'architecture page',
    needs: 'document',
    check: async (one) => {
      const { company, today, operation, totals } = one.options
      const expected = JSON.parse(text({ data: one.result.data, errors: one.result.errors }))
      const options = { operation, today, totals, company }
      const requested = JSON.parse(answer(text({ op: 'validate', document: one.document, options })))
      const found = difference('request', expected, { data: requested.data, errors: requested.errors })
      // The edge handler has no company.
      if (company) return found
      const query = new URLSearchParams({
        operation: `${operation}`,
        today: TODAY,
        totals: totals ?? 'recalculate',
      })
      const response = await handler.fetch(
        new Request(`https://example.test/validate?${query}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: text(one.document),
        }),
      )
      const { data, errors }: Loose = await response.json()
      return [...found, ...difference('edge', expected, { data, errors })]
    },
  },

  {
    holds: 'The request entry point of the formats writes what the library writes.',
    source: 'architecture page',
    needs: 'valid',
    check: (one) => {
      const format = 'ubl_2_1'
      const request = { op: 'write', document: one.data, options: { format } }
      const { xml = null } = JSON.parse(answerFormats(text(request)))
      return same(format, one.format(format).xml, xml)
    },
  },

  // ---------------------------------------------------------------------------------------------------------- outputs
  {
    holds: 'No output refuses for its totals an invoice that validate accepts.',
    source: 'calculation page, section 5',
    needs: 'valid',
    check: (one) => {
      if (one.isOffInYen) return []
      const refusals = {
        VeriFactu: one.isIssued ? one.verifactu().refusals : [],
        SII: one.sii().refusals,
        books: one.books().refusals,
        ...Object.fromEntries(
          FORMATS.map((format) => [
            format,
            one.format(format).errors.map(({ extra }) => String(extra?.reason)),
          ]),
        ),
      }
      return Object.entries(refusals).flatMap(([output, codes]) =>
        none(
          output,
          codes.filter((code) => REFUSES_TOTALS.test(code)),
        ),
      )
    },
  },

  // -------------------------------------------------------------------------------------------------------- VeriFactu
  {
    holds: 'The registration record states the total and the tax of the invoice, without foreign tax.',
    source: 'calculation page, section 5',
    needs: 'valid',
    check: (one) => {
      const alta = one.isIssued && one.verifactu().record?.RegistroAlta
      if (!alta) return []
      const total = sumOf([one.totals.invoice_total, -(one.totals.total_consumption_taxes ?? 0)])
      return [
        ...amount('ImporteTotal', total, alta.ImporteTotal),
        ...amount('CuotaTotal', one.totals.total_tax_outputs, alta.CuotaTotal),
      ]
    },
  },
  {
    holds: 'The breakdown of the registration record has the bases and taxes of the invoice.',
    source: 'art. 10 Orden HAC/1177/2024',
    needs: 'valid',
    check: (one) => {
      const alta = one.isIssued && one.verifactu().record?.RegistroAlta
      if (!alta) return []
      const { DetalleDesglose: details } = alta.Desglose
      const sum = (name: string) => deepSum(details, [name])
      return [
        ...amount(
          'bases',
          one.sumOfEntries('taxable_base'),
          sum('BaseImponibleOimporteNoSujeto'),
          one.tolerance,
        ),
        ...amount(
          'taxes',
          one.totals.total_tax_outputs,
          sumOf([sum('CuotaRepercutida'), sum('CuotaRecargoEquivalencia')]),
          one.tolerance,
        ),
      ]
    },
  },
  {
    holds: "The authority's own checks find nothing in a registration record.",
    source: 'validations of the AEAT, VeriFactu',
    needs: 'valid',
    check: (one) => {
      const record = one.isIssued && one.verifactu().record
      return record
        ? none(
            'items',
            checkRecord(record).map(({ code, message }) => `${code} ${message}`),
          )
        : []
    },
  },

  // -------------------------------------------------------------------------------------------------------------- SII
  {
    holds: 'The record of the SII states the total of the invoice, without foreign tax and without IPSI.',
    source: 'calculation page, section 5',
    needs: 'valid',
    check: (one) => {
      const { record } = one.sii()
      if (!record) return []
      // A received record has the self-charged tax in its total, which no invoice states.
      const own = one.isIssued ? 0 : selfCharged(record)
      return amount('ImporteTotal', sumOf([statedTotal(one), own]), facturaOf(record).ImporteTotal)
    },
  },
  {
    holds: 'The breakdown of the SII has the bases, taxes and surcharges of the invoice.',
    source: 'Orden HFP/417/2017, annex I',
    needs: 'valid',
    check: (one) => {
      const { record } = one.sii()
      // A buyer does not know the margin of the seller.
      if (!record || (!one.isIssued && one.hasMargin)) return []
      const breakdown = siiBreakdown(record)
      const sum = (name: string) => (one.isVat ? one.sumOfEntries(name) : 0)
      return [
        ...amount('bases', one.sumOfEntries('taxable_base'), deepSum(breakdown, SII_BASES), one.tolerance),
        ...amount(
          'taxes',
          sumOf([sum('tax_amount'), one.isIssued ? 0 : selfCharged(record)]),
          deepSum(breakdown, SII_TAXES),
          one.tolerance,
        ),
        ...amount(
          'surcharges',
          sum('equivalence_surcharge_amount'),
          deepSum(breakdown, ['CuotaRecargoEquivalencia']),
          one.tolerance,
        ),
      ]
    },
  },
  {
    holds:
      'No tax is deducted of a simplified invoice without recipient or its correction, of a surcharge, or of a margin.',
    source: 'arts. 97.Uno, 138 and 154.Dos Ley 37/1992; calculation page, section 11',
    needs: 'valid',
    check: (one) => {
      if (one.isIssued) return []
      const keys = one.entries.map(({ tax_regime_key: key }) => key)
      const isNever =
        !one.document.invoice.customer ||
        keys.every((key) => NOT_DEDUCTIBLE.includes(key)) ||
        one.entries.every((entry) => entry.equivalence_surcharge)
      if (!isNever) return []
      const { record } = one.sii()
      const { rows } = one.books()
      return [
        ...(record ? amount('CuotaDeducible of the SII', 0, facturaOf(record).CuotaDeducible) : []),
        ...amount('deductible of the book', 0, sumBy(rows, 'deductible')),
      ]
    },
  },
  {
    holds: 'A simplified invoice that names its recipient is F1 with the mark of art. 7.2 and 7.3.',
    source: 'AEAT, SII FAQ 2.49; art. 7.2 RD 1619/2012; calculation page, section 11',
    needs: 'valid',
    check: (one) => {
      const { record } = one.sii()
      const { invoice_type_code: type } = one.invoice.header
      if (!record || type !== '02' || !one.invoice.customer?.tax_id) return []
      const { TipoFactura, 'FacturaSimplificadaArticulos7.2_7.3': mark } = facturaOf(record)
      // A customs document is always F5, and the receipt of a farmer F6.
      return TipoFactura === 'F5' || TipoFactura === 'F6'
        ? []
        : same('type and mark', ['F1', 'S'], [TipoFactura, mark])
    },
  },
  {
    holds: 'A correction by substitution takes back from the SII what the record of its original stated.',
    source: 'calculation page, section 11',
    needs: 'valid',
    check: (one) => {
      const before = one.original?.isValid ? one.original.sii().record : undefined
      if (!before) return []
      const breakdown = siiBreakdown(before)
      return [one.sii(), one.siiWithOriginal()].flatMap(({ record }, index) => {
        if (!record) return []
        const name = (member: string) => `${member} ${index === 0 ? 'without' : 'with'} the original`
        const { ImporteRectificacion: taken = {} } = facturaOf(record)
        // The amounts that a correction states in another currency are converted by themselves.
        const cents = index === 0 ? one.conversionTolerance : 0
        return [
          ...amount(name('BaseRectificada'), deepSum(breakdown, SII_BASES), taken.BaseRectificada, cents),
          ...amount(name('CuotaRectificada'), deepSum(breakdown, SII_TAXES), taken.CuotaRectificada, cents),
          ...amount(
            name('CuotaRecargoRectificado'),
            deepSum(breakdown, ['CuotaRecargoEquivalencia']),
            taken.CuotaRecargoRectificado,
          ),
        ]
      })
    },
  },

  // ------------------------------------------------------------------------------------------------------------ books
  {
    holds: 'The rows of an invoice in the book add up to its total, without foreign tax and without IPSI.',
    source: 'docs/books.md',
    needs: 'valid',
    check: (one) => {
      const { own, refusals } = one.books()
      if (refusals.length > 0) return []
      return amount('total', statedTotal(one), sumBy(own, 'total'))
    },
  },
  {
    holds: 'The book of issued invoices has the bases and taxes of the invoice.',
    source: 'docs/books.md',
    needs: 'valid',
    check: (one) => {
      const { own, refusals } = one.books()
      if (!one.isIssued || refusals.length > 0) return []
      const taxes = sumOf([sumBy(own, 'tax'), sumBy(own, 'surcharge')])
      return [
        ...amount('base', one.sumOfEntries('taxable_base'), sumBy(own, 'base'), one.tolerance),
        ...amount('tax', one.isVat ? one.totals.total_tax_outputs : 0, taxes, one.tolerance),
      ]
    },
  },
  {
    holds: 'Book and SII agree on the deduction, the type and the period of an invoice.',
    source: 'calculation page, section 11',
    needs: 'valid',
    check: (one) => {
      const { record } = one.sii()
      const [row] = one.books().own
      if (!record || !row) return []
      const { PeriodoLiquidacion: period } = record
      const { CuotaDeducible, TipoFactura } = facturaOf(record)
      const quarter = `${period.Ejercicio} ${Math.ceil(Number(period.Periodo) / 3)}T`
      return [
        ...(one.isIssued ? [] : amount('deductible', CuotaDeducible, sumBy(one.books().own, 'deductible'))),
        ...same('type', TipoFactura, row.invoice_type),
        ...same('period', quarter, `${row.year} ${row.period}`),
      ]
    },
  },
  {
    holds: 'A correction by substitution takes back the same without the file of its original as with it.',
    source: 'calculation page, section 11',
    needs: 'valid',
    check: (one) => {
      if (!one.original?.isValid) return []
      const [alone, before, both] = [one.books(), one.original.books(), one.booksWithOriginal()]
      if ([alone, before, both].some(({ refusals }) => refusals.length > 0)) return []
      const [original, all, own] = [before, both, alone].map(bookSums)
      return BOOK_SUMS.flatMap((name) => amount(name, sumOf([all[name], -original[name]]), own[name]))
    },
  },
  {
    holds: 'A replaced invoice and its correction together are in the books what the correction states.',
    source: 'art. 15 RD 1619/2012; calculation page, section 11',
    needs: 'valid',
    check: (one) => {
      // A customs document is not a corrective invoice in the book.
      if (!one.original?.isValid || one.invoice.issue_data.is_dua) return []
      const both = one.booksWithOriginal()
      if (both.refusals.length > 0) return []
      return BOOK_SUMS.flatMap((name) => amount(name, sumBy(both.own, name), sumBy(both.rows, name)))
    },
  },
  {
    holds: 'What was replaced accrues no tax and is not an investment good of its own.',
    source: 'art. 163 terdecies Ley 37/1992; art. 65 RD 1624/1992; calculation page, section 11',
    needs: 'valid',
    check: (one) => {
      if (!one.original?.isValid) return []
      const [alone, both] = [one.books(), one.booksWithOriginal()]
      if ([alone, both].some(({ refusals }) => refusals.length > 0)) return []
      return [
        ...amount('accrued unpaid', alone.accrued, both.accrued),
        ...same('investment goods', alone.investmentGoods.length, both.investmentGoods.length),
      ]
    },
  },

  // ---------------------------------------------------------------------------------------------------------- formats
  inEveryFormat(
    'What a writer writes, its own reader accepts.',
    'calculation page, section 11',
    (one, format) => {
      const { xml, reading, read } = one.format(format)
      if (xml === null || read?.data || one.isOffInYen) return []
      const items = reading?.document ? (read?.errors ?? []) : (reading?.errors ?? [])
      return none(
        'refusals',
        items.filter(({ severity }) => severity === 'error').map(({ code, path }) => `${code} ${path}`),
      )
    },
  ),
  inEveryFormat(
    'An invoice written and read again has the same totals.',
    'docs/formats.md',
    (one, format) => {
      const data = one.format(format).read?.data
      if (!data) return []
      // EN 16931 computes the total from the breakdown. Where the totals that were kept differ from it, BT-114 carries
      // the cents to the amount to pay.
      const isRounded = format !== 'facturae_3_2_2' && one.differsFromBreakdown
      const names = isRounded ? ['total_gross_amount_before_taxes', 'total_executable_amount'] : NAMES
      return totalsDiffer(one.totals, data.invoice.totals, names, one.gap, one.conversionTolerance)
    },
  ),
  inEveryFormat(
    'An invoice written and read again has the same groups of tax, with the keys that the format carries.',
    'docs/formats.md; calculation page, section 11',
    (one, format) => {
      const data = one.format(format).read?.data
      if (!data) return []
      const isFarmer = !one.isIssued && one.invoice.supplier.country_code === 'ES'
      const read = groupsOf(data.invoice.taxes_outputs ?? [], isFarmer)
      // These formats state the groups of an invoice in another currency only in that currency.
      const isConverted = one.totals.invoice_currency !== undefined
      const tolerance = isConverted ? one.invoice.lines.length : 0
      return difference('groups', groupsOf(one.entries, isFarmer), read).filter(
        ({ expected, received }) => !(Math.abs(cents(expected) - cents(received)) <= tolerance),
      )
    },
  ),
  inEveryFormat(
    'An invoice written and read again has the same parties, dates, tax group, currency and rate of exchange.',
    'docs/formats.md; calculation page, section 11',
    (one, format) => {
      const data = one.format(format).read?.data
      return data ? difference('invoice', identityOf(one.invoice), identityOf(data.invoice)) : []
    },
  ),
  {
    holds: 'CSV returns the totals and groups of the invoice, or refuses it, or warns.',
    source: 'calculation page, section 11',
    needs: 'valid',
    check: (one) => {
      const { isWritten, items, refusals, read } = one.sheet()
      if (!isWritten || items.length > 0) return []
      if (!read?.data) return none('refusals of the reader', refusals)
      return [
        ...totalsDiffer(one.totals, read.data.invoice.totals),
        ...difference('taxes_outputs', one.entries, read.data.invoice.taxes_outputs),
      ]
    },
  },
  {
    holds: 'A CSV file whose total is another says so.',
    source: 'calculation page, section 11',
    needs: 'valid',
    check: (one) => {
      const { isWritten, items, refusals, read } = one.sheet()
      if (!isWritten || items.some(({ message }) => message.includes('invoice_total'))) return []
      if (!read?.data) return none('refusals of the reader', refusals)
      return amount('invoice_total', one.totals.invoice_total, read.data.invoice.totals.invoice_total)
    },
  },

  // ------------------------------------------------------------------------------------------------------------- page
  {
    holds: 'The page has no hole.',
    source: 'docs/pdf.md',
    check: (one) =>
      none(
        'texts',
        (['es', 'en', 'es-en'] as const)
          .flatMap((language) => textsOf(one.view(language)))
          .filter((value) => /undefined|NaN|\[object/.test(value)),
      ),
  },
  {
    holds: 'The page shows the total and the amount to pay, and what is between them adds up.',
    source: 'art. 6 RD 1619/2012',
    check: (one) => {
      const { sums } = one.view('es')
      const totals = one.isForeign || one.totals.invoice_currency ? one.totals.invoice_currency : one.totals
      const at = (weight: string) => sums.findIndex((sum) => sum.weight === weight)
      const [total, pay] = [at('total'), at('pay')]
      const shown = (index: number) => amountOf(sums[index]?.value ?? '')
      const between = sums.slice(total, pay).map(({ value }) => amountOf(value))
      return [
        ...amount('total', totals.invoice_total, shown(total)),
        ...(pay < 0
          ? amount('total to pay', totals.total_executable_amount, shown(total))
          : [
              ...amount('to pay', totals.total_executable_amount, shown(pay)),
              // Some currencies have three decimals.
              ...same('sum', shown(pay), Number(between.reduce((sum, one) => sum + one, 0).toFixed(3))),
            ]),
      ]
    },
  },
  {
    holds: 'The page of an issued invoice does not show the tax of a margin.',
    source: 'art. 142 Ley 37/1992; art. 16 RD 1619/2012',
    check: (one) => {
      if (!one.isIssued || !one.hasMargin || one.totals.invoice_currency) return []
      const page = textsOf(one.view('es'))
      const isMargin = ({ tax_regime_key: key }: Loose) => key === '03' || key === '05'
      const shown = (entry: Loose): string => entry.tax_amount.toFixed(2).replace('.', ',')
      const others = one.entries.filter((entry) => !isMargin(entry)).map(shown)
      const taxes = one.entries.filter(isMargin).map(shown)
      return none(
        'taxes',
        taxes.filter(
          (tax) =>
            tax !== '0,00' &&
            !others.includes(tax) &&
            page.some((value) => new RegExp(`(^|\\s)${tax}($|\\s)`).test(value)),
        ),
      )
    },
  },
]

/** Returns the tax that the recipient charges itself, which the SII has in its own part of the breakdown. */
function selfCharged(record: Loose): number {
  const { DesgloseFactura, ClaveRegimenEspecialOTrascendencia: key } = facturaOf(record)
  return key === '09'
    ? deepSum(DesgloseFactura, SII_TAXES)
    : deepSum(DesgloseFactura?.InversionSujetoPasivo ?? {}, SII_TAXES)
}

/** Returns a value with the members of every object in alphabetical order. */
function sortedMembers(value: Loose): Loose {
  if (Array.isArray(value)) return value.map(sortedMembers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sortedMembers(value[name])]),
  )
}
