/** Finds tax ids and account numbers with valid check characters, and repairs misread ones. */
import { checkIban, checkTaxId, spanishTaxId } from '../../identifiers/index.ts'

export interface FoundId {
  readonly value: string
  /** Whether it was misread, and is the only id with valid check characters that it can be. */
  readonly isRepaired: boolean
}

/** Characters that a misread letter can be as digits, and a misread digit as letters. */
const DIGIT_FOR: Readonly<Record<string, string>> = {
  O: '0',
  Q: '0',
  D: '0',
  I: '1',
  L: '1',
  S: '5',
  B: '8',
  Z: '27',
  G: '6',
  T: '7',
}
const LETTER_FOR: Readonly<Record<string, string>> = {
  '0': 'DQ',
  '1': 'J',
  '2': 'Z',
  '5': 'S',
  '6': 'G',
  '7': 'Z',
  '8': 'B',
}

const isSpanish = (id: string): boolean => spanishTaxId(id).valid

/** Returns every text made of one reading of each character. */
function spellings(readings: readonly string[]): string[] {
  let found = ['']
  for (const one of readings) {
    found = found.flatMap((start) => [...one].map((character) => start + character))
    if (found.length > 64) return []
  }
  return found
}

const asDigit = (character: string): string =>
  /\d/.test(character) ? character : (DIGIT_FOR[character] ?? '')
const asLetter = (character: string): string =>
  /[A-Z]/.test(character) ? character : (LETTER_FOR[character] ?? '')

/** Returns what nine characters can be: a letter with digits, or digits with a letter. */
function readingsOf(id: string): string[] {
  const characters = [...id]
  const digits = characters.map(asDigit)
  const letters = characters.map(asLetter)
  const first = letters[0] ?? ''
  const last = `${letters[8] ?? ''}${digits[8] ?? ''}`
  const person = spellings([...digits.slice(0, 8), letters[8] ?? ''])
  const entity = spellings([first, ...digits.slice(1, 8), last])
  return [...person, ...entity]
}

/** Returns the only Spanish tax id that a misread one can be. */
function repaired(id: string): string | undefined {
  const shorter = [...id].flatMap((character, at) =>
    id.length === 10 && character === id[at + 1] ? [id.slice(0, at) + id.slice(at + 1)] : [],
  )
  const candidates = id.length === 9 ? readingsOf(id) : shorter
  const right = [...new Set(candidates.filter(isSpanish))]
  if (right.length === 1) return right[0]
  // Nine digits are not a tax id: the last one stands for the letter, which follows from the others.
  if (right.length > 1 || !/^\d{9}$/.test(id)) return undefined
  const letter = [...'TRWAGMYFPDXBNJZSQVHLCKE'].find((one) => isSpanish(id.slice(0, 8) + one))
  return letter && id.slice(0, 8) + letter
}

const SEPARATORS = /[\s.\-–/]/g
const SPANISH_FORM =
  /(?<![A-Z0-9])(?:ES[-\s]?)?([A-Z][-.\s]?\d(?:[-.\s]?\d){6}[-.\s]?[A-Z0-9]|\d{1,2}[-.\s]?\d{3}[-.\s]?\d{3}[-.\s]?[A-Z])(?![A-Z0-9])/g
const EUROPEAN_FORM = /(?<![A-Z0-9])[A-Z]{2}[-\s]?[0-9A-Z]{2,12}(?![A-Z0-9])/g
/** Labels of a tax id. */
export const ID_LABEL =
  /\b(?:n\.?\s?i\.?\s?f|c\.?\s?i\.?\s?f|d\.?\s?n\.?\s?i|n\.?\s?i\.?\s?e|v\.?a\.?t|tax id|id fiscal)\b(?:[\s.]*(?:-?iva|id|no|number|reg(?:istration)?|\/\s?(?:cif|nif|vat)|n[ºo°]))*[.:\s#ºo°]*/

/** Returns the tax ids in a text. Repairs a misread one only after a label. */
export function taxIdsIn(text: string, isAnnounced: boolean): FoundId[] {
  const upper = text.toUpperCase()
  const found = new Map<string, FoundId>()
  for (const [, form = ''] of upper.matchAll(SPANISH_FORM)) {
    const id = form.replaceAll(SEPARATORS, '')
    if (isSpanish(id)) found.set(id, { value: id, isRepaired: false })
  }
  if (found.size > 0 || !isAnnounced) return [...found.values()]
  for (const [form] of upper.matchAll(EUROPEAN_FORM)) {
    const id = form.replaceAll(SEPARATORS, '')
    const { valid, kind, normalized } = checkTaxId(id)
    if (valid && kind === 'EU_VAT') return [{ value: normalized, isRepaired: false }]
  }
  const [token = ''] = /^[A-Z0-9](?:[-.\s]?[A-Z0-9]){8,11}/.exec(upper) ?? []
  const compact = token.replaceAll(SEPARATORS, '').replace(/^ES(?=.{9})/, '')
  const right = repaired(compact.length > 10 ? compact.slice(0, 9) : compact)
  return right === undefined ? [] : [{ value: right, isRepaired: true }]
}

/** Whether a text after a label looks like a tax id. */
export const isIdLike = (text: string): boolean => /^\W*(?:[A-Z]{0,2}[-.\s]?)?(?:\d[-.\s]?){6,}/i.test(text)

const IBAN_FORM = /(?<![A-Z0-9])[A-Z]{2}[0-9OISBZ]{2}(?:[\s-]?[0-9A-Z]){11,30}/g

/** Returns the account numbers in a text with valid check digits. */
export function ibansIn(text: string): FoundId[] {
  const found = new Map<string, FoundId>()
  for (const [form] of text.toUpperCase().matchAll(IBAN_FORM)) {
    const compact = form.replaceAll(SEPARATORS, '')
    // Text may follow the number without a gap: 24 is the length of a Spanish IBAN.
    const [whole] = [compact, compact.slice(0, 24)].filter((one) => checkIban(one).valid)
    const digits = compact
      .slice(0, 24)
      .replace(/(?<=^..).*/, (rest) => [...rest].map((one) => asDigit(one)[0] ?? one).join(''))
    const value = whole ?? (compact.startsWith('ES') && checkIban(digits).valid ? digits : undefined)
    if (value) found.set(value, { value, isRepaired: value !== whole })
  }
  return [...found.values()]
}
