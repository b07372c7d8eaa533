/** Messages for invoices that cannot be written as requested. */
import { ApiError } from '../../errors/api-error.ts'
import { REASONS } from '../../generated/texts/invoices.ts'

/** Returns the error for an update that is not allowed. `invoice_id` is the other invoice that conflicts, if any. */
export const updateRefused = (reason: keyof typeof REASONS, invoice_id?: string): ApiError =>
  new ApiError('invoice_update_not_allowed', {
    reason: REASONS[reason],
    ...(invoice_id !== undefined && { invoice_id }),
  })

/** Returns the error for a draft whose `external_ref` exists. It names the existing draft, for repeated requests. */
export const draftedAlready = (invoice_id: string): ApiError =>
  new ApiError('invoice_update_not_allowed', {
    reason: {
      en: `the draft ${invoice_id} already has this external_ref; change it with PUT /drafts, or send another external_ref`,
      es: `el borrador ${invoice_id} ya tiene este external_ref; modifíquelo con PUT /drafts o envíe otro external_ref`,
    },
    invoice_id,
  })

/**
 * Returns the error for a row that changed while the transaction waited for its lock. The store treats it like a
 * conflict of the database, and runs the transaction again.
 */
export const conflict = (): Error =>
  Object.assign(new Error('changed while waiting for its lock'), { code: '40001' })
