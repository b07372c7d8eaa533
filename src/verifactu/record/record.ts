/** What every kind of record has in common: its options, its end, its answer. */
import { LOCALE, type OptionKind } from '../../fiscal/check-options.ts'
import type { Locale, ValidationItem } from '../../invoice/index.ts'
import type { ListCode, Refusals } from '../../messages/index.ts'
import { chainTo, checkTimestamp, type Previous } from '../chain/link.ts'
import { hashOf, type Sha256 } from '../model/hash.ts'
import type { RecordCode } from '../model/record-items.ts'
import type { FiscalRecord, SistemaInformatico } from '../model/types.ts'
import { type CheckItem, checkRecord } from '../rules/check.ts'

/** What every record needs besides its own data. */
export interface RecordOptions {
  /** The issuing system, as its responsible declaration describes it. */
  readonly system: SistemaInformatico
  /** Last record of the chain, or its link; `null` only for the very first one. */
  readonly previous: Previous
  /** Local time of the place of issue with its offset: `2027-01-31T10:00:00+01:00` (`spanishMoment` makes it). */
  readonly timestamp: string
  /** True where this taxpayer or installation goes on with the chain of another one (a merger). */
  readonly chain_continues?: boolean
  /** A faster SHA-256 of the host. */
  readonly hash?: Sha256
  /** Language of the items. Default `en`. */
  readonly locale?: Locale
}

/** Why there is no record, in the codes of the record's makers and of the authority; or what should be known of it. */
export type RecordItem = ValidationItem<RecordCode | ListCode> | CheckItem

/** A record, or the reasons why there is none: never half of one. */
export type RecordResult<R extends FiscalRecord> =
  | {
      readonly ok: true
      readonly record: R
      readonly hash: string
      readonly items: readonly RecordItem[]
    }
  | {
      readonly ok: false
      readonly record: null
      readonly hash: null
      readonly items: readonly RecordItem[]
    }

/** No record, and why. */
export const none = (items: readonly RecordItem[]) =>
  ({ ok: false, record: null, hash: null, items }) as const

/** Options that every record takes. */
export const RECORD_OPTIONS = {
  // These three are refused in words of their own.
  system: 'any',
  previous: 'any',
  timestamp: 'any',
  hash: 'function',
  locale: LOCALE,
  chain_continues: 'boolean',
} as const satisfies Readonly<Record<string, OptionKind>>

/** True for a block; what is in it the authority's checks say. */
export const isSystem = (system: unknown): boolean => typeof system === 'object' && system !== null

/** The chain that the record becomes part of: where, when, and of which system. */
export function linkTo(issuer: string | undefined, options: RecordOptions, found: Refusals<RecordCode>) {
  const { system, timestamp, previous, chain_continues: continues = false, hash } = options
  if (!isSystem(system)) found.refuse('record.system', '/system')
  checkTimestamp(timestamp, found.refuse)
  return chainTo(previous, { timestamp, taxpayer: issuer, system, continues, hash }, found)
}

/** Completes a record with its hash, holds it against the authority's checks, and answers. */
export function finished<R extends FiscalRecord>(
  unhashed: R,
  withHash: (record: R, hash: string) => R,
  warnings: readonly RecordItem[],
  options: RecordOptions,
): RecordResult<R> {
  const hash = hashOf(unhashed, options.hash)
  const record = withHash(unhashed, hash)
  const items = checkRecord(record, {
    now: options.timestamp,
    chainStarted: options.previous !== null,
    locale: options.locale ?? 'en',
    ...(options.hash ? { hash: options.hash } : {}),
  })
  const all = [...items, ...warnings]
  return all.some((item) => item.severity === 'error') ? none(all) : { ok: true, record, hash, items: all }
}
