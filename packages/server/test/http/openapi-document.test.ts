/** The OpenAPI document as tools read it: flat, complete, and with an example of everything. */
import Ajv, { type ValidateFunction } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { openApi } from '../../src/http/openapi.ts'
import { DESCRIPTIONS, TAGS } from '../../src/http/route-descriptions.ts'
import { ROUTES } from '../../src/http/routes/index.ts'

type Any = any

const document: Any = openApi(ROUTES, '/api/v1.1', '1.1.0')
const text = JSON.stringify(document)
const operations: [string, Any][] = Object.entries<Any>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Any>(methods).map(([method, operation]): [string, Any] => [`${method} ${path}`, operation]),
)
const found = (ref: string): Any =>
  ref
    .slice(2)
    .split('/')
    .reduce((at: Any, name) => at?.[name], document)
const resolved = (value: Any): Any => (value?.$ref === undefined ? value : found(value.$ref))
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
ajv.addSchema({ $id: 'openapi', components: document.components })
const compiled = new Map<string, ValidateFunction>()
const misfits = (schema: object, value: unknown): string => {
  const located = JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')
  const validate = compiled.get(located) ?? ajv.compile(JSON.parse(located))
  compiled.set(located, validate)
  return validate(value) ? '' : ajv.errorsText(validate.errors)
}
/** Media types of JSON requests and responses of an operation, with their location. */
const jsonOf = ([name, operation]: [string, Any]): [string, Any][] =>
  [
    [`${name} request`, operation.requestBody],
    ...Object.entries<Any>(operation.responses).map(([status, answer]) => [`${name} ${status}`, answer]),
  ].flatMap(([place, holder]): [string, Any][] => {
    const media = resolved(holder)?.content?.['application/json']
    return media ? [[place, media]] : []
  })

describe('the OpenAPI document', () => {
  it('has every definition as a component, and no reference into a component or to nothing', () => {
    const refs = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref)
    expect(refs.length).toBeGreaterThan(500)
    expect(
      refs.filter((ref) => !/^#\/components\/(?:schemas|responses|examples|headers)\/[\w-]+$/.test(ref)),
    ).toEqual([])
    expect(refs.filter((ref) => found(ref) === undefined)).toEqual([])
    expect(text).not.toContain('$defs')
  })

  it('has no unused component', () => {
    for (const kind of ['schemas', 'responses', 'examples', 'headers'])
      for (const name of Object.keys(document.components[kind]))
        expect(text, `${kind} ${name}`).toContain(`"#/components/${kind}/${name}"`)
  })

  it('describes each operation and each group in sentences', () => {
    expect(Object.keys(DESCRIPTIONS).sort(), 'texts/server/http.json describes each operation').toEqual(
      operations.map(([name]) => name).sort(),
    )
    const ids = operations.map(([, { operationId }]) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [name, { summary, description, tags, parameters }] of operations) {
      expect([name, summary.length]).toEqual([name, expect.any(Number)])
      expect(summary.length, name).toBeLessThan(60)
      expect(description, name).toMatch(/^[A-Z].{20,}[.]\n\n.*(?:key|scope).*[.]$/s)
      expect(Object.keys(TAGS), name).toContain(tags[0])
      for (const parameter of parameters) expect(parameter.description, name).toMatch(/^.{3,}\.$/s)
    }
    for (const tag of document.tags) expect(tag.description, tag.name).toMatch(/\.$/)
    expect(new Set(operations.map(([, { tags }]) => tags[0]))).toEqual(new Set(Object.keys(TAGS)))
  })

  it('has an example of every request, and of every response with a body', () => {
    const without = operations.flatMap(([name, operation]) => {
      const answers = Object.entries<Any>(operation.responses).map(([status, answer]) => [
        status,
        resolved(answer),
      ])
      return [['request', operation.requestBody], ...answers].flatMap(([place, holder]) =>
        Object.entries<Any>(holder?.content ?? {})
          .filter(([type, media]) => type !== 'multipart/form-data' && !media.example && !media.examples)
          .map(([type]) => `${name} ${place} ${type}`),
      )
    })
    expect(without, 'without an example: npm run record').toEqual([])
  })

  it('has examples that match their schemas', () => {
    const wrong = operations.flatMap(jsonOf).flatMap(([place, { schema, example, examples = {} }]) =>
      [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples).map((one) => resolved(one).value),
      ].flatMap((value) => {
        const why = misfits(schema, value)
        return why ? [`${place}: ${why}`] : []
      }),
    )
    expect(wrong).toEqual([])
  })

  it('has an example of every refusal, with its own code and a complete message', () => {
    for (const [code, { value }] of Object.entries<Any>(document.components.examples)) {
      expect(value?.detail?.code, code).toBe(code)
      expect(value.detail.message, code).toMatch(/^\S.*[.]$/s)
      expect(value.detail.message, code).not.toMatch(/(?:^| )—/)
    }
  })

  it('contains nothing of the machine or the day on which its examples were recorded', () => {
    expect(text).not.toMatch(/\/tmp\/|\/home\/|\/work\/|node_modules|127\.0\.0\.1:\d/)
    expect(text).not.toMatch(/cuadra_[A-Za-z0-9]{16}/)
  })
})
