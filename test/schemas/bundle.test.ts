/** The single schema for consumers: a plain validator accepts it unchanged, and gives the engine's results. */
import { readdirSync, readFileSync } from 'node:fs'
import Ajv2020 from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { isDate } from '#core/invoice/index.ts'
import { withoutSchema } from '#core/json/without-schema.ts'
import { type Options, validate } from '#engine/index.ts'
import { assessText } from '#web/playground/assess/assess.ts'
import { NO_COMPANY } from '#web/playground/company/checked-company.ts'
import { bundledSchema } from '../../scripts/generate/bundle.mjs'
import { FIELD_NAMES, fieldTextsOf } from '../../scripts/generate/field-texts.mjs'
import { readSchemas } from '../../scripts/generate/files.mjs'
import { cuadra } from '../entry/cli/run.ts'
import { tokens } from '../tokens.ts'

const root = new URL('../../', import.meta.url)
const text = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const json = (path: string) => JSON.parse(text(path))

const FILE = 'schemas/json_1_1.schema.json'
const schema = json(FILE)

/** Nothing but what the package gives; a warning of the compiler counts as an error. */
const warnings: string[] = []
const log = (...parts: unknown[]) => void warnings.push(parts.join(' '))
const ajv = new Ajv2020({ logger: { log, warn: log, error: log } })
const fits = ajv.compile(schema)
const fitsOperation = (name: string) => required(ajv.getSchema(`${schema.$id}#/$defs/${name}`))

const optional = (path: string): Options => {
  try {
    return json(path)
  } catch {
    return {}
  }
}

const samples = readdirSync(new URL('test/cases/', root)).map((name) => ({
  name,
  document: json(`test/cases/${name}/input.json`),
  options: optional(`test/cases/${name}/options.json`),
}))

/** Items of the stages behind the schema, which give no data either. */
const LATER = ['amount_out_of_range', 'exchange_rate_not_available']

const accepts = (document: unknown, options: Options): boolean => {
  const { data, errors } = validate(document, options)
  return data !== null || errors.some(({ code }) => LATER.includes(code))
}

describe('schemas/json_1_1.schema.json', () => {
  it('is generated from the schemas and their descriptions (npm run build -- generated)', () => {
    expect(text(FILE)).toBe(bundledSchema(readSchemas()))
  })

  it('compiles in Ajv 2020 unchanged, without a warning', () => {
    expect(warnings).toEqual([])
  })

  it('has a stable name, whatever the address of the site', () => {
    expect(schema.$id).toBe('urn:cuadra:schema:json_1_1')
  })

  it(`accepts the same documents as the engine, for each operation, over ${samples.length} documents`, () => {
    for (const { name, document, options } of samples)
      for (const operation of ['draft', 'issue', 'import', 'received'] as const)
        expect([name, operation, fitsOperation(operation)(document)]).toEqual([
          name,
          operation,
          accepts(document, { ...options, operation }),
        ])
  })

  it('requires by itself what every issued or received invoice needs', () => {
    for (const { name, document } of samples) {
      const operation = document?.meta?.direction === 'received' ? 'received' : 'issue'
      expect([name, fits(document)]).toEqual([name, accepts(document, { operation })])
    }
  })

  it('describes every result under #/$defs/completed', () => {
    for (const { name, document, options } of samples) {
      const { data } = validate(document, options)
      if (data) expect([name, fitsOperation('completed')(data)]).toEqual([name, true])
    }
  })

  it('accepts the member $schema, which editors read', () => {
    const document = json('examples/01-services-irpf.json')
    expect(fits({ $schema: schema.$id, ...document })).toBe(true)
    expect(fits({ $schema: 1, ...document })).toBe(false)
    expect(fits({ $schemas: schema.$id, ...document })).toBe(false)
  })

  it('checks calendar days without a format', () => {
    const day = new RegExp(schema.$defs['common.date'].pattern, 'u')
    for (let year = 1895; year <= 2105; year++)
      for (const rest of tokens`01-31 02-28 02-29 02-30 04-30 04-31 12-31 13-01 00-10 1-01`)
        expect([year, rest, day.test(`${year}-${rest}`)]).toEqual([year, rest, isDate(`${year}-${rest}`)])
  })

  it('describes every field with the text that the references use', () => {
    const silent: string[] = []
    const walk = (node: unknown, path: string): void => {
      if (node === null || typeof node !== 'object') return
      const { properties, additionalProperties: more }: Record<string, any> = node
      for (const [name, property] of Object.entries<any>(more === false ? properties : {}))
        if (!property.description) silent.push(`${path}/${name}`)
      for (const [key, value] of Object.entries(node)) walk(value, `${path}/${key}`)
    }
    walk(schema.$defs, '')
    expect(silent).toEqual([])
  })
})

describe('schemas/texts/fields.json', () => {
  it('describes every field in both languages, and nothing else', () => {
    const used = new Set<object>()
    const differing: string[] = []
    const walk = (node: unknown, title: string): void => {
      if (node === null || typeof node !== 'object') return
      const schema: Record<string, any> = node
      const own = schema.title ?? title
      for (const [name, property] of Object.entries<any>(schema.properties ?? {})) {
        const description = fieldTextsOf(own, name)
        used.add(description)
        expect(description.en, name).toMatch(/^[^.]*\S.*\.$/s)
        expect(description.es, name).toMatch(/^[^.]*\S.*\.$/s)
        // What a schema says itself of a field is the same sentence.
        if (property.description && property.description !== description.en) differing.push(`${own}.${name}`)
      }
      for (const value of Object.values(schema)) walk(value, own)
    }
    for (const [file, one] of readSchemas())
      if (!/^(codes|draft|issue|issued|import|received|input|completed|validation-.*)\.json$/.test(file))
        walk(one, '')
    expect(differing).toEqual([])
    expect(used.size).toBe(FIELD_NAMES.length)
  })
})

describe('a document with $schema', () => {
  const document = { $schema: schema.$id, ...json('examples/01-services-irpf.json') }

  it('is read by command line and playground as if it had none', async () => {
    expect(withoutSchema(document)).toEqual(json('examples/01-services-irpf.json'))
    const { code, out } = await cuadra(['validate', '--json', '-'], { input: JSON.stringify(document) })
    expect(out).toMatch(/"is_valid": ?true/)
    expect(code).toBe(0)
    const settings = {
      operation: 'auto',
      today: '2026-03-20',
      locale: 'en',
      check: true,
      company: NO_COMPANY,
    } as const
    expect(assessText(JSON.stringify(document), settings, null)).toMatchObject({ valid: true, errors: 0 })
  })

  it('is refused by the engine, whose format has no such member', () => {
    expect(validate(document).errors.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'schema.additional_properties /$schema',
    ])
  })

  it('is passed on unchanged if it is not an object', () => {
    for (const value of [null, 1, 'a', [1], { a: 1 }]) expect(withoutSchema(value)).toBe(value)
  })
})
