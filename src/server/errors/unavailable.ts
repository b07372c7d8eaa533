/** Errors for work that the server does not begin, or does not finish, because others need its memory and threads. */
import type { Text } from '../../invoice/index.ts'
import type { NoTurn } from '../../turns/turns.ts'
import { ApiError, LATER } from './api-error.ts'

type Reason = NoTurn | 'not_started' | 'out_of_time' | 'out_of_memory'

const MESSAGES: Readonly<Record<Reason, Text>> = {
  busy: {
    en: 'Too many large documents and PDFs are being received or are waiting. Nothing was changed. Send the request again in a few seconds.',
    es: 'Hay demasiados documentos grandes y PDF en recepción o en espera. No se ha cambiado nada. Repita la petición dentro de unos segundos.',
  },
  left: {
    en: 'The client disconnected while its request was waiting. Nothing was changed.',
    es: 'El cliente cerró la conexión mientras su petición estaba en espera. No se ha cambiado nada.',
  },
  closing: {
    en: 'The server is stopping. Nothing was changed. Send the request again in a few seconds.',
    es: 'El servidor se está deteniendo. No se ha cambiado nada. Repita la petición dentro de unos segundos.',
  },
  not_started: {
    en: 'The server could not start a thread for the document. Nothing was changed. Send the request again in a few seconds, and notify the administrator if this persists.',
    es: 'El servidor no ha podido iniciar un hilo para el documento. No se ha cambiado nada. Repita la petición dentro de unos segundos y avise al administrador si continúa.',
  },
  out_of_time: {
    en: 'Processing the document took too long and was stopped. Nothing was changed. Send it again when the server is less busy, or divide its lines among several invoices.',
    es: 'El proceso del documento tardaba demasiado y se ha detenido. No se ha cambiado nada. Repita la petición cuando el servidor tenga menos carga, o reparta las líneas en varias facturas.',
  },
  out_of_memory: {
    en: 'The document needs more memory than the server has for one document. Nothing was changed. Divide its lines among several invoices, or ask the administrator to raise --max-old-space-size.',
    es: 'El documento necesita más memoria de la que el servidor tiene para cada documento. No se ha cambiado nada. Reparta las líneas en varias facturas, o pida al administrador que aumente --max-old-space-size.',
  },
}

/** Reasons that pass in seconds. */
const PASSING: readonly Reason[] = ['busy', 'closing', 'not_started']

/** The log has the `cause`. */
export const unavailable = (reason: Reason, cause?: unknown): ApiError =>
  Object.assign(
    new ApiError(
      'service_unavailable',
      { reason, message: MESSAGES[reason] },
      PASSING.includes(reason) ? LATER : {},
    ),
    cause === undefined ? {} : { cause },
  )
