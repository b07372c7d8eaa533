/**
 * Runs batches. Invoices are stored one by one, in order, and each is durable before the next one begins. A rejected
 * invoice does not affect the others (API specification, "Batch result"). If the disk or the database fails, the batch
 * ends. The invoices stored so far remain, and sending the batch again updates them.
 */
import { randomUUID } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { MAX_ITEMS } from '#core/invoice/index.ts'
import { valueAt } from '#core/invoice/pointer.ts'
import { LARGE_DOCUMENT, MAX_JSON_BYTES } from '../../environment/server-limits.ts'
import { ApiError, toApiError } from '../../errors/api-error.ts'
import { type BatchBody, MAX_DETAILED, type Members, parseCheckedDocument } from '../../reading/batch-body.ts'
import type { BatchResult, SaveResult } from '../../shapes/schemas.ts'
import type { Tx } from '../../store/store.ts'
import { type Call, clientOf, uninterruptibleCall } from '../access/call.ts'
import type { Validated } from '../invoice/validate-sent.ts'
import { saveDraft, validateDraft } from './drafts.ts'
import { importInvoice, validateImport } from './import.ts'

type Item = BatchResult['items'][number]

/** Functions that validate and store each invoice of one kind of batch. */
interface Kind {
  readonly validate: (call: Call, document: unknown) => Promise<Validated>
  readonly save: (
    tx: Tx,
    call: Call,
    document: unknown,
    validated: Validated,
    details: Members,
  ) => Promise<SaveResult>
  /** Returns the invoice number to report for an item, if it has one. */
  readonly numberOf: (document: unknown) => string | null
}

export const DRAFT_BATCH_KIND: Kind = {
  validate: (call, document) => validateDraft(call.store, call, document),
  save: (tx, call, document, validated, details) => saveDraft(tx, call, document, validated, { details }),
  numberOf: () => null,
}

const numberSent = (document: unknown): string | null => {
  const number = valueAt(document, '/invoice/header/invoice_number')
  return typeof number === 'string' && [...number].length <= 60 ? number.trim() : null
}

export const IMPORT_BATCH_KIND: Kind = {
  validate: (call, document) => validateImport(call.store, call, document),
  save: importInvoice,
  numberOf: numberSent,
}

/** Returns the errors of a rejected item. Rethrows errors of the server itself. */
function errorsOf(error: unknown, call: Call): readonly object[] {
  const refusal = toApiError(error)
  if (refusal.status >= 500) throw error
  const { errors } = refusal.extra
  if (Array.isArray(errors)) return errors
  const { request_id: _, doc_url: _url, ...detail } = refusal.body(call.requestId, call.locale).detail
  return [detail]
}

/** An item may report one problem per this number of its bytes, so that the size of the response is limited. */
const BYTES_PER_PROBLEM = 50
const FEWEST_PROBLEMS = 5

const mostProblems = (size: number): number =>
  Math.min(MAX_ITEMS, Math.max(FEWEST_PROBLEMS, Math.floor(size / BYTES_PER_PROBLEM)))

async function outcomeOf(
  all: Call,
  kind: Kind,
  bytes: Uint8Array,
  details: Members,
): Promise<Omit<Item, 'index'>> {
  const size = bytes.length
  const call: Call = { ...uninterruptibleCall(all), size, mostProblems: mostProblems(size) }
  let number: string | null = null
  const end = await call.app.work.begin(clientOf(call), size)
  try {
    if (size > MAX_JSON_BYTES) throw new ApiError('payload_too_large', { max_bytes: MAX_JSON_BYTES })
    const document = parseCheckedDocument(bytes)
    number = kind.numberOf(document)
    const validated = await kind.validate(call, document)
    const save = (tx: Tx) => kind.save(tx, call, document, validated, details)
    const { id } = await (size > LARGE_DOCUMENT
      ? call.store.transaction(save)
      : call.store.sharedTransaction(save))
    return { status: 'accepted', id, number, errors: [] }
  } catch (error) {
    return { status: 'rejected', id: null, number, errors: errorsOf(error, call) }
  } finally {
    end()
  }
}

type InterruptedBatch = Pick<BatchResult, 'batch_id' | 'accepted' | 'total' | 'items'>

/** Returns the error for a batch that could not continue. It lists the invoices that are stored. */
function interrupted(error: unknown, call: Call, so: InterruptedBatch) {
  const { code, headers } = toApiError(error)
  const { accepted, total } = so
  // It is unknown whether the first invoice after those in `items` is stored.
  const unknown = code === 'outcome_unknown'
  call.app.log.error({ request_id: call.requestId, err: error }, 'batch interrupted')
  const message = {
    en: `The batch was interrupted: ${accepted} of its ${total} invoices are stored, see items${unknown ? ', and the next one may be stored too' : ''}. Send it again later; stored invoices will be updated.`,
    es: `El lote se interrumpió: ${accepted} de sus ${total} facturas están guardadas, vea items${unknown ? ', y la siguiente también puede estarlo' : ''}. Envíelo de nuevo más tarde; las facturas guardadas se actualizarán.`,
  }
  return new ApiError(code, { message, ...so }, headers)
}

/** Stores the invoices of a batch and returns the outcome of each. */
export async function runBatch(call: Call, kind: Kind, batch: BatchBody): Promise<BatchResult> {
  const batch_id = randomUUID()
  const { bytes, ranges } = batch
  const total = ranges.length
  const items: Item[] = []
  let accepted = 0
  for (const [index, range] of ranges.entries()) {
    const invoice = bytes.subarray(...range)
    const outcome = await outcomeOf(call, kind, invoice, { batch_id }).catch((error: unknown) => {
      throw accepted === 0 ? error : interrupted(error, call, { batch_id, accepted, total, items })
    })
    if (outcome.status === 'accepted') accepted++
    if (index < MAX_DETAILED) items.push({ index, ...outcome })
    // Yields to other requests between two invoices.
    await breathe()
  }
  const rejected = total - accepted
  const status = rejected === 0 ? 'completed' : accepted === 0 ? 'failed' : 'completed_with_errors'
  return { batch_id, status, total, accepted, rejected, items }
}
