/** Where elements stand in a text: asked for only when something has to be said of them. */
import { SaxesParser } from 'saxes'

export interface Position {
  /** Both from 1: where the element's tag begins. */
  readonly line: number
  readonly column: number
}

interface Wanted {
  readonly inside: Map<string, Map<number, Wanted>>
  readonly pointers: string[]
}

const wanted = (): Wanted => ({ inside: new Map(), pointers: [] })
const unescaped = (step: string): string => step.replace(/~1/g, '/').replace(/~0/g, '~')

/** Steps of a pointer: names of elements with their places in a list, 0 where there is none. */
function stepsOf(pointer: string): [name: string, index: number][] {
  const steps: [string, number][] = []
  for (const step of pointer.split('/').slice(1).map(unescaped))
    if (/^\d+$/.test(step) && steps.length > 0) steps.at(-1)![1] = Number(step)
    else if (step !== '#' && !step.startsWith('@')) steps.push([step, 0])
  return steps
}

function treeOf(pointers: readonly string[]): Wanted {
  const root = wanted()
  for (const pointer of pointers) {
    let at = root
    for (const [name, index] of stepsOf(pointer)) {
      const byIndex = at.inside.get(name) ?? new Map<number, Wanted>()
      at.inside.set(name, byIndex)
      const next = byIndex.get(index) ?? wanted()
      byIndex.set(index, next)
      // An element that is not there stands where what should hold it does.
      at.pointers.push(pointer)
      at = next
    }
    at.pointers.push(pointer)
  }
  return root
}

interface Open {
  readonly node: Wanted
  readonly counts: Map<string, number>
}

/**
 * Positions of what pointers into the value of a document point at; of the nearest element around it where it is not
 * in the document. One pass over the text, whatever the number of pointers.
 */
export function positionsOf(text: string, pointers: readonly string[]): Map<string, Position> {
  const found = new Map<string, Position>()
  if (pointers.length === 0) return found
  const root = treeOf(pointers)
  const parser = new SaxesParser({ xmlns: true })
  const open: (Open | null)[] = []
  let begins: Position = { line: 1, column: 1 }
  parser.on('opentagstart', ({ name }) => {
    // The parser is behind the name and the character that ends it.
    begins = { line: parser.line, column: Math.max(1, parser.columnIndex - [...name].length - 1) }
  })
  parser.on('opentag', ({ local }) => {
    const parent = open.at(-1)
    let node: Wanted | undefined = open.length === 0 ? root : undefined
    if (parent) {
      const index = parent.counts.get(local) ?? 0
      parent.counts.set(local, index + 1)
      node = parent.node.inside.get(local)?.get(index)
    }
    for (const pointer of node?.pointers ?? []) found.set(pointer, begins)
    open.push(node ? { node, counts: new Map() } : null)
  })
  parser.on('closetag', () => {
    open.pop()
  })
  parser.on('error', () => undefined)
  parser.write(text.replace(/^\uFEFF/, '')).close()
  return found
}
