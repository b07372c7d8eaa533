/**
 * Work that would keep other requests waiting, out of the event loop: large bodies are read and judged by threads that
 * are started when they are needed. What is small is done at once, since the way to a thread takes longer.
 */
import { availableParallelism } from 'node:os'
import { Tinypool } from 'tinypool'
import type { Reading as InvoiceReading, Written } from '../../formats/index.ts'
import { valueAt } from '../../invoice/index.ts'
import { textOf } from '../../web/utf8.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Batch } from '../reading/batch-body.ts'
import { parseBody, parseSound, type Reading } from '../reading/body.ts'
import { type BatchReading, readBatch } from '../reading/read-batch.ts'
import { type ValidationRequest, type SerializedValidation, validateAsJson, type Validation, validateDocument } from './validation.ts'
import type * as worker from './worker.ts'
import { readInvoice, writeInvoice } from './worker.ts'

/** A body of so many bytes keeps others waiting for some 20 ms. */
export const LARGE = 128 * 1024
/** Bytes of a body that take as long as to weigh one entry of `taxes_outputs` against one line. */
const BYTES_PER_PAIR = 12
/** To explain an amount takes so many times as long as to compute it. */
const EXPLAINING = 10
/** Milliseconds after which a thread that has nothing to do ends. */
const IDLE = 300_000

/** What a thread does, by its name. */
type Tasks = typeof worker

/** Megabytes for what is young: in those that a thread has otherwise, a large invoice has no room. */
const YOUNG = 96

/** One processor is left to the event loop, where there are several. */
const threads = (): number => Math.max(1, Math.min(4, availableParallelism() - 1))

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0)

/** How many pairs of a line and an entry of the breakdown the document has: each may be weighed. */
const pairsIn = (document: unknown): number =>
  lengthOf(valueAt(document, '/invoice/lines')) * lengthOf(valueAt(document, '/invoice/taxes_outputs'))

/** `file` is the built `worker.ts`. No thread is started before there is work for it. */
export function createWork(file: URL, large = LARGE) {
  let pool: Tinypool | undefined
  const run = <N extends keyof Tasks>(
    name: N,
    input: Parameters<Tasks[N]>[0],
  ): Promise<Awaited<ReturnType<Tasks[N]>>> => {
    pool ??= new Tinypool({
      filename: file.href,
      runtime: 'worker_threads',
      minThreads: 0,
      maxThreads: threads(),
      idleTimeout: IDLE,
      // What is judged lives as long as its judging: moving it about takes a third of the time.
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG },
    })
    return pool.run(input, { name })
  }
  const unwrap = <T>(outcome: worker.Outcome<T>): T => {
    if ('value' in outcome) return outcome.value
    throw new ApiError(outcome.refused.code, outcome.refused.extra)
  }
  const isSmall = ({ document, options }: ValidationRequest, size: number) =>
    size * (options.explain ? EXPLAINING : 1) + pairsIn(document) * BYTES_PER_PAIR < large
  const ask = async ({ document, ...rest }: ValidationRequest): Promise<SerializedValidation> => {
    const { validation, data } = await run('validate', { ...rest, text: JSON.stringify(document) })
    return { ...JSON.parse(validation), data }
  }
  return {
    /** Resolves to the value of a body. Throws what to tell the client. */
    parseBody: async (reading: Reading): Promise<unknown> => {
      if (reading.bytes.length < large) return parseBody(reading)
      const sound = parseSound(reading)
      if (sound) return sound.value
      unwrap(await run('checkBody', reading))
      return JSON.parse(textOf(reading.bytes) ?? '')
    },
    /** Resolves to the invoices of a batch. Throws what to tell the client. */
    readBatch: async (reading: BatchReading): Promise<Batch> =>
      reading.bytes.length < large ? readBatch(reading) : unwrap(await run('readBatch', reading)),
    /** The engine's verdict on a document of so many bytes. */
    validate: async (request: ValidationRequest, size: number): Promise<Validation> => {
      if (isSmall(request, size)) return validateDocument(request)
      const serialized = await ask(request)
      const canonical = Buffer.from(serialized.data).toString()
      return { ...serialized, data: JSON.parse(canonical), canonical }
    },
    /** The same for an answer that hands the document on as it is. */
    validateAsJson: async (request: ValidationRequest, size: number): Promise<SerializedValidation> =>
      isSmall(request, size) ? validateAsJson(request) : ask(request),
    /** An invoice of another system, read. */
    readInvoice: async (source: worker.InvoiceFile): Promise<InvoiceReading> =>
      source.bytes.length < large ? readInvoice(source) : run('readInvoice', source),
    /** A stored invoice in a format of other systems. */
    writeInvoice: async (writing: worker.Writing): Promise<Written> =>
      writing.text.length < large ? writeInvoice(writing) : run('writeInvoice', writing),
    /** A stored invoice as PDF. Throws what to tell the client. */
    renderInvoice: async (rendering: worker.Rendering): Promise<worker.Rendered> =>
      unwrap(await run('renderInvoice', rendering)),
    /** Ends the threads. */
    close: async (): Promise<void> => {
      await pool?.destroy()
      pool = undefined
    },
  }
}
export type Work = ReturnType<typeof createWork>
