/** Options, completion and result that all kinds of records share. */

import type { Locale, ValidationItem } from '#core/invoice/index.ts'
import type { ItemCollector, ListCode } from '#core/messages/index.ts'
import { LOCALE, type OptionKind } from '../../fiscal/check-options.ts'
import { checkTimestamp, encadenamientoTo, type Previous } from '../chain/chain-link.ts'
import { hashOf, type Sha256 } from '../model/hash.ts'
import type { RecordCode } from '../model/record-items.ts'
import type { FiscalRecord, SistemaInformatico } from '../model/verifactu-record-types.ts'
import { type CheckItem, checkRecord } from '../rules/check.ts'

/** Options that every record needs in addition to its own data. */
export interface RecordOptions {
  /** The issuing system, as its responsible declaration describes it. */
  readonly system: SistemaInformatico
  /** Last record of the chain, or the link to it; `null` only for the first record. */
  readonly previous: Previous
  /** Local time of the place of issue with its offset: `2027-01-31T10:00:00+01:00` (`spanishTimestamp` returns it). */
  readonly timestamp: string
  /** True if this taxpayer or installation continues the chain of another one (a merger). */
  readonly chain_continues?: boolean
  /** A faster SHA-256 that the host provides. */
  readonly hash?: Sha256
  /** Language of the items. Default `en`. */
  readonly locale?: Locale
}

/** An error that prevented the record, or a warning about it, with a code of the builder or the authority. */
export type RecordItem = ValidationItem<RecordCode | ListCode> | CheckItem

/** The record, or the items that prevented it; never a partial record. */
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

/** Returns a result without a record. */
export const refusedResult = (items: readonly RecordItem[]) =>
  ({ ok: false, record: null, hash: null, items }) as const

/** Types of the options that every record takes. */
export const RECORD_OPTIONS = {
  // `system`, `previous` and `timestamp` are checked later and refused with items.
  system: 'any',
  previous: 'any',
  timestamp: 'any',
  hash: 'function',
  locale: LOCALE,
  chain_continues: 'boolean',
} as const satisfies Readonly<Record<string, OptionKind>>

/** Whether `SistemaInformatico` is an object. The authority's checks cover its content. */
export const isSystem = (system: unknown): boolean => typeof system === 'object' && system !== null

/** Checks system, timestamp and previous record of a new record, and returns its link. */
export function checkAndLink(
  issuer: string | undefined,
  options: RecordOptions,
  found: ItemCollector<RecordCode>,
) {
  const { system, timestamp, previous, chain_continues: continues = false, hash } = options
  if (!isSystem(system)) found.refuse('record.system', '/system')
  checkTimestamp(timestamp, found.refuse)
  return encadenamientoTo(previous, { timestamp, taxpayer: issuer, system, continues, hash }, found)
}

/** Adds the hash to a record, runs the authority's checks on it and returns the result. */
export function completeRecord<R extends FiscalRecord>(
  unhashed: R,
  withHash: (record: R, hash: string) => R,
  warnings: readonly RecordItem[],
  options: Omit<RecordOptions, 'previous'>,
): RecordResult<R> {
  const hash = hashOf(unhashed, options.hash)
  const record = withHash(unhashed, hash)
  const items = checkRecord(record, {
    now: options.timestamp,
    locale: options.locale ?? 'en',
    ...(options.hash && { hash: options.hash }),
  })
  const all = [...items, ...warnings]
  return all.some((item) => item.severity === 'error')
    ? refusedResult(all)
    : { ok: true, record, hash, items: all }
}
