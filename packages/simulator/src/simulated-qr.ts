/** Verifies the URL in the QR code of an invoice. */

import type { Locale, Text } from '#core/invoice/index.ts'
import { fromImporte } from '#records/fiscal/index.ts'
import { type FiscalRecord, parseQr } from '#records/verifactu/index.ts'
import type { SimulatorDatabase } from './simulator-database.ts'
import type { Environment } from './simulator-types.ts'
import { altaOf } from './verifactu-record.ts'

export type QrResult =
  | { readonly kind: keyof typeof RESULTS }
  | { readonly kind: 'wrong'; readonly codes: readonly number[]; readonly messages: readonly string[] }

/** Results of the authority's verification. `not_found` includes cancelled invoices. */
const RESULTS = {
  found: { result: '00', es: 'Factura verificable', en: 'Verifiable invoice' },
  not_found: { result: '01', es: 'Factura no encontrada', en: 'Invoice not found' },
  /** The invoice was issued with a system that does not send its records. */
  not_verifiable: { result: '02', es: 'Factura no verificable', en: 'Invoice not verifiable' },
} as const

const WRONG: Text = { es: 'Los datos del QR no son correctos', en: 'Invalid data in the QR code' }

const HOSTS: Readonly<Record<Environment, string>> = {
  production: 'www2.agenciatributaria.gob.es',
  test: 'prewww2.aeat.es',
}

/** URL parameters that are not part of the QR code. */
const EXTRA_PARAMETERS = new Set(['formato', 'idioma'])

/** Verifies a QR code, given the path and the query of its URL. */
export function verifyQr(
  database: SimulatorDatabase,
  environment: Environment,
  path: string,
  query: string,
): QrResult {
  const plain = query
    .split('&')
    .filter((pair) => !EXTRA_PARAMETERS.has(pair.split('=')[0] ?? ''))
    .join('&')
  const read = parseQr(`https://${HOSTS[environment]}${path}?${plain}`)
  if (!read.valid) {
    const codes = read.errors.flatMap(({ authority_code }) => authority_code ?? [])
    return { kind: 'wrong', codes: [...new Set(codes)], messages: read.errors.map(({ message }) => message) }
  }
  const { nif, numSerie, fecha, importe } = read
  if (!read.verifiable) return { kind: 'not_verifiable' }
  const invoice = database
    .invoicesOf({ environment, service: 'verifactu', issuer: nif, number: numSerie, issue_date: fecha })
    .find((row) => row.state !== 'Anulada')
  const stored = invoice?.registration ? database.value<FiscalRecord>(invoice.registration) : undefined
  const total = stored && altaOf(stored)?.ImporteTotal
  const found = total !== undefined && fromImporte(total) === fromImporte(importe)
  return { kind: found ? 'found' : 'not_found' }
}

/** Returns the response for a QR code in the authority's format. `errors` contains the reasons. */
export function qrResponse(result: QrResult, locale: Locale): object {
  if (result.kind === 'wrong') {
    const { codes, messages: errors } = result
    return { status: 'KO', codigo_error: codes.join('.') || '2001', mensaje: WRONG[locale], errors }
  }
  const { result: resultado, [locale]: mensaje } = RESULTS[result.kind]
  return { status: 'OK', respuesta: { resultado, mensaje } }
}
