/**
 * What a thread beside the event loop does: functions of values that can be sent to it. A refusal is a value too, since
 * of an error that is thrown only the words arrive.
 */
import {
  type FormatCode,
  type Reading as InvoiceReading,
  type ReadOptions,
  readInvoice as read,
  type Written,
  writeInvoice as write,
} from '../../formats/index.ts'
import type { CanonicalInvoice, Locale } from '../../invoice/index.ts'
import { languageFor, type ViewLanguage, type ViewOptions, viewOf } from '../../view/index.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Code } from '../errors/codes.ts'
import type { Batch } from '../reading/batch-body.ts'
import * as http from '../reading/body.ts'
import * as batch from '../reading/read-batch.ts'
import { type CompanyAddress, withIssuerAddress } from './issuer-address.ts'
import { type ValidationRequest, validateAsJson } from './validation.ts'

export type Outcome<T> =
  | { readonly value: T }
  | { readonly refused: { readonly code: Code; readonly extra: Readonly<Record<string, unknown>> } }

function outcomeOf<T>(work: () => T): Outcome<T> {
  try {
    return { value: work() }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { refused: { code: error.code, extra: error.extra } }
  }
}

/** Tells what is wrong with a body; its value is not worth copying. */
export const checkBody = (reading: http.Reading): Outcome<null> =>
  outcomeOf(() => {
    http.parseBody(reading)
    return null
  })

export const readBatch = (reading: batch.BatchReading): Outcome<Batch> =>
  outcomeOf(() => batch.readBatch(reading))

export interface SerializedRequest extends Omit<ValidationRequest, 'document'> {
  /** The document as JSON. */
  readonly text: string
}

export interface SerializedOutcome {
  /** The verdict without its document as JSON: text is read faster than values are copied from thread to thread. */
  readonly validation: string
  readonly data: Uint8Array
}

export function validate({ text, ...request }: SerializedRequest): SerializedOutcome {
  const { data, ...validation } = validateAsJson({ ...request, document: JSON.parse(text) })
  return { validation: JSON.stringify(validation), data }
}

export interface InvoiceFile extends ReadOptions {
  readonly bytes: Uint8Array
}

/** An invoice of another system. */
export const readInvoice = ({ bytes, ...options }: InvoiceFile): InvoiceReading => read(bytes, options)

export interface Writing {
  /** The calculated document as JSON. */
  readonly text: string
  readonly format: FormatCode
  readonly locale: Locale
}

/** A stored invoice, given as JSON, in a format of other systems. */
export const writeInvoice = ({ text, format, locale }: Writing): Written =>
  write(JSON.parse(text), format, { locale })

/** The page of a stored invoice, and whatever else decides how it looks. */
export interface Rendering {
  /** The calculated document as JSON. */
  readonly text: string
  /** The issuer's, where the document does not state it. */
  readonly address: CompanyAddress | null
  /** Without it the language that suits the customer. */
  readonly language?: ViewLanguage | undefined
  readonly page: Omit<ViewOptions, 'language'>
  readonly template: string
  /** PNG or JPEG. */
  readonly logo: Uint8Array | null
  /** When the document says that it was made: the same invoice is the same bytes. */
  readonly timestamp: string
  /** With the invoice as CII inside, and what it is told in if that cannot be. */
  readonly facturx?: { readonly locale: Locale } | undefined
}

export interface Rendered {
  readonly pdf: Uint8Array
  readonly language: ViewLanguage
}

/** The XML inside of a PDF that is an electronic invoice too. */
function facturxOf(document: CanonicalInvoice, locale: Locale): { readonly xml: string } {
  const format = 'cii_d16b'
  const { xml, errors } = write(document, format, { locale })
  if (xml === null)
    throw new ApiError('export_not_possible', { format, reason: String(errors[0]?.extra?.reason), errors })
  return { xml }
}

/** A stored invoice as PDF. What makes it is loaded by threads that are asked for one. */
export async function renderInvoice({
  text,
  address,
  language: wanted,
  page,
  facturx,
  logo,
  ...rest
}: Rendering): Promise<Outcome<Rendered>> {
  const stored: CanonicalInvoice = JSON.parse(text)
  const document = address ? withIssuerAddress(stored, address) : stored
  const embedded = facturx && outcomeOf(() => facturxOf(document, facturx.locale))
  if (embedded && 'refused' in embedded) return embedded
  const language = wanted ?? languageFor(document.invoice)
  const { renderPdf } = await import('../../pdf/index.ts')
  const pdf = await renderPdf(viewOf(document, { ...page, language }), {
    ...rest,
    ...(logo && { logo }),
    ...(embedded && { facturx: embedded.value }),
  })
  return { value: { pdf, language } }
}
