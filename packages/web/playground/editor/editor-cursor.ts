/** The context of the cursor in the document: the path of the enclosing object, and the text that is being typed. */
import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'

export interface CursorContext {
  readonly kind: 'name' | 'value'
  /** For a name, the path of the object; for a value, the path of the value. */
  readonly path: readonly (string | number)[]
  /** Range that a completion replaces. */
  readonly from: number
  readonly to: number
  /** Members that the object already has. */
  readonly present: ReadonlySet<string>
}

const VALUES = new Set(['String', 'Number', 'True', 'False', 'Null', 'Object', 'Array'])

function nameIn(state: EditorState, property: SyntaxNode): string {
  const name = property.getChild('PropertyName')
  if (!name) return ''
  const text = state.sliceDoc(name.from, name.to)
  return text.replace(/^"|"$/g, '')
}

function indexIn(array: SyntaxNode, at: number): number {
  let index = 0
  for (let node = array.firstChild; node; node = node.nextSibling)
    if (VALUES.has(node.name) && node.to < at) index++
  return index
}

/** Returns the path of a node. */
export function pathOf(state: EditorState, node: SyntaxNode): (string | number)[] {
  const path: (string | number)[] = []
  for (let inner = node, outer = node.parent; outer; inner = outer, outer = outer.parent) {
    if (outer.name === 'Property') path.unshift(nameIn(state, outer))
    else if (outer.name === 'Array') path.unshift(indexIn(outer, inner.to))
  }
  return path
}

function membersOf(state: EditorState, object: SyntaxNode, except: SyntaxNode | null): Set<string> {
  return new Set(
    object
      .getChildren('Property')
      .filter((property) => property.from !== except?.from)
      .map((property) => nameIn(state, property)),
  )
}

const valueAt = (path: CursorContext['path'], from: number, to: number): CursorContext => ({
  kind: 'value',
  path,
  from,
  to,
  present: new Set(),
})

const BLOCKS = new Set(['Object', 'Array', 'Property', 'PropertyName', 'JsonText'])

/** Returns the value at the cursor, or the block around it. */
function nodeAt(state: EditorState, pos: number): SyntaxNode | null {
  let node: SyntaxNode | null = syntaxTree(state).resolveInner(pos, -1)
  while (node && !BLOCKS.has(node.name)) {
    if (VALUES.has(node.name) && node.from < pos && pos <= node.to) break
    node = node.parent
  }
  return node
}

/** Returns the context between the members of an object or the values of an array. */
function contextInBlock(
  state: EditorState,
  node: SyntaxNode,
  from: number,
  pos: number,
): CursorContext | null {
  if (pos >= node.to && /[\]}]/.test(state.sliceDoc(node.to - 1, node.to))) return null
  const before = /(\S)\s*$/.exec(state.sliceDoc(node.from, from))?.[1]
  const path = pathOf(state, node)
  if (node.name === 'Array')
    return before === '[' || before === ',' ? valueAt([...path, indexIn(node, pos)], from, pos) : null
  if (before !== ':') return { kind: 'name', path, from, to: pos, present: membersOf(state, node, null) }
  const last = node.getChildren('Property').findLast((property) => property.from < pos)
  return last ? valueAt([...path, nameIn(state, last)], from, pos) : null
}

/** Returns the context of the cursor, or `null` where nothing can be completed. */
export function cursorContext(state: EditorState, pos: number): CursorContext | null {
  const node = nodeAt(state, pos)
  if (!node || node.name === 'JsonText') return null
  if (node.name === 'PropertyName') {
    const property = node.parent!
    const object = property.parent!
    const present = membersOf(state, object, property)
    return { kind: 'name', path: pathOf(state, object), from: node.from, to: node.to, present }
  }
  if (!BLOCKS.has(node.name)) return valueAt(pathOf(state, node), node.from, node.to)
  // Text without quotes is a syntax error and has no node, so it is read from the document.
  const from = pos - /(?<![\w-])[\w-]*$/.exec(state.sliceDoc(Math.max(0, pos - 60), pos))![0].length
  if (node.name !== 'Property') return contextInBlock(state, node, from, pos)
  const hasColon = state.sliceDoc(node.from, pos).includes(':')
  return hasColon ? valueAt([...pathOf(state, node), nameIn(state, node)], from, pos) : null
}
