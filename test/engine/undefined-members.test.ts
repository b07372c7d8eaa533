/** Programs often set members that they have no value for to `undefined`, as in `{ email: customer.email }`. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { explain, reconcile, validate } from '#engine/index.ts'
import { type GoldenInput, goldenInputs } from './golden-invoices.ts'

interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

const files = new Map<string, Schema>()
function schemaFile(file: string): Schema {
  if (!files.has(file))
    files.set(file, JSON.parse(readFileSync(new URL(`../../schemas/${file}`, import.meta.url), 'utf8')))
  return required(files.get(file))
}

/** Returns a copy of a value in which every member that its schema allows and it lacks is `undefined`. */
function filled(value: unknown, schema: Schema | undefined, file: string): unknown {
  if (schema?.$ref !== undefined) {
    const [name, pointer = ''] = schema.$ref.split('#')
    const to = name || file
    const found = pointer.split('/').slice(1)
    return filled(
      value,
      found.reduce<Schema>((node, key) => Object(node)[key], schemaFile(to)),
      to,
    )
  }
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((entry) => filled(entry, schema?.items, file))
  const absent = Object.keys(schema?.properties ?? {}).filter((name) => !Object.hasOwn(value, name))
  return Object.fromEntries([
    ...absent.map((name) => [name, undefined]),
    ...Object.entries(value).map(([name, member]) => [
      name,
      filled(member, schema?.properties?.[name], file),
    ]),
  ])
}

const resultsOf = (document: unknown, options: GoldenInput['options']) => ({
  validate: validate(document, options),
  explain: explain(document, options),
  reconcile: reconcile(document, options),
})

it('an undefined member counts as absent, at any depth, in every golden case', () => {
  for (const { name, input, options } of goldenInputs()) {
    const document = filled(input, { $ref: 'json_1_1.json' }, '')
    expect(JSON.stringify(document), name).toHaveLength(JSON.stringify(input).length)
    expect(resultsOf(document, options), name).toStrictEqual(resultsOf(input, options))
  }
})

it('a document with undefined members is left as it was sent', () => {
  const { input } = required(goldenInputs()[0])
  const document = filled(input, { $ref: 'json_1_1.json' }, '')
  const before = structuredClone(document)
  validate(document)
  expect(document).toStrictEqual(before)
})
