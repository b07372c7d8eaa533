/** `prune`: removes what is kept for technical reasons alone and what no law asks to keep any longer. */
import type { Command } from 'commander'
import { UsageError } from '../../../errors/index.ts'
import type { App } from '../../app/app.ts'
import { allTaxpayers } from '../../service/company/company.ts'
import type { Rows, Tx } from '../../store/store.ts'
import { day } from '../arguments.ts'
import type { Io } from '../io.ts'
import { answer, tableText } from '../output.ts'
import { requireCompany, withApp } from '../session.ts'
import { COMPANY, type Flags } from './commands.ts'

interface PruneFlags extends Flags {
  readonly company?: string
  readonly before?: string
  readonly dryRun?: true
}

/** Bodies and jobs may still be asked about for so long. */
const LEAST_DAYS = 90
const USUAL_DAYS = 365
/** Correspondence of a business: six years (art. 30 Código de Comercio), and the year that is not over. */
const MAIL_YEARS = 7
const DAY = 86_400_000

interface Found {
  readonly rows: number
  readonly bytes: number
}

/** One kind of rows that go, or lose a part. `before` is a timestamp. */
interface Kind {
  readonly what: string
  readonly find: (db: Rows, before: string) => Promise<Found>
  readonly remove: (tx: Tx, before: string) => Promise<unknown>
}

/** The messages of a table to an authority that were answered. */
const bodies = (what: string, table: 'verifactu_submissions' | 'sii_submissions', isOwn: boolean): Kind => ({
  what,
  find: async (db, before) => {
    let query = db
      .select(table)
      .select(({ fn, eb }) => [
        fn.countAll<number | string>().as('rows'),
        fn
          .sum<number | string | null>(eb(fn('length', ['xml']), '+', fn('length', ['xml_response'])))
          .as('bytes'),
      ])
      .where('created_at', '<', before)
      .where('xml', 'is not', null)
      .where('xml_response', 'is not', null)
    // The answer to a requirement of the authority stays whole.
    if (isOwn) query = query.where('ref_requerimiento' as never, 'is', null)
    const row = await query.executeTakeFirstOrThrow()
    return { rows: Number(row.rows), bytes: Number(row.bytes ?? 0) }
  },
  remove: (tx, before) => {
    let query = tx
      .update(table, { xml: null, xml_response: null })
      .where('created_at', '<', before)
      .where('xml', 'is not', null)
      .where('xml_response', 'is not', null)
    if (isOwn) query = query.where('ref_requerimiento' as never, 'is', null)
    return query.execute()
  },
})

const count = async (query: {
  executeTakeFirstOrThrow: () => Promise<{ readonly rows: number | string }>
}): Promise<Found> => ({ rows: Number((await query.executeTakeFirstOrThrow()).rows), bytes: 0 })

const KINDS: readonly Kind[] = [
  bodies('verifactu_message_bodies', 'verifactu_submissions', true),
  bodies('sii_message_bodies', 'sii_submissions', false),
  {
    what: 'recognition_jobs',
    find: (db, before) =>
      count(
        db
          .select('recognitions')
          .select(({ fn }) => fn.countAll<number | string>().as('rows'))
          .where('created_at', '<', before)
          .where('status', 'is not', null),
      ),
    remove: (tx, before) =>
      tx.delete('recognitions').where('created_at', '<', before).where('status', 'is not', null).execute(),
  },
]

const MAILS: Kind = {
  what: 'mails',
  find: (db, before) =>
    count(
      db
        .select('mails')
        .select(({ fn }) => fn.countAll<number | string>().as('rows'))
        .where('created_at', '<', before)
        .where('state', 'in', ['sent', 'failed']),
    ),
  remove: (tx, before) =>
    tx.delete('mails').where('created_at', '<', before).where('state', 'in', ['sent', 'failed']).execute(),
}

async function pruned(app: App, { company, before, dryRun }: PruneFlags) {
  const now = app.clock.now()
  const at = before ?? new Date(now - USUAL_DAYS * DAY).toISOString().slice(0, 10)
  const latest = new Date(now - LEAST_DAYS * DAY).toISOString().slice(0, 10)
  if (at > latest)
    throw new UsageError(
      `--before is ${at}: what is younger than ${LEAST_DAYS} days stays. Use ${latest} or an earlier day.`,
    )
  const mailsBefore = `${Number(app.clock.today().slice(0, 4)) - MAIL_YEARS}-12-31`
  const taxpayers = company ? [{ taxpayer_id: company }] : await allTaxpayers(app.store.shared)
  const found = new Map<string, { before: string; rows: number; bytes: number }>()
  for (const { taxpayer_id } of taxpayers) {
    const store = app.store.of(taxpayer_id)
    await requireCompany(app, store)
    for (const kind of [...KINDS, MAILS]) {
      const until = kind === MAILS && mailsBefore < at ? mailsBefore : at
      const { rows, bytes } = await kind.find(store, until)
      if (!dryRun && rows > 0) await store.transaction((tx) => kind.remove(tx, until))
      const known = found.get(kind.what) ?? { before: until, rows: 0, bytes: 0 }
      found.set(kind.what, { before: until, rows: known.rows + rows, bytes: known.bytes + bytes })
    }
  }
  return { dry_run: dryRun === true, pruned: [...found].map(([what, one]) => ({ what, ...one })) }
}

export function addPruneCommand(prune: Command, io: Io): void {
  prune
    .addOption(COMPANY())
    .option(
      '--before <day>',
      `what is older than this day, at least ${LEAST_DAYS} days ago (usually a year)`,
      day,
    )
    .option('--dry-run', 'only count')
    .action(async (flags: PruneFlags) => {
      const done = await withApp(io, (app) => pruned(app, flags))
      answer(io, flags.json, done, () => {
        const rows = done.pruned.map(({ what, before, rows, bytes }) => [what, before, rows, bytes])
        const note = done.dry_run
          ? 'Nothing was removed (--dry-run). Make a backup before you run it without.'
          : 'Invoices, fiscal records, events, attached files and histories stay. The space is used again for what comes.'
        return `${tableText(['what', 'before', 'rows', 'bytes'], rows)}${note}\n`
      })
    })
}
