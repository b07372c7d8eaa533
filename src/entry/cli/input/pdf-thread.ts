/** Entry point of the thread that reads a PDF. The library that reads PDFs is an optional package. */
import { parentPort, workerData } from 'node:worker_threads'
import { attachedInvoice } from '#core/xml/embedded-xml.ts'

/** The invoice, or the reason why there is none. */
export type PdfReading = Uint8Array | 'not_installed' | 'locked' | 'no_invoice'

/** Disables scripts, generated code, forms and log output. */
const SAFE_OPTIONS = {
  isEvalSupported: false,
  enableXfa: false,
  useSystemFonts: false,
  verbosity: 0,
} as const

async function readingOf(bytes: Uint8Array): Promise<PdfReading> {
  const reader = await import('unpdf').catch(() => null)
  if (!reader) return 'not_installed'
  const document = await reader.getDocumentProxy(bytes, SAFE_OPTIONS).catch(() => null)
  if (!document) return 'locked'
  return attachedInvoice(await document.getAttachments())?.bytes ?? 'no_invoice'
}

parentPort?.postMessage(await readingOf(workerData as Uint8Array))
