/**
 * What is changed, and the tests that should notice it, the quick ones first. Tests of the built package, of commands
 * and of servers are left out, and by title those that only take long: they watch for other things.
 */
import { readdirSync } from 'node:fs'

/** The test files of a folder. */
const within = (folder) =>
  readdirSync(new URL(`../../test/${folder}/`, import.meta.url), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${folder}/${name.replaceAll('\\', '/')}`)
    .sort()
const QR = 'test/verifactu/qr.test.ts'

/** `draw`: parts of the same name share the changes that are drawn. The first part that matches a file has it. */
export const PARTS = [
  {
    draw: 'calculation',
    sources:
      /^(src\/(calculate|normalise|money)\/|src\/engine\/(complete|keep-sent)\.ts|src\/api\/reconcile\.ts|rules\/)/,
    tests: [
      'test/api/golden.test.ts',
      'test/api/reconcile.test.ts',
      'test/words/words.test.ts',
      'test/money/money.test.ts',
      'test/money/exact.test.ts',
      'test/conformance/examples.test.ts',
      'test/property/differential.test.ts',
      'test/property/properties.test.ts',
    ],
    left: ['moves no total', 'every amount equals the reference to the cent > whatever the operation'],
  },
  {
    draw: 'records',
    sources: /^src\/verifactu\/qr/,
    tests: [QR],
    left: ['reads 500 random codes', 'draws the QR code of'],
  },
  {
    draw: 'records',
    sources: /^src\/verifactu\//,
    tests: within('verifactu').filter((file) => file !== QR),
    left: ['up to a thousand records', 'a text of a megabyte', 'in pieces of any size'],
  },
  {
    draw: 'records',
    sources: /^src\/sii\//,
    tests: within('sii'),
    left: ['change nothing: east, west'],
  },
]
