/**
 * Digests of data that must stay as it was written: documents (art. 8 RD 1619/2012), histories, attachments,
 * collections, payments, messages to the tax authority, and the settings of a company. The store writes a digest
 * together with the columns that it covers. Whatever uses the document of an invoice compares it; `verify` compares all
 * data.
 */
import { createHash } from 'node:crypto'
import { COMPANY_TABLES, columnNamesOf, type TableName } from './tables.ts'

type Values = Readonly<Record<string, unknown>>

/** A column with a digest, and the columns that it covers. */
interface DigestColumn {
  readonly name: string
  readonly covered: readonly string[]
}

const SUFFIX = '_digest'

function digestsOf(table: TableName): readonly DigestColumn[] {
  const names = columnNamesOf(table)
  return names.flatMap((name, at) => {
    if (name === 'digest')
      return [{ name, covered: names.slice(0, at).filter((column) => column !== 'company_id') }]
    return name.endsWith(SUFFIX) ? [{ name, covered: [name.slice(0, -SUFFIX.length)] }] : []
  })
}

const DIGESTS: ReadonlyMap<string, readonly DigestColumn[]> = new Map(
  COMPANY_TABLES.map((table) => [table, digestsOf(table)]),
)

/**
 * Returns the SHA-256 of the covered columns. Several columns are hashed as JSON, a single one as its text. The digest
 * of a single null is null.
 */
function digestOf({ covered }: DigestColumn, row: Values): string | null {
  const values = covered.map((name) => row[name] ?? null)
  const [text] = values
  if (values.length === 1 && text === null) return null
  return createHash('sha256')
    .update(values.length === 1 ? String(text) : JSON.stringify(values))
    .digest('hex')
}

/** Adds the digests of the columns to write. Throws if only some of the columns of a digest are written. */
export function withDigests<Row extends object>(table: string, row: Row): Row {
  const written = (DIGESTS.get(table) ?? []).filter(({ covered }) => covered.some((column) => column in row))
  if (written.length === 0) return row
  for (const { name, covered } of written) {
    const missing = covered.filter((column) => !(column in row))
    if (missing.length > 0) throw new Error(`${table}.${name} also covers ${missing.join(', ')}.`)
  }
  return { ...row, ...Object.fromEntries(written.map((one) => [one.name, digestOf(one, row as Values)])) }
}

/** Returns the columns of a row that a digest covers and that have changed since the store wrote it. */
export const changedColumns = (table: TableName, row: object): readonly string[] =>
  (DIGESTS.get(table) ?? []).flatMap((one) =>
    digestOf(one, row as Values) === ((row as Values)[one.name] ?? null) ? [] : one.covered,
  )
