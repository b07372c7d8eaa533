/** The published schemas in plain Ajv accept and refuse the same documents as the engine's compiled ones. */
import { readdirSync, readFileSync } from 'node:fs'
import Ajv2020 from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { isDate } from '#core/invoice/date.ts'
import { type Options, validate } from '#engine/index.ts'
import { codesSchema } from '../../scripts/codes.mjs'
import { itInAll } from '../size.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8'))
const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, strictTypes: false })
ajv.addFormat('date', isDate)
const BUNDLE = 'json_1_1.schema.json'
const files = readdirSync(new URL('schemas/', root)).filter(
  (file) => file.endsWith('.json') && file !== BUNDLE,
)
for (const file of files) ajv.addSchema(read(`schemas/${file}`))

interface Sample {
  readonly name: string
  readonly document: unknown
  readonly options: Options
}

const optional = (path: string): Options => {
  try {
    return read(path)
  } catch {
    return {}
  }
}

const cases = readdirSync(new URL('test/cases/', root)).map(
  (name): Sample => ({
    name,
    document: read(`test/cases/${name}/input.json`),
    options: optional(`test/cases/${name}/options.json`),
  }),
)
const examples = readdirSync(new URL('examples/', root))
  .filter((file) => file.endsWith('.json'))
  .map((file): Sample => ({ name: file, document: read(`examples/${file}`), options: {} }))
const samples = [...cases, ...examples]

const operationOf = ({ document, options }: Sample): string =>
  options.operation ??
  ((document as { meta?: { direction?: string } } | null)?.meta?.direction === 'issued'
    ? 'draft'
    : 'received')

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Pointers to every text of a document. */
const textsOf = (value: unknown, path = ''): string[] =>
  typeof value === 'string'
    ? [path]
    : isObject(value)
      ? Object.entries(value).flatMap(([name, member]) => textsOf(member, `${path}/${name}`))
      : []

/** A copy with another value at a pointer. */
function withValue(document: unknown, path: string, value: unknown): unknown {
  const copy = structuredClone(document)
  const names = path.slice(1).split('/')
  const last = required(names.pop())
  const parent = names.reduce(
    (node, name) => node[name] as Record<string, unknown>,
    copy as Record<string, unknown>,
  )
  parent[last] = value
  return copy
}

/** Items of the stages that the schemas stand for; a later stage that gives no data is not theirs. */
const LATER = ['amount_out_of_range', 'exchange_rate_not_available']

describe('published schemas', () => {
  it(`accept exactly what the engine's schema stage accepts, over ${samples.length} documents`, () => {
    for (const sample of samples) {
      const accepted = ajv.validate(`${operationOf(sample)}.json`, sample.document)
      const { data, errors } = validate(sample.document, sample.options)
      const passed = data !== null || errors.some((item) => LATER.includes(item.code))
      expect(accepted, `${sample.name}: ${ajv.errorsText()}`).toBe(passed)
    }
  })

  itInAll('let no text of blanks only pass for a value, wherever it stands, and the engine agrees', () => {
    const paths = new Set<string>()
    for (const { name, document, options } of samples) {
      if (!validate(document, options).is_valid) continue
      for (const path of textsOf(document)) {
        const blank = withValue(document, path, ' \u00a0')
        const accepted = ajv.validate(`${operationOf({ name, document, options })}.json`, blank)
        const { is_valid, data } = validate(blank, options)
        expect([name, path, is_valid]).toEqual([name, path, false])
        expect([name, path, accepted]).toEqual([name, path, data !== null])
        paths.add(path.replace(/\/\d+/g, '/*'))
      }
    }
    console.log(`blanks: refused at ${paths.size} places of the invoice`)
  })

  it('limit the characters of every text', () => {
    const silent: string[] = []
    const walk = (node: unknown, path: string): void => {
      if (node === null || typeof node !== 'object') return
      const schema = node as Record<string, unknown>
      const said = ['pattern', 'enum', 'format', 'const', 'readOnly'].some((keyword) => keyword in schema)
      if (schema.type === 'string' && !said) silent.push(required(path.split('/').at(-1)))
      for (const [key, value] of Object.entries(schema)) walk(value, `${path}/${key}`)
    }
    for (const file of files) if (!file.startsWith('validation-')) walk(read(`schemas/${file}`), file)
    expect(silent).toEqual([])
  })

  it('describe every result, down to the computed fields', () => {
    for (const { name, document, options } of samples)
      expect(
        ajv.validate('validation-result.json', validate(document, options)),
        `${name}: ${ajv.errorsText()}`,
      ).toBe(true)
  })

  it('are closed at every level: no object allows an unknown member', () => {
    const open: string[] = []
    const walk = (node: unknown, path: string): void => {
      if (node === null || typeof node !== 'object') return
      const schema = node as Record<string, unknown>
      if (schema.type === 'object' && schema.properties && schema.additionalProperties !== false)
        open.push(path)
      for (const [key, value] of Object.entries(schema)) walk(value, `${path}/${key}`)
    }
    for (const file of files) walk(read(`schemas/${file}`), file)
    // What a recognition says of itself comes back as it went out, whatever a later version adds to it.
    expect(open).toEqual(['json_1_1.json/properties/recognition'])
  })

  it('have the code lists of the catalogs', () => {
    expect(readFileSync(new URL('schemas/codes.json', root), 'utf8')).toBe(codesSchema())
  })

  it('let the operations differ by composition: none repeats a field of the canonical invoice', () => {
    for (const operation of ['draft', 'issue', 'import', 'received']) {
      const schema = read(`schemas/${operation}.json`)
      expect(schema.allOf, operation).toContainEqual({ $ref: 'input.json' })
      expect(JSON.stringify(schema), operation).not.toContain('"type"')
    }
  })
})
