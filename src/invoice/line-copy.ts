/** The engine's own copy of a line, which costs least where its members are in one of the commonest orders. */
import { FIRST_MEMBERS, lineCopies, spreadLine } from './generated/line-copies.js'
import type { Line } from './generated/types.ts'

interface Copier {
  /** The members that it copies, in their order. */
  readonly names: readonly string[]
  readonly copy: (sent: Line) => Line
}

/** Copiers by how many members they copy. The names are those of what they make. */
function byCountOf(copies: typeof lineCopies): readonly (readonly Copier[] | undefined)[] {
  const byCount: Copier[][] = []
  for (const copy of copies) {
    const names = Object.keys(copy({} as Line)).slice(FIRST_MEMBERS)
    const same = byCount[names.length]
    if (same) same.push({ names, copy })
    else byCount[names.length] = [{ names, copy }]
  }
  return byCount
}

const copiersByCount = /* @__PURE__ */ byCountOf(lineCopies)

const hasNames = (names: readonly string[], wanted: readonly string[]): boolean => {
  for (let at = 0; at < wanted.length; at++) if (names[at] !== wanted[at]) return false
  return true
}

/** The names of the line at hand. */
const names: string[] = []

/** What every line of an answer has, in the contract's order and to be computed, then the members that were sent. */
export function copyLine(sent: Line): Line {
  let count = 0
  for (const name in sent) names[count++] = name
  const copiers = copiersByCount[count]
  if (copiers !== undefined)
    for (const copier of copiers) if (hasNames(names, copier.names)) return copier.copy(sent)
  return spreadLine(sent)
}
