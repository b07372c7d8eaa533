/** Every kind of message, those before others whose invoices have to be registered first. */
import { ISSUED, RECEIVED } from './invoices.ts'
import type { Kind } from './kind.ts'
import { COLLECTIONS, PAYMENTS } from './movements.ts'

export const KINDS: readonly Kind[] = [ISSUED, RECEIVED, COLLECTIONS, PAYMENTS]

/** The kind of a stored submission. */
export function kindOf(name: string | null): Kind {
  const kind = KINDS.find((one) => one.name === name)
  if (!kind)
    throw new Error(`A submission carries "${name}", which this program does not know. Start the newer one.`)
  return kind
}
