/**
 * Converts the official XML schemas of VeriFactu, SII and the invoice formats to data: `schemas/xml/*.json`.
 * Maintainers run this script when a new version of a schema is published. The output is in git.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readOptions, wrongUsage } from './options.mjs'
import { bookShapes } from './xml-shapes/books.mjs'
import { formatShapes } from './xml-shapes/formats.mjs'
import { printed } from './xml-shapes/schema.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const {
  values: { check },
  positionals: [reference],
} = readOptions({
  about:
    'Converts the official XML schemas in FOLDER (verifactu/xsd, sii/xsd, formats/xsd) to schemas/xml/*.json.',
  options: { check: { type: 'boolean', about: 'write nothing; exit 1 if a file differs from the schemas' } },
  operands: 'FOLDER',
})
if (reference === undefined) wrongUsage('Name the folder with verifactu/xsd, sii/xsd and formats/xsd.')

function keep(name, shapes) {
  const file = `${root}schemas/xml/${name}.json`
  const text = printed(shapes)
  if (!check) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) process.exitCode = 1
  const [roots, types] = [shapes.roots, shapes.types].map((table) => Object.keys(table).length)
  console.log(`schemas/xml/${name}.json: ${roots} roots, ${types} types`)
}

const { books, formats } = JSON.parse(readFileSync(`${root}scripts/xml-shapes/vocabularies.json`, 'utf8'))
for (const [name, book] of Object.entries(books)) keep(name, bookShapes(book, `${reference}/${name}/xsd`))
for (const [name, format] of Object.entries(formats))
  keep(name, formatShapes(format, `${reference}/formats/xsd`))
