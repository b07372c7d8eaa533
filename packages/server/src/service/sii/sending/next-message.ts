/** Builds the next message: records of one channel and one operation, those with the nearest deadline first. */
import { type SiiMessageResult, siiXml, submission } from '#records/sii/index.ts'
import type { NextMessage, Outbox, QueueContext } from '../../transmission/channel.ts'
import type { Isolation } from '../../transmission/isolation.ts'
import { writeToHeldQueue } from '../../transmission/transmission-outcome.ts'
import { COLLECTIONS_CHANNEL, PAYMENTS_CHANNEL } from './send-movements.ts'
import { ISSUED_CHANNEL, noRecordReason, RECEIVED_CHANNEL, reasonOf } from './sii-invoices.ts'
import {
  type BuildResult,
  type DueEntry,
  type Entry,
  MAX_RECORDS,
  type NotSentReason,
  type Sii,
  type SiiChannel,
} from './sii-queue-types.ts'
import { identityIn } from './sii-record.ts'

/** All channels. Channels of invoices come first, because a payment requires a registered invoice. */
export const CHANNELS: readonly SiiChannel[] = [
  ISSUED_CHANNEL,
  RECEIVED_CHANNEL,
  COLLECTIONS_CHANNEL,
  PAYMENTS_CHANNEL,
]

type Aside = Sii['aside'] | null

async function pendingRows(
  { store, environment, sending, invoiceId }: QueueContext<Sii>,
  channel: SiiChannel,
  most: number,
  aside: Aside,
): Promise<readonly DueEntry[]> {
  const now = sending.app.clock.now()
  const dues = await channel.waiting(store, { environment, now, most: most + 1, invoiceId })
  const isOther = ({ key }: DueEntry) => !(aside?.kind === channel.name && aside.entry.key === key)
  return dues.filter(isOther).slice(0, most)
}

/** Returns the channel with the nearest deadline; of equal ones, the first in the list. Null if nothing is pending. */
export async function nextChannel(
  context: QueueContext<Sii>,
  aside: Aside = null,
): Promise<SiiChannel | null> {
  let first: { readonly channel: SiiChannel; readonly deadline: string } | null = null
  for (const channel of CHANNELS) {
    const [due] = await pendingRows(context, channel, 1, aside)
    if (due && (!first || due.deadline < first.deadline)) first = { channel, deadline: due.deadline }
  }
  return first?.channel ?? null
}

type BuiltRecord = Extract<BuildResult, { is: 'built' }>

const entryOf = ({ key, invoice_id, version }: DueEntry, { operation, record }: BuiltRecord): Entry => ({
  key,
  invoice_id,
  version,
  operation,
  record,
  invoice_number: record.IDFactura.NumSerieFacturaEmisor,
})

const issuedOn = ({ record }: Entry): string =>
  record.IDFactura.FechaExpedicionFacturaEmisor.split('-').reverse().join('-')

/**
 * Keeps the entries that have the same operation as the first entry, one per invoice. Sorts them by date of issue,
 * because an invoice must be sent before the invoices that correct or replace it (AEAT 2003).
 */
function ofOneOperation(all: readonly Entry[]): readonly Entry[] {
  const operation = all[0]?.operation
  const seen = new Set<string>()
  const kept = all.filter((entry) => {
    const identity = identityIn(entry.record)
    if (entry.operation !== operation || seen.has(identity)) return false
    seen.add(identity)
    return true
  })
  return kept.sort((a, b) => (issuedOn(a) < issuedOn(b) ? -1 : issuedOn(a) > issuedOn(b) ? 1 : 0))
}

type Excluded = readonly (readonly [due: Pick<DueEntry, 'key' | 'version'>, why: NotSentReason | null])[]

/** Defers entries whose record cannot be built, and drops entries that need no record. */
const deferOrDrop = (outbox: Outbox<Sii>, channel: SiiChannel, excluded: Excluded): Promise<void> =>
  writeToHeldQueue(outbox, async (tx) => {
    const now = outbox.sending.app.clock.now()
    for (const [due, why] of excluded)
      if (why) await channel.defer(tx, due, why, now)
      else await channel.drop(tx, due)
  })

const AT_RECORD = /^\/records\/(\d+)\//

/** Builds the message with these records, which have the same operation. */
function messageOf(
  { company: { data } }: Outbox<Sii>,
  { book }: SiiChannel,
  entries: readonly [Entry, ...Entry[]],
  locale: 'en' | 'es' = 'en',
): SiiMessageResult {
  const holder = { name: data.legal_name, nif: data.tax_id }
  const [{ operation }] = entries
  return submission({ book, operation, holder, records: entries.map(({ record }) => record), locale })
}

type Items = Extract<SiiMessageResult, { ok: false }>['items']

/** Returns the records that the engine rejects, with the reasons; empty if the problem is not in a record. */
function rejectedBy(entries: readonly Entry[], english: Items, spanish: Items): Excluded {
  const wrong = new Set(english.flatMap(({ path }) => AT_RECORD.exec(path)?.[1] ?? []))
  return [...wrong].flatMap((index) => {
    const entry = entries[Number(index)]
    const own = (items: Items) => items.filter(({ path }) => path.startsWith(`/records/${index}/`))
    return entry ? [[entry, noRecordReason(own(english), own(spanish))] as const] : []
  })
}

/** Builds the records of pending entries and keeps those of one operation. Defers or drops entries without a record. */
async function entriesOf(
  outbox: Outbox<Sii>,
  channel: SiiChannel,
  dues: readonly DueEntry[],
): Promise<readonly Entry[]> {
  const built = await channel.buildRecords(outbox.store, dues)
  const all: Entry[] = []
  const excluded: [DueEntry, NotSentReason | null][] = []
  for (const due of dues) {
    const one = built.get(due.key) ?? { is: 'nothing' }
    if (one.is === 'built') all.push(entryOf(due, one))
    else excluded.push([due, one.is === 'refused' ? one : null])
  }
  if (excluded.length > 0) await deferOrDrop(outbox, channel, excluded)
  return ofOneOperation(all)
}

export async function nextMessage(
  outbox: Outbox<Sii>,
  isolation: Isolation<Sii['aside']> | null,
): Promise<NextMessage<Sii>> {
  const aside = isolation?.aside ?? null
  const channel = await nextChannel(outbox, aside)
  if (!channel) return { is: 'none' }
  const dues = await pendingRows(outbox, channel, isolation?.limit ?? MAX_RECORDS, aside)
  const [first, ...others] = await entriesOf(outbox, channel, dues)
  if (!first) return { is: 'changed' }
  const entries = [first, ...others] as const
  const built = messageOf(outbox, channel, entries)
  if (built.ok) return { is: 'message', channel, entries, xml: async () => siiXml(built.message) }
  const again = messageOf(outbox, channel, entries, 'es')
  const spanish = again.ok ? [] : again.items
  const refused = rejectedBy(entries, built.items, spanish)
  if (refused.length === 0) {
    return { is: 'impossible', reason: reasonOf(built.items, spanish), channel, entries }
  }
  await deferOrDrop(outbox, channel, refused)
  return { is: 'changed' }
}
