/** Verifies the address in the QR code of an invoice. */
import { fromImporte } from '../fiscal/literals.ts'
import { type FiscalRecord, parseQr } from '../verifactu/index.ts'
import type { InvoiceRow, SimulatorDatabase } from './database.ts'
import type { Environment } from './types.ts'
import { altaOf } from './verifactu-record.ts'

export type QrResult =
  | { readonly kind: 'found'; readonly invoice: InvoiceRow; readonly parts: QrParts }
  /** Returned for cancelled invoices too. */
  | { readonly kind: 'not_found'; readonly parts: QrParts }
  /** The invoice is from a system that does not send its records. */
  | { readonly kind: 'not_verifiable'; readonly parts: QrParts }
  | { readonly kind: 'wrong'; readonly codes: readonly number[]; readonly messages: readonly string[] }

interface QrParts {
  readonly nif: string
  readonly numSerie: string
  readonly fecha: string
  readonly importe: string
}

const HOSTS: Readonly<Record<Environment, string>> = {
  production: 'www2.agenciatributaria.gob.es',
  test: 'prewww2.aeat.es',
}

/** Parameters that are not part of the QR code. */
const EXTRA_PARAMETERS = new Set(['formato', 'idioma', 'lang'])

/** Verifies a QR code by the path and the query of its address. */
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
  const parts = { nif, numSerie, fecha, importe }
  if (!read.verifiable) return { kind: 'not_verifiable', parts }
  const invoice = database
    .invoicesOf({ environment, service: 'verifactu', issuer: nif, number: numSerie, issue_date: fecha })
    .find((row) => row.state !== 'Anulada')
  const stored = invoice?.registration ? database.value<FiscalRecord>(invoice.registration) : undefined
  const total = stored && altaOf(stored)?.ImporteTotal
  const found = invoice && total !== undefined && fromImporte(total) === fromImporte(importe)
  return found ? { kind: 'found', invoice, parts } : { kind: 'not_found', parts }
}
