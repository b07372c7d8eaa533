/** Compares the stored XML of a record with the record itself, and verifies its signature. */
import {
  type FiscalRecord,
  readVerifactu,
  recordXml,
  type VerifactuDocument,
} from '#records/verifactu/index.ts'

const OPEN = '<ds:Signature '
const CLOSE = '</ds:Signature>'

export const isSigned = (xml: string): boolean => xml.includes(OPEN)

/** Returns the XML without its signature. Nothing else changes. */
function withoutSignature(xml: string): string {
  const start = xml.indexOf(OPEN)
  const end = xml.lastIndexOf(CLOSE)
  return start < 0 || end < start ? xml : xml.slice(0, start) + xml.slice(end + CLOSE.length)
}

/** Returns a record without the signature that the parser found in it. */
function unsigned(record: FiscalRecord): FiscalRecord {
  const text = JSON.stringify(record, (name, value: unknown) =>
    name === 'Signature' || name === 'ds:Signature' ? undefined : value,
  )
  return JSON.parse(text)
}

/** Returns the record of a parsed document; null for any other document. */
export function recordOf(document: VerifactuDocument | null): FiscalRecord | null {
  switch (document?.root) {
    case 'RegistroAlta':
      return { RegistroAlta: document.value }
    case 'RegistroAnulacion':
      return { RegistroAnulacion: document.value }
    case 'RegistroEvento':
      return { RegistroEvento: document.value }
    default:
      return null
  }
}

/**
 * Whether an XML text contains a given record, even if another program wrote the XML. Throws if the record cannot be
 * written as XML.
 */
export function isXmlOfRecord(record: FiscalRecord, xml: string): boolean {
  const written = recordXml(record)
  if (withoutSignature(xml) === written) return true
  const { document, items } = readVerifactu(xml)
  const read = recordOf(document)
  return read !== null && items.length === 0 && recordXml(unsigned(read)) === written
}

/** Returns the problem of a signature; null if it is valid. */
export async function signatureProblem(xml: string): Promise<string | null> {
  const { verifySignature } = await import('cuadra-authority/index.ts')
  const { valid, errors } = await verifySignature(xml)
  return valid ? null : errors.map(({ message }) => message).join(' ')
}
