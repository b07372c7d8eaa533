/**
 * What is changed, and the tests that should notice it, the quick ones first. Tests of the built package, of commands
 * and of servers are left out, and by title those that only take long: they watch for other things.
 */
const VERIFACTU = [
  'rules/meaning',
  'rules/form',
  'rules/complete',
  'registration',
  'chain',
  'declaration',
  'hash',
  'moment',
  'golden',
  'chain-random',
  'xml',
]
const SII = [
  'codes',
  'issued',
  'received',
  'options',
  'payments',
  'consistency',
  'message',
  'pieces',
  'deadline',
  'golden',
  'samples',
  'response',
]
const within = (folder, names) => names.map((name) => `test/${folder}/${name}.test.ts`)

/** `draw`: parts of the same name share the changes that are drawn. The first part that matches a file has it. */
export const PARTS = [
  {
    draw: 'calculation',
    sources: /^(src\/(calculate|normalise|money)\/|src\/keep-sent\.ts|src\/reconcile\.ts|rules\/)/,
    tests: [
      'test/golden.test.ts',
      'test/money/money.test.ts',
      'test/conformance/examples.test.ts',
      ...within('property', ['differential', 'properties']),
    ],
    left: ['moves no total', 'every amount equals the reference to the cent > whatever the operation'],
  },
  {
    draw: 'records',
    sources: /^src\/verifactu\/qr/,
    tests: within('verifactu', ['qr']),
    left: ['reads 500 random codes', 'draws the QR code of'],
  },
  {
    draw: 'records',
    sources: /^src\/verifactu\//,
    tests: within('verifactu', VERIFACTU),
    left: ['up to a thousand records', 'a text of a megabyte', 'in pieces of any size'],
  },
  {
    draw: 'records',
    sources: /^src\/sii\//,
    tests: within('sii', SII),
    left: ['change nothing: east, west'],
  },
]
