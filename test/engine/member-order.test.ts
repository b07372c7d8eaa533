/** Members of a result are in the order of the schema, whatever the order sent. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { validate } from '#engine/index.ts'

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const read = (path: string) => JSON.parse(readFileSync(at(path), 'utf8'))

const DOCUMENT = Object.keys(read('schemas/json_1_1.json').properties)
const BLOCKS = Object.keys(read('schemas/invoice.json').properties)

/** The same value, the members of every object the other way round. */
const reversed = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(reversed)
    : value !== null && typeof value === 'object'
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([name, member]) => [name, reversed(member)]),
        )
      : value

const inOrder = (object: object, names: readonly string[]) =>
  names.filter((name) => Object.hasOwn(object, name))

/** The cases about meaning, with what they omit. */
const CASES = readdirSync(at('test/cases'))
  .filter((name) => !name.includes('--'))
  .map((name) => {
    const folder = `test/cases/${name}`
    const options = existsSync(at(`${folder}/options.json`)) ? read(`${folder}/options.json`) : {}
    const input = read(`${folder}/input.json`)
    input.invoice.payment_terms ??= '30 days'
    input.invoice.additional_data ??= { invoice_additional_information: 'Thank you' }
    const received = (options.operation ?? input.meta.direction) === 'received'
    if (received) input.recognition = { requires_human_review: false }
    return { name, input, options }
  })

it('the document and all its blocks have their members in the order of the specification', () => {
  const seen = new Set<string>()
  for (const { name, input, options } of CASES)
    for (const sent of [input, reversed(input)]) {
      const { data } = validate(sent, options)
      if (data === null) continue
      for (const [object, names] of [
        [data, DOCUMENT],
        [data.invoice, BLOCKS],
      ] as const) {
        expect(Object.keys(object), name).toEqual(inOrder(object, names))
        expect(Object.values(object), name).not.toContain(undefined)
        for (const member of Object.keys(object)) seen.add(member)
      }
    }
  expect([...DOCUMENT, ...BLOCKS].filter((member) => !seen.has(member))).toEqual([])
})
