/** Generates the records of a valid invoice, or returns why this is not possible. The functions are pure. */

import type { CanonicalInvoice } from '#core/invoice/index.ts'
import type { ValidationItem } from '#engine/index.ts'
import { spanishDay, spanishTimestamp, toFecha } from '#records/fiscal/index.ts'
import { issuedRecord, receivedRecord, siiXml, submission } from '#records/sii/index.ts'
import { recordXml, registrationRecord } from '#records/verifactu/index.ts'
import type { Assessment, Settings } from '../assess/assess.ts'
import { type CompanySettings, systemOf } from '../company/checked-company.ts'

/** The reason why no record is generated, as a key of the texts. */
export type Obstacle = 'noData' | 'unfinished' | 'invalid' | 'needsNumber' | 'asDraft'

export function obstacleOf({ readable, data, valid, errors, operation }: Assessment): Obstacle | null {
  if (!readable || !data) return errors === 0 && readable ? 'unfinished' : 'noData'
  if (!valid) return errors === 0 ? 'unfinished' : 'invalid'
  const { header, issue_data: dates } = data.invoice
  if (header.invoice_number === undefined || dates.issue_date === undefined) return 'needsNumber'
  return operation === 'draft' ? 'asDraft' : null
}

/** Returns the timestamp of the record: now if the chosen day is today, otherwise about noon of that day. */
export function timestampFor(today: string, now: number): string {
  const noon = Date.parse(`${today}T11:00:00Z`)
  // Days before 1970 are not accepted.
  return today === spanishDay(now) || !(noon >= 0) ? spanishTimestamp(now) : spanishTimestamp(noon)
}

/** Returns the previous record as entered, or null. */
function previousOf(settings: CompanySettings, issuer: string) {
  const { previous_number, previous_date, previous_hash } = settings
  if (![previous_number, previous_date, previous_hash].some((text) => text.trim() !== '')) return null
  return {
    IDEmisorFactura: issuer,
    NumSerieFactura: previous_number.trim(),
    FechaExpedicionFactura: toFecha(previous_date),
    Huella: previous_hash.trim().toUpperCase(),
  }
}

export type RecordResult =
  | { readonly ok: true; readonly record: string; readonly xml: string; readonly hash: string }
  | { readonly ok: false; readonly items: readonly ValidationItem[] }

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Generates the registration record of VeriFactu. */
export function verifactuOf(
  data: CanonicalInvoice,
  { locale, company }: Settings,
  timestamp: string,
): RecordResult {
  // The system is user input: `registrationRecord` validates it.
  const system = systemOf(company).system as unknown as Parameters<typeof registrationRecord>[1]['system']
  const previous = previousOf(company, data.invoice.supplier.tax_id ?? '')
  const result = registrationRecord(data, { system, previous, timestamp, locale })
  if (!result.ok) return { ok: false, items: result.items }
  const { record, hash } = result
  return { ok: true, record: pretty(record), xml: `${recordXml(record, { indent: 2 })}\n`, hash }
}

export type SiiResult =
  | { readonly ok: true; readonly record: string; readonly xml: string | null }
  | { readonly ok: false; readonly items: readonly ValidationItem[] }

/** Generates the SII record of an invoice, and the message that submits the record. */
export function siiOf(data: CanonicalInvoice, { locale }: Settings, received: boolean): SiiResult {
  const { supplier, customer } = data.invoice
  const holder = received ? customer : supplier
  const result = received ? receivedRecord(data, { locale }) : issuedRecord(data, { locale })
  if (!result.ok) return { ok: false, items: result.items }
  const sent = submission({
    book: received ? 'RECEIVED' : 'ISSUED',
    operation: 'A0',
    holder: { name: holder?.name ?? '', nif: holder?.tax_id ?? '' },
    records: [result.record],
    locale,
  })
  const xml = sent.ok ? `${siiXml(sent.message, { indent: 2 })}\n` : null
  return { ok: true, record: pretty(result.record), xml }
}

export const invoiceJson = (data: CanonicalInvoice): string => pretty(data)
