/** The JSON Schemas of the invoice, by the name under which they refer to each other. */

/** The keywords that completion reads. `false` as a schema forbids a member. */
export interface Schema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema | false>>
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly type?: string
  readonly enum?: readonly (string | number)[]
  readonly const?: string | number
  readonly description?: string
  readonly title?: string
  readonly format?: string
  readonly readOnly?: boolean
}

/** All but the answers and the one that has everything in it. */
const FILES = import.meta.glob<Schema>(
  ['../../../schemas/*.json', '!../../../schemas/{completed,*.schema,validation-*}.json'],
  { import: 'default', eager: true },
)

export const SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(FILES).map(([file, schema]) => [file.slice(file.lastIndexOf('/') + 1), schema]),
)
