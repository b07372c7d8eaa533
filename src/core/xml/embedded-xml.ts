/** Finds the invoice among the files that a PDF embeds (Factur-X, ZUGFeRD, XRechnung, Facturae, UBL). */

/** File names required by Factur-X, ZUGFeRD and XRechnung, in order of preference. */
const NAMES = ['factur-x.xml', 'zugferd-invoice.xml', 'xrechnung.xml']
/** Root elements of the supported formats, with or without prefix. */
const ROOT = /<(?:[\w.-]+:)?(?:CrossIndustryInvoice|Invoice|CreditNote|Facturae)[\s>]/

/** Returns the first bytes as a text with one character per byte, in which ASCII is found in any common encoding. */
const beginningOf = (bytes: Uint8Array): string =>
  String.fromCharCode(...bytes.subarray(0, 8192)).replaceAll('\0', '')

interface Attachment {
  readonly filename: string
  readonly content: Uint8Array
}

/** Returns the invoice among the attachments of a PDF, or null. */
export function attachedInvoice(
  attachments: Readonly<Record<string, Attachment>> | null,
): { readonly name: string; readonly bytes: Uint8Array } | null {
  const found = Object.values(attachments ?? {})
    .filter(({ content }) => content && ROOT.test(beginningOf(content)))
    .map(({ filename, content }) => {
      const rank = NAMES.indexOf(filename.toLowerCase())
      return { name: filename, bytes: new Uint8Array(content), rank: rank < 0 ? NAMES.length : rank }
    })
    .sort((a, b) => a.rank - b.rank)
  return found[0] ? { name: found[0].name, bytes: found[0].bytes } : null
}
