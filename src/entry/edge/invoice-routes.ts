/** The routes that process an invoice. */

import type { Options, ValidationItem } from '#core/invoice/index.ts'
import { validate } from '#engine/index.ts'
import { isObject, spanishDay } from '#records/fiscal/index.ts'
import type { InvoiceQrResult } from '#records/verifactu/index.ts'
import { INVOICE_OPERATIONS, type Operation } from '../request/operations.ts'
import { perform } from '../request/perform.ts'
import { isRefusal } from '../request/refusal.ts'
import { prefersSvg } from '../web/preferences.ts'
import { readBody } from './edge-body.ts'
import { refuse } from './edge-messages.ts'
import { type Call, errorReply, jsonReply, languageHeaders, type Reply } from './reply.ts'

export interface OperationResult {
  readonly document: unknown
  readonly options: Options
  /** The result of the operation. */
  readonly answer: unknown
}

export type ReplyBuilder = (result: OperationResult, call: Call) => Reply

/** Returns the item about an unsupported schema version, or undefined. Every route refuses such documents. */
function versionProblem(document: unknown, { locale }: Call): ValidationItem | undefined {
  if (!isObject(document) || !Object.hasOwn(document, 'schema_version')) return undefined
  if (document.schema_version === 'json_1_1') return undefined
  return validate(document, { locale }).errors.find((item) => item.code === 'unsupported_schema_version')
}

/** Creates a route that reads the body, runs the operation and builds the response with the view. */
export const invoiceRoute =
  (operation: Operation, view: ReplyBuilder) =>
  async (call: Call): Promise<Reply> => {
    const { request, locale, settings } = call
    const reading = await readBody(request, settings.maxBytes, locale)
    if ('refused' in reading) return errorReply(reading.refused, call)
    const document = reading.value
    const unknown = versionProblem(document, call)
    if (unknown) {
      const { code, message, extra } = unknown
      return errorReply({ detail: { code, message, ...extra } }, call)
    }
    const today = spanishDay(settings.clock())
    const options = { company: settings.company, today, ...call.options, locale }
    const answer = perform(operation, document, options)
    return isRefusal(answer) ? errorReply(answer, call) : view({ document, options, answer }, call)
  }

const asJson: ReplyBuilder = ({ answer }, { locale }) => jsonReply(answer, languageHeaders(locale))

/**
 * Responds with rows of amounts. Refuses a document without rows (schema errors, or not calculable) with the errors of
 * `validate`, because an empty list would look like an invoice without amounts.
 */
const asRows: ReplyBuilder = (result, call) => {
  const { document, options, answer } = result
  if ((answer as readonly unknown[]).length > 0) return asJson(result, call)
  const { data, errors } = validate(document, options)
  if (data) return asJson(result, call)
  const reason = errors.some((item) => item.source === 'schema') ? 'shape' : 'invalid'
  return errorReply(refuse(reason, call.locale, { errors }), call)
}

/** Responds with the QR code, or only its SVG if the client prefers it. */
const asQr: ReplyBuilder = (result, call) => {
  const Vary = 'Accept, Accept-Language'
  const accept = call.request.headers.get('accept')
  if (!prefersSvg(accept)) return jsonReply(result.answer, { ...languageHeaders(call.locale), Vary })
  const { qr, errors } = result.answer as Pick<InvoiceQrResult, 'qr'> & { errors: readonly ValidationItem[] }
  return qr
    ? {
        status: 200,
        body: qr.svg,
        headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'no-store', Vary },
      }
    : errorReply(refuse('invalid', call.locale, { errors }), call, { Vary })
}

export const validateRoute = invoiceRoute(INVOICE_OPERATIONS.validate, asJson)
export const explainRoute = invoiceRoute(INVOICE_OPERATIONS.explain, asRows)
export const reconcileRoute = invoiceRoute(INVOICE_OPERATIONS.reconcile, asRows)
export const qrRoute = invoiceRoute(INVOICE_OPERATIONS.qr, asQr)
