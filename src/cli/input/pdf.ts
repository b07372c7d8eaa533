/**
 * Reads the invoice that a PDF embeds, in a thread. A PDF of 0.3 MB can unpack to gigabytes, so the thread ends when it
 * takes too much memory or time.
 */
import { Worker } from 'node:worker_threads'
import type { UsageError } from '../../errors/index.ts'
import type { Text } from '../../invoice/index.ts'
import type { PdfReading } from './pdf-thread.ts'

const MEGABYTE = 1024 * 1024
/** The limit of a file on the server. */
export const MAX_PDF_BYTES = 10 * MEGABYTE
/** Maximum growth of this process. What is unpacked is outside of the heap, which a thread does not limit. */
const MAX_GROWTH = 256 * MEGABYTE
const MAX_MS = 45_000
const WATCH_MS = 20

const REASONS: Readonly<Record<Exclude<PdfReading, Uint8Array>, Text>> = {
  not_installed: {
    en: 'reading a PDF needs the package unpdf: run npm install unpdf',
    es: 'para leer un PDF hace falta el paquete unpdf: ejecute npm install unpdf',
  },
  locked: {
    en: 'the PDF is encrypted or damaged: save it without a password',
    es: 'el PDF está cifrado o dañado: guárdelo sin contraseña',
  },
  no_invoice: {
    en: 'the PDF contains no invoice as XML (Factur-X, ZUGFeRD): upload it to a server with recognition instead',
    es: 'el PDF no contiene ninguna factura en XML (Factur-X, ZUGFeRD): súbalo a un servidor con reconocimiento',
  },
}
const TOO_LARGE: Text = {
  en: 'the PDF has more than 10 MB or takes too much memory or time: ask the issuer for the XML, or for a smaller PDF',
  es: 'el PDF tiene más de 10 MB o exige demasiada memoria o demasiado tiempo: pida al emisor el XML o un PDF más pequeño',
}

/** Returns the XML of the invoice that a PDF embeds. Throws a `UsageError` with the reason of `error`. */
export async function invoiceOfPdf(
  bytes: Uint8Array,
  error: (reason: Text) => UsageError,
): Promise<Uint8Array> {
  if (bytes.length > MAX_PDF_BYTES) throw error(TOO_LARGE)
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
    if (reading === null) throw error(TOO_LARGE)
    if (typeof reading === 'string') throw error(REASONS[reading])
    return reading
  } finally {
    clearInterval(watch)
    await thread.terminate()
  }
}
