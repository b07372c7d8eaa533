/**
 * `POST /received-invoices/recognize`: reads a supplier's PDF or image and returns a proposal. No invoice is registered
 * (API specification, "Recognition").
 */
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { CanonicalInvoice, CanonicalInvoiceInput, ValidationItem } from '../../../invoice/index.ts'
import {
  deservesFineReading,
  isBetter,
  type KnownSupplier,
  type Proposal,
  propose,
  proposeXml,
  type RecognitionStatus,
  reasonsIn,
  reviewReasons,
  scoreOf,
  scoresIn,
  statusOf,
} from '../../../recognition/fields/index.ts'
import type { Material } from '../../../recognition/index.ts'
import { receiveFile, requireForm } from '../../documents/multipart.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { RecognitionResult } from '../../shapes/schemas.ts'
import type { Call } from '../access/call.ts'
import { idempotentRequest } from '../access/idempotency.ts'
import { type EncodedResponse, type JsonResponse, ok } from '../access/response.ts'
import { knownSupplier } from './known-supplier.ts'
import { claimJob, dropJob, failJob, finishJob, renewJobLease } from './recognition-jobs.ts'
import { MAX_FILE_BYTES, unavailable, unreadable } from './recognition-refusals.ts'
import { validateProposal } from './validate.ts'

interface Upload {
  readonly bytes: Uint8Array
  readonly sha256: string
}

/** Receives the file of the form in memory. The limit of its size makes this possible. */
async function receiveUpload({ app }: Call, incoming: IncomingMessage): Promise<Upload> {
  try {
    const boundary = requireForm(incoming, MAX_FILE_BYTES)
    const limits = { maxBytes: MAX_FILE_BYTES, seconds: app.config.requestTimeout }
    let bytes: Uint8Array = new Uint8Array()
    const { size, sha256 } = await receiveFile(incoming, boundary, limits, async (content) => {
      bytes = await buffer(content)
    })
    if (size === 0) throw unreadable('empty')
    return { bytes, sha256 }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'file_too_large') throw unreadable('too_large')
    throw error
  }
}

/** Reads the pages and codes of a file. Throws the reason if the file cannot be read. */
async function read({ app, company }: Call, bytes: Uint8Array): Promise<Material> {
  const reading = await app.recogniser.read(bytes, company.id)
  if ('unreadable' in reading) throw unreadable(reading.unreadable)
  if ('unavailable' in reading) throw unavailable(reading.unavailable)
  return reading.material
}

/**
 * Returns the proposal from the embedded XML if it can be read, otherwise from the printed text. Earlier invoices of
 * the supplier are used as evidence.
 */
async function proposalOf(call: Call, material: Material): Promise<Proposal> {
  const { app, company, locale, store } = call
  const { xml } = material
  const { document } = xml ? await app.work.readInvoice({ bytes: xml.bytes, locale }) : {}
  const today = app.clock.today()
  const proposed = (known?: KnownSupplier) =>
    document
      ? proposeXml(document, material, known)
      : propose(material, { company: company.data, today, known })
  const first = proposed()
  const known = await knownSupplier(store, first.document.invoice?.supplier?.tax_id)
  return known ? proposed(known) : first
}

/**
 * Reads an image a second time, at a higher resolution, if its fields contradict each other or some were not found.
 * Returns the better proposal of the two. If the second reading fails, returns the first.
 */
async function proposalFrom(call: Call, bytes: Uint8Array): Promise<Proposal> {
  const first = await proposalOf(call, await read(call, bytes))
  if (!deservesFineReading(first)) return first
  const reading = await call.app.recogniser.readFine(bytes, call.company.id)
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

/** Validates and completes the proposal. */
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
export async function recognize(call: Call, incoming: IncomingMessage): Promise<Recognised> {
  const { app, company, store } = call
  if (!company.data.features.includes('recognition'))
    throw new ApiError('feature_outside_plan', { feature: 'recognition' })
  if (!app.config.recognition) throw unavailable('switched_off')
  if (!app.recogniser.available) throw unavailable('not_installed')
  const { bytes, sha256 } = await receiveUpload(call, incoming)
  // A repeated request has another multipart boundary, so only the file identifies the request.
  const request = idempotentRequest(call, sha256)
  const earlier = await request.earlierResponse()
  if (earlier) return earlier
  const job = await store.transaction((tx) => claimJob(tx, call, sha256))
  const release = renewJobLease(call, job)
  try {
    const proposal = await proposalFrom(call, bytes)
    const { status, score, draft, warnings } = await assess(call, proposal)
    return await store.transaction((tx) =>
      request.runInTransaction(tx, async () => {
        await finishJob(tx, job, { status, score })
        return ok({ job_id: job.job_id, status, score, canonical_draft: draft, warnings })
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
