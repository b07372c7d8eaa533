/**
 * Statements whose text never changes: written once for both databases, and run without being built. Values have names
 * (`:invoice_id`); `:company_id` is that of the rows. One that could reach rows of another company cannot be made.
 */
import { CompiledQuery, type Kysely } from 'kysely'
import { COMPANY_TABLES, type CompanyTable, type Tables } from './tables.ts'

export type Values = Readonly<Record<string, string | number | null>>

interface Text {
  readonly sql: string
  /** The values in the order of their places. */
  readonly names: readonly string[]
}

const NAME = /:([a-z_]+\d*)/g

/** Each place has a value of its own. */
const forSqlite = (text: string): Text => ({
  sql: text.replaceAll(NAME, '?'),
  names: [...text.matchAll(NAME)].map(([, name = '']) => name),
})

/** A value that is named twice is sent once. */
function forPostgres(text: string): Text {
  const names = [...new Set([...text.matchAll(NAME)].map(([, name = '']) => name))]
  return { sql: text.replaceAll(NAME, (_, name: string) => `$${names.indexOf(name) + 1}`), names }
}

/** Where a text names a table of companies, and what has to follow there. */
const PLACE = new RegExp(
  `\\b(from|join|update|into) "(?:${COMPANY_TABLES.join('|')})"(?: (?!where\\b|on\\b|set\\b)\\w+)?`,
  'g',
)
const FOLLOWS: Readonly<Record<string, RegExp>> = {
  // Of several rows each says it.
  into: /^ \("company_id"[^)]*\) (?:select (?::company_id|n\."company_id")(?!\w)|values \(:company_id\b[^()]*\)(?:, \(:company_id\b[^()]*\))*(?! ?,))/,
  join: /^ on \w+\."company_id" = \w+\."company_id"/,
  from: /^(?:(?! where ).)*? where (?:\w+\.)?"company_id" = :company_id\b(?! or )/,
  update: /^(?:(?! where ).)*? where "company_id" = :company_id\b(?! or )/,
}

/** Throws for a text in which some part is not of one company. */
function requireCompany(text: string): void {
  const line = text.replaceAll(/\s+/g, ' ')
  for (const { 0: place, 1: verb = '', index } of line.matchAll(PLACE))
    if (!FOLLOWS[verb]?.test(line.slice(index + place.length)))
      throw new Error(`A statement that is not of one company is refused: ${place} in ${line}`)
}

export class Fixed {
  readonly #sqlite: Text
  readonly #postgres: Text

  constructor(
    readonly text: string,
    /** Where PostgreSQL is told more, locks say. */
    readonly postgres = text,
  ) {
    for (const one of [text, postgres]) requireCompany(one)
    this.#sqlite = forSqlite(text)
    this.#postgres = forPostgres(postgres)
  }

  /** Runs it, and answers its rows and how many it changed. */
  async run<Row>(db: Kysely<Tables>, isPostgres: boolean, values: Values) {
    const { sql, names } = isPostgres ? this.#postgres : this.#sqlite
    const parameters = names.map((name) => values[name])
    const { rows, numAffectedRows } = await db.executeQuery<Row>(CompiledQuery.raw(sql, parameters))
    return { rows, changed: Number(numAffectedRows ?? 0) }
  }
}

/** Changes that PostgreSQL makes in one statement, and the embedded database in one for each; and a question after them. */
export class FixedChanges<Answer> {
  readonly #each: readonly Fixed[]
  readonly #question: Fixed
  readonly #whole: Fixed

  constructor(
    readonly texts: readonly string[],
    /** What follows `select`. */
    readonly question: string,
  ) {
    this.#each = texts.map((text) => new Fixed(text))
    this.#question = new Fixed(`select ${question}`)
    const parts = texts.map((text, index) => `change_${index} as (${text})`)
    this.#whole = new Fixed(`with ${parts.join(', ')} select ${question}`)
  }

  async run(db: Kysely<Tables>, isPostgres: boolean, values: Values): Promise<Answer> {
    if (!isPostgres) for (const one of this.#each) await one.run(db, false, values)
    const last = isPostgres ? this.#whole : this.#question
    const { rows } = await last.run<Answer>(db, isPostgres, values)
    return rows[0] as Answer
  }
}

/** Rows are inserted in so many at a time: few texts, which both databases keep prepared. */
const AT_A_TIME = [64, 32, 16, 8, 4, 2, 1]

/** Inserts of any number of rows. */
export class FixedRows {
  readonly #columns: readonly string[]
  readonly #inserts: ReadonlyMap<number, Fixed>

  constructor(table: CompanyTable, columns: readonly string[]) {
    this.#columns = columns.filter((name) => name !== 'company_id')
    const row = (at: number): string =>
      `(:company_id, ${this.#columns.map((name) => `:${name}_${at}`).join(', ')})`
    const names = ['company_id', ...this.#columns].map((name) => `"${name}"`).join(', ')
    this.#inserts = new Map(
      AT_A_TIME.map((size) => {
        const rows = Array.from({ length: size }, (_, at) => row(at)).join(', ')
        return [size, new Fixed(`insert into "${table}" (${names}) values ${rows}`)]
      }),
    )
  }

  async run(
    db: Kysely<Tables>,
    isPostgres: boolean,
    company_id: string,
    rows: readonly Values[],
  ): Promise<void> {
    for (let at = 0; at < rows.length; ) {
      const size = AT_A_TIME.find((one) => one <= rows.length - at) ?? 1
      const values = rows
        .slice(at, at + size)
        .flatMap((row, index) => this.#columns.map((name) => [`${name}_${index}`, row[name]] as const))
      await this.#inserts
        .get(size)
        ?.run(db, isPostgres, { ...Object.fromEntries(values), company_id } as Values)
      at += size
    }
  }
}
