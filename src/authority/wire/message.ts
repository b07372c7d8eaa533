/** What can be sent to the tax authority, and the SOAP 1.1 around it. */
import { rootOf, SOAP_NAMESPACE } from '../../xml/index.ts'

/** Messages of VeriFactu. */
export interface VerifactuMessage {
  readonly service: 'verifactu'
  /**
   * `submission` sends records, `requirement` sends them because the authority has asked for them (NO VERI*FACTU),
   * `query` asks what is stored.
   */
  readonly operation: 'submission' | 'requirement' | 'query'
  /** With its SOAP envelope or without. */
  readonly xml: string
}

/** Books of the SII, each with an address of its own. */
export type SiiBook = 'issued' | 'received' | 'collections' | 'payments'

/** Messages of the SII. */
export interface SiiMessage {
  readonly service: 'sii'
  readonly book: SiiBook
  /** `submission` registers, modifies or deletes; `query` asks what is stored. */
  readonly operation: 'submission' | 'query'
  /** With its SOAP envelope or without. */
  readonly xml: string
}

export type Message = (VerifactuMessage | SiiMessage) & {
  /** The company tries things out: its messages go to the test service, whatever this installation works with. */
  readonly sandbox?: boolean
}

const DECLARATION = /^\uFEFF?\s*(?:<\?xml[^>]*\?>)?\s*/

/**
 * A message in its envelope. One that has an envelope is left as it is, and what is put into one is not touched either:
 * a signed record is what its signature covers, character by character.
 */
export function enveloped(xml: string): string {
  const root = rootOf(xml)
  if (root?.name === 'Envelope' && root.namespace === SOAP_NAMESPACE) return xml
  const message = xml.replace(DECLARATION, '')
  return `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="${SOAP_NAMESPACE}"><soapenv:Header/><soapenv:Body>${message}</soapenv:Body></soapenv:Envelope>`
}
