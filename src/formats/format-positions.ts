/** Finds elements in the text of a document, so that an application can show problems next to them. */
import { required } from '#core/errors/index.ts'
import { type Member, type Position, positionsOf, rootOf, type Type } from '#core/xml/index.ts'
import type { FormatCode } from './model/index.ts'
import { formatOf } from './registry.ts'

/** Returns the pointer with an index after each repeatable element: 0 if the pointer has no index there. */
function withIndexes(pointer: string, root: Type): string {
  const steps = pointer.split('/').slice(1)
  let type: Type | null = root
  let whole = ''
  for (let at = 0; at < steps.length; at++) {
    const member: Member | undefined = type?.byName.get(required(steps[at]))
    const hasIndex = /^\d+$/.test(steps[at + 1] ?? '')
    whole += `/${steps[at]}${member?.repeated ? `/${hasIndex ? steps[at + 1] : 0}` : ''}`
    if (hasIndex) at++
    type = member?.type ?? null
  }
  return whole
}

/**
 * Returns the line and column, from 1, of the elements named by `pointers`. These are JSON Pointers of local element
 * names below the root, with indexes from 0 (`/Items/InvoiceLine/1`; 0 if omitted). An element that is not in the
 * document gets the position of its nearest ancestor. `text` is the decoded document.
 *
 * @example
 * elementPositions('<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>', 'ubl_2_1', ['/ID']).get('/ID')?.line // => 1
 */
export function elementPositions(
  text: string,
  format: FormatCode,
  pointers: readonly string[],
): ReadonlyMap<string, Position> {
  const vocabulary = formatOf(format)?.vocabulary()
  const root = vocabulary?.roots.get(rootOf(text)?.name ?? '')
  if (!vocabulary || !root || pointers.length === 0) return new Map()
  const whole = new Map(pointers.map((pointer) => [pointer, withIndexes(pointer, root.type)]))
  const found = positionsOf(vocabulary, text, [...new Set(whole.values())])
  const positions = new Map<string, Position>()
  for (const [pointer, own] of whole) {
    const position = found.get(own)
    if (position) positions.set(pointer, { line: position.line, column: position.column })
  }
  return positions
}
