/** The breakdown as the client sent it. */
import type { TaxOutput } from '#core/invoice/index.ts'
import type { Context } from './rule.ts'

/** Calls `visit` with each breakdown entry that the client sent, and its path. */
export const visitEntries = (
  context: Context,
  visit: (entry: TaxOutput, path: string, index: number) => void,
): void => {
  for (const [index, entry] of (context.sent.taxes_outputs ?? []).entries())
    visit(entry, `/invoice/taxes_outputs/${index}`, index)
}
