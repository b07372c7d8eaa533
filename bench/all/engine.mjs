/**
 * Measures validation of a parsed document, validation from bytes to bytes, and the cost per line in a long document.
 */
import { validate } from '../../dist/index.js'
import { invoiceOf } from '../documents.mjs'
import { median, sample } from '../measure.mjs'
import { hand, isQuick } from './report.mjs'

/** More rounds than in other parts, because the rounds are short and a busy machine disturbs many of them. */
const ROUNDS = isQuick ? 5 : 15

const costs = (lines, count) => {
  const text = JSON.stringify(invoiceOf(lines))
  const parsed = JSON.parse(text)
  const [json, whole, bytes] = sample(
    [
      () => JSON.stringify(JSON.parse(text)),
      () => validate(parsed),
      () => JSON.stringify(validate(JSON.parse(text))),
    ],
    count,
    ROUNDS,
  )
  return { json, whole, bytes }
}

const ten = costs(10, isQuick ? 1500 : 3000)
const [json, whole, bytes] = [ten.json, ten.whole, ten.bytes].map(median)
// The two documents alternate, and the shortest time of all rounds is used, because other processes can only make a
// round longer.
const [hundred, long] = [100, 10_000].map((lines) => JSON.parse(JSON.stringify(invoiceOf(lines))))
const [short, of] = sample(
  [
    () => {
      for (let at = 0; at < 100; at++) validate(hundred)
    },
    () => validate(long),
  ],
  1,
  isQuick ? 7 : 25,
).map((times) => Math.min(...times) / 10_000)

hand({
  rounds: ROUNDS,
  rows: [
    {
      name: 'ten lines, parsed',
      value: whole,
      unit: 'us',
      goal: { most: 8.5 },
      baseline: { name: 'parse + stringify of the document', value: json },
      ratio: { value: whole / json, unit: 'x', goal: { most: 0.55 } },
    },
    {
      name: 'ten lines, from bytes to bytes',
      value: bytes,
      unit: 'us',
      baseline: { name: 'parse + stringify of the document', value: json },
      ratio: { value: bytes / json, unit: 'x', goal: { most: 2.3 } },
    },
    {
      name: 'a line of 10,000 (least of all rounds)',
      value: of,
      unit: 'us',
      baseline: { name: 'a line of 100', value: short },
      ratio: { value: of / short, unit: 'x', goal: { most: 1.05 } },
    },
  ],
})
