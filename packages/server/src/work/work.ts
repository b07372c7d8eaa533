/**
 * Runs work in threads if it would block the event loop for other requests, such as validating a large body. Small work
 * runs immediately on the main thread, because transferring it to a thread would take longer.
 */

import { valueAt } from '#core/invoice/pointer.ts'
import type { Client } from '#core/turns/index.ts'
import { textOf } from '#entry/web/index.ts'
import type { Written } from '#formats/index.ts'
import { LARGE_BODY_BYTES } from '../environment/server-limits.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Batch } from '../reading/batch-body.ts'
import { type BatchReading, readBatch } from '../reading/read-batch.ts'
import { parseBody, parseIfSound, type Reading } from '../reading/request-body.ts'
import { digestOf } from '../reading/sorted-json.ts'
import { createMainThreadTurns } from './main-thread.ts'
import { createPdfCache } from './pdf-cache.ts'
import { createThreads, type RunWithin, type ThreadOptions } from './threads.ts'
import {
  type SerializedValidation,
  type Validation,
  type ValidationRequest,
  validateAsJson,
  validateDocument,
} from './validation.ts'
import type { StoredTexts } from './without-computed.ts'
import type * as worker from './worker.ts'
import { readInvoice, withoutComputed, writeInvoice } from './worker.ts'

/** Number of bytes of a body that take as long to process as comparing one line with one entry of `taxes_outputs`. */
const BYTES_PER_PAIR = 12
/** Factor by which explaining amounts takes longer than calculating them. */
const EXPLAIN_FACTOR = 10
/** Factor by which rendering a document as PDF takes longer than validating it. */
const RENDER_FACTOR = 8
/** Size in bytes of a body whose validation takes about 300 ms. Longer work never occupies all threads. */
const LONG_BODY_BYTES = 2 * 1024 * 1024
/** The functions of a worker thread, by name. */
type Tasks = typeof worker

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0)

/** Returns the number of pairs of a line and an entry of the tax breakdown, all of which validation may compare. */
const pairsIn = (document: unknown): number =>
  lengthOf(valueAt(document, '/invoice/lines')) * lengthOf(valueAt(document, '/invoice/taxes_outputs'))

/** Returns the cost of a request: the size of a simple body whose validation takes as long. */
const costOf = ({ document, options: { explain } }: ValidationRequest, size: number): number =>
  size * (explain ? EXPLAIN_FACTOR : 1) + pairsIn(document) * BYTES_PER_PAIR

function unwrap<T>(outcome: worker.Outcome<T>): T {
  if ('value' in outcome) return outcome.value
  throw new ApiError(outcome.refused.code, outcome.refused.extra)
}

export interface WorkOptions extends ThreadOptions {
  /** Minimum number of bytes of a large body. */
  readonly large?: number
  /** The folder that caches rendered PDFs. Its parent must exist. */
  readonly pdfFolder?: string
}

/** Runs functions of `worker.ts` in threads. `runIfLarge` runs them on the main thread if the input is small. */
function createRunner(file: URL, large: number, options: ThreadOptions) {
  const { run, prepare, close } = createThreads(file, options)
  const mainThread = createMainThreadTurns(large)
  const turnOf = (client: Client, size: number, cost: number) => ({
    ...client,
    weight: size,
    isLong: cost > LONG_BODY_BYTES,
  })
  return {
    /** Runs a function in a thread. The input has `size` bytes. The work takes as long as validating `cost` bytes. */
    run: <N extends keyof Tasks>(
      name: N,
      input: Parameters<Tasks[N]>[0],
      client: Client,
      size: number,
      cost = size,
      within?: RunWithin<Awaited<ReturnType<Tasks[N]>>>,
    ): Promise<Awaited<ReturnType<Tasks[N]>>> => run(name, input, turnOf(client, size, cost), within),
    runIfLarge: async <Input, Result>(
      name: keyof Tasks,
      runNow: (input: Input) => Result | Promise<Result>,
      input: Input,
      client: Client,
      size: number,
    ): Promise<Result> => (size < large ? runNow(input) : run(name, input, turnOf(client, size, size))),
    prepare: (name: keyof Tasks) => prepare(name),
    ...mainThread,
    close: () => {
      mainThread.close()
      return close()
    },
  }
}

/** Validates a document in a thread. */
async function validateInThread(
  { inTurn, run }: ReturnType<typeof createRunner>,
  { document, ...rest }: ValidationRequest,
  client: Client,
  size: number,
  cost: number,
): Promise<SerializedValidation> {
  const text = await inTurn(client, () => JSON.stringify(document))
  const { validation, data } = await run('validate', { ...rest, text }, client, size, cost)
  return { ...JSON.parse(validation), data }
}

function parsed(serialized: SerializedValidation): Validation {
  const canonical = Buffer.from(serialized.data).toString()
  return { ...serialized, data: JSON.parse(canonical), canonical }
}

/**
 * Creates the work functions. `file` is the compiled `worker.ts`. Threads start when they have work or are prepared.
 */
export function createWork(file: URL, { large = LARGE_BODY_BYTES, pdfFolder, ...options }: WorkOptions = {}) {
  const cachedPdf = pdfFolder === undefined ? undefined : createPdfCache(pdfFolder, file)
  const runner = createRunner(file, large, options)
  const { begin, inTurn, run, runIfLarge, prepare, close } = runner
  return {
    begin,
    inTurn,
    /** Resolves to the parsed value of a body. Throws the error for the client if the body is invalid. */
    parseBody: async (reading: Reading, client: Client): Promise<unknown> => {
      const { length } = reading.bytes
      if (length < large) return parseBody(reading)
      const sound = await inTurn(client, () => parseIfSound(reading))
      if (sound) return sound.value
      unwrap(await run('checkBody', reading, client, length))
      return JSON.parse(textOf(reading.bytes) ?? '')
    },
    /** Resolves to the digest of a body. `value` is the parsed body. */
    digestOf: async (bytes: Uint8Array, value: unknown, client: Client): Promise<string> =>
      bytes.length < large ? digestOf(value) : run('digestOfBody', bytes, client, bytes.length),
    /** Resolves to the invoices of a batch. Throws the error for the client if the batch is invalid. */
    readBatch: async (reading: BatchReading, client: Client): Promise<Batch> => {
      const { length } = reading.bytes
      return length < large ? readBatch(reading) : unwrap(await run('readBatch', reading, client, length))
    },
    /** Validates a document whose JSON has `size` bytes. */
    validate: async (request: ValidationRequest, client: Client, size: number): Promise<Validation> => {
      const cost = costOf(request, size)
      if (cost < large) return validateDocument(request)
      const serialized = await validateInThread(runner, request, client, size, cost)
      return inTurn(client, () => parsed(serialized))
    },
    /** Validates a document for a response that includes its JSON unparsed. */
    validateAsJson: async (
      request: ValidationRequest,
      client: Client,
      size: number,
    ): Promise<SerializedValidation> => {
      const cost = costOf(request, size)
      return cost < large ? validateAsJson(request) : validateInThread(runner, request, client, size, cost)
    },
    /** Reads an invoice in another format, such as Facturae, and verifies its signature. */
    readInvoice: (source: worker.InvoiceFile, client: Client): Promise<worker.InvoiceFileReading> =>
      runIfLarge('readInvoice', readInvoice, source, client, source.bytes.length),
    /** Writes a stored invoice in another format, such as Facturae. */
    writeInvoice: (writing: worker.Writing, client: Client): Promise<Written> =>
      runIfLarge('writeInvoice', writeInvoice, writing, client, writing.text.length),
    /** Returns a stored invoice as JSON, without the values that the engine computes. */
    withoutComputed: (stored: StoredTexts, client: Client): Promise<string> =>
      runIfLarge('withoutComputed', withoutComputed, stored, client, stored.canonical.length),
    /**
     * Returns a stored invoice as PDF. Throws the error for the client if it cannot be rendered. A cached PDF is
     * returned without waiting for the company's turn. The cache is read again during the turn, because an earlier
     * request may have rendered the PDF in the meantime.
     */
    renderInvoice: async (rendering: worker.Rendering, client: Client): Promise<worker.RenderedPdf> => {
      const { length } = rendering.text
      const cached = cachedPdf?.(rendering)
      const found = await cached?.find()
      if (found) return found
      const cost = length * RENDER_FACTOR
      return unwrap(await run('renderInvoice', rendering, client, length, cost, cached?.findOr))
    },
    /** Starts threads and loads the renderer, so that no request has to wait for this. */
    prepare: () => prepare('loadRenderer'),
    /** Ends the threads, and refuses waiting work. */
    close,
  }
}
export type Work = ReturnType<typeof createWork>
