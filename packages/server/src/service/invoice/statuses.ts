/** Names of statuses in responses and events (specification, "Invoice event"). */
import type { Status } from '../../store/tables.ts'

export const ISSUED_STATUSES = ['draft', 'issued', 'sent', 'cancelled', 'queued'] as const
export const RECEIVED_STATUSES = ['received', 'draft', 'issued', 'sent', 'cancelled'] as const

/** Returns the name of a status in events, such as `DRAFT` or `ISSUED`. */
export const eventStatusOf = (status: Status): string => status.toUpperCase()

/** Whether an issued invoice is in force. */
export const isInForce = (status: Status): boolean => status === 'issued' || status === 'sent'
