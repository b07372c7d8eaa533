/** Suggestions for an unknown name: first by its meaning, then by its spelling. */
import { SYNONYMS } from './synonyms.ts'
import { COMPUTED_MEMBERS } from './terms.ts'

/** Whether `a` becomes `b` if at most `count` letters are inserted, deleted, replaced or swapped. */
function isWithin(count: number, a: string, b: string): boolean {
  if (a === b) return true
  if (a[0] === b[0]) return isWithin(count, a.slice(1), b.slice(1))
  const rest = (from: number, to: number) => isWithin(count - 1, a.slice(from), b.slice(to))
  return (
    count > 0 && (rest(1, 0) || rest(0, 1) || rest(1, 1) || (a[0] === b[1] && a[1] === b[0] && rest(2, 2)))
  )
}

/** Returns the first letter of each word of a name, and its digits. */
const initials = (name: string): string => name.toLowerCase().replace(/(?<=\p{L})\p{L}|[\s_./-]/gu, '')

/**
 * Returns the names that differ from `wrong` in up to two letters; in up to three, if none differs in only one. Returns
 * none if all differ in more than two letters, or if a word begins with another letter, because it is then often
 * another word, such as date and rate.
 *
 * @example
 * nearest('tax-ratess', ['tax-rates', 'units']) // => ['tax-rates']
 */
export function nearest(wrong: string, names: readonly string[]): readonly string[] {
  const plain = wrong.slice(0, 100).toLowerCase()
  const within = (count: number) => names.filter((name) => isWithin(count, plain, name.toLowerCase()))
  // If no name differs in only one letter, names that differ in three letters are also suggested.
  const near = plain.length < 4 || within(2).length === 0 ? [] : within(within(1).length > 0 ? 2 : 3)
  return near.every((name) => initials(name) === initials(plain)) ? near : []
}

/**
 * Normalises a name like the keys of the synonyms: lower case, no accents or separators, and `rate` or `amount` for
 * their variants.
 */
const folded = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z\d]/g, '')
    .replace(/percent(age)?|porcentaje/, 'rate')
    .replace(/value|importe/, 'amount')

/** Matches the objects for which fields of other blocks are suggested, with their paths below `invoice`. */
const BLOCK = /^\/invoice\/(?:header|issue_data|totals)$/

const isSettable = (field: string): boolean => !COMPUTED_MEMBERS.has(field)

/**
 * Returns the fields that an unknown name probably means: names of its object, or paths of fields in another object.
 * The list is empty if the meaning is uncertain. Computed fields are never suggested.
 *
 * @param names The names of the object.
 * @param pointer The object in an invoice. If it is a block, such as `/invoice/header`, fields of other blocks are
 * suggested too, with their paths below `invoice`. For any other object, suggested paths are relative to it.
 *
 * @example
 * suggestedFields('vat_rate', ['quantity', 'tax_output_rate'], '/invoice/lines/0') // => ['tax_output_rate']
 * suggestedFields('due_date', ['issue_date'], '/invoice/issue_data')
 * // => ['payment_details[].installment_due_date']
 */
export function suggestedFields(name: string, names: readonly string[], pointer = ''): readonly string[] {
  const synonym = folded(name.slice(0, 100))
  const paths = Object.entries(SYNONYMS).flatMap(([fields, synonyms]) =>
    fields.split(' ').filter((path) => synonyms.split(' ').includes(synonym) || path.endsWith(`.${name}`)),
  )
  const own = names.filter(
    (field) => folded(field) === synonym || paths.some((path) => path.replace(/^.*\./, '') === field),
  )
  if (own.length > 0) return own.filter(isSettable)
  const isBlock = BLOCK.test(pointer)
  const elsewhere = paths.filter(
    (path) =>
      path.includes('.') &&
      (isBlock ? !/^(company|person)/.test(path) : names.includes(/\w+/.exec(path)![0])),
  )
  if (elsewhere.length > 0) return elsewhere
  const near = nearest(name, names)
  return near.length === 1 ? near.filter(isSettable) : []
}

/**
 * Returns the pointer of a suggested field; `undefined` if the field belongs to an entry of a list, because the entry is
 * then unknown.
 *
 * @param pointer The unknown field.
 *
 * @example
 * suggestedPointer('/invoice/header/date', 'issue_data.issue_date') // => '/invoice/issue_data/issue_date'
 */
export function suggestedPointer(pointer: string, field: string): string | undefined {
  const parent = pointer.slice(0, pointer.lastIndexOf('/'))
  if (field.includes('[')) return undefined
  const from = field.includes('.') && BLOCK.test(parent) ? '/invoice' : parent
  return `${from}/${field.replaceAll('.', '/')}`
}
