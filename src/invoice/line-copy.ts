/** The engine's own copy of a line, which costs least where its members are in one of the commonest orders. */
import { FIRST_MEMBERS, lineCopies, spreadLine } from './generated/line-copies.js'
import type { Line } from './generated/types.ts'

/** Each copy with the members that it copies, in their order: they are what it makes. */
const copiers = /* @__PURE__ */ lineCopies.map((copy) => ({
  copy,
  wanted: Object.keys(copy({} as Line)).slice(FIRST_MEMBERS),
}))

/** The names of the line at hand. */
const names: string[] = []

/** What every line of an answer has, in the contract's order and to be computed, then the members that were sent. */
export function copyLine(sent: Line): Line {
  let count = 0
  for (const name in sent) names[count++] = name
  for (const { wanted, copy } of copiers) {
    if (wanted.length !== count) continue
    let at = 0
    while (at < count && names[at] === wanted[at]) at++
    if (at === count) return copy(sent)
  }
  return spreadLine(sent)
}
