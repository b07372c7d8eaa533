/** The audit of a chain as a request. */
import type { Locale } from '../invoice/index.ts'
import { type ChainOptions, verifyChain } from '../verifactu/chain/verify-chain.ts'
import type { FiscalRecord } from '../verifactu/model/types.ts'
import { shortened } from './operations.ts'
import { knownOptions } from './options.ts'
import { refusal } from './refusal.ts'

const OPTIONS = {
  after: 'object',
  now: 'text',
  split: 'boolean',
  chain_continues: 'boolean',
  locale: 'text',
} as const

/** `document` is the list of records. */
export function verifyChainOperation(document: unknown, options: unknown, locale: Locale): unknown {
  const known = knownOptions(options, OPTIONS) as ChainOptions
  if (!Array.isArray(document)) return refusal('records', locale, { received: shortened(document) })
  return verifyChain(document as FiscalRecord[], known)
}
