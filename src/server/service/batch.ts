/**
 * Batches: each invoice by itself, in order, and durable before the next one; one that is refused stops no other
 * (specification, "Batch result"). What fails for want of a disk or a database ends the batch: what was accepted
 * stays, and the same batch again updates it.
 */
import { randomUUID } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { checkSchema, type Operation } from '../../invoice/index.ts'
import { ApiError, refusalOf } from '../errors/api-error.ts'
import type { Tx } from '../store/store.ts'
import type { Call } from './call.ts'
import { judgeDraft, type SaveResult, saveDraft } from './drafts.ts'
import { importInvoice, judgeImport } from './import.ts'
import type { Judged } from './judge.ts'

/** So many are told one by one (specification, "Limits"). */
const DETAILED = 500

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members of `meta` that a batch has no use for; what the contract does not know is still refused. */
const UNUSED = new Set(['direction', 'batch_id', 'batch_item_id', 'original_format', 'original_document_id'])

/** An element as the document that is stored: of its `meta`, only reference and source system count. */
function documentOfElement(element: unknown): unknown {
  if (!isMembers(element) || !isMembers(element.meta)) return element
  const used = Object.entries(element.meta).filter(([name]) => !UNUSED.has(name))
  return { ...element, meta: { ...Object.fromEntries(used), direction: 'issued' } }
}

const inferredIn = (document: unknown, operation: Operation): readonly string[] =>
  checkSchema(document, operation).flatMap(({ code, path }) =>
    code === 'inferred_fields_not_allowed' ? [path] : [],
  )

/** Throws where any invoice has computed fields: nothing is stored then. */
async function requireNothingInferred(documents: readonly unknown[], operation: Operation): Promise<void> {
  const items: { readonly index: number; readonly fields: readonly string[] }[] = []
  for (const [index, document] of documents.entries()) {
    const fields = inferredIn(document, operation)
    if (fields.length > 0) items.push({ index, fields })
    if (items.length === DETAILED) break
    if (index % 50 === 49) await breathe()
  }
  if (items.length === 0) return
  const fields = [...new Set(items.flatMap((item) => item.fields))].slice(0, DETAILED)
  throw new ApiError('inferred_fields_not_allowed', { fields, items })
}

/** How one kind of batch judges and writes an invoice. */
interface Kind {
  readonly operation: Operation
  readonly judge: (call: Call, document: unknown) => Judged | Promise<Judged>
  readonly save: (
    tx: Tx,
    call: Call,
    document: unknown,
    judged: Judged,
    details: Members,
  ) => Promise<SaveResult>
  /** The number that an item is told by. */
  readonly numberOf: (document: unknown) => string | null
}

export const DRAFTS: Kind = {
  operation: 'draft',
  judge: (call, document) => judgeDraft(call.app.store.read, call, document),
  save: (tx, call, document, judged, details) => saveDraft(tx, call, document, judged, { details }),
  numberOf: () => null,
}

const numberSent = (document: unknown): string | null => {
  const { invoice } = isMembers(document) ? document : {}
  const { header } = isMembers(invoice) ? invoice : {}
  const { invoice_number: number } = isMembers(header) ? header : {}
  return typeof number === 'string' && [...number].length <= 60 ? number.trim() : null
}

export const IMPORTS: Kind = {
  operation: 'import',
  judge: judgeImport,
  save: importInvoice,
  numberOf: numberSent,
}

/** What an item is told of its refusal. Throws what is the server's fault and not the item's. */
function errorsOf(error: unknown, call: Call): readonly unknown[] {
  const refusal = refusalOf(error)
  if (refusal.status >= 500) throw error
  const { errors } = refusal.extra
  if (Array.isArray(errors)) return errors
  const { request_id: _, ...detail } = refusal.body(call.requestId, call.locale).detail
  return [detail]
}

async function outcomeOf(call: Call, kind: Kind, document: unknown, details: Members) {
  const number = kind.numberOf(document)
  try {
    const judged = await kind.judge(call, document)
    const { id } = await call.app.store.transaction((tx) => kind.save(tx, call, document, judged, details))
    return { status: 'accepted' as const, id, number, errors: [] }
  } catch (error) {
    return { status: 'rejected' as const, id: null, number, errors: errorsOf(error, call) }
  }
}

interface BrokenOff {
  readonly batch_id: string
  readonly accepted: number
  readonly total: number
  readonly items: readonly object[]
}

/** A batch that could not go on: told with what is stored, since `nothing was changed` would be wrong. */
function brokenOff(error: unknown, call: Call, so: BrokenOff) {
  const { code, headers } = refusalOf(error)
  const { accepted, total } = so
  // Which of its invoices that is, `items` says: the first that is not there.
  const unknown = code === 'outcome_unknown'
  call.app.log.error({ request_id: call.requestId, err: error }, 'a batch broke off')
  const message = {
    en: `The batch broke off: ${accepted} of its ${total} invoices are stored, see items${unknown ? ', and the next one may be' : ''}. Send it again later; what is stored will be updated.`,
    es: `El lote se interrumpió: ${accepted} de sus ${total} facturas están guardadas, vea items${unknown ? ', y la siguiente puede estarlo' : ''}. Envíelo de nuevo más tarde; lo guardado se actualizará.`,
  }
  return new ApiError(code, { message, ...so }, headers)
}

/** Works through a batch and answers how each invoice fared. */
export async function runBatch(call: Call, kind: Kind, elements: readonly unknown[]) {
  const documents = elements.map(documentOfElement)
  await requireNothingInferred(documents, kind.operation)
  const batch_id = randomUUID()
  const total = documents.length
  const items: object[] = []
  let accepted = 0
  for (const [index, document] of documents.entries()) {
    const outcome = await outcomeOf(call, kind, document, { batch_id }).catch((error: unknown) => {
      throw accepted === 0 ? error : brokenOff(error, call, { batch_id, accepted, total, items })
    })
    if (outcome.status === 'accepted') accepted++
    if (index < DETAILED) items.push({ index, ...outcome })
    // Others are served between two invoices.
    await breathe()
  }
  const rejected = total - accepted
  const status = rejected === 0 ? 'completed' : accepted === 0 ? 'failed' : 'completed_with_errors'
  return { batch_id, status, total, accepted, rejected, items }
}
