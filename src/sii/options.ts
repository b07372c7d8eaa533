/** What callers pass besides invoices: names and kinds are checked, so that no option is lost by a slip of the pen. */
import { checkMembers, type OptionKind, shown } from '../fiscal/check-options.ts'
import { isDate } from '../invoice/index.ts'

export {
  checkKinds,
  checkList,
  checkMembers,
  checkObject,
  isObject,
  type OptionKind,
  type OptionKinds,
  shown,
} from '../fiscal/check-options.ts'

/** The options of a function, each known and of its kind. */
export const checkOptions = (options: unknown, kinds: Readonly<Record<string, OptionKind>>): void =>
  checkMembers(options, kinds, 'options')

const REFERENCE: Readonly<Record<string, OptionKind>> = { invoice_number: 'text', issue_date: 'any' }

/** A list of invoices by number and day. */
export function checkReferences(name: string, list: readonly unknown[] | undefined): void {
  list?.forEach((reference, index) => {
    const place = `options.${name}[${index}]`
    checkMembers(reference, REFERENCE, place)
    const { invoice_number: number, issue_date: day } = reference as Readonly<Record<string, unknown>>
    if (typeof number !== 'string' || number.trim() === '')
      throw new TypeError(`cuadra: "invoice_number" of ${place} is ${shown(number)}; pass a text`)
    if (typeof day !== 'string' || !isDate(day))
      throw new TypeError(`cuadra: "issue_date" of ${place} is ${shown(day)}; pass a date YYYY-MM-DD`)
  })
}

/**
 * Members of a record that the caller passes: only the names that the type allows.
 *
 * @example
 * fieldsOf({ Cupon: 'S' }, { Cupon: true }) // => { Cupon: 'S' }
 */
export function fieldsOf<T extends object>(
  fields: T | undefined,
  allowed: Readonly<Record<keyof T & string, true>>,
): T {
  for (const name of Object.keys(fields ?? {}))
    if (!Object.hasOwn(allowed, name))
      throw new TypeError(
        `cuadra: option "fields" must not have "${name}"; it takes ${Object.keys(allowed).join(', ')}`,
      )
  return Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== undefined)) as T
}
