/**
 * `POST /received-invoices/import`: registers a supplier's invoice from XML. If the XML has any error, nothing is
 * registered. The original file is stored as an attachment (API specification, "XML import rules").
 */
import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { CanonicalInvoiceInput, ValidationItem } from '#core/invoice/index.ts'
import { FORMAT_CODES, type FormatCode, type Reading } from '#formats/index.ts'
import { docTypeOf, invoiceFileName } from '../../documents/file-names.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { SaveResult } from '../../shapes/schemas.ts'
import { toJson } from '../../store/stored-json.ts'
import { type Call, clientOf } from '../access/call.ts'
import { created, type EncodedResponse, type JsonResponse } from '../access/http-response.ts'
import { idempotentRequest } from '../access/idempotency.ts'
import { attachOnce } from '../attachments/attached-documents.ts'
import { withFile } from '../attachments/pending-files.ts'
import { withIssueData } from '../invoice/as-stored.ts'
import type { Validated } from '../invoice/validate-sent.ts'
import { saveReceived } from './received.ts'
import { itemsWithSignature } from './received-signature.ts'
import { validateReceived } from './validate-received.ts'

/** Maximum number of bytes of the XML (API specification, section "Limits"). */
export const MAX_XML_BYTES = 10 * 1024 * 1024

const CONTENT_TYPE = 'application/xml'

/** Codes of documents that may be valid XML, but are not a single invoice in a supported format. */
const NOT_CONVERTED = new Set(['format.unknown', 'format.different', 'format.several_invoices'])

const isError = ({ severity }: ValidationItem): boolean => severity === 'error'

/** Returns the parsed document. Throws the reason if the file could not be parsed. */
function requireDocument({ document, errors, format }: Reading): CanonicalInvoiceInput {
  if (document) return document
  const other = errors.find(({ code }) => NOT_CONVERTED.has(code))
  if (other)
    throw new ApiError('unsupported_invoice_source_transform', {
      received: String(other.extra?.received ?? format),
      hint: other.message,
      allowed: FORMAT_CODES,
      errors,
    })
  throw new ApiError('invoice_xml_invalid', { errors })
}

/** Validates a document from XML. Throws if it has errors. */
async function validateStrictly(call: Call, document: CanonicalInvoiceInput): Promise<Validated> {
  // If the XML states no date of receipt, the date of issue determines the filing period.
  const dated = withIssueData(document, { receipt_date: document.invoice.issue_data.issue_date })
  const validated = await validateReceived(call.store, call, dated)
  if (!validated.is_valid) throw new ApiError('invoice_xml_invalid', { errors: validated.errors })
  return validated
}

/** Imports the XML of a received invoice. */
export async function importReceived(
  call: Call,
  format: FormatCode,
  bytes: Uint8Array,
): Promise<EncodedResponse | JsonResponse<201, SaveResult>> {
  const { app, store, locale } = call
  const request = idempotentRequest(call)
  const earlier = await request.earlierResponse()
  if (earlier) return earlier
  const verification = { roots: app.signatureRoots, at: app.clock.now() }
  const reading = await app.work.readInvoice({ bytes, format, locale, verification }, clientOf(call))
  const document = requireDocument(reading)
  const items = itemsWithSignature(reading, locale)
  const validated = await validateStrictly(call, document)
  return withFile(call, async ({ key: file_key, write }) => {
    await write(Readable.from([bytes]))
    const file = {
      document_id: randomUUID(),
      doc_type: docTypeOf(CONTENT_TYPE),
      file_name: invoiceFileName(validated.data.invoice.header.invoice_number ?? '', 'xml'),
      content_type: CONTENT_TYPE,
      metadata: toJson({ format, ...(reading.verified && { signature: reading.verified }) }),
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      file_key,
      created_at: app.clock.stamp(),
    }
    return store.transaction((tx) =>
      request.runInTransaction(tx, async () => {
        const { id, success, errors } = await saveReceived(tx, call, document, validated, undefined)
        // The invoice may be stored with another date of receipt than assumed above. It was then validated again.
        if (!success) throw new ApiError('invoice_xml_invalid', { errors: errors.filter(isError) })
        await attachOnce(tx, call, { ...file, invoice_id: id })
        return created({ success, id, errors: [...items, ...errors] }, `/received-invoices/${id}`)
      }),
    )
  })
}
