/** Messages as they go out. */
import { type SiiMessageResult, type SiiOperation, siiXml, submission } from '../../../../sii/index.ts'
import type { CompanyRecord } from '../../company/company.ts'
import type { Entry, Kind } from './kind.ts'

/**
 * The most records of a message. The service takes 10,000; a thousand are some three megabytes, which are answered well
 * within the time that an answer is waited for, written down in one transaction, and asked for by one query.
 */
export const MOST_RECORDS = 1000

/** The message with these records, all of one operation. */
export function messageOf(
  { book }: Kind,
  operation: SiiOperation,
  { data }: CompanyRecord,
  entries: readonly Entry[],
  locale: 'en' | 'es' = 'en',
): SiiMessageResult {
  const holder = { name: data.legal_name, nif: data.tax_id }
  return submission({ book, operation, holder, records: entries.map(({ record }) => record), locale })
}

export const messageXml = (made: Extract<SiiMessageResult, { ok: true }>): string => siiXml(made.message)
