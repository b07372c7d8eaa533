/** What the hosts are asked: the golden cases, their near misses and the examples, and a sample of everything else. */

import { documentCases } from '../runtimes/cases/documents.mjs'
import { limitCases } from '../runtimes/cases/limits.mjs'
import { buildCases, sampleOf } from '../runtimes/cases.mjs'

const SAMPLE = 210

const textOf = (text) =>
  typeof text === 'string' ? text : text.before + text.repeated.repeat(text.times) + text.after

/** A request is one line of UTF-8: no line breaks, no half of a surrogate pair. */
const asLine = (text) =>
  textOf(text)
    .replace(/[\r\n]/g, ' ')
    .toWellFormed()

/** What hosts are tried with beyond the list: their stacks are smaller than Node's, their memory grows in its own way. */
const own = () => [
  { name: '10,000 levels', text: '['.repeat(10_000) + ']'.repeat(10_000) },
  {
    name: '10,000 levels of a document',
    text: `{"op":"validate","document":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_001)}`,
  },
  { name: '20 MB', text: `{"op":"validate","document":"${'x'.repeat(20_000_000)}"}` },
  { name: 'nothing', text: '' },
  { name: 'NUL', text: '\0' },
  { name: 'NUL inside', text: '{"op":"catalog","document":"units\0"}' },
]

/** Bytes that are not UTF-8, where an answer repeats them. How many U+FFFD become of them is the host's affair. */
export const damagedLines = () =>
  [
    [0xff],
    [0xe2, 0x82],
    [0xc0, 0x80],
    [0xed, 0xa0, 0x80],
    [0xf8, 0x88, 0x80, 0x80, 0x80],
    [0x80, 0x80],
  ].flatMap((bytes) => [
    Buffer.from(bytes),
    Buffer.concat([Buffer.from('{"op":"catalog","document":"'), Buffer.from(bytes), Buffer.from('"}')]),
  ])

/** @returns {Promise<{ name: string, line: string }[]>} */
export async function requests(all = false) {
  const cases = await buildCases()
  // An interpreter inside another takes seconds to draw a code: those of the sample will do.
  const documents = (await documentCases()).filter(({ operation }) => operation !== 'qr')
  const chosen = all ? cases : [...documents, ...(await limitCases()), ...sampleOf(cases, SAMPLE)]
  const lines = new Map([...chosen, ...own()].map(({ name, text }) => [asLine(text), name]))
  return [...lines].map(([line, name]) => ({ name, line }))
}
