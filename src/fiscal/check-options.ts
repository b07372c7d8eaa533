/** Options are a programmer's: a wrong one throws at once, and says which. */

/** What an option may be: a kind of value, or one of the texts listed. `any` is judged by whoever uses it. */
export type OptionKind =
  | 'any'
  | 'text'
  | 'boolean'
  | 'number'
  | 'object'
  | 'list'
  | 'function'
  | readonly string[]

const shown = (value: unknown): string => {
  const text = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value))
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

const fits = (value: unknown, kind: OptionKind): boolean => {
  if (typeof kind !== 'string') return typeof value === 'string' && kind.includes(value)
  if (kind === 'list') return Array.isArray(value)
  if (kind === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  if (kind === 'text') return typeof value === 'string'
  if (kind === 'boolean') return typeof value === 'boolean'
  if (kind === 'number') return typeof value === 'number'
  return kind === 'any' || typeof value === 'function'
}

const WORDS: Readonly<Record<string, string>> = {
  text: 'a text',
  boolean: 'true or false',
  number: 'a number',
  object: 'an object',
  list: 'a list',
  function: 'a function',
}

/**
 * Throws a `TypeError` for options that are no object, an option that does not exist, or one of the wrong kind.
 * Options that are `undefined` count as absent.
 *
 * @example
 * checkOptions('f', { locale: 'es' }, { locale: ['en', 'es'] }) // => undefined
 */
export function checkOptions(
  name: string,
  options: unknown,
  kinds: Readonly<Record<string, OptionKind>>,
): void {
  if (!fits(options, 'object'))
    throw new TypeError(`cuadra: ${name} needs its options, an object; it got ${shown(options)}`)
  for (const [option, value] of Object.entries(options as Record<string, unknown>)) {
    const kind = Object.hasOwn(kinds, option) ? kinds[option] : undefined
    if (kind === undefined)
      throw new TypeError(
        `cuadra: ${name} has no option "${option}"; it has ${Object.keys(kinds).join(', ')}`,
      )
    if (value === undefined || fits(value, kind)) continue
    const wanted = typeof kind === 'string' ? WORDS[kind] : `one of ${kind.join(', ')}`
    throw new TypeError(`cuadra: option "${option}" of ${name} is ${shown(value)}; pass ${wanted}`)
  }
}
