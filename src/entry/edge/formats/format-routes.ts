/** The routes that read and write documents of other formats. */

import type { Extra, Locale } from '#core/invoice/index.ts'
import { FORMAT_CODES, type Reading, readInvoice, type Written } from '#formats/index.ts'
import { FORMAT_OPERATIONS } from '../../request/formats/format-operations.ts'
import type { Operation } from '../../request/operations.ts'
import { perform } from '../../request/perform.ts'
import { isRefusal, type Refusal, refusalOf } from '../../request/refusal.ts'
import { prefers } from '../../web/preferences.ts'
import { contentCodingProblem, readBytes, truncated } from '../edge-body.ts'
import { refuse as refuseHere } from '../edge-messages.ts'
import { numberParameter, oneOfParameter, type Parameters, WHOLE } from '../edge-parameters.ts'
import { POST_METHODS, type Routes } from '../edge-routes.ts'
import { FORMATS } from '../generated/texts/messages.ts'
import { invoiceRoute, type ReplyBuilder } from '../invoice-routes.ts'
import { type Call, errorReply, jsonReply, languageHeaders, type Reply } from '../reply.ts'

const LOCALE = oneOfParameter('en', 'es')

/** The formats that can be written. Older Facturae versions can only be read. */
const WRITTEN = ['facturae_3_2_2', 'ubl_2_1', 'cii_d16b'] as const

const READ: Parameters = {
  format: oneOfParameter(...FORMAT_CODES),
  direction: oneOfParameter('received', 'issued'),
  locale: LOCALE,
}

const WRITE: Parameters = {
  format: oneOfParameter(...WRITTEN),
  indent: numberParameter(0, 8, WHOLE),
  locale: LOCALE,
}

const refuse = (reason: keyof typeof FORMATS, locale: Locale, extra: Extra): Refusal =>
  refusalOf(FORMATS[reason], locale, extra)

const XML = 'application/xml'
const XML_TYPE = /^\s*(?:application\/(?:[\w.!#$&^-]+\+)?|text\/)xml\s*(?:;|$)/i

/**
 * Returns the refusal if the headers do not declare XML, otherwise null. Ignores the charset in the headers, because
 * the document declares its encoding.
 */
function mediaProblem(headers: Headers, locale: Locale): Refusal | null {
  const type = headers.get('content-type')
  return XML_TYPE.test(type ?? '')
    ? contentCodingProblem(headers, locale)
    : refuse('media_type', locale, { received: truncated(type), expected: `${XML}, text/xml` })
}

const reading =
  (maxBytes: number) =>
  async (call: Call): Promise<Reply> => {
    const { request, locale, options } = call
    const body = await readBytes(request, maxBytes, locale, mediaProblem(request.headers, locale))
    if ('refused' in body) return errorReply(body.refused, call)
    const operation: Operation = (bytes) => readInvoice(bytes as Uint8Array, { ...options, locale })
    const answer = perform(operation, body.bytes, { locale }) as Reading | Refusal
    return isRefusal(answer) ? errorReply(answer, call) : jsonReply(answer, languageHeaders(locale))
  }

/** Responds with the XML and its problems, or with the XML alone if the client prefers it. */
const written: ReplyBuilder = ({ answer }, call) => {
  const { locale, options } = call
  const Vary = 'Accept, Accept-Language'
  const { xml, errors } = answer as Written
  if (!prefers(call.request.headers.get('accept'), XML))
    return jsonReply(answer, { ...languageHeaders(locale), Vary })
  return xml === null
    ? errorReply(refuse('export', locale, { format: options.format, errors }), call, { Vary })
    : { status: 200, body: xml, headers: { 'Content-Type': XML, 'Cache-Control': 'no-store', Vary } }
}

/** Removes the options that do not apply to writing: the document itself states its date and company. */
const write: Operation = (document, options, locale) => {
  const { company: _, today: __, ...own } = options as Readonly<Record<string, unknown>>
  return FORMAT_OPERATIONS.write(document, own, locale)
}
const writing = invoiceRoute(write, written)

/** Refuses requests without a format. */
const writingAs = async (call: Call): Promise<Reply> =>
  call.options.format === undefined
    ? errorReply(
        refuseHere('value', call.locale, { parameter: 'format', received: '', allowed: WRITTEN }),
        call,
      )
    : writing(call)

export const formatRoutes = (maxXmlBytes: number): Routes => ({
  read: { methods: POST_METHODS, parameters: READ, answer: reading(maxXmlBytes) },
  write: { methods: POST_METHODS, parameters: WRITE, answer: writingAs },
})
