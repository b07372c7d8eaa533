/**
 * Statements that are built once. A form is written like any other statement and passes the same guard. It is built
 * with a placeholder for each value, and the values are filled in when it runs. So a form must not inspect its values.
 */
import type { Compilable, CompiledQuery } from 'kysely'

/** Stands for a value of this name while a statement is built. */
class Placeholder {
  constructor(readonly name: PropertyKey) {}
}

const PLACEHOLDERS: object = new Proxy({}, { get: (_, name) => new Placeholder(name) })

/** A statement that is built from the rows of a company and named values. */
export class Prepared<Of, Values extends object, Row> {
  /** By whether rows are locked: the two databases have different SQL. */
  readonly #built = new Map<boolean, CompiledQuery<Row>>()

  constructor(readonly form: (rows: Of, values: Values) => Compilable<Row>) {}

  /** Returns the statement with its values. `rowsOf` returns the rows of a company by its id, which is a value too. */
  compiled(
    locks: boolean,
    rowsOf: (companyId: string) => Of,
    companyId: string,
    values: Values,
  ): CompiledQuery<Row> {
    const placeholders = PLACEHOLDERS as Values & { readonly company_id: string }
    const built = this.#built.get(locks) ?? this.form(rowsOf(placeholders.company_id), placeholders).compile()
    this.#built.set(locks, built)
    const given = (name: PropertyKey): unknown =>
      name === 'company_id' ? companyId : Reflect.get(values, name)
    return {
      ...built,
      parameters: built.parameters.map((one) => (one instanceof Placeholder ? given(one.name) : one)),
    }
  }
}
