/**
 * A document that another system issued is not rewritten: when totals are checked, an import and a received
 * invoice keep the amounts that were sent, and only what was not sent is filled in (calculation page, section 5).
 */
import type { Context } from '../rules/index.ts'
import { COMPUTED_TOTALS, LINE_AMOUNTS, OUTPUT_AMOUNTS, WITHHELD_AMOUNTS } from './invoice/index.ts'
import { keepDecimals } from './money/index.ts'

type Members = Record<string, unknown>

/** An amount as it was sent, and where in the document sent. */
export interface SentAmount {
  readonly path: string
  readonly value: number
}

/** Each object of `data` with amounts that may be kept: where it stands, what it is, and what was sent for it. */
function* keepers({ sent, invoice, stated, calculation }: Context): Generator<{
  readonly place: string
  readonly target: object
  readonly source: object | undefined
  readonly from: string
  readonly names: readonly string[]
}> {
  // Converted documents keep the amounts sent in their blocks.
  const own = stated === invoice
  const inBlock = (place: string, members: { invoice_currency?: object }) =>
    own
      ? { place, target: members as object }
      : { place: `${place}/invoice_currency`, target: members.invoice_currency ?? {} }
  const totals = '/invoice/totals'
  yield {
    ...inBlock(totals, invoice.totals),
    source: sent.invoice.totals,
    from: totals,
    names: COMPUTED_TOTALS,
  }
  for (const [index, line] of invoice.lines.entries()) {
    const from = `/invoice/lines/${index}`
    yield { ...inBlock(from, line), source: sent.invoice.lines[index], from, names: LINE_AMOUNTS }
  }
  const rows = calculation.groups.flatMap((group) => group.rows)
  for (const [index, entry] of (invoice.taxes_outputs ?? []).entries())
    yield {
      ...inBlock(`/invoice/taxes_outputs/${index}`, entry),
      source: rows[index]?.sent,
      from: `/invoice/taxes_outputs/${rows[index]?.index}`,
      names: OUTPUT_AMOUNTS,
    }
  if (!own) return
  const withheld = calculation.withheld.flatMap((group) => group.rows)
  for (const [index, target] of (invoice.taxes_withheld ?? []).entries())
    yield {
      place: `/invoice/taxes_withheld/${index}`,
      target,
      source: withheld[index]?.sent,
      from: `/invoice/taxes_withheld/${withheld[index]?.index}`,
      names: WITHHELD_AMOUNTS,
    }
}

const keepsSent = ({ settings: { check, operation } }: Context): boolean =>
  check && (operation === 'import' || operation === 'received')

/** An amount that was sent, with the decimals that its currency has; one with more was reported. */
function amountOf(source: object | undefined, name: string, { calculation }: Context): number | undefined {
  const value = (source as Members | undefined)?.[name]
  return typeof value === 'number' ? keepDecimals(value, calculation.decimals) : undefined
}

/** The amounts that `data` keeps as they were sent, by their place in it. */
export function sentAmounts(context: Context): ReadonlyMap<string, SentAmount> {
  const kept = new Map<string, SentAmount>()
  if (!keepsSent(context)) return kept
  for (const { place, source, from, names } of keepers(context))
    for (const name of names) {
      const value = amountOf(source, name, context)
      if (value !== undefined) kept.set(`${place}/${name}`, { path: `${from}/${name}`, value })
    }
  return kept
}

/** Puts the sent amounts back where the operation asks for it. */
export function keepSentAmounts(context: Context): void {
  if (!keepsSent(context)) return
  for (const { target, source, names } of keepers(context))
    for (const name of names) {
      const value = amountOf(source, name, context)
      if (value !== undefined) (target as Members)[name] = value
    }
}
