/**
 * Packs the Python package into `packed/`, or into another folder. Then `npm run pack:python` tests it (`scripts/hosts.mjs`, `scripts/python.mjs`).
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readOptions } from './options.mjs'
import { packWheel } from './pack/wheel.mjs'

const {
  positionals: [folder = 'packed'],
} = readOptions({ about: 'Packs the Python package into packed/, or into FOLDER.', operands: '[FOLDER]' })
try {
  const file = packWheel(fileURLToPath(new URL('..', import.meta.url)), resolve(folder))
  const bytes = readFileSync(file)
  const sum = createHash('sha256').update(bytes).digest('hex')
  console.log(`${file}\n  ${(bytes.length / 1e6).toFixed(2)} MB\n  sha256 ${sum}`)
} catch (error) {
  console.error(`pack: ${error.message}`)
  process.exitCode = 1
}
