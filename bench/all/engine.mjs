/** Measures the cost of an invoice line in a long document. */
import { validate } from '../../dist/index.js'
import { invoiceOf } from '../documents.mjs'
import { sample } from '../measure.mjs'
import { hand, isQuick } from './report.mjs'

const LINES = [100, 10_000]
const [short, long] = LINES.map((lines) => JSON.parse(JSON.stringify(invoiceOf(lines))))
// The shortest time of all rounds is used, because other processes can only make a round longer.
const [ofShort, ofLong] = sample(
  [
    () => {
      for (let at = 0; at < LINES[1] / LINES[0]; at++) validate(short)
    },
    () => validate(long),
  ],
  1,
  isQuick ? 7 : 25,
).map((times) => Math.min(...times) / LINES[1])

hand({
  goals: [
    {
      what: 'a line of an invoice of 10,000 lines',
      value: ofLong / ofShort,
      unit: 'x',
      goal: { most: 1.15 },
      detail: `${ofLong.toFixed(2)} us, in an invoice of 100 lines ${ofShort.toFixed(2)} us`,
    },
  ],
})
