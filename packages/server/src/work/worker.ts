/**
 * The functions of a worker thread. Their arguments and results can be sent between threads. Refusals are returned as
 * results, because only the message of a thrown error would reach the other thread.
 */

import type { InvoiceSignature, InvoiceSignatureOptions } from 'cuadra-authority/index.ts'
import type { Address, CanonicalInvoice, Locale } from '#core/invoice/index.ts'
import { textOf } from '#entry/web/index.ts'
import {
  type FormatCode,
  type Reading as InvoiceReading,
  type ProfileCode,
  type ReadOptions,
  readInvoice as read,
  type Written,
  writeInvoice as write,
} from '#formats/index.ts'
import { languageFor, type ViewLanguage, type ViewOptions, viewOf } from '#view/index.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Code } from '../errors/error-codes.ts'
import type { Batch } from '../reading/batch-body.ts'
import * as batch from '../reading/read-batch.ts'
import * as http from '../reading/request-body.ts'
import { digestOf } from '../reading/sorted-json.ts'
import { withIssuerAddress } from './issuer-address.ts'
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

/**
 * Returns the refusal of an invalid body. Does not return the value of a valid body, because copying it between threads
 * would take too long.
 */
export const checkBody = (reading: http.Reading): Outcome<null> =>
  outcomeOf(() => {
    http.parseBody(reading)
    return null
  })

/** Returns the digest of a body that has already been parsed without errors. */
export const digestOfBody = (bytes: Uint8Array): string => digestOf(JSON.parse(textOf(bytes) ?? ''))

export const readBatch = (reading: batch.BatchReading): Outcome<Batch> =>
  outcomeOf(() => batch.readBatch(reading))

export interface SerializedRequest extends Omit<ValidationRequest, 'document'> {
  /** The document as JSON. */
  readonly text: string
}

export interface SerializedOutcome {
  /** The result without its document, as JSON. Parsing JSON is faster than copying values between threads. */
  readonly validation: string
  readonly data: Uint8Array
}

export function validate({ text, ...request }: SerializedRequest): SerializedOutcome {
  const { data, ...validation } = validateAsJson({ ...request, document: JSON.parse(text) })
  return { validation: JSON.stringify(validation), data }
}

export { withoutComputed } from './without-computed.ts'

export interface InvoiceFile extends ReadOptions {
  readonly bytes: Uint8Array
  /** Options for verifying a signature. Without them, the signature is not verified. */
  readonly verification?: Omit<InvoiceSignatureOptions, 'supplierTaxId'>
}

export type InvoiceFileReading = InvoiceReading & {
  /** The verified signature; null if there is none, or if verification was not requested. */
  readonly verified: InvoiceSignature | null
}

/**
 * Reads an invoice in another format, such as Facturae, and verifies its signature. The libraries of signatures are
 * loaded on the first call.
 */
export async function readInvoice({
  bytes,
  verification,
  ...options
}: InvoiceFile): Promise<InvoiceFileReading> {
  const reading = read(bytes, options)
  const { document, signature } = reading
  if (!verification || !document || signature === null) return { ...reading, verified: null }
  const { verifyInvoiceSignature } = await import('cuadra-authority/index.ts')
  const supplierTaxId = document.invoice.supplier.tax_id
  return { ...reading, verified: await verifyInvoiceSignature(bytes, { ...verification, supplierTaxId }) }
}

export interface Writing {
  /** The calculated document as JSON. */
  readonly text: string
  readonly format: FormatCode
  readonly profile?: ProfileCode | undefined
  readonly locale: Locale
}

/** Writes a stored invoice, passed as JSON, in another format. */
export const writeInvoice = ({ text, format, profile, locale }: Writing): Written =>
  write(JSON.parse(text), format, { locale, profile })

/** A stored invoice, and all other values that determine its PDF. */
export interface Rendering {
  /** The calculated document as JSON. */
  readonly text: string
  /** The issuer's address to use if the document has none. */
  readonly address?: Address | undefined
  /** If undefined, the language is chosen for the customer. */
  readonly language?: ViewLanguage | undefined
  readonly page: Omit<ViewOptions, 'language'>
  readonly template: string
  /** The logo as PNG or JPEG. */
  readonly logo: Uint8Array | null
  /** The creation time in the PDF. It is fixed, so that the same invoice produces the same bytes. */
  readonly timestamp: string
  /** Embeds the invoice as CII. `locale` is the language of the errors if the CII cannot be written. */
  readonly facturx?: { readonly locale: Locale } | undefined
}

export interface RenderedPdf {
  readonly pdf: Uint8Array
  readonly language: ViewLanguage
  /** Why the logo is missing in the PDF; null if it is printed or the company has none. */
  readonly logoProblem: string | null
}

/** Writes the XML that a PDF embeds as an electronic invoice. */
function facturxOf(document: CanonicalInvoice, locale: Locale): { readonly xml: string } {
  const format = 'cii_d16b'
  const { xml, errors } = write(document, format, { locale })
  if (xml === null)
    throw new ApiError('export_not_possible', { format, reason: String(errors[0]?.extra?.reason), errors })
  return { xml }
}

/** Returns the result of a function, or the message of its error. */
function problemOr<T>(work: () => T): { readonly value: T } | { readonly problem: string } {
  try {
    return { value: work() }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

export async function loadRenderer(): Promise<void> {
  await import('cuadra-pdf/index.ts')
}

/** Renders a stored invoice as PDF. If the logo cannot be read, it is omitted. The first call loads the renderer. */
export async function renderInvoice({
  text,
  address,
  language: wanted,
  page,
  facturx,
  logo,
  ...rest
}: Rendering): Promise<Outcome<RenderedPdf>> {
  const stored: CanonicalInvoice = JSON.parse(text)
  const document = withIssuerAddress(stored, address)
  const embedded = facturx && outcomeOf(() => facturxOf(document, facturx.locale))
  if (embedded && 'refused' in embedded) return embedded
  const language = wanted ?? languageFor(document.invoice)
  const { logoOf, renderPdf } = await import('cuadra-pdf/index.ts')
  const read = logo && problemOr(() => logoOf(logo))
  const pdf = await renderPdf(viewOf(document, { ...page, language }), {
    ...rest,
    ...(read && 'value' in read && { logo: read.value }),
    ...(embedded && { facturx: embedded.value }),
  })
  return { value: { pdf, language, logoProblem: read && 'problem' in read ? read.problem : null } }
}
