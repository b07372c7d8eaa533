/**
 * Parses content models in the notation of the invoice formats' shapes, which resembles that of a DTD: `cbc:ID
 * cbc:Note* (udt:DateString=udt:String | udt:Date=xs:date)?`. An element is global (the type comes from the list of
 * global elements) or has its type after `=`. A default value follows a second `=`. `<other:fe lax>` is any element of
 * a namespace other than `fe`; `<any strict>` is any element.
 */
import { required } from '../errors/index.ts'

/** `[qualified name, type, min, max, default]`; min and max are 1 if absent, and a max of `null` means unbounded. */
export type ElementShape = readonly [
  name: string,
  type: string,
  min?: number,
  max?: number | null,
  value?: string,
]

interface Occurrences {
  readonly min?: number
  readonly max?: number | null
}

export type Particle =
  | ElementShape
  | ({ readonly choice: readonly Particle[] } & Occurrences)
  | ({ readonly sequence: readonly Particle[] } & Occurrences)
  | ({ readonly any: string; readonly process: 'lax' | 'strict' } & Occurrences)

const TOKENS = /<[^<>]*>|[()|?*+]|\{\d+,\d*\}|[^\s()|<>?*+{}]+/g

const REPEATS: Readonly<Record<string, readonly [min: number, max: number | null]>> = {
  '?': [0, 1],
  '*': [0, null],
  '+': [1, null],
}

const repeatOf = (token: string | undefined): readonly [min: number, max: number | null] | null => {
  if (token === undefined) return null
  const numbers = /^\{(\d+),(\d*)\}$/.exec(token)
  if (numbers) return [Number(numbers[1]), numbers[2] === '' ? null : Number(numbers[2])]
  return REPEATS[token] ?? null
}

/**
 * Parses a content model into particles. `typeOf` returns the type of a global element.
 *
 * @example
 * particlesOf('a:B? C=xs:date*', () => 'a:T') // => [['a:B', 'a:T', 0, 1], [':C', 'xs:date', 0, null]]
 */
export function particlesOf(content: string, typeOf: (element: string) => string): Particle[] {
  const tokens = content.match(TOKENS) ?? []
  let at = 0
  const repeat = (): readonly [number, number | null] => {
    const found = repeatOf(tokens[at])
    if (found) at++
    return found ?? [1, 1]
  }
  const part = (): Particle => {
    const token = required(tokens[at++])
    if (token === '(') {
      const { parts, choice } = group()
      at++
      const [min, max] = repeat()
      return choice ? { choice: parts, min, max } : { sequence: parts, min, max }
    }
    if (token.startsWith('<')) {
      const [namespace, process] = token.slice(1, -1).split(' ') as [string, 'lax' | 'strict']
      const [min, max] = repeat()
      return { any: namespace, process, min, max }
    }
    const [name, type, value] = token.split('=') as [string, string?, string?]
    const [min, max] = repeat()
    const qualified = name.includes(':') ? name : `:${name}`
    const element = [qualified, type ?? typeOf(name), min, max] as const
    return value === undefined ? element : [...element, value]
  }
  const group = (): { parts: Particle[]; choice: boolean } => {
    const parts: Particle[] = []
    let choice = false
    while (at < tokens.length && tokens[at] !== ')') {
      if (tokens[at] === '|') {
        choice = true
        at++
      } else parts.push(part())
    }
    return { parts, choice }
  }
  return group().parts
}
