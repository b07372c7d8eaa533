/** The addresses that read and write documents of other systems. */
import { FORMAT_CODES, type Reading, readInvoice, type Written } from '../../formats/index.ts'
import type { Extra, Locale } from '../../invoice/index.ts'
import type { CodedText } from '../../messages/index.ts'
import { FORMAT_OPERATIONS } from '../../request/formats/operations.ts'
import type { Operation } from '../../request/operations.ts'
import { perform } from '../../request/perform.ts'
import { isRefusal, type Refusal, refusalOf } from '../../request/refusal.ts'
import { prefers } from '../../web/weighed.ts'
import { codingProblem, readBytes, shown } from '../body.ts'
import { asking, type View } from '../invoice-routes.ts'
import { refuse as refuseHere } from '../messages.ts'
import { between, oneOf, type Parameters, WHOLE } from '../parameters.ts'
import { type Call, errorReply, inLanguage, jsonReply, type Reply } from '../reply.ts'
import { ASK, type Routes } from '../routes.ts'

const LOCALE = oneOf('en', 'es')

/** The formats that are written; the older Facturae are only read. */
const WRITTEN = ['facturae_3_2_2', 'ubl_2_1', 'cii_d16b'] as const

const READ: Parameters = {
  format: oneOf(...FORMAT_CODES),
  direction: oneOf('received', 'issued'),
  locale: LOCALE,
}

const WRITE: Parameters = { format: oneOf(...WRITTEN), indent: between(0, 8, WHOLE), locale: LOCALE }

/** What is said of a document of another system that is not taken, or cannot be written. */
const MESSAGES = {
  media_type: {
    code: 'unsupported_media_type',
    en: 'Content-Type is "{received}". Send {expected}.',
    es: 'Content-Type es «{received}». Envíe {expected}.',
  },
  export: {
    code: 'export_not_possible',
    en: 'The invoice cannot be written as {format}: see errors.',
    es: 'La factura no se puede escribir como {format}: vea errors.',
  },
} as const satisfies Readonly<Record<string, CodedText>>

const refuse = (reason: keyof typeof MESSAGES, locale: Locale, extra: Extra): Refusal =>
  refusalOf(MESSAGES[reason], locale, extra)

const XML = 'application/xml'
const XML_TYPE = /^\s*(?:application\/(?:[\w.!#$&^-]+\+)?|text\/)xml\s*(?:;|$)/i

/** Why a body of these headers is not read as XML. A charset there is not looked at: the document says its own. */
function mediaProblem(headers: Headers, locale: Locale): Refusal | null {
  const type = headers.get('content-type')
  return XML_TYPE.test(type ?? '')
    ? codingProblem(headers, locale)
    : refuse('media_type', locale, { received: shown(type), expected: `${XML}, text/xml` })
}

const reading =
  (maxBytes: number) =>
  async (call: Call): Promise<Reply> => {
    const { request, locale, options } = call
    const body = await readBytes(request, maxBytes, locale, mediaProblem(request.headers, locale))
    if ('refused' in body) return errorReply(body.refused, call)
    const operation: Operation = (bytes) => readInvoice(bytes as Uint8Array, { ...options, locale })
    const answer = perform(operation, body.bytes, { locale }) as Reading | Refusal
    return isRefusal(answer) ? errorReply(answer, call) : jsonReply(answer, inLanguage(locale))
  }

/** The XML and what is wrong with it, or the XML alone where the client prefers that. */
const written: View = ({ answer }, call) => {
  const { locale, options } = call
  const Vary = 'Accept, Accept-Language'
  const { xml, errors } = answer as Written
  if (!prefers(call.request.headers.get('accept'), XML))
    return jsonReply(answer, { ...inLanguage(locale), Vary })
  return xml === null
    ? errorReply(refuse('export', locale, { format: options.format, errors }), call, { Vary })
    : { status: 200, body: xml, headers: { 'Content-Type': XML, 'Cache-Control': 'no-store', Vary } }
}

/** A document says by itself whose day and company it is of. */
const write: Operation = (document, options, locale) => {
  const { company: _, today: __, ...own } = options as Readonly<Record<string, unknown>>
  return FORMAT_OPERATIONS.write(document, own, locale)
}
const writing = asking(write, written)

/** Without a format there is nothing to write; the others say what they are by themselves. */
const writingAs = async (call: Call): Promise<Reply> =>
  call.options.format === undefined
    ? errorReply(
        refuseHere('value', call.locale, { parameter: 'format', received: '', allowed: WRITTEN }),
        call,
      )
    : writing(call)

export const formatRoutes = (maxXmlBytes: number): Routes => ({
  read: { methods: ASK, parameters: READ, answer: reading(maxXmlBytes) },
  write: { methods: ASK, parameters: WRITE, answer: writingAs },
})
