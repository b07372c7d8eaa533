/** Writes JSON with sorted members, so that requests with equal values have the same text. */
import { createHash } from 'node:crypto'
import { isMembers } from './batch-body.ts'

/**
 * Returns a value as JSON with sorted members. Values that differ only in the order of members or in notation (`1.0`
 * and `1`) have the same text.
 */
export const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    isMembers(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )

/** Returns the SHA-256 of a value, which may be missing. */
export const digestOf = (value: unknown = {}): string =>
  createHash('sha256').update(sortedJson(value)).digest('hex')
