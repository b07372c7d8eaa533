/**
 * `POST /received-invoices/recognize`: reads a supplier's PDF or image and returns a proposal for the invoice. It
 * registers no invoice (API specification, "Recognition").
 */
import type { IncomingMessage } from 'node:http'
import {
  isBetter,
  type KnownSupplier,
  needsFineReading,
  type Proposal,
  proposeInvoice,
  proposeXml,
  type RecognitionStatus,
  reasonsIn,
  reviewReasons,
  scoreOf,
  scoresIn,
  statusOf,
} from 'cuadra-recognition/fields/index.ts'
import { type FileContent, MAX_TIMES_MS } from 'cuadra-recognition/index.ts'
import type { CanonicalInvoice, CanonicalInvoiceInput, ValidationItem } from '#core/invoice/index.ts'
import { createCollector, type MemoryReservation } from '../../documents/body-memory.ts'
import { type ReceivedFile, receiveFile, requireMultipartForm } from '../../documents/multipart.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { RecognitionResult } from '../../shapes/schemas.ts'
import { type Call, clientOf, uninterruptibleCall } from '../access/call.ts'
import { type EncodedResponse, type JsonResponse, ok } from '../access/http-response.ts'
import { idempotentRequest, storeNamedResponse } from '../access/idempotency.ts'
import { knownSupplier } from './known-supplier.ts'
import { claimJob, dropJob, failJob, finishJob, renewJobLease, resultNameOf } from './recognition-jobs.ts'
import { MAX_FILE_BYTES, recognitionUnavailableError, unreadableFileError } from './recognition-refusals.ts'
import { validateProposal } from './validate-received.ts'

/** The request, and the memory that is reserved for its file. */
interface Incoming {
  readonly incoming: IncomingMessage
  readonly held: MemoryReservation
}

interface Upload extends ReceivedFile {
  readonly bytes: Uint8Array
}

/** Receives the file of the form in memory, which its size limit permits. */
async function receiveUpload({ app }: Call, { incoming, held }: Incoming): Promise<Upload> {
  try {
    const boundary = requireMultipartForm(incoming, MAX_FILE_BYTES)
    const limits = { maxBytes: MAX_FILE_BYTES, seconds: app.config.requestTimeout }
    const add = createCollector(held, MAX_FILE_BYTES)
    let bytes: Uint8Array = new Uint8Array()
    const file = await receiveFile(incoming, boundary, limits, async (content) => {
      for await (const chunk of content) bytes = add(chunk)
    })
    if (file.size === 0) throw unreadableFileError('empty')
    return { ...file, bytes }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'file_too_large') throw unreadableFileError('too_large')
    throw error
  }
}

/** Reads the pages and codes of a file. Throws the reason if the file cannot be read. */
async function read(call: Call, bytes: Uint8Array, deadline: number): Promise<FileContent> {
  const reading = await call.app.recogniser.read(bytes, clientOf(call), deadline)
  if ('unreadable' in reading) throw unreadableFileError(reading.unreadable)
  if ('unavailable' in reading) throw recognitionUnavailableError(reading.unavailable)
  return reading.material
}

/**
 * Returns the proposal from the embedded XML if it can be read, otherwise from the printed text. Earlier invoices of
 * the supplier are used as evidence.
 */
async function proposalOf(call: Call, material: FileContent): Promise<Proposal> {
  const { app, company, locale, store } = call
  const { xml } = material
  const { document } = xml ? await app.work.readInvoice({ bytes: xml.bytes, locale }, clientOf(call)) : {}
  const today = app.clock.today()
  const proposed = (known?: KnownSupplier) => {
    const context = { company: company.data, today, known }
    return document ? proposeXml(document, material, context) : proposeInvoice(material, context)
  }
  const first = proposed()
  const known = await knownSupplier(store, first.document.invoice?.supplier?.tax_id)
  return known ? proposed(known) : first
}

/**
 * Reads an image a second time, at a higher resolution, if its fields contradict each other or some were not found.
 * Returns the better proposal of the two. If the second reading fails, returns the first.
 */
async function proposalFrom(
  call: Call,
  bytes: Uint8Array,
  material: FileContent,
  deadline: number,
): Promise<Proposal> {
  const first = await proposalOf(call, material)
  if (!needsFineReading(first)) return first
  const reading = await call.app.recogniser.readFine(bytes, clientOf(call), deadline)
  if (!('material' in reading)) return first
  const second = await proposalOf(call, reading.material)
  return isBetter(second, first) ? second : first
}

interface Assessment {
  readonly status: RecognitionStatus
  readonly score: number
  readonly warnings: readonly ValidationItem[]
  readonly draft: object
}

/** Validates the proposal, and adds its status and score. */
async function assess(call: Call, proposal: Proposal): Promise<Assessment> {
  const { data, errors, is_valid } = await validateProposal(call, proposal.document)
  const status = statusOf(proposal, is_valid)
  const score = scoreOf(proposal, is_valid)
  if (!proposal.isRead) return { status, score, warnings: [], draft: {} }
  const document: CanonicalInvoice | CanonicalInvoiceInput = data ?? proposal.document
  const draft = {
    ...document,
    meta: { ...document.meta, recognition_status: status, recognition_score: score },
    recognition: {
      requires_human_review: status !== 'recognized_ready',
      review_reasons: reasonsIn(reviewReasons(proposal, is_valid), call.locale),
      field_scores: scoresIn(document, proposal.document, proposal.scores),
    },
  }
  return { status, score, warnings: errors, draft }
}

type Recognised = EncodedResponse | JsonResponse<200, RecognitionResult>

/** Recognises the invoice in the file of a form. */
export async function recognize(call: Call, incoming: Incoming): Promise<Recognised> {
  const { app, company, store } = call
  if (!company.data.features.includes('recognition'))
    throw new ApiError('feature_outside_plan', { feature: 'recognition' })
  if (!app.config.recognition) throw recognitionUnavailableError('switched_off')
  if (!app.recogniser.available) throw recognitionUnavailableError('not_installed')
  const { bytes, sha256, fileName, contentType = '' } = await receiveUpload(call, incoming)
  // A repeated request has another multipart boundary, so the file's name, type and content identify the request.
  const request = idempotentRequest(call, fileName, contentType, sha256)
  const earlier = await request.earlierResponse()
  if (earlier) return earlier
  const job = await store
    .transaction((tx) => claimJob(tx, call, sha256))
    // A request with the same key may have finished in the meantime.
    .catch(async (error: unknown) => (await request.earlierResponse()) ?? Promise.reject(error))
  if ('status' in job) return job
  const release = renewJobLease(call, job)
  try {
    const deadline = performance.now() + MAX_TIMES_MS.answer
    const material = await read(call, bytes, deadline)
    const proposal = await proposalFrom(uninterruptibleCall(call), bytes, material, deadline)
    const { status, score, draft, warnings } = await assess(uninterruptibleCall(call), proposal)
    return await store.transaction((tx) =>
      request.runInTransaction(tx, async () => {
        await finishJob(tx, job, { status, score })
        const result = { job_id: job.job_id, status, score, canonical_draft: draft, warnings }
        await storeNamedResponse(tx, resultNameOf(sha256), result, app.clock.now())
        return ok(result)
      }),
    )
  } catch (error) {
    const isUnreadable = error instanceof ApiError && error.code === 'recognition_file_invalid'
    await (isUnreadable ? failJob(call, job) : dropJob(store, job))
    throw error
  } finally {
    release()
  }
}
