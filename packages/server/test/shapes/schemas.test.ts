/** The server compiles its schemas without validating them, so this test does. */
import Ajv from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { ROUTES } from '../../src/http/routes/index.ts'
import { COMPANY_FILE } from '../../src/service/company/company-shape.ts'
import { allComponents } from '../../src/shapes/schemas.ts'

const bodies = ROUTES.flatMap(({ method, path, body }): [string, object][] =>
  body?.kind === 'json' ? [[`body of ${method} ${path}`, body.schema]] : [],
)
const SCHEMAS: readonly [string, object][] = [
  ['company.json', COMPANY_FILE],
  ...Object.entries(allComponents()),
  ...bodies,
]
const ajv = new Ajv({ strict: false, allErrors: true })

/** Returns what the meta schema of JSON Schema 2020-12 rejects in a schema; empty for a valid schema. */
const faultsOf = (schema: object): string =>
  ajv.validateSchema(schema) === true ? '' : ajv.errorsText(ajv.errors, { dataVar: '' })

it.each(SCHEMAS)('the schema %s is valid under JSON Schema 2020-12', (_, schema) => {
  expect(faultsOf(schema)).toBe('')
})

it('a wrong keyword deep in a schema is found', () => {
  expect(faultsOf({ properties: { date: { anyOf: [{ type: 'sting' }] } } })).toContain(
    '/properties/date/anyOf/0/type must be equal to one of the allowed values',
  )
})
