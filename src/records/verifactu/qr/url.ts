/** Builds the address inside the QR code. */
import { displayTextOf, fault, QrError } from './fault.ts'
import { PARAMETERS, type QrEnvironment, type QrParts, qrPartFault } from './qr-parts.ts'

/** Hosts of the service that compares an invoice with its record. */
export const HOSTS: Readonly<Record<QrEnvironment, string>> = {
  production: 'www2.agenciatributaria.gob.es',
  test: 'prewww2.aeat.es',
}

/** Path for invoices whose record is sent to the tax authority (VERI*FACTU). */
export const VERIFIABLE_PATH = '/wlpl/TIKE-CONT/ValidarQR'

/** Path for invoices whose record stays with the issuer (NO VERI*FACTU). */
export const NOT_VERIFIABLE_PATH = '/wlpl/TIKE-CONT/ValidarQRNoVerifactu'

/** Selects one of the four addresses. */
export interface QrAddress {
  /** Default `production`. */
  readonly environment?: QrEnvironment | undefined
  /** Whether the invoice is issued in VERI*FACTU mode. Default `true`. */
  readonly verifiable?: boolean | undefined
}

/** The members of a `RegistroAlta` that the QR needs. */
export interface QrRecord {
  readonly IDFactura: {
    readonly IDEmisorFactura: string
    readonly NumSerieFactura: string
    readonly FechaExpedicionFactura: string
  }
  readonly ImporteTotal: string
}

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/**
 * Percent-encodes a text as UTF-8. Escapes everything but the unreserved characters of RFC 3986 (letters, digits, `- .
 * _ ~`). Unlike `encodeURIComponent`, it also escapes `! ' ( ) *`.
 *
 * @param text A text without lone surrogates.
 * @example
 * percentEncode("A+B&C/1 ñ(*)") // => 'A%2BB%26C%2F1%20%C3%B1%28%2A%29'
 */
export const percentEncode = (text: string): string => encodeURIComponent(text).replace(/[!'()*]/g, percent)

/**
 * Returns the address for the QR code of an invoice.
 *
 * It has exactly `nif`, `numserie`, `fecha` and `importe`, in this order, percent-encoded. Values are not corrected or
 * reformatted: the service looks the record up with the same four texts, so `241.4` and `241.40` are different. The
 * check character of the NIF is not checked.
 *
 * Source: Orden HAC/1177/2024 art. 20; AEAT, QR document 0.5.0.
 *
 * @param invoice `nif` 9 characters; `numSerie` 1 to 60 characters of ASCII 32-126 without `" ' < > =`; `fecha`
 *   `dd-mm-yyyy`; `importe` the text of `ImporteTotal`, in euros with a point; and the choice of address.
 * @throws {QrError} With `field` and `code` of the first fault.
 * @example
 * const invoice = { nif: '89890001K', numSerie: '12345678&G33', fecha: '01-01-2024', importe: '241.4' }
 * const parameters = '?nif=89890001K&numserie=12345678%26G33&fecha=01-01-2024&importe=241.4'
 * qrUrl(invoice) // => 'https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR' + parameters
 * qrUrl({ ...invoice, environment: 'test', verifiable: false })
 * // => 'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQRNoVerifactu' + parameters
 */
export function qrUrl(invoice: QrParts & QrAddress): string {
  if (typeof invoice !== 'object' || invoice === null)
    throw new TypeError('cuadra: qrUrl needs an object with nif, numSerie, fecha and importe')
  const { environment = 'production', verifiable = true } = invoice
  const query: string[] = []
  PARAMETERS.forEach(({ field, parameter }, index) => {
    const value = invoice[field]
    const wrong = qrPartFault(index, value)
    if (wrong) throw new QrError(wrong)
    query.push(`${parameter}=${percentEncode(value)}`)
  })
  if (environment !== 'production' && environment !== 'test') {
    const why = 'there are two services. Pass "production" or "test".'
    throw new QrError(
      fault('environment', 'unknown', `environment is ${displayTextOf(environment)}: ${why}`),
      `environment es ${displayTextOf(environment)}: hay dos servicios. Indique "production" o "test".`,
    )
  }
  if (typeof verifiable !== 'boolean') {
    const why = 'pass true for VERI*FACTU and false for NO VERI*FACTU.'
    throw new QrError(
      fault('verifiable', 'type', `verifiable is ${displayTextOf(verifiable)}: ${why}`),
      `verifiable es ${displayTextOf(verifiable)}: indique true si es VERI*FACTU y false si no lo es.`,
    )
  }
  const path = verifiable ? VERIFIABLE_PATH : NOT_VERIFIABLE_PATH
  return `https://${HOSTS[environment]}${path}?${query.join('&')}`
}

/**
 * Returns the address of the QR code for a record.
 *
 * @param record A `RegistroAlta`, or any object with its `IDFactura` and `ImporteTotal`.
 * @param address The choice of address; by default production and VERI*FACTU.
 * @throws {QrError} In the same cases as `qrUrl`.
 * @example
 * const IDFactura = {
 *   IDEmisorFactura: '89890001K',
 *   NumSerieFactura: '12345678-G33',
 *   FechaExpedicionFactura: '01-09-2024',
 * }
 * const url = qrUrlOf({ IDFactura, ImporteTotal: '241.4' }, { environment: 'test' })
 * url.slice(url.indexOf('?')) // => '?nif=89890001K&numserie=12345678-G33&fecha=01-09-2024&importe=241.4'
 */
export const qrUrlOf = (record: QrRecord, address: QrAddress = {}): string =>
  qrUrl({
    nif: record?.IDFactura?.IDEmisorFactura,
    numSerie: record?.IDFactura?.NumSerieFactura,
    fecha: record?.IDFactura?.FechaExpedicionFactura,
    importe: record?.ImporteTotal,
    environment: address.environment,
    verifiable: address.verifiable,
  })
