/** Documents that must never be ready: they are not invoices, or their content is contradictory. */
import type { Document } from './document.ts'
import rows from './documents/traps.json' with { type: 'json' }
import { named } from './named.ts'
import { OURS } from './parties.ts'
import { MORE } from './sales.ts'
import type { Row, Sketch } from './sketch.ts'
import type { Truth } from './truth.ts'
import { type Printed, printed } from './wide.ts'

type Added = Partial<Pick<Sketch, 'supplier' | 'facts' | 'totals' | 'notes'>>

interface Trap extends Printed {
  /** Whether the invoice is from `OURS`. */
  readonly isOwn?: boolean
  /** The invoice whose supplier is the customer. */
  readonly customer?: string
  readonly number?: string
  /** The name of the document in the label of its number. */
  readonly label?: string
  readonly lastTotal?: string
  /** The amount in the tax QR. */
  readonly codeTotal?: number
  readonly set?: Partial<Sketch>
  readonly before?: Added
  readonly after?: Added
}

const truthOf = ({ sale, isOwn, customer, number }: Trap): Truth => ({
  ...named(MORE, sale),
  ...(isOwn && { supplier: OURS }),
  ...(customer && { customer: named(MORE, customer).supplier }),
  ...(number && { number }),
})

function changed(sketch: Sketch, truth: Truth, trap: Trap): Sketch {
  const { label, lastTotal, codeTotal, set, before = {}, after = {} } = trap
  const labels = label ? [`${label} nº`, 'Fecha'] : []
  const facts = sketch.facts.map(([old, value], at): Row => [labels[at] ?? old, value])
  const last = sketch.totals.length - 1
  const totals = sketch.totals.map(([name, amount], at): Row => [name, (at === last && lastTotal) || amount])
  return {
    ...sketch,
    supplier: [...(before.supplier ?? []), ...sketch.supplier],
    facts: [...(before.facts ?? []), ...facts],
    totals: [...totals, ...(after.totals ?? [])],
    notes: [...(before.notes ?? []), ...sketch.notes, ...(after.notes ?? [])],
    code: codeTotal ? { ...truth, invoice_total: codeTotal } : sketch.code,
    ...set,
  }
}

/** The `truth` of a trap is the printed content. Recognition is not expected to find it. */
export const TRAPS: readonly Document[] = (rows as readonly Trap[]).map((trap) => {
  const truth = truthOf(trap)
  const document = printed(trap, truth, (sketch) => changed(sketch, truth, trap))
  return { ...document, name: `trap: ${document.name}` }
})
