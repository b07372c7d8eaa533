/**
 * Spanish NIF: RD 1065/2007 arts. 18 to 22 (persons: DNI, NIE and the K, L, M series; entities), Orden EHA/451/2008
 * (letters of the entities and their control character).
 *
 * Not checked: whether the number was issued, and whether it belongs to the given name. Only the AEAT's census has this
 * information.
 */
import { ENTITY_FORM, type EntityForm, entityControl, entityLetter, isControlFormAllowed } from './entity.ts'
import { compact, isDigit, isLetter, MAX_RAW_LENGTH } from './id-text.ts'
import type { TaxIdCheck, TaxIdKind, TaxIdReason } from './tax-id-types.ts'

/** Control letters of natural persons: number mod 23. */
const PERSON_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'

/** For each digit, the digit sum of its double. */
const DOUBLED: readonly number[] = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]

const result = (normalized: string, kind: TaxIdKind | null, reason: TaxIdReason | null) =>
  ({
    valid: reason === null,
    kind,
    normalized,
    person_type_code: kind === null ? null : kind === 'CIF' ? 'J' : 'F',
    country: 'ES',
    reason,
  }) as TaxIdCheck

const person = (id: string, kind: TaxIdKind, number: number, alternative: string): TaxIdCheck => {
  const control = id.charAt(8)
  if (isDigit(id.charCodeAt(8))) return result(id, kind, 'control_form')
  if (control !== PERSON_LETTERS.charAt(number % 23) && control !== alternative)
    return result(id, kind, 'control')
  return result(id, kind, id === '00000000T' ? 'placeholder' : null)
}

const entity = (id: string, form: EntityForm, control: number): TaxIdCheck => {
  if (entityControl(id.charAt(8)) !== control) return result(id, 'CIF', 'control')
  return result(id, 'CIF', isControlFormAllowed(id, form) ? null : 'control_form')
}

/** Checks nine characters. One pass over the digits computes the values for both formulas. */
const inspect = (id: string): TaxIdCheck => {
  let number = 0
  let sum = 0
  for (let i = 1; i < 8; i++) {
    const digit = id.charCodeAt(i) - 48
    if (!(digit >= 0 && digit <= 9)) return result(id, null, 'format')
    number = number * 10 + digit
    sum += i % 2 === 1 ? DOUBLED[digit]! : digit
  }
  const last = id.charCodeAt(8)
  if (!isDigit(last) && !isLetter(last)) return result(id, null, 'format')
  const control = (10 - (sum % 10)) % 10
  const first = id.charAt(0)
  const form = ENTITY_FORM[first]
  if (form !== undefined) return entity(id, form, control)
  if (first === 'K' || first === 'L' || first === 'M') return person(id, 'KLM', number, entityLetter(control))
  if (first === 'X' || first === 'Y' || first === 'Z') {
    return person(id, 'NIE', number + (id.charCodeAt(0) - 88) * 1e7, '')
  }
  if (isDigit(id.charCodeAt(0))) return person(id, 'DNI', number + (id.charCodeAt(0) - 48) * 1e7, '')
  return result(id, null, 'format')
}

/**
 * Removes the prefix `ES` before nine characters if the second of the nine is a digit, so that it never removes two
 * prefixes.
 */
const withoutPrefix = (id: string): string =>
  id.length === 11 && id.startsWith('ES') && isDigit(id.charCodeAt(3)) ? id.slice(2) : id

/**
 * Checks a Spanish NIF. Accepts separators, lower case and a leading `ES`. The engine calls this function very often,
 * so it is optimised for speed.
 *
 * K, L and M numbers may have the letter of either formula in use. Sources: see the head of this file.
 *
 * @example
 * spanishTaxId('es-a58818501').normalized // => 'A58818501'
 * spanishTaxId('12345678A').reason // => 'control'
 */
export const spanishTaxId = (value: string): TaxIdCheck => {
  if (value.length === 9) {
    const direct = inspect(value)
    if (direct.valid) return direct
  }
  if (value.length > MAX_RAW_LENGTH) return result('', null, 'length')
  const id = withoutPrefix(compact(value))
  if (id.length === 9) return inspect(id)
  return result(id, null, id.length === 0 ? 'empty' : 'length')
}
