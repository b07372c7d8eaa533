/** Messages to the tax authority, and their SOAP 1.1 envelope. */
import { rootOf, SOAP_NAMESPACE } from '#core/xml/index.ts'

/** Messages of VeriFactu. */
export interface VerifactuMessage {
  readonly service: 'verifactu'
  /**
   * `submission`: sends records. `requirement`: sends records that the authority has requested (NO VERI*FACTU).
   * `query`: reads stored records.
   */
  readonly operation: 'submission' | 'requirement' | 'query'
  /** The message, with or without its SOAP envelope. */
  readonly xml: string
}

/** Books of the SII. Each has its own address. */
export type SiiBook = 'issued' | 'received' | 'collections' | 'payments'

/** Messages of the SII. */
export interface SiiMessage {
  readonly service: 'sii'
  readonly book: SiiBook
  /** `submission`: registers, modifies or deletes. `query`: reads stored data. */
  readonly operation: 'submission' | 'query'
  /** The message, with or without its SOAP envelope. */
  readonly xml: string
}

export type Message = (VerifactuMessage | SiiMessage) & {
  /** Whether the company is a sandbox company, whose messages are sent to the test service in every environment. */
  readonly sandbox?: boolean
}

const DECLARATION = /^\uFEFF?\s*(?:<\?xml[^>]*\?>)?\s*/

/**
 * Returns a message in its envelope. A message that already has one is returned unchanged. The content never changes,
 * because the signature of a record covers every character.
 */
export function enveloped(xml: string): string {
  const root = rootOf(xml)
  if (root?.name === 'Envelope' && root.namespace === SOAP_NAMESPACE) return xml
  const message = xml.replace(DECLARATION, '')
  return `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="${SOAP_NAMESPACE}"><soapenv:Header/><soapenv:Body>${message}</soapenv:Body></soapenv:Envelope>`
}
