/**
 * Builds a statement once and runs it with different values. It is written like any other statement, and the guard
 * checks it. While the statement is built, every value is a placeholder, so the code that builds it must not inspect
 * values.
 */
import type { Compilable, CompiledQuery } from 'kysely'

/** Represents the value with this name while a statement is built. */
class Placeholder {
  constructor(readonly name: PropertyKey) {}
}

const PLACEHOLDERS: object = new Proxy({}, { get: (_, name) => new Placeholder(name) })

/** A statement that is built from the rows of a company and named values. */
export class Prepared<Of, Values extends object, Row> {
  /** The built statements. The key is whether rows are locked, because the SQL then differs. */
  readonly #built = new Map<boolean, CompiledQuery<Row>>()

  constructor(readonly form: (rows: Of, values: Values) => Compilable<Row>) {}

  /**
   * Returns the statement with its values. `rowsOf` returns the rows of a company by its id. The id replaces its
   * placeholder like any other value.
   */
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
