/**
 * The one list of requests that every runtime answers: plain JavaScript, so that scripts can use it as it is. It is
 * the same list each time, whatever the machine: nothing in it comes from a clock or an unseeded random number.
 *
 * The build must be there: chains of records are made with it.
 */
import { catalogCases } from './cases/catalogs.mjs'
import { chainCases } from './cases/chains.mjs'
import { damagedCases } from './cases/damaged.mjs'
import { documentCases } from './cases/documents.mjs'
import { limitCases } from './cases/limits.mjs'
import { numberCases } from './cases/numbers.mjs'
import { randomCases } from './cases/random.mjs'
import { shapeCases } from './cases/shapes.mjs'
import { syntaxCases } from './cases/syntax.mjs'
import { textCases } from './cases/texts.mjs'

/** The columns of the table. */
export const OPERATIONS = ['validate', 'explain', 'reconcile', 'qr', 'catalog', 'verify_chain', 'refused']

/**
 * @typedef {object} Case
 * @property {string} operation One of `OPERATIONS`; `refused` are requests that are answered with `detail`, and those
 *   that come close to it.
 * @property {string} name What a report calls it.
 * @property {string | Repeated} text The request.
 * @property {string} [golden] The file with the answer expected.
 *
 * @typedef {object} Repeated A long text, written short.
 * @property {string} before
 * @property {string} repeated
 * @property {number} times
 * @property {string} after
 */

/** @returns {Promise<Case[]>} */
export async function buildCases() {
  return [
    ...documentCases(),
    ...(await randomCases()),
    ...(await catalogCases()),
    ...(await chainCases()),
    ...(await limitCases()),
    ...shapeCases(),
    ...textCases(),
    ...damagedCases(),
    ...syntaxCases(),
    ...numberCases(),
  ]
}

/** About `count` cases, spread over the operations and over each one's list. */
export function sampleOf(cases, count) {
  const each = Math.ceil(count / OPERATIONS.length)
  return OPERATIONS.flatMap((operation) => {
    const own = cases.filter((one) => one.operation === operation && typeof one.text === 'string')
    return Array.from(
      { length: Math.min(each, own.length) },
      (_, at) => own[Math.floor((at * own.length) / each)],
    )
  })
}
