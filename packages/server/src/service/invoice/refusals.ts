/** Errors for invoices that cannot be saved as requested. */
import { ApiError } from '../../errors/api-error.ts'
import { REASONS } from '../../generated/texts/invoices.ts'

/** Returns the error for an update that is not allowed. `invoice_id` is the id of a conflicting invoice, if any. */
export const updateRefused = (reason: keyof typeof REASONS, invoice_id?: string): ApiError =>
  new ApiError('invoice_update_not_allowed', {
    reason: REASONS[reason],
    ...(invoice_id !== undefined && { invoice_id }),
  })

/** Returns the error for a new draft whose `external_ref` is taken. It contains the id of the draft that has it. */
export const referenceTakenError = (invoice_id: string): ApiError =>
  new ApiError('invoice_update_not_allowed', {
    reason: {
      en: `the draft ${invoice_id} already has this external_ref; change it with PUT /drafts, or send another external_ref`,
      es: `el borrador ${invoice_id} ya tiene este external_ref; modifíquelo con PUT /drafts o envíe otro external_ref`,
    },
    invoice_id,
  })

/**
 * Returns the error for a row that changed while the transaction waited for its lock. The store treats it like a
 * conflict reported by the database, and repeats the transaction.
 */
export const concurrentChangeError = (): Error =>
  Object.assign(new Error('changed while waiting for its lock'), { code: '40001' })
