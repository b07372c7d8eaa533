/**
 * The compiled validators of the four operations, without `eval`: Ajv follows what an operation is composed of and
 * writes the code, in which each schema of its own is one call with its shape. The code is taken as Ajv gives it.
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

/** A schema that stands alone: what a variant demands. */
const demands = {
  keyword: 'demands',
  schemaType: 'number',
  code: ({ gen, schema, data }) => look(gen, data, schema),
}

/** The whole document: seldom wrong, so that it is first asked whether it fits. */
const document = {
  keyword: 'document',
  schemaType: 'number',
  code: ({ gen, schema, data }) =>
    gen.if(_`!fits(${data}, shapes[${schema}])`, () => look(gen, data, schema)),
}

/**
 * What a variant demands beside the schemas that it is composed of is looked at first, and the largest part last: of
 * a document with more problems than are looked for, those are found that decide about the whole of it.
 */
const operationOf = (file, { allOf = [], properties }, shapes) => {
  if (file === INPUT) return { $id: file, document: shapes.shapeOf(allOf[0], file) }
  const own = properties ? [shapes.shapeOf({ properties }, file)] : []
  return { $id: file, allOf: [...own.map((shape) => ({ demands: shape })), ...allOf.toReversed()] }
}

/** What is `readOnly` is computed, and refused by the shape itself: exactly that is what the input forbids. */
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
  ajv.addVocabulary([demands, document])
  ajv.addSchema(operationOf(INPUT, schemas.get(INPUT), shapes))
  for (const file of ['issued.json', ...Object.values(OPERATIONS)])
    ajv.addSchema(operationOf(file, schemas.get(file), shapes))
  const { leaves, texts, rows } = shapes.tables
  write(
    'src/invoice/generated/validators.js',
    `// ${BANNER}
import { collectErrors, fits, makeShapes } from '../shape.ts'
const shapes = /* @__PURE__ */ makeShapes(${literal(leaves)}, ${JSON.stringify(texts)}, ${literal(rows)})
${standalone.default(ajv, OPERATIONS)}
`,
  )
  const signatures = Object.keys(OPERATIONS).map((name) => `export declare const ${name}: CompiledSchema`)
  write(
    'src/invoice/generated/validators.d.ts',
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
