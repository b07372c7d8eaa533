/** Iterative traversal of a JSON text. */
import { JsonFault, JsonScanner } from './scan-json.ts'

/** Callbacks of the traversal. `T` is the visitor's data about a value. */
export interface Visitor<T> {
  /** Called for a member of an object, with the range of its quoted key. Returns the data of its value. */
  readonly member: (parent: T, start: number, end: number) => T
  /** Called for an entry of an array, counted from 0. Returns its data. */
  readonly entry: (parent: T, index: number) => T
  /** Called for a value, with the range of a scalar or of the opening bracket of a container. */
  readonly value?: (known: T, start: number, end: number) => void
}

interface Frame<T> {
  readonly close: '}' | ']'
  readonly known: T
  index: number
}

function enter<T>(scanner: JsonScanner, frame: Frame<T>, visitor: Visitor<T>): T {
  if (frame.close === ']') return visitor.entry(frame.known, ++frame.index)
  scanner.peek()
  const start = scanner.at
  scanner.key()
  const end = scanner.at
  scanner.colon()
  return visitor.member(frame.known, start, end)
}

/** Traverses the whole text without recursion, so that deep nesting cannot overflow the stack. Throws `JsonFault`. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one loop instead of recursion; its stack, scanner and value are one state.
export function walkJson<T>(text: string, root: T, visitor: Visitor<T>): void {
  const scanner = new JsonScanner(text)
  if (scanner.peek() === '') throw new JsonFault('empty', 0)
  const stack: Frame<T>[] = []
  let known = root
  for (;;) {
    const opening = scanner.peek()
    const start = scanner.at
    if (opening === '{' || opening === '[') {
      scanner.at++
      visitor.value?.(known, start, start + 1)
      const close = opening === '{' ? '}' : ']'
      if (scanner.peek() === close) scanner.at++
      else {
        const frame = { close, known, index: -1 } as const
        stack.push(frame)
        known = enter(scanner, frame, visitor)
        continue
      }
    } else {
      scanner.scalar()
      visitor.value?.(known, start, scanner.at)
    }
    for (;;) {
      const frame = stack.at(-1)
      if (!frame) {
        scanner.end()
        return
      }
      if (scanner.next(frame.close)) {
        known = enter(scanner, frame, visitor)
        break
      }
      stack.pop()
    }
  }
}
