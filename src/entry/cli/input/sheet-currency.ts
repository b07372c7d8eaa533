/**
 * Invoices that the company issued in another currency. A spreadsheet states their amounts in that currency, unless it
 * has columns for both; json_1_1 states them in euros, with the other currency in the `invoice_currency` blocks.
 */

import { minorUnitsOf } from '#core/catalogs/index.ts'
import type { InvoiceBlock, Line } from '#core/invoice/index.ts'
import { COMPUTED_TOTALS, LINE_AMOUNTS } from '#core/invoice/terms.ts'
import { conversionToEuros, convertInputs, LINE_INPUTS, originalInputs } from '#engine/calculate/index.ts'
import { type CanonicalInvoice, type ValidationItem, validate } from '#engine/index.ts'
import { type ConvertSettings, optionsFor } from './convert-settings.ts'

type Members = Readonly<Record<string, unknown>>

const pick = (source: object, names: readonly string[]): Members =>
  Object.fromEntries(Object.entries(source).filter(([name]) => names.includes(name)))
const omit = <T extends object>(source: T, names: readonly string[]): T =>
  Object.fromEntries(Object.entries(source).filter(([name]) => !names.includes(name))) as T

interface Foreign {
  readonly invoice: InvoiceBlock
  readonly code: string
  readonly rate: number
}

/** Returns an issued invoice in another currency with its rate; null for other documents. */
function foreignOf(document: unknown): Foreign | null {
  const { meta, invoice } = document as { readonly meta?: Members; readonly invoice?: InvoiceBlock }
  const { invoice_currency_code: code = 'EUR', exchange_rate: rate } =
    invoice?.issue_data?.invoice_currency ?? {}
  if (!invoice || meta?.direction === 'received' || code === 'EUR') return null
  return Array.isArray(invoice.lines) && typeof rate === 'number' && rate > 0 ? { invoice, code, rate } : null
}

const hasBlock = ({ lines, totals, taxes_outputs: taxes = [] }: InvoiceBlock): boolean =>
  [totals ?? {}, ...lines, ...taxes].some((one) => 'invoice_currency' in one)

/** Returns a document in euros, with the original prices and amounts of its lines in the `invoice_currency` blocks. */
export function documentInEuros(document: Members): Members {
  const foreign = foreignOf(document)
  if (!foreign || hasBlock(foreign.invoice)) return document
  const { invoice, rate } = foreign
  const converted = convertInputs(invoice, conversionToEuros(rate))
  const lines = converted.lines.map((line, index) => ({
    ...omit(line, LINE_AMOUNTS),
    invoice_currency: pick(invoice.lines[index] as Line, LINE_INPUTS),
  }))
  return { ...document, invoice: { ...converted, lines, totals: omit(converted.totals, COMPUTED_TOTALS) } }
}

/**
 * Compares totals that cells state in another currency with the totals calculated from the lines in that currency.
 * `breakdownOf` returns the breakdown with the surcharges of the lines.
 */
export function foreignTotalsProblems(
  document: Members,
  breakdownOf: ((data: CanonicalInvoice) => unknown) | null,
  settings: ConvertSettings,
): readonly ValidationItem[] {
  const foreign = foreignOf(document)
  if (!foreign || hasBlock(foreign.invoice)) return []
  const { totals = {} as InvoiceBlock['totals'] } = foreign.invoice
  const stated = COMPUTED_TOTALS.filter((name) => totals[name] !== undefined)
  if (stated.length === 0) return []
  const zeros = { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0 }
  const received = {
    ...document,
    meta: { ...(document.meta as Members), direction: 'received' },
    invoice: { ...foreign.invoice, totals: { ...zeros, ...totals } },
  }
  const options = optionsFor(settings, 'received')
  const { data, errors } = validate(received, options)
  const taxes_outputs = data && breakdownOf?.(data)
  const found = taxes_outputs
    ? validate({ ...received, invoice: { ...received.invoice, taxes_outputs } }, options).errors
    : errors
  return found.filter(
    ({ code, path }) =>
      code === 'totals_mismatch' && stated.some((name) => path === `/invoice/totals/${name}`),
  )
}

/**
 * Returns a document with its amounts as a spreadsheet states them: those of an issued invoice in the invoice currency,
 * unless the spreadsheet has columns for both currencies (`hasBoth`).
 */
export function documentOfSheet(document: unknown, data: CanonicalInvoice, hasBoth: boolean): unknown {
  const foreign = hasBoth ? null : foreignOf(document)
  if (!foreign) return document
  const { invoice, code, rate } = foreign
  const own = originalInputs(invoice, rate, minorUnitsOf(code) ?? 2)
  const totals = invoice.totals ?? {}
  const stated = COMPUTED_TOTALS.filter((name) => name in totals)
  return {
    ...(document as Members),
    invoice: {
      ...own,
      lines: own.lines.map((line) => omit(line, ['invoice_currency', ...LINE_AMOUNTS])),
      taxes_outputs: own.taxes_outputs?.map((entry) => omit(entry, ['invoice_currency'])),
      totals: {
        ...omit(own.totals, ['invoice_currency', ...COMPUTED_TOTALS]),
        ...pick(data.invoice.totals.invoice_currency ?? {}, stated),
      },
    },
  }
}
