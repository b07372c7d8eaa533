/** The records of the next message: of one kind and one operation, the nearest deadline first. */
import type { SiiOperation } from '../../../../sii/index.ts'
import { whyNot } from './invoices.ts'
import type { Due, Entry, Kind, Made, NoRecord } from './kind.ts'
import { KINDS } from './kinds.ts'
import { type Line, write } from './line.ts'
import { MOST_RECORDS, messageOf, messageXml } from './message.ts'
import { identityIn } from './record.ts'

export interface Wanted {
  readonly now: number
  readonly limit?: number
  readonly invoiceId?: string | undefined
  /** A record that is set apart. */
  readonly except?: { readonly kind: string; readonly key: string } | null
}

/** A record that cannot be made is tried again after so long: somebody may have mended what it was made of. */
const SIX_HOURS = 6 * 3_600_000

const isOther = (kind: Kind, except: Wanted['except']) => (due: Due) =>
  !(except && except.kind === kind.name && except.key === due.key)

async function duesOf(
  db: Line['store'],
  kind: Kind,
  { now, invoiceId, except }: Wanted,
  most: number,
): Promise<readonly Due[]> {
  const dues = await kind.waiting(db, { now, most: most + 1, invoiceId })
  return dues.filter(isOther(kind, except)).slice(0, most)
}

/** The kind whose nearest deadline comes first; null where nothing waits. Of two, the earlier in the list. */
export async function nextKind(db: Line['store'], wanted: Wanted): Promise<Kind | null> {
  let first: { readonly kind: Kind; readonly deadline: string } | null = null
  for (const kind of KINDS) {
    const [due] = await duesOf(db, kind, wanted, 1)
    if (due && (!first || due.deadline < first.deadline)) first = { kind, deadline: due.deadline }
  }
  return first?.kind ?? null
}

export interface Page {
  readonly kind: Kind
  readonly operation: SiiOperation
  readonly entries: readonly Entry[]
  readonly xml: string
}

type MadeRecord = Extract<Made, { is: 'made' }>

const entryOf = ({ key, invoice_id, version }: Due, { operation, record }: MadeRecord): Entry => ({
  key,
  invoice_id,
  version,
  operation,
  record,
  invoice_number: record.IDFactura.NumSerieFacturaEmisor,
})

/** Entries of one operation, that of the first; each invoice once. */
function ofOneOperation(all: readonly Entry[]): readonly Entry[] {
  const operation = all[0]?.operation
  const seen = new Set<string>()
  return all.filter((entry) => {
    const identity = identityIn(entry.record)
    if (entry.operation !== operation || seen.has(identity)) return false
    seen.add(identity)
    return true
  })
}

/** Holds back what no record can be made of, and drops that of which there is nothing to tell. */
const sortOut = (
  line: Pick<Line, 'sending' | 'store' | 'lease'>,
  kind: Kind,
  without: readonly (readonly [Due | Entry, NoRecord | null])[],
): Promise<void> =>
  write(line, async (tx) => {
    const until = line.sending.app.clock.now() + SIX_HOURS
    for (const [due, why] of without)
      if (why) await kind.holdBack(tx, due, why, until)
      else await kind.drop(tx, due)
  })

const AT_RECORD = /^\/records\/(\d+)\//

export type NextPage =
  | { readonly is: 'page'; readonly page: Page }
  | { readonly is: 'none' }
  /** Some were taken out of what waits: look again. */
  | { readonly is: 'changed' }
  /** Something that every message has is wrong. */
  | {
      readonly is: 'impossible'
      readonly why: NoRecord
      readonly kind: Kind
      readonly entries: readonly Entry[]
    }

export async function nextPage(
  line: Pick<Line, 'sending' | 'store' | 'company' | 'lease'>,
  wanted: Wanted,
): Promise<NextPage> {
  const { store, company } = line
  const kind = await nextKind(store, wanted)
  if (!kind) return { is: 'none' }
  const dues = await duesOf(store, kind, wanted, wanted.limit ?? MOST_RECORDS)
  const made = await kind.make({ db: store, company }, dues)
  const all: Entry[] = []
  const without: (readonly [Due, NoRecord | null])[] = []
  for (const due of dues) {
    const one = made.get(due.key) ?? { is: 'nothing' }
    if (one.is === 'made') all.push(entryOf(due, one))
    else without.push([due, one.is === 'refused' ? { code: one.code, words: one.words } : null])
  }
  if (without.length > 0) await sortOut(line, kind, without)
  const entries = ofOneOperation(all)
  const [first] = entries
  if (!first) return { is: 'changed' }
  const { operation } = first
  const message = messageOf(kind, operation, company, entries)
  if (message.ok) return { is: 'page', page: { kind, operation, entries, xml: messageXml(message) } }
  const again = messageOf(kind, operation, company, entries, 'es')
  const spanish = again.ok ? [] : again.items
  const wrong = new Set(
    message.items.flatMap(({ path }) => {
      const at = AT_RECORD.exec(path)?.[1]
      return at === undefined ? [] : [Number(at)]
    }),
  )
  if (wrong.size === 0) return { is: 'impossible', why: whyNot(message.items, spanish), kind, entries }
  const at = (index: number) => (item: { readonly path: string }) =>
    item.path.startsWith(`/records/${index}/`)
  await sortOut(
    line,
    kind,
    [...wrong].flatMap((index) => {
      const entry = entries[index]
      return entry
        ? [[entry, whyNot(message.items.filter(at(index)), spanish.filter(at(index)))] as const]
        : []
    }),
  )
  return { is: 'changed' }
}
