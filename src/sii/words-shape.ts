/** The shape of an item's words: what is wrong, how to mend it, the law, in both languages. */
import type { Text } from '../invoice/index.ts'

export interface Words {
  readonly message: Text
  readonly mend: Text
  readonly law: string
}

type Pair = readonly [message: string, mend: string]

/** Placeholders are `path`, `field` (its last part) and the members of `extra`. */
export const words = (law: string, en: Pair, es: Pair): Words => ({
  message: { en: en[0], es: es[0] },
  mend: { en: en[1], es: es[1] },
  law,
})
