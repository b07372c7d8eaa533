/** Reads data of an XAdES signature without verifying the signature: see `docs/formats.md`. */
import type { SignatureNote } from '../model/index.ts'
import { optional } from './facturae-cursor.ts'

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** Returns the text of the first element of a name, with any prefix. */
function textOf(xml: string, name: string): string | undefined {
  const text = new RegExp(`<(?:[\\w.-]+:)?${name}(?:\\s[^<>]*)?>([^<]*)<`).exec(xml)?.[1]
  return (
    text?.replace(/&(lt|gt|quot|apos|amp);/g, (_, entity: string) => ENTITIES[entity] ?? entity).trim() ||
    undefined
  )
}

/** Reads the `ds:Signature` of a document, which the tree keeps as text. */
export const signatureOf = (xml: string): SignatureNote => ({
  ...optional('subject', textOf(xml, 'X509SubjectName')),
  ...optional('issuer', textOf(xml, 'X509IssuerName')),
  ...optional('serial_number', textOf(xml, 'X509SerialNumber')),
  ...optional('signing_time', textOf(xml, 'SigningTime')),
})
