/** Messages for invoices that cannot be written as requested. */
import { ApiError } from '../../errors/api-error.ts'

const REASONS = {
  not_draft: { en: 'it is no longer a draft', es: 'ya no es un borrador' },
  received: { en: 'it is a received invoice', es: 'es una factura recibida' },
  issued: { en: 'it is an issued invoice', es: 'es una factura emitida' },
  other_identity: {
    en: 'another received invoice has the same supplier, number and year',
    es: 'otra factura recibida tiene el mismo emisor, número y año',
  },
  queued: { en: 'it is reserved by a bulk issue', es: 'está reservada por una emisión masiva' },
  other_ref: {
    en: 'its meta.external_ref belongs to another invoice',
    es: 'su meta.external_ref es de otra factura',
  },
  issued_here: {
    en: 'its number belongs to an invoice that was issued here',
    es: 'su número corresponde a una factura emitida aquí',
  },
  cancelled: {
    en: 'its number belongs to an imported invoice that was cancelled',
    es: 'su número corresponde a una factura importada que se anuló',
  },
  other_series: {
    en: 'its number belongs to an imported invoice of another series',
    es: 'su número corresponde a una factura importada de otra serie',
  },
} as const

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
