/** Where the cursor stands in the document: the path of the object around it, and what is being written. */
import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'

export interface CursorPlace {
  readonly kind: 'name' | 'value'
  /** Of the object whose member is named, or of the value. */
  readonly path: readonly (string | number)[]
  /** What a completion replaces. */
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

/** Path of a node, by the properties and arrays around it. */
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

const NOTHING: ReadonlySet<string> = new Set()

const valueAt = (path: CursorPlace['path'], from: number, to: number): CursorPlace => ({
  kind: 'value',
  path,
  from,
  to,
  present: NOTHING,
})

const ends = (node: SyntaxNode, pos: number): boolean => node.from < pos && pos <= node.to

/** `null` where nothing can be completed: between values, after the end. */
export function cursorPlace(state: EditorState, pos: number): CursorPlace | null {
  let node: SyntaxNode | null = syntaxTree(state).resolveInner(pos, -1)
  // Words without quotes, as they are typed, are errors of the grammar.
  const bare = /[\w-]*$/.exec(state.sliceDoc(Math.max(0, pos - 60), pos))![0].length
  while (node && !['Object', 'Array', 'Property', 'PropertyName', 'JsonText'].includes(node.name)) {
    if (VALUES.has(node.name) && ends(node, pos)) {
      return valueAt(pathOf(state, node), node.from, node.to)
    }
    node = node.parent
  }
  if (!node || node.name === 'JsonText') return null
  if (node.name === 'PropertyName') {
    const property = node.parent!
    const object = property.parent!
    const present = membersOf(state, object, property)
    return { kind: 'name', path: pathOf(state, object), from: node.from, to: node.to, present }
  }
  const from = pos - bare
  if (node.name === 'Property') {
    const colon = state.sliceDoc(node.from, pos).lastIndexOf(':')
    if (colon < 0) return null
    return valueAt([...pathOf(state, node), nameIn(state, node)], from, pos)
  }
  if (pos >= node.to && state.sliceDoc(node.to - 1, node.to).match(/[\]}]/)) return null
  const before = /(\S)\s*$/.exec(state.sliceDoc(node.from, from))?.[1]
  if (node.name === 'Array') {
    if (before !== '[' && before !== ',') return null
    return valueAt([...pathOf(state, node), indexIn(node, pos)], from, pos)
  }
  if (before === ':') {
    const last = node.getChildren('Property').findLast((property) => property.from < pos)
    if (!last) return null
    return valueAt([...pathOf(state, node), nameIn(state, last)], from, pos)
  }
  return { kind: 'name', path: pathOf(state, node), from, to: pos, present: membersOf(state, node, null) }
}
