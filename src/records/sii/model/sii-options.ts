/** Checks the arguments other than the invoice, so that a mistyped option is not ignored. */

import { withoutUndefined } from '#core/invoice/index.ts'
import { checkMembers, type OptionKind } from '../../fiscal/check-options.ts'

/** Checks that each option is known and of the right type. */
export const checkOptions = (options: unknown, kinds: Readonly<Record<string, OptionKind>>): void =>
  checkMembers(options, kinds, 'options')

/**
 * Returns the members that the caller passes to copy into a record. Throws a `TypeError` for a name that is not
 * allowed.
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
  return withoutUndefined(fields ?? ({} as T))
}
