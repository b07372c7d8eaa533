/** SOAP faults and HTML pages of the service. */
import { html } from 'hono/html'
import { writeXml } from '#core/xml/index.ts'
import { vocabulary } from '#records/verifactu/model/index.ts'
import type { Outcome } from './simulator-types.ts'

export type FaultOutcome = Extract<Outcome, { kind: 'fault' }>

/** Returns the rejection of a whole message. With `client`, it must not be sent again unchanged. */
export const fault = (code: number | null, text: string, client = true): FaultOutcome => ({
  kind: 'fault',
  code,
  text,
  client,
})

/** Writes a SOAP 1.1 fault in the format of the authority: `Codigo[4102].text`. */
export function faultXml({ code, text, client }: FaultOutcome): string {
  const value = {
    faultcode: `soapenv:${client ? 'Client' : 'Server'}`,
    faultstring: code === null ? text : `Codigo[${code}].${text}`,
  }
  return writeXml(vocabulary(), 'Fault', value, { soap: true })
}

/** Returns an HTML page like those of the authority's web server, which it sends although clients expect SOAP. */
export const htmlPage = (title: string, text: string): string =>
  String(html`<!doctype html>
<html lang="es"><head><meta charset="utf-8"><title>${title}</title></head>
<body><h1>${title}</h1><p>${text}</p></body></html>
`)
