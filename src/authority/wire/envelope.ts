/** SOAP 1.1 around a message. */
import { rootOf, SOAP_NAMESPACE } from '../../xml/index.ts'

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
