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
import type { Tx } from '../../store/store.ts'
import { created, type Encoded, type JsonAnswer } from '../access/answer.ts'
import type { Call } from '../access/call.ts'
import { type Claim, claim, hashOf, isClaimed, settle } from '../access/idempotency.ts'
import type { AttachmentRow } from '../attachments/documents.ts'
import { adopt, announce, giveUp, isKept } from '../attachments/pending.ts'
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

/** Keeps the original with its invoice, unless it has the very same file already. True: it was added. */
async function attach(tx: Tx, call: Call, file: AttachmentRow): Promise<boolean> {
  const same = await tx
    .select('attachments')
    .select('document_id')
    .where('invoice_id', '=', file.invoice_id)
    .where('sha256', '=', file.sha256)
    .executeTakeFirst()
  if (same) return false
  await adopt(tx, call.app, file.file_key)
  await tx.insert('attachments', file)
  await addEvent(tx, acting(call, file.created_at), file.invoice_id, {
    code: 'document_added',
    details: { doc_id: file.document_id, file_name: file.file_name },
  })
  return true
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
function keep(
  call: Call,
  { document, judged, noticed }: Read,
  file: Omit<AttachmentRow, 'invoice_id'>,
  key: Claim | null,
) {
  return call.store.transaction(
    async (tx): Promise<{ readonly answer: Imported; readonly isKept: boolean }> => {
      const earlier = key && (await claim(tx, key))
      if (earlier) return { answer: earlier, isKept: false }
      const { id, success, errors } = await saveReceived(tx, call, document, judged, undefined)
      // It is judged again where the day of receipt is another, known one.
      if (!success) throw new ApiError('invoice_xml_invalid', { errors: errors.filter(isError) })
      const answer = created({ success, id, errors: [...noticed, ...errors] })
      const isKept = await attach(tx, call, { ...file, invoice_id: id })
      if (key) await settle(tx, key, answer)
      return { answer, isKept }
    },
  )
}

/** Imports the XML of a received invoice. `address` is the path with its query, which an idempotency key remembers. */
export async function importReceived(
  call: Call,
  format: FormatCode,
  bytes: Uint8Array,
  address: string,
): Promise<Imported> {
  const { app, company, store, keyId, idempotencyKey } = call
  const now = app.clock.now()
  const requestHash = hashOf('post', address, bytes)
  const key = idempotencyKey === undefined ? null : { keyId, idempotencyKey, requestHash, now }
  if (key && (await isClaimed(call))) {
    const earlier = await store.transaction((tx) => claim(tx, key))
    if (earlier) return earlier
  }
  const read = await readStrictly(call, format, bytes)
  const file_key = `${company.id}/${randomUUID()}`
  await announce(app, store, file_key)
  try {
    await app.files.write(file_key, Readable.from([bytes]))
    const number = read.judged.data.invoice.header.invoice_number ?? ''
    const file = {
      document_id: randomUUID(),
      doc_type: docTypeOf(CONTENT_TYPE),
      file_name: invoiceFileName(number, 'xml'),
      content_type: CONTENT_TYPE,
      metadata: JSON.stringify({ format }),
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      file_key,
      created_at: app.clock.stamp(),
    }
    const { answer, isKept: stays } = await keep(call, read, file, key)
    if (stays) isKept(file_key)
    else await giveUp(app, store, file_key)
    return answer
  } catch (error) {
    await giveUp(app, store, file_key)
    throw error
  }
}
