/**
 * Runs work in threads if it would block the event loop for other requests, such as validating a large body. Threads
 * start when they are needed. Small work runs at once in the main thread, because the transfer to a thread takes
 * longer.
 */
import { availableParallelism } from 'node:os'
import type { Tinypool } from 'tinypool'
import type { InvoiceSignature } from '../../authority/index.ts'
import type { Reading as InvoiceReading, Written } from '../../formats/index.ts'
import { valueAt } from '../../invoice/index.ts'
import { textOf } from '../../web/utf8.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Batch } from '../reading/batch-body.ts'
import { parseBody, parseSound, type Reading } from '../reading/body.ts'
import { type BatchReading, readBatch } from '../reading/read-batch.ts'
import {
  type SerializedValidation,
  type Validation,
  type ValidationRequest,
  validateAsJson,
  validateDocument,
} from './validation.ts'
import type * as worker from './worker.ts'
import { readInvoice, verifySignature, writeInvoice } from './worker.ts'

/** Size of a large body. Processing a body of this size blocks other requests for about 20 ms. */
export const LARGE_BODY_BYTES = 128 * 1024
/** Bytes of a body whose processing takes as long as comparing one line with one entry of `taxes_outputs`. */
const BYTES_PER_PAIR = 12
/** How many times longer explaining amounts takes than calculating them. */
const EXPLAIN_FACTOR = 10
/** Milliseconds after which an idle thread ends. */
const IDLE_MS = 300_000

/** The functions of a worker thread, by name. */
type Tasks = typeof worker

/** Megabytes of a thread's young generation. The default is too small for the values of a large invoice. */
const YOUNG_GENERATION_MB = 96

/** Returns the number of threads. One processor is left to the event loop if there are several. */
const threads = (): number => Math.max(1, Math.min(4, availableParallelism() - 1))

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0)

/** Returns the number of pairs of a line and an entry of the tax breakdown. Validation may compare every pair. */
const pairsIn = (document: unknown): number =>
  lengthOf(valueAt(document, '/invoice/lines')) * lengthOf(valueAt(document, '/invoice/taxes_outputs'))

/** Creates the pool. The library is loaded when there is work for a thread. */
async function createPool(file: URL): Promise<Tinypool> {
  const { Tinypool } = await import('tinypool')
  return new Tinypool({
    filename: file.href,
    runtime: 'worker_threads',
    minThreads: 0,
    maxThreads: threads(),
    idleTimeout: IDLE_MS,
    // Values are needed until the validation ends. Moving them to the old generation takes a third of the time.
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  })
}

/** Creates the pool. `file` is the compiled `worker.ts`. A thread starts only when there is work for it. */
export function createWork(file: URL, large = LARGE_BODY_BYTES) {
  let pool: Promise<Tinypool> | undefined
  const run = async <N extends keyof Tasks>(
    name: N,
    input: Parameters<Tasks[N]>[0],
  ): Promise<Awaited<ReturnType<Tasks[N]>>> => {
    pool ??= createPool(file)
    return (await pool).run(input, { name })
  }
  const unwrap = <T>(outcome: worker.Outcome<T>): T => {
    if ('value' in outcome) return outcome.value
    throw new ApiError(outcome.refused.code, outcome.refused.extra)
  }
  const isSmall = ({ document, options }: ValidationRequest, size: number) =>
    size * (options.explain ? EXPLAIN_FACTOR : 1) + pairsIn(document) * BYTES_PER_PAIR < large
  const ask = async ({ document, ...rest }: ValidationRequest): Promise<SerializedValidation> => {
    const { validation, data } = await run('validate', { ...rest, text: JSON.stringify(document) })
    return { ...JSON.parse(validation), data }
  }
  return {
    /** Resolves to the parsed value of a body. Throws the refusal of an invalid body. */
    parseBody: async (reading: Reading): Promise<unknown> => {
      if (reading.bytes.length < large) return parseBody(reading)
      const sound = parseSound(reading)
      if (sound) return sound.value
      unwrap(await run('checkBody', reading))
      return JSON.parse(textOf(reading.bytes) ?? '')
    },
    /** Resolves to the invoices of a batch. Throws the refusal of an invalid batch. */
    readBatch: async (reading: BatchReading): Promise<Batch> =>
      reading.bytes.length < large ? readBatch(reading) : unwrap(await run('readBatch', reading)),
    /** Validates a document whose JSON has `size` bytes. */
    validate: async (request: ValidationRequest, size: number): Promise<Validation> => {
      if (isSmall(request, size)) return validateDocument(request)
      const serialized = await ask(request)
      const canonical = Buffer.from(serialized.data).toString()
      return { ...serialized, data: JSON.parse(canonical), canonical }
    },
    /** Validates a document for a response that includes its JSON unparsed. */
    validateAsJson: async (request: ValidationRequest, size: number): Promise<SerializedValidation> =>
      isSmall(request, size) ? validateAsJson(request) : ask(request),
    /** Reads an invoice in another format, such as Facturae. */
    readInvoice: async (source: worker.InvoiceFile): Promise<InvoiceReading> =>
      source.bytes.length < large ? readInvoice(source) : run('readInvoice', source),
    /** Verifies the signature of a Facturae. */
    verifySignature: async (source: worker.SignedFile): Promise<InvoiceSignature> =>
      source.bytes.length < large ? verifySignature(source) : run('verifySignature', source),
    /** Writes a stored invoice in another format, such as Facturae. */
    writeInvoice: async (writing: worker.Writing): Promise<Written> =>
      writing.text.length < large ? writeInvoice(writing) : run('writeInvoice', writing),
    /** Renders a stored invoice as PDF. Throws the refusal if it cannot be rendered. */
    renderInvoice: async (rendering: worker.Rendering): Promise<worker.Rendered> =>
      unwrap(await run('renderInvoice', rendering)),
    /** Ends the threads. */
    close: async (): Promise<void> => {
      await (await pool)?.destroy()
      pool = undefined
    },
  }
}
export type Work = ReturnType<typeof createWork>
