/** The text of a record as it is stored, against the record itself and its signature. */
import { verifySignature } from '../../../authority/index.ts'
import {
  type FiscalRecord,
  readVerifactu,
  recordXml,
  type VerifactuDocument,
} from '../../../verifactu/index.ts'

const OPEN = '<ds:Signature '
const CLOSE = '</ds:Signature>'

export const isSigned = (xml: string): boolean => xml.includes(OPEN)

/** The text without the signature that was put into it; all else stands letter by letter. */
function withoutSignature(xml: string): string {
  const start = xml.indexOf(OPEN)
  const end = xml.lastIndexOf(CLOSE)
  return start < 0 || end < start ? xml : xml.slice(0, start) + xml.slice(end + CLOSE.length)
}

/** A record without the signature that the reader has found in it. */
function unsigned(record: FiscalRecord): FiscalRecord {
  const text = JSON.stringify(record, (name, value: unknown) =>
    name === 'Signature' || name === 'ds:Signature' ? undefined : value,
  )
  return JSON.parse(text)
}

/** The record that was read in a text, under its name; null where it is something else. */
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

/** Whether a text is that of a record, whoever wrote it. Throws where the record can be no text at all. */
export function isTextOf(record: FiscalRecord, xml: string): boolean {
  const written = recordXml(record)
  if (withoutSignature(xml) === written) return true
  const { document, items } = readVerifactu(xml)
  const read = recordOf(document)
  return read !== null && items.length === 0 && recordXml(unsigned(read)) === written
}

/** What is wrong with the signature of a text; null where it holds. */
export async function signatureProblem(xml: string): Promise<string | null> {
  const { valid, errors } = await verifySignature(xml)
  return valid ? null : errors.map(({ message }) => message).join(' ')
}
