/** Names of statuses: those of answers, and the internal ones of events (specification, "Invoice event"). */
import type { Status } from '../../store/tables.ts'

export const ISSUED_STATUSES = ['draft', 'issued', 'sent', 'cancelled', 'queued'] as const
export const RECEIVED_STATUSES = ['received', 'draft', 'issued', 'sent', 'cancelled'] as const

/** `DRAFT`, `ISSUED`...: how events name a status. */
export const internalStatus = (status: Status): string => status.toUpperCase()

/** Issued invoices that are in force. */
export const isInForce = (status: Status): boolean => status === 'issued' || status === 'sent'
