/** What callers pass besides invoices: names and kinds are checked, so that no option is lost by a slip of the pen. */
import { checkMembers, type OptionKind } from '../../fiscal/check-options.ts'

/** The options of a function, each known and of its kind. */
export const checkOptions = (options: unknown, kinds: Readonly<Record<string, OptionKind>>): void =>
  checkMembers(options, kinds, 'options')

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
