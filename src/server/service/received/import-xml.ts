/**
 * `POST /received-invoices/import`: the supplier's own XML. It is read strictly: with any error nothing is registered.
 * The file stays as it came, as an attachment (specification, "XML import rules").
 */
import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { FORMAT_CODES, type FormatCode, type Reading } from '../../../formats/index.ts'
import type { CanonicalInvoiceInput, ValidationItem } from '../../../invoice/index.ts'
import { docTypeOf, invoiceFileName } from '../../documents/names.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { SaveResult } from '../../shapes/schemas.ts'
import { toJson } from '../../store/json.ts'
import type { Tx } from '../../store/store.ts'
import { created, type Encoded, type JsonAnswer } from '../access/answer.ts'
import type { Call } from '../access/call.ts'
import { once } from '../access/idempotency.ts'
import type { AttachmentRow } from '../attachments/documents.ts'
import { adopt, announce, withFile } from '../attachments/pending.ts'
import { acting, addEvent } from '../invoice/events.ts'
import type { Judged } from '../invoice/judge.ts'
import { saveReceived } from './received.ts'
import { judgeReceived, withReceiptDate } from './verdict.ts'

/** Limit of the specification. */
export const MAX_XML_BYTES = 10 * 1024 * 1024

const CONTENT_TYPE = 'application/xml'

/** What is said of the document as a whole: it may be sound, and is none that an invoice is made of here. */
const NOT_CONVERTED = new Set(['format.unknown', 'format.different', 'format.several_invoices'])

const isError = ({ severity }: ValidationItem): boolean => severity === 'error'

/** The document that was read. Throws why there is none. */
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

/** The verdict on a document from XML. Throws where it has errors. */
async function judgeImported(call: Call, document: CanonicalInvoiceInput): Promise<Judged> {
  // It is imputed by its issue date where the XML names no day of receipt.
  const dated = withReceiptDate(document, document.invoice.issue_data.issue_date)
  const judged = await judgeReceived(call.store, call, dated)
  if (!judged.is_valid) throw new ApiError('invoice_xml_invalid', { errors: judged.errors })
  return judged
}

/** Keeps the original with its invoice, unless it has the very same file already. */
async function attach(tx: Tx, call: Call, file: AttachmentRow): Promise<void> {
  const same = await tx
    .select('attachments')
    .select('document_id')
    .where('invoice_id', '=', file.invoice_id)
    .where('sha256', '=', file.sha256)
    .executeTakeFirst()
  if (same) return
  await adopt(tx, call.app, file.file_key)
  await tx.insert('attachments', file)
  await addEvent(tx, acting(call, file.created_at), file.invoice_id, {
    code: 'document_added',
    details: { doc_id: file.document_id, file_name: file.file_name },
  })
}

type Imported = Encoded | JsonAnswer<201, SaveResult>

/** What was read: the document, the verdict on it, and what the reading noticed. */
interface Read {
  readonly document: CanonicalInvoiceInput
  readonly judged: Judged
  readonly noticed: readonly ValidationItem[]
}

async function readStrictly(call: Call, format: FormatCode, bytes: Uint8Array): Promise<Read> {
  const reading = await call.app.work.readInvoice({ bytes, format, locale: call.locale })
  const document = requireDocument(reading)
  return { document, judged: await judgeImported(call, document), noticed: reading.errors }
}

/** Registers an invoice and keeps its file, both or neither. */
async function keep(
  tx: Tx,
  call: Call,
  { document, judged, noticed }: Read,
  file: Omit<AttachmentRow, 'invoice_id'>,
): Promise<JsonAnswer<201, SaveResult>> {
  const { id, success, errors } = await saveReceived(tx, call, document, judged, undefined)
  // It is judged again where the day of receipt is another, known one.
  if (!success) throw new ApiError('invoice_xml_invalid', { errors: errors.filter(isError) })
  await attach(tx, call, { ...file, invoice_id: id })
  return created({ success, id, errors: [...noticed, ...errors] })
}

/** Imports the XML of a received invoice. */
export async function importReceived(call: Call, format: FormatCode, bytes: Uint8Array): Promise<Imported> {
  const { app, company, store } = call
  const request = once(call, bytes)
  const earlier = await request.earlier()
  if (earlier) return earlier
  const read = await readStrictly(call, format, bytes)
  return withFile(app, store, `${company.id}/${randomUUID()}`, async (file_key) => {
    await announce(app, store, file_key)
    await app.files.write(file_key, Readable.from([bytes]))
    const number = read.judged.data.invoice.header.invoice_number ?? ''
    const file = {
      document_id: randomUUID(),
      doc_type: docTypeOf(CONTENT_TYPE),
      file_name: invoiceFileName(number, 'xml'),
      content_type: CONTENT_TYPE,
      metadata: toJson({ format }),
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      file_key,
      created_at: app.clock.stamp(),
    }
    return store.transaction((tx) => request.within(tx, () => keep(tx, call, read, file)))
  })
}
