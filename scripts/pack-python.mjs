/**
 * Packs the Python package into `packed/`, or into another folder: `node scripts/pack-python.mjs FOLDER`. Then `npm run
 * pack:python` tests it (`scripts/hosts.mjs`, `scripts/python.mjs`).
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packWheel } from './pack/wheel.mjs'

try {
  const file = packWheel(fileURLToPath(new URL('..', import.meta.url)), resolve(process.argv[2] ?? 'packed'))
  const bytes = readFileSync(file)
  const sum = createHash('sha256').update(bytes).digest('hex')
  console.log(`${file}\n  ${(bytes.length / 1e6).toFixed(2)} MB\n  sha256 ${sum}`)
} catch (error) {
  console.error(`pack: ${error.message}`)
  process.exitCode = 1
}
