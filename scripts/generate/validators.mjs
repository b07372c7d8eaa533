/**
 * The compiled validators of the four operations: the table of shapes, and of each operation the shapes that it is
 * composed of.
 */
import { BANNER, write } from './files.mjs'
import { Shapes } from './shapes.mjs'

const INPUT = 'input.json'
const OPERATIONS = {
  draftSchema: 'draft.json',
  issueSchema: 'issue.json',
  importSchema: 'import.json',
  receivedSchema: 'received.json',
}

/** What a schema asks of its own, then what it is composed of, the last first. The input is looked at after them all. */
const demandsOf = (file, schemas, shapes) => {
  const { allOf = [], properties } = schemas.get(file)
  const own = properties ? [shapes.shapeOf({ properties }, file)] : []
  return [
    ...own,
    ...allOf.toReversed().flatMap(({ $ref }) => ($ref === INPUT ? [] : demandsOf($ref, schemas, shapes))),
  ]
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
  const document = shapes.shapeOf(schemas.get(INPUT).allOf[0], INPUT)
  const operations = Object.entries(OPERATIONS).map(([name, file]) => {
    if (!schemas.get(file).allOf.some(({ $ref }) => $ref === INPUT))
      throw new Error(`${file} is not composed of ${INPUT}`)
    const demands = demandsOf(file, schemas, shapes)
    return `export const ${name} = /* @__PURE__ */ makeValidator(shapes, [${demands.join(', ')}], ${document})\n`
  })
  const { leaves, texts, rows } = shapes.tables
  write(
    'src/invoice/generated/validators.js',
    `// ${BANNER}
import { makeShapes, makeValidator } from '../shape.ts'
const shapes = /* @__PURE__ */ makeShapes(${literal(leaves)}, ${JSON.stringify(texts)}, ${literal(rows)})
${operations.join('')}`,
  )
  const signatures = Object.keys(OPERATIONS).map((name) => `export declare const ${name}: Validator`)
  write(
    'src/invoice/generated/validators.d.ts',
    `// ${BANNER}
import type { Validator } from '../shape.ts'
${signatures.join('\n')}
`,
  )
}
