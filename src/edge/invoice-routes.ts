/** The routes that judge an invoice. */
import { validate } from '../api/validate.ts'
import { isObject } from '../fiscal/check-options.ts'
import { spanishDay } from '../fiscal/timestamp.ts'
import type { Options, ValidationItem } from '../invoice/index.ts'
import { INVOICE_OPERATIONS, type Operation } from '../request/operations.ts'
import { perform } from '../request/perform.ts'
import { isRefusal } from '../request/refusal.ts'
import type { InvoiceQrResult } from '../verifactu/qr/invoice.ts'
import { prefersSvg } from '../web/weighed.ts'
import { readBody } from './body.ts'
import { refuse } from './messages.ts'
import { type Call, errorReply, inLanguage, jsonReply, type Reply } from './reply.ts'

export interface Judged {
  readonly document: unknown
  readonly options: Options
  /** What the operation answered. */
  readonly answer: unknown
}

export type View = (judged: Judged, call: Call) => Reply

/**
 * The item about a schema version that is not supported, which every route refuses; undefined for any other document.
 */
function versionProblem(document: unknown, { locale }: Call): ValidationItem | undefined {
  if (!isObject(document) || !Object.hasOwn(document, 'schema_version')) return undefined
  if (document.schema_version === 'json_1_1') return undefined
  return validate(document, { locale }).errors.find((item) => item.code === 'unsupported_schema_version')
}

/** Reads the body, asks the engine and answers as the view does. */
export const asking =
  (operation: Operation, view: View) =>
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

const told: View = ({ answer }, { locale }) => jsonReply(answer, inLanguage(locale))

/**
 * Rows of amounts. A document without the shape of an invoice, or that could not be calculated, has none, and an
 * empty list would look like an invoice over nothing: it is refused with what `validate` says of it.
 */
const rows: View = (judged, call) => {
  const { document, options, answer } = judged
  if ((answer as readonly unknown[]).length > 0) return told(judged, call)
  const { data, errors } = validate(document, options)
  if (data) return told(judged, call)
  const reason = errors.some((item) => item.source === 'schema') ? 'shape' : 'invalid'
  return errorReply(refuse(reason, call.locale, { errors }), call)
}

/** The QR code, or only its drawing where the client prefers that. */
const drawn: View = (judged, call) => {
  const Vary = 'Accept, Accept-Language'
  const accept = call.request.headers.get('accept')
  if (!prefersSvg(accept)) return jsonReply(judged.answer, { ...inLanguage(call.locale), Vary })
  const { qr, errors } = judged.answer as Pick<InvoiceQrResult, 'qr'> & { errors: readonly ValidationItem[] }
  return qr
    ? {
        status: 200,
        body: qr.svg,
        headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'no-store', Vary },
      }
    : errorReply(refuse('invalid', call.locale, { errors }), call, { Vary })
}

export const validation = asking(INVOICE_OPERATIONS.validate, told)
export const explanation = asking(INVOICE_OPERATIONS.explain, rows)
export const reconciliation = asking(INVOICE_OPERATIONS.reconcile, rows)
export const qrCode = asking(INVOICE_OPERATIONS.qr, drawn)
