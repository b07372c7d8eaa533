/**
 * Generates everything derived from `schemas/`, `catalogs/` and `texts/`:
 *
 * - `schemas/codes.json`: the closed code lists of the catalogs as JSON Schema enums (in git, checked by a test);
 * - `schemas/json_1_1.schema.json`: all schemas of the invoice in one file (in git, checked by a test);
 * - `python/cuadra/_document.py`: Python types of the canonical invoice (in git, checked by a test);
 * - `src/core/invoice/generated/types.ts`, `input-types.ts`, `completed-types.ts`: TypeScript types of the canonical
 *   invoice;
 * - `src/core/invoice/generated/validators.js`: the compiled validators of the four operations;
 * - `src/core/catalogs/generated/*.ts`: the catalogs of the specification, with the members that the engine reads;
 * - `src/core/invoice/generated/codes.ts`, `src/records/verifactu/generated/codes.ts`: the codes of items, from the rules;
 * - `src/core/invoice/generated/extras.ts`: the members of `extra` by code, from the golden cases;
 * - `src/records/verifactu/generated`, `src/records/sii/generated`: TypeScript types of the records;
 * - `src/<module>/generated/texts`: the texts of the modules.
 *
 * The output depends only on the sources, so it is reproducible.
 */
import { readFileSync } from 'node:fs'
import { codesSchema } from './codes.mjs'
import { bundledSchema } from './generate/bundle.mjs'
import { catalogs } from './generate/catalogs.mjs'
import { codeTypes } from './generate/code-types.mjs'
import { BUNDLE, readSchemas, root, write } from './generate/files.mjs'
import { pythonTypes } from './generate/python-types.mjs'
import { texts } from './generate/texts.mjs'
import { types } from './generate/types.mjs'
import { validators } from './generate/validators.mjs'
import { readOptions } from './options.mjs'
import { typesOf } from './xml-types.mjs'

readOptions({ about: 'Generates types, validators and texts from schemas/, catalogs/ and texts/.' })

write('schemas/codes.json', codesSchema())
const schemas = readSchemas()
const bundle = bundledSchema(schemas)
write(`schemas/${BUNDLE}`, bundle)
write('python/cuadra/_document.py', pythonTypes(JSON.parse(bundle)))
await types(bundle, 'working', 'types.ts')
await types(bundle, 'input', 'input-types.ts')
await types(bundle, 'completed', 'completed-types.ts')
validators(schemas)
catalogs()
texts()

for (const [book, prefix] of Object.entries({ verifactu: 'sf', sii: 'sii' })) {
  const shapes = JSON.parse(readFileSync(`${root}schemas/xml/${book}.json`, 'utf8'))
  write(`src/records/${book}/generated/types.ts`, typesOf(shapes, prefix))
}

await codeTypes()
