/** `prune`: removes technical data, and correspondence whose retention period has passed. */
import type { Command } from 'commander'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { UsageError } from '#core/errors/index.ts'
import type { App } from '../../src/app/app.ts'
import type { Rows, Tx } from '../../src/store/store.ts'
import { print, tableText } from '../admin-output.ts'
import { parseDay } from '../arguments.ts'
import type { Io } from '../io.ts'
import { companiesOf, withApp } from '../session.ts'
import { companyOption, type Flags } from './commands.ts'

interface PruneFlags extends Flags {
  readonly company?: string
  readonly before?: string
  readonly dryRun?: true
}

/** Minimum number of days for which message bodies and jobs are kept, because enquiries may need them. */
const LEAST_DAYS = 90
const USUAL_DAYS = 365
/**
 * Years for which mails are kept: six for business correspondence (art. 30 Código de Comercio), and the current one.
 */
const MAIL_YEARS = 7
const DAY = 86_400_000

/** A set of rows that are removed, or of which only the message bodies are removed. */
interface PrunedTable {
  readonly what: string
  readonly table: 'verifactu_submissions' | 'sii_submissions' | 'recognitions' | 'mails'
  /** Condition for the rows that can be pruned. */
  readonly done: RawBuilder<SqlBool>
  /** Whether the rows stay and only their bodies are removed. */
  readonly hasBodies?: true
}

const PRUNED_TABLES: readonly PrunedTable[] = [
  {
    what: 'verifactu_message_bodies',
    table: 'verifactu_submissions',
    // Submissions in reply to a request of the authority keep their bodies.
    done: sql`xml is not null and xml_response is not null and ref_requerimiento is null`,
    hasBodies: true,
  },
  {
    what: 'sii_message_bodies',
    table: 'sii_submissions',
    done: sql`xml is not null and xml_response is not null`,
    hasBodies: true,
  },
  { what: 'recognition_jobs', table: 'recognitions', done: sql`status is not null` },
]

const MAILS: PrunedTable = { what: 'mails', table: 'mails', done: sql`state in ('sent', 'failed')` }

const SIZE = {
  bodies: sql<number | string | null>`sum(length(xml) + length(xml_response))`,
  rows: sql<number | string | null>`0`,
}

async function countOf(db: Rows, { table, done, hasBodies }: PrunedTable, before: string) {
  const { rows, bytes } = await db
    .select(table)
    .select(({ fn }) => [
      fn.countAll<number | string>().as('rows'),
      SIZE[hasBodies ? 'bodies' : 'rows'].as('bytes'),
    ])
    .where('created_at', '<', before)
    .where(done)
    .executeTakeFirstOrThrow()
  return { rows: Number(rows), bytes: Number(bytes ?? 0) }
}

const remove = (tx: Tx, { table, done, hasBodies }: PrunedTable, before: string): Promise<unknown> =>
  hasBodies
    ? tx
        .update(table, { xml: null, xml_response: null })
        .where('created_at', '<', before)
        .where(done)
        .execute()
    : tx.delete(table).where('created_at', '<', before).where(done).execute()

async function removeOldRows(app: App, { company, before, dryRun }: PruneFlags) {
  const now = app.clock.now()
  const at = before ?? new Date(now - USUAL_DAYS * DAY).toISOString().slice(0, 10)
  const latest = new Date(now - LEAST_DAYS * DAY).toISOString().slice(0, 10)
  if (at > latest)
    throw new UsageError(
      `--before ${at} is too late: data of the last ${LEAST_DAYS} days is kept. Use ${latest} or an earlier date.`,
    )
  const mailsBefore = `${Number(app.clock.today().slice(0, 4)) - MAIL_YEARS}-12-31`
  const found = new Map<string, { before: string; rows: number; bytes: number }>()
  for (const { id } of await companiesOf(app, company)) {
    const store = app.store.of(id)
    for (const kind of [...PRUNED_TABLES, MAILS]) {
      const until = kind === MAILS && mailsBefore < at ? mailsBefore : at
      const { rows, bytes } = await countOf(store, kind, until)
      if (!dryRun && rows > 0) await store.transaction((tx) => remove(tx, kind, until))
      const known = found.get(kind.what) ?? { before: until, rows: 0, bytes: 0 }
      found.set(kind.what, { before: until, rows: known.rows + rows, bytes: known.bytes + bytes })
    }
  }
  return { dry_run: dryRun === true, pruned: [...found].map(([what, one]) => ({ what, ...one })) }
}

export function add(prune: Command, io: Io): void {
  prune
    .addOption(companyOption())
    .option(
      '--before <day>',
      `remove data older than this date, at least ${LEAST_DAYS} days ago (default: a year ago)`,
      parseDay,
    )
    .option('--dry-run', 'count without removing')
    .action(async (flags: PruneFlags) => {
      const done = await withApp(io, (app) => removeOldRows(app, flags))
      print(io, flags.json, done, () => {
        const rows = done.pruned.map(({ what, before, rows, bytes }) => [what, before, rows, bytes])
        const note = done.dry_run
          ? 'Nothing was removed (--dry-run). Make a backup before you prune.'
          : 'Invoices, fiscal records, events, attached files and histories are kept. The database reuses the freed space.'
        return `${tableText(['what', 'before', 'rows', 'bytes'], rows)}${note}\n`
      })
    })
}
