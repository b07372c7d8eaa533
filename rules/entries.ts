/** The breakdown as the client sent it. */
import type { TaxOutput } from '../src/invoice/index.ts'
import type { Context } from './rule.ts'

/** The entries that the client sent in its breakdown, with their paths. */
export const eachEntry = (
  context: Context,
  look: (entry: TaxOutput, path: string, index: number) => void,
): void => {
  for (const [index, entry] of (context.sent.taxes_outputs ?? []).entries())
    look(entry, `/invoice/taxes_outputs/${index}`, index)
}
