/**
 * Generates the compiled validators of the four operations, which use no `eval`. Ajv writes the code of an operation,
 * in which each separate schema is one function call with its shape.
 */
import Ajv, { _, Name } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { BANNER, write } from './files.mjs'
import { Shapes } from './shapes.mjs'

const INPUT = 'input.json'
const OPERATIONS = {
  draftSchema: 'draft.json',
  issueSchema: 'issue.json',
  importSchema: 'import.json',
  receivedSchema: 'received.json',
}

const [errors, count] = ['vErrors', 'errors'].map((name) => new Name(name))

const look = (gen, data, shape) => {
  gen.assign(errors, _`collectErrors(${errors}, ${data}, shapes[${shape}])`)
  gen.assign(count, _`${errors} === null ? 0 : ${errors}.length`)
}

/** Defines the keyword `demands` for Ajv, which checks a value against the shape with an index. */
const demands = {
  keyword: 'demands',
  schemaType: 'number',
  code: ({ gen, schema, data }) => look(gen, data, schema),
}

/**
 * Returns the schema of an operation. It checks the requirements of the operation before the parts, and the largest
 * part last. If a document has too many problems, the reported problems are then those of the whole document.
 */
const operationOf = (file, { allOf = [], properties }, shapes) => {
  if (file === INPUT) return { $id: file, demands: shapes.shapeOf(allOf[0], file) }
  const own = properties ? [shapes.shapeOf({ properties }, file)] : []
  return { $id: file, allOf: [...own.map((shape) => ({ demands: shape })), ...allOf.toReversed()] }
}

/** Throws unless the computed fields (`readOnly`) are exactly the fields that the input schema forbids. */
const demandSameNames = (schemas) => {
  const namesOf = (key, schema) => {
    const shapes = new Shapes(schemas)
    shapes.shapeOf(schema, INPUT)
    return [...new Set(shapes.tables.rows.flatMap((row) => row[key]?.split(' ') ?? []))].sort().join(' ')
  }
  const { allOf, properties } = schemas.get(INPUT)
  const [computed, refused] = [namesOf('computed', allOf[0]), namesOf('refused', { properties })]
  if (computed !== refused) throw new Error(`readOnly are ${computed}; ${INPUT} refuses ${refused}`)
}

const literal = (rows) => `[\n${rows.map((row) => `  ${JSON.stringify(row)},\n`).join('')}]`

export const validators = (schemas) => {
  demandSameNames(schemas)
  const shapes = new Shapes(schemas)
  const ajv = new Ajv({ allErrors: true, messages: false, code: { source: true, esm: true, lines: true } })
  ajv.addVocabulary([demands])
  ajv.addSchema(operationOf(INPUT, schemas.get(INPUT), shapes))
  for (const file of ['issued.json', ...Object.values(OPERATIONS)])
    ajv.addSchema(operationOf(file, schemas.get(file), shapes))
  const { leaves, rows } = shapes.tables
  write(
    'src/core/invoice/generated/validators.js',
    `// ${BANNER}
import { collectErrors, makeShapes } from '../shape.ts'
const shapes = /* @__PURE__ */ makeShapes(${literal(leaves)}, ${literal(rows)})
${standalone.default(ajv, OPERATIONS)}
`,
  )
  const signatures = Object.keys(OPERATIONS).map((name) => `export declare const ${name}: CompiledSchema`)
  write(
    'src/core/invoice/generated/validators.d.ts',
    `// ${BANNER}
import type { SchemaError } from '../shape.ts'
export interface CompiledSchema {
  (data: unknown): boolean
  errors?: readonly SchemaError[] | null
}
${signatures.join('\n')}
`,
  )
}
