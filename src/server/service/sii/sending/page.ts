/** The records of the next message: of one kind and one operation, the nearest deadline first. */
import { type SiiMessageResult, siiXml, submission } from '../../../../sii/index.ts'
import type { Look, NextMessage, Outbox } from '../../transmission/channel.ts'
import type { Isolation } from '../../transmission/isolation.ts'
import { write } from '../../transmission/outcome.ts'
import { ISSUED, RECEIVED, whyNot } from './invoices.ts'
import { COLLECTIONS, PAYMENTS } from './movements.ts'
import { identityIn } from './record.ts'
import {
  type Due,
  type Entry,
  type Made,
  MOST_RECORDS,
  type NoRecord,
  type Sii,
  type SiiChannel,
} from './types.ts'

/** Every channel, those before others whose invoices have to be registered first. */
export const CHANNELS: readonly SiiChannel[] = [ISSUED, RECEIVED, COLLECTIONS, PAYMENTS]

type Aside = Sii['aside'] | null

/** A record that cannot be made is tried again after so long: somebody may have mended what it was made of. */
const SIX_HOURS = 6 * 3_600_000

async function duesOf(
  { store, environment, sending, invoiceId }: Look<Sii>,
  channel: SiiChannel,
  most: number,
  aside: Aside,
): Promise<readonly Due[]> {
  const now = sending.app.clock.now()
  const dues = await channel.waiting(store, { environment, now, most: most + 1, invoiceId })
  const isOther = ({ key }: Due) => !(aside?.kind === channel.name && aside.entry.key === key)
  return dues.filter(isOther).slice(0, most)
}

/** The channel whose nearest deadline comes first; null where nothing waits. Of two, the earlier in the list. */
export async function nextChannel(look: Look<Sii>, aside: Aside = null): Promise<SiiChannel | null> {
  let first: { readonly channel: SiiChannel; readonly deadline: string } | null = null
  for (const channel of CHANNELS) {
    const [due] = await duesOf(look, channel, 1, aside)
    if (due && (!first || due.deadline < first.deadline)) first = { channel, deadline: due.deadline }
  }
  return first?.channel ?? null
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

type Without = readonly (readonly [due: Pick<Due, 'key' | 'version'>, why: NoRecord | null])[]

/** Defers what no record can be made of, and drops that of which there is nothing to tell. */
const sortOut = (outbox: Outbox<Sii>, channel: SiiChannel, without: Without): Promise<void> =>
  write(outbox, async (tx) => {
    const until = outbox.sending.app.clock.now() + SIX_HOURS
    for (const [due, why] of without)
      if (why) await channel.defer(tx, due, why, until)
      else await channel.drop(tx, due)
  })

const AT_RECORD = /^\/records\/(\d+)\//

/** The message with these records, all of one operation. */
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

/** Why each record that the engine refuses is refused; empty where it is none of them. */
function refusedOf(entries: readonly Entry[], english: Items, spanish: Items): Without {
  const wrong = new Set(english.flatMap(({ path }) => AT_RECORD.exec(path)?.[1] ?? []))
  return [...wrong].flatMap((index) => {
    const entry = entries[Number(index)]
    const own = (items: Items) => items.filter(({ path }) => path.startsWith(`/records/${index}/`))
    return entry ? [[entry, whyNot(own(english), own(spanish))] as const] : []
  })
}

/** The records of what waits, of one operation. What has none is sorted out. */
async function entriesOf(
  outbox: Outbox<Sii>,
  channel: SiiChannel,
  dues: readonly Due[],
): Promise<readonly Entry[]> {
  const made = await channel.make(outbox.store, dues)
  const all: Entry[] = []
  const without: [Due, NoRecord | null][] = []
  for (const due of dues) {
    const one = made.get(due.key) ?? { is: 'nothing' }
    if (one.is === 'made') all.push(entryOf(due, one))
    else without.push([due, one.is === 'refused' ? one : null])
  }
  if (without.length > 0) await sortOut(outbox, channel, without)
  return ofOneOperation(all)
}

export async function nextMessage(
  outbox: Outbox<Sii>,
  isolation: Isolation<Sii['aside']> | null,
): Promise<NextMessage<Sii>> {
  const aside = isolation?.aside ?? null
  const channel = await nextChannel(outbox, aside)
  if (!channel) return { is: 'none' }
  const dues = await duesOf(outbox, channel, isolation?.limit ?? MOST_RECORDS, aside)
  const [first, ...others] = await entriesOf(outbox, channel, dues)
  if (!first) return { is: 'changed' }
  const entries = [first, ...others] as const
  const made = messageOf(outbox, channel, entries)
  if (made.ok) return { is: 'message', channel, entries, xml: async () => siiXml(made.message) }
  const again = messageOf(outbox, channel, entries, 'es')
  const spanish = again.ok ? [] : again.items
  const refused = refusedOf(entries, made.items, spanish)
  if (refused.length === 0) {
    const { reason } = whyNot(made.items, spanish)
    return { is: 'impossible', reason, channel, entries }
  }
  await sortOut(outbox, channel, refused)
  return { is: 'changed' }
}
