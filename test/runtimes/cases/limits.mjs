/** Requests just within and just beyond what a request may be: bytes and levels. */
import { INVOICE } from './invoice.mjs'
import { refused, request } from './request.mjs'

const units = '{"op":"catalog","document":"units"}'

/** White space after a request, up to so many bytes. */
const padded = (bytes, space = ' ') => ({
  before: units,
  repeated: space,
  times: bytes - units.length,
  after: '',
})

/** A catalog's name of so many bytes in all, of a character of so many bytes. */
const named = (bytes, character) => {
  const before = '{"op":"catalog","document":"'
  const after = '"}'
  const width = Buffer.byteLength(character)
  const space = bytes - before.length - after.length
  return {
    before,
    repeated: character,
    times: Math.floor(space / width),
    after: 'x'.repeat(space % width) + after,
  }
}

const nested = (levels, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels)

const sizes = (most) => [
  ['as large as may be', padded(most)],
  ['one byte too large', padded(most + 1)],
  ['as large as may be, of lines', padded(most, '\n')],
  ...['ñ', '€', '😀'].flatMap((character) => [
    [`as large as may be, of ${character}`, named(most, character)],
    [`too large by one ${character}`, named(most + Buffer.byteLength(character), character)],
  ]),
  ['too large, of nothing', { before: '', repeated: ' ', times: most * 2, after: '' }],
  ['100,000 brackets', { before: '', repeated: '[', times: 100_000, after: '' }],
  ['500,000 objects', { before: '', repeated: '{"a":', times: 500_000, after: '' }],
  ['100,000 closing brackets', { before: '', repeated: ']', times: 100_000, after: '' }],
  ['100,000 quotes', { before: '', repeated: '"', times: 100_000, after: '' }],
  ['100,000 backslashes', { before: '"', repeated: '\\', times: 100_001, after: '"' }],
]

const depths = (most) => [
  ['as deep as may be', nested(most)],
  ['one level too deep', nested(most + 1)],
  ['one object too deep', nested(most, '{"a":', '}').replace(':}', ':{}}')],
  ['as deep as may be, as a document', `{"op":"validate","document":${nested(most - 1)}}`],
  ['one too deep, as a document', `{"op":"validate","document":${nested(most)}}`],
  [
    'as deep as may be, in an invoice',
    `{"op":"validate","document":${INVOICE.replace('{', `{"x":${nested(most - 2)},`)}}`,
  ],
  ['brackets in a text', `{"op":"${nested(most + 1)}"}`],
  ['brackets after an escaped quote', `{"op":"\\"${nested(most + 1)}"}`],
  ['not JSON and too deep', `{"op":${nested(most + 1)}`],
  ['not JSON, closed more than opened', `]]]]${nested(most + 1)}`],
]

/** An invoice of so many lines, with a wrong one at its end. */
function long(lines) {
  const document = JSON.parse(INVOICE)
  const [line] = document.invoice.lines
  document.invoice.lines = Array.from({ length: lines }, (_, at) => ({
    ...line,
    item_description: `Línea ${at}`,
    quantity: (at % 97) + 0.25,
    tax_output_rate: at === lines - 1 ? 20 : [21, 10, 4][at % 3],
  }))
  return document
}

export async function limitCases() {
  const { LIMITS } = await import('../../../dist/request/index.js')
  const texts = [...sizes(LIMITS.maxBytes), ...depths(LIMITS.maxDepth)]
  return [
    ...texts.map(([name, text]) => refused(name, text)),
    request('1,000 lines', 'validate', long(1000)),
    request('300 lines', 'explain', long(300)),
    request('1,000 lines', 'reconcile', long(1000)),
  ]
}
