/** Finds tax ids and account numbers with valid check characters, and repairs misread ones. */
import { checkIban, checkTaxId, spanishTaxId } from '#core/identifiers/index.ts'
import { patternSourceOf } from '../labels/index.ts'

export interface FoundId {
  readonly value: string
  /** Whether the letter of the id was missing, and was calculated from the digits. */
  readonly isCompleted?: boolean
  /** Whether the id was misread, and replaced by the only similar id with valid check characters. */
  readonly isRepaired: boolean
  /** Whether the printed id has a wrong check character, or is of a country without known check characters. */
  readonly isUnverified?: 'wrong' | 'unknown'
}

/** For each letter, the digits that OCR misreads as that letter; for each digit, the letters misread as that digit. */
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

/** Whether a text consists only of a Spanish tax id. */
export const isTaxId = (text: string): boolean => /^[A-Z0-9]{9}$/.test(text) && isSpanish(text)

/** Returns every combination of the possible readings of each character. */
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

/** Returns the tax ids that nine characters may be a misreading of: letter and digits, or digits and letter. */
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

/** Returns the valid Spanish tax id that was misread as this text, if there is exactly one possibility. */
function repaired(id: string): string | undefined {
  const shorter = [...id].flatMap((character, at) =>
    id.length === 10 && character === id[at + 1] ? [id.slice(0, at) + id.slice(at + 1)] : [],
  )
  const candidates = id.length === 9 ? readingsOf(id) : shorter
  const right = [...new Set(candidates.filter(isSpanish))]
  if (right.length === 1) return right[0]
  // No tax id consists of nine digits, so the last digit is a misread letter, which the other digits determine.
  return right.length === 0 && /^\d{9}$/.test(id) ? withLetter(id.slice(0, 8)) : undefined
}

/** Returns the tax id of a person with these digits. */
const withLetter = (digits: string): string | undefined => {
  const letter = [...'TRWAGMYFPDXBNJZSQVHLCKE'].find((one) => isSpanish(digits + one))
  return letter && digits + letter
}

const SEPARATORS = /[\s.\-–/]/g
const SPANISH_FORM =
  /(?<![A-Z0-9])(?:ES[-\s]?)?([A-Z][-.\s]?\d(?:[-.\s/]?\d){6}[-.\s]?[A-Z0-9]|\d{1,2}[-.\s]?\d{3}[-.\s]?\d{3}[-.\s]?[A-Z])(?![A-Z0-9])/g
/** Matches labels of a tax id, with the words and signs that may follow them. */
export const ID_LABEL = new RegExp(
  `(?:${patternSourceOf('taxId')})(?:[\\s.,/·-]*(?:${patternSourceOf('taxId')}|-?iva\\b|id\\b|no\\b|number\\b|n[ºo°]))*[.:\\s#ºo°-]*`,
)

/** Countries whose tax ids are often printed without their prefix. */
export type UnprefixedCountry = 'IT' | 'PT'

/** Maximum length of a tax id of a member state, prefix included. */
const MAX_LENGTH = 14

/** Returns the tax id of a member state with valid check digits, which may be printed in groups. */
function europeanIn(upper: string, unprefixed: readonly UnprefixedCountry[]): string | undefined {
  for (const { index } of upper.matchAll(/(?<![A-Z0-9])[A-Z]{2}[-.\s]?[0-9A-Z]/g)) {
    const compact = upper.slice(index).replaceAll(SEPARATORS, '')
    for (let length = Math.min(MAX_LENGTH, compact.length); length > 7; length--) {
      const { valid, kind, normalized } = checkTaxId(compact.slice(0, length))
      if (valid && kind === 'EU_VAT') return normalized
    }
  }
  const [digits = ''] = /\d(?:[\s.]?\d){8,10}(?!\d)/.exec(upper) ?? []
  const ids = unprefixed.map((country) => checkTaxId(`${country}${digits.replaceAll(/\D/g, '')}`))
  return ids.find(({ valid, kind }) => valid && kind === 'EU_VAT')?.normalized
}

/** How an id is looked for in a text. */
interface IdSearch {
  /** Whether a label precedes the text. */
  readonly isAnnounced: boolean
  /** Whether the text was recognised from pixels, so that an id may be misread. */
  readonly isGuessed: boolean
  readonly unprefixed?: readonly UnprefixedCountry[]
}

/** Returns the tax ids in a text. After a label, repairs an id that was misread, and keeps a printed id that is wrong. */
export function taxIdsIn(text: string, { isAnnounced, isGuessed, unprefixed = [] }: IdSearch): FoundId[] {
  const upper = text.toUpperCase()
  const found = new Map<string, FoundId>()
  for (const [, form = ''] of upper.matchAll(SPANISH_FORM)) {
    const id = form.replaceAll(SEPARATORS, '')
    if (isSpanish(id)) found.set(id, { value: id, isRepaired: false })
  }
  if (found.size > 0 || !isAnnounced) return [...found.values()]
  const european = europeanIn(upper, unprefixed)
  if (european !== undefined) return [{ value: european, isRepaired: false }]
  const completed = completedIn(upper)
  if (completed === undefined && !isGuessed) return unverifiedIn(upper)
  const right = completed ?? repairedIn(upper)
  return right ? [{ ...right, isRepaired: true }] : []
}

/** Matches a tax id as printed, from the beginning of a text: nine characters or more, most of them digits. */
const PRINTED_ID = /^\W*((?:[A-Z]{2,3}[-.\s]?)?[A-Z]?(?:[-.\s]?\d){7,12}[A-Z]{0,3})(?![A-Z0-9])/

function unverifiedIn(upper: string): FoundId[] {
  const value = PRINTED_ID.exec(upper)?.[1]?.replaceAll(SEPARATORS, '')
  if (value === undefined) return []
  const isForeign = checkTaxId(value).reason === 'unknown_country'
  return [{ value, isRepaired: false, isUnverified: isForeign ? 'unknown' : 'wrong' }]
}

/** Returns the id of a person whose letter is not printed. */
function completedIn(upper: string): Omit<FoundId, 'isRepaired'> | undefined {
  const [digits] = /^\d{8}(?=\W*$)/.exec(upper.trim()) ?? []
  const completed = digits === undefined ? undefined : withLetter(digits)
  return completed === undefined ? undefined : { value: completed, isCompleted: true }
}

function repairedIn(upper: string): Omit<FoundId, 'isRepaired'> | undefined {
  const [token = ''] = /^[A-Z0-9](?:[-.\s]?[A-Z0-9]){8,11}/.exec(upper) ?? []
  const compact = token.replaceAll(SEPARATORS, '').replace(/^ES(?=.{9})/, '')
  const value = repaired(compact.length > 10 ? compact.slice(0, 9) : compact)
  return value === undefined ? undefined : { value }
}

/** Whether a text after a label looks like a tax id. */
export const isIdLike = (text: string): boolean => /^\W*(?:[A-Z]{0,2}[-.\s]?)?(?:\d[-.\s]?){6,}/i.test(text)

const IBAN_FORM = /(?<![A-Z0-9])[A-Z]{2}[0-9OISBZ]{2}(?:[\s-]?[0-9A-Z]){11,30}/g

/** Returns the IBAN that a text begins with. Tries each length, since other text may follow the IBAN without a gap. */
function ibanAtStart(compact: string): string | undefined {
  for (let length = Math.min(34, compact.length); length >= 15; length--)
    if (checkIban(compact.slice(0, length)).valid) return compact.slice(0, length)
  return undefined
}

/** Returns the account numbers in a text with valid check digits. */
export function ibansIn(text: string): FoundId[] {
  const found = new Map<string, FoundId>()
  for (const [form] of text.toUpperCase().matchAll(IBAN_FORM)) {
    const compact = form.replaceAll(SEPARATORS, '')
    const whole = ibanAtStart(compact)
    const digits = compact
      .slice(0, 24)
      .replace(/(?<=^..).*/, (rest) => [...rest].map((one) => asDigit(one)[0] ?? one).join(''))
    const value = whole ?? (compact.startsWith('ES') && checkIban(digits).valid ? digits : undefined)
    if (value) found.set(value, { value, isRepaired: value !== whole })
  }
  return [...found.values()]
}
