/** Changes rows of a company directly in the database, past the server and its digests. */
import { type RawBuilder, sql } from 'kysely'
import type { TestServer } from '#test/conformance/harness.ts'
import type { CompanyTable, Row } from '../../src/store/tables.ts'

type Columns<Table extends CompanyTable> = Partial<Row<Table>>

const pairs = (values: object) =>
  Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)

export const rowsOf = ({ past }: TestServer, { id }: { readonly id: string }) => {
  const where = (values: object) => sql`where ${sql.join(pairs({ company_id: id, ...values }), sql` and `)}`
  const run = (query: RawBuilder<unknown>) => past((db) => query.execute(db))
  return {
    update: <Table extends CompanyTable>(table: Table, to: Columns<Table>, of: Columns<Table> = {}) =>
      run(sql`update ${sql.table(table)} set ${sql.join(pairs(to))} ${where(of)}`),
    remove: <Table extends CompanyTable>(table: Table, of: Columns<Table> = {}) =>
      run(sql`delete from ${sql.table(table)} ${where(of)}`),
    /** Replaces a part of a text column. */
    replace<Table extends CompanyTable>(
      table: Table,
      column: keyof Row<Table> & string,
      [from, to]: readonly [from: string, to: string],
      of: Columns<Table>,
    ) {
      const name = sql.ref(column)
      return run(sql`update ${sql.table(table)} set ${name} = replace(${name}, ${from}, ${to}) ${where(of)}`)
    },
  }
}
