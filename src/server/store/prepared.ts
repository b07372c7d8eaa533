/**
 * Statements that are built once. A form is written as any other statement and passes the same guard; it is built with a
 * place for each value, and each value is put into its place when the statement runs. So a form must not look at its
 * values.
 */
import type { Compilable, CompiledQuery } from 'kysely'

/** Stands for a value of this name while a statement is built. */
class Placeholder {
  constructor(readonly name: PropertyKey) {}
}

const PLACEHOLDERS: object = new Proxy({}, { get: (_, name) => new Placeholder(name) })

/** A form of a statement, made of some rows and values. */
export class Prepared<Of, Values extends object, Row> {
  /** By whether rows are locked: the two databases have different texts. */
  readonly #built = new Map<boolean, CompiledQuery<Row>>()

  constructor(readonly form: (rows: Of, values: Values) => Compilable<Row>) {}

  /** The statement with its values. `rowsOf` makes the rows of the company with an id, which is a value too. */
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
