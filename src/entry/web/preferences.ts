/** Headers with the client's preferences: `Accept` and `Accept-Language` (RFC 9110, section 12.5). */
import type { Locale } from '#core/invoice/index.ts'

interface Preference {
  readonly name: string
  readonly weight: number
}

const weightOf = (parameters: readonly string[]): number => {
  const stated = parameters.map((text) => /^\s*q=([\d.]+)\s*$/i.exec(text)?.[1]).find((text) => text)
  return stated === undefined ? 1 : Number(stated) || 0
}

const preferencesOf = (header: string): Preference[] =>
  header.split(',').map((part) => {
    const [name = '', ...parameters] = part.split(';')
    return { name: name.trim().toLowerCase(), weight: weightOf(parameters) }
  })

/**
 * Returns the language of an `Accept-Language` header, or English if it contains neither English nor Spanish.
 *
 * @example
 * languageOf('ca, es-ES;q=0.9, en;q=0.8') // => 'es'
 * languageOf('fr') // => 'en'
 */
export function languageOf(header: string | null): Locale {
  const wanted = preferencesOf(header ?? '').sort((a, b) => b.weight - a.weight)
  for (const { name, weight } of wanted) {
    const language = name.split('-')[0]
    if (weight > 0 && (language === 'es' || language === 'en')) return language
  }
  return 'en'
}

const weightFor = (ranges: readonly Preference[], type: string): number => {
  for (const name of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const range = ranges.find((one) => one.name === name)
    if (range) return range.weight
  }
  return 0
}

/**
 * Whether the client prefers a media type to JSON. Without a preference, the client gets JSON.
 *
 * @example
 * prefers('application/xml', 'application/xml') // => true
 */
export function prefers(accept: string | null, type: string): boolean {
  const ranges = preferencesOf(accept ?? '')
  return weightFor(ranges, type) > weightFor(ranges, 'application/json')
}

/**
 * Whether the client prefers SVG to JSON. Without a preference, the client gets JSON.
 *
 * @example
 * prefersSvg('image/svg+xml, application/json;q=0.5') // => true
 * prefersSvg('image/*, application/json') // => false
 */
export const prefersSvg = (accept: string | null): boolean => prefers(accept, 'image/svg+xml')
