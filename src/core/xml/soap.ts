/** SOAP 1.1: the fault with which the authority refuses a whole message. */
import type { Shapes } from './shapes.ts'

export const SOAP_NAMESPACE = 'http://schemas.xmlsoap.org/soap/envelope/'

/** A SOAP fault, for example with `Codigo[4102].text` in `faultstring`. */
export interface Fault {
  readonly faultcode?: string
  readonly faultstring?: string
  readonly faultactor?: string
  /** Content of the element as XML text. */
  readonly detail?: string
}

/** Returns the shapes with the root element `Fault`, whose members have no namespace. */
export const withFault = (shapes: Shapes): Shapes => ({
  namespaces: { ...shapes.namespaces, soapenv: SOAP_NAMESPACE, '': '' },
  roots: { ...shapes.roots, 'soapenv:Fault': 'soapenv:Fault' },
  types: {
    ...shapes.types,
    'soapenv:Fault': {
      members: [
        [':faultcode', 'text', 0],
        [':faultstring', 'text', 0],
        [':faultactor', 'text', 0],
        [':detail', 'xml', 0],
      ],
    },
  },
})

export interface FaultReading {
  /** The authority's code; null if the text contains no code. */
  readonly code: number | null
  readonly text: string
  /** Whether the sender is at fault, so that the message must not be sent again unchanged. */
  readonly client: boolean
}

/**
 * Parses a fault.
 *
 * @example
 * readFault({ faultcode: 'env:Client', faultstring: 'Codigo[4102].El XML no cumple el esquema.' })
 * // => { code: 4102, text: 'El XML no cumple el esquema.', client: true }
 */
export function readFault({ faultcode = '', faultstring = '' }: Fault): FaultReading {
  const parts = /^\s*Codigo\[(\d+)\][.:]?\s*(.*)$/is.exec(faultstring)
  return {
    code: parts ? Number(parts[1]) : null,
    text: (parts?.[2] ?? faultstring).trim(),
    client: /(^|:)(client|sender)\b/i.test(faultcode),
  }
}
