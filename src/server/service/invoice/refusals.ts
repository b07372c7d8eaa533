/** Why an invoice is not written as the client wants it, in words. */
import { ApiError } from '../../errors/api-error.ts'

const REASONS = {
  not_draft: { en: 'it is no draft any more', es: 'ya no es un borrador' },
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
    en: 'its number is held by an invoice that was issued here',
    es: 'su número es de una factura emitida aquí',
  },
  cancelled: {
    en: 'its number is held by an imported invoice that was cancelled',
    es: 'su número es de una factura importada que se anuló',
  },
  other_series: {
    en: 'its number is held by an imported invoice of another series',
    es: 'su número es de una factura importada de otra serie',
  },
} as const

/** `invoice_id` names the invoice that stands in the way, where the client did not name it. */
export const updateRefused = (reason: keyof typeof REASONS, invoice_id?: string): ApiError =>
  new ApiError('invoice_update_not_allowed', {
    reason: REASONS[reason],
    ...(invoice_id !== undefined && { invoice_id }),
  })

/** A draft with this reference exists already: a repeated request is told which one it is. */
export const draftedAlready = (invoice_id: string): ApiError =>
  new ApiError('invoice_update_not_allowed', {
    reason: {
      en: `the draft ${invoice_id} has this external_ref already; change it with PUT /drafts, or send another external_ref`,
      es: `el borrador ${invoice_id} ya tiene este external_ref; modifíquelo con PUT /drafts o envíe otro external_ref`,
    },
    invoice_id,
  })

/**
 * What was read before a lock is not what is there now. To the store it is a conflict like the database's own: the
 * transaction is run again.
 */
export const raced = (): Error =>
  Object.assign(new Error('changed while waiting for its lock'), { code: '40001' })
