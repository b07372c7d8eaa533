/** Suggestions for an unknown name: first by its meaning, then by its spelling. */
import { SYNONYMS } from './synonyms.ts'

/** Whether `a` becomes `b` if at most `count` letters are inserted, deleted, swapped or, unless `isShort`, replaced. */
function isWithin(count: number, a: string, b: string, isShort: boolean): boolean {
  if (a === b) return true
  if (a[0] === b[0]) return isWithin(count, a.slice(1), b.slice(1), isShort)
  const rest = (from: number, to: number) => isWithin(count - 1, a.slice(from), b.slice(to), isShort)
  return (
    count > 0 &&
    (rest(1, 0) || rest(0, 1) || (!isShort && rest(1, 1)) || (a[0] === b[1] && a[1] === b[0] && rest(2, 2)))
  )
}

const partsOf = (name: string): string[] => name.toLowerCase().split(/[\s_./-]+|(?=\d)/)

/**
 * Returns the names that differ from `wrong` in up to two letters of one word, or in capitals and separators. In a word
 * of four or five letters, one letter may be missing, extra or swapped. Replacing one often gives another word, such as
 * date and rate.
 *
 * @example
 * nearest('tax-ratess', ['tax-rates', 'units']) // => ['tax-rates']
 */
export function nearest(wrong: string, names: readonly string[]): readonly string[] {
  const parts = partsOf(wrong.slice(0, 100))
  return names.filter((name) => {
    const right = partsOf(name)
    const [at, another] = right.flatMap((word, index) => (word === parts[index] ? [] : [index]))
    if (right.length !== parts.length || another !== undefined || wrong.length < 4) return false
    if (at === undefined) return true
    const word = right[at]!
    const isShort = word.length < 6
    return word.length > 3 && isWithin(isShort ? 1 : 2, parts[at]!, word, isShort)
  })
}

/** Returns a name as the synonyms are written: without capitals, accents and separators, and with `rate` and `amount`. */
const folded = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z\d]/g, '')
    .replace(/percent(age)?|porcentaje/, 'rate')
    .replace(/value|importe/, 'amount')

/**
 * Returns the fields that an unknown name probably means: names of its object, or paths to another one. Without a sure
 * meaning, the list is empty.
 *
 * @param names The names that the object may have, without computed fields.
 * @param pointer The object in an invoice. If it is a block, such as `/invoice/header`, fields of other blocks are
 * suggested too, by their path from `invoice`. Other paths begin in the object.
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
    (field) => folded(field) === synonym || paths.some((path) => path.replace(/.*\./, '') === field),
  )
  if (own.length > 0) return own
  const isBlock = /^\/invoice\/(header|issue_data|totals)$/.test(pointer)
  const elsewhere = paths.filter(
    (path) =>
      path.includes('.') &&
      (isBlock ? !/^(company|person)/.test(path) : names.includes(/\w+/.exec(path)![0])),
  )
  if (elsewhere.length > 0) return elsewhere.slice(0, 2)
  const near = nearest(name, names)
  return near.length === 1 ? near : []
}
