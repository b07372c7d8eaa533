/**
 * Messages that state why a company's queue is blocked and how to fix it. `{reason}` is the cause. `{service}` is the
 * command group to use (`verifactu` or `sii`).
 */
import type { Locale, Text } from '#core/invoice/index.ts'
import { fill } from '#core/messages/index.ts'
import { BLOCKED } from '../../generated/texts/transmission.ts'
import { fromJson, type Json } from '../../store/stored-json.ts'

export { BLOCKED, NOT_A_RESPONSE, OTHER_TAXPAYER } from '../../generated/texts/transmission.ts'

export type BlockedReason = keyof typeof BLOCKED

/** Reasons that require no action of the administrator: the message is repeated, queried or divided automatically. */
const TRANSIENT: ReadonlySet<BlockedReason> = new Set([
  'unreachable',
  'unknown',
  'not_received',
  'settled',
  'settled_with_csv',
  'fault_service',
  'fault_record',
])
export const isTransient = ({ reason }: Pick<Blocked, 'reason'>): boolean => TRANSIENT.has(reason)

/** Why a queue is blocked. */
export interface Blocked {
  readonly reason: BlockedReason
  /** Error code of the authority, if it returned one. */
  readonly code?: number | null
  /** Seconds after which the authority's server accepts another call, if it states this. */
  readonly retryAfter?: number | null
  /** Values for the placeholders of the message. */
  readonly values?: Readonly<Record<string, string | Text>>
}

/** Returns the reason for a certificate whose holder is not the company. */
export const otherHolderBlocked = (company_id: string, holder: string | null, tax_id: string): Blocked => ({
  reason: 'certificate_of_another',
  values: { company_id, holder: holder ?? '', tax_id },
})

/**
 * Returns the columns of a submission for a blocked queue. The message is built when the submission is read, in the
 * reader's language.
 */
export const columnsOf = ({ reason, code, values = {} }: Blocked) => ({
  error_code: code ? String(code) : reason,
  error_message: JSON.stringify({ reason, values }),
})

const inLocale = (value: string | Text, locale: Locale): string =>
  typeof value === 'string' ? value : value[locale]

/** Returns the message that explains why a queue is blocked. */
export function blockedMessage({ reason, values = {} }: Blocked, locale: Locale): string {
  const named = Object.entries({ service: 'verifactu', ...values }).map(([name, value]) => [
    name,
    inLocale(value, locale),
  ])
  return fill(BLOCKED[reason][locale], Object.fromEntries(named), locale)
}

/** Returns the message of a stored reason. A text of the authority is returned unchanged. */
export const storedMessage = (stored: string | null, locale: Locale): string | null =>
  stored?.startsWith('{"reason":') ? blockedMessage(fromJson<Json<Blocked>>(stored), locale) : stored
