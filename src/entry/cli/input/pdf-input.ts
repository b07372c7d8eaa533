/**
 * Reads the invoice that a PDF embeds, in a thread. A PDF of 0.3 MB can unpack to gigabytes, so the thread ends when it
 * takes too much memory or time.
 */
import { Worker } from 'node:worker_threads'
import type { UsageError } from '#core/errors/index.ts'
import type { Text } from '#core/invoice/index.ts'
import { PDF_REASONS, PDF_TOO_LARGE } from '../generated/texts/input.ts'
import type { PdfReading } from './pdf-thread.ts'

const MEGABYTE = 1024 * 1024
/** Maximum size of a PDF, in bytes. The server has the same limit. */
export const MAX_PDF_BYTES = 10 * MEGABYTE
/** Maximum growth of the process's memory, in bytes. Unpacked data is outside the heap, so thread limits miss it. */
const MAX_GROWTH = 256 * MEGABYTE
const MAX_MS = 45_000
const WATCH_MS = 20

/** Returns the XML of the invoice that a PDF embeds. If it fails, throws the `UsageError` that `error` returns. */
export async function invoiceOfPdf(
  bytes: Uint8Array,
  error: (reason: Text) => UsageError,
): Promise<Uint8Array> {
  if (bytes.length > MAX_PDF_BYTES) throw error(PDF_TOO_LARGE)
  const thread = new Worker(new URL('./pdf.js', import.meta.url), {
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: MAX_GROWTH / MEGABYTE },
  })
  const most = process.memoryUsage.rss() + MAX_GROWTH
  const until = performance.now() + MAX_MS
  let watch: NodeJS.Timeout | undefined
  try {
    const reading = await new Promise<PdfReading | null>((resolve, reject) => {
      watch = setInterval(() => {
        if (process.memoryUsage.rss() > most || performance.now() > until) resolve(null)
      }, WATCH_MS)
      thread.once('message', resolve)
      thread.once('error', (failure: NodeJS.ErrnoException) =>
        failure.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve(null) : reject(failure),
      )
    })
    if (reading === null) throw error(PDF_TOO_LARGE)
    if (typeof reading === 'string') throw error(PDF_REASONS[reading])
    return reading
  } finally {
    clearInterval(watch)
    await thread.terminate()
  }
}
