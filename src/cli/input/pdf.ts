/** Reads the invoice that a PDF embeds. Loaded on demand; its PDF reader is an optional package. */
import type { UsageError } from '../../errors/index.ts'
import type { Text } from '../../invoice/index.ts'
import { attachedInvoice } from '../../xml/embedded.ts'

/** Disables scripts, generated code, forms and log output. */
const SAFE_OPTIONS = {
  isEvalSupported: false,
  enableXfa: false,
  useSystemFonts: false,
  verbosity: 0,
} as const

const NOT_INSTALLED: Text = {
  en: 'reading a PDF needs the package unpdf: run npm install unpdf',
  es: 'para leer un PDF hace falta el paquete unpdf: ejecute npm install unpdf',
}
const LOCKED: Text = {
  en: 'the PDF is encrypted or damaged: save it without a password',
  es: 'el PDF está cifrado o dañado: guárdelo sin contraseña',
}
const NO_INVOICE: Text = {
  en: 'the PDF contains no invoice as XML (Factur-X, ZUGFeRD): upload it to a server with recognition instead',
  es: 'el PDF no contiene ninguna factura en XML (Factur-X, ZUGFeRD): súbalo a un servidor con reconocimiento',
}

/** Returns the XML of the invoice that a PDF embeds. Throws a `UsageError` with the reason of `error`. */
export async function invoiceOfPdf(
  bytes: Uint8Array,
  error: (reason: Text) => UsageError,
): Promise<Uint8Array> {
  const { getDocumentProxy } = await import('unpdf').catch(() => {
    throw error(NOT_INSTALLED)
  })
  const document = await getDocumentProxy(new Uint8Array(bytes), SAFE_OPTIONS).catch(() => {
    throw error(LOCKED)
  })
  try {
    const invoice = attachedInvoice(await document.getAttachments())
    if (invoice === null) throw error(NO_INVOICE)
    return invoice.bytes
  } finally {
    await document.destroy()
  }
}
