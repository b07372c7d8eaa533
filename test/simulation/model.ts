/**
 * What must hold, as plain data: the responses that each company got, and what follows from them. No code of the product decides
 * anything here.
 */
import { createHash } from 'node:crypto'
import type { AuthorityRecord } from './authority.ts'
import type { Arrived } from './faults.ts'
import type { CompanyKey, Mode } from './world.ts'

/** Something that must hold and does not. */
export class Violation extends Error {
  readonly rule: string
  constructor(rule: string, message: string) {
    super(`${rule}: ${message}`)
    this.rule = rule
  }
}

export function must(rule: string, holds: boolean, message: () => string): void {
  if (!holds) throw new Violation(rule, message())
}

export type Status = 'draft' | 'issued' | 'sent' | 'cancelled'

export interface Invoice {
  readonly id: string
  readonly ref: string
  readonly series: string
  status: Status
  isImported: boolean
  /** In cents; null if the simulation does not know it. */
  total: number | null
  number: string | null
  date: string | null
  /** Types of its fiscal records, in order. */
  records: ('alta' | 'anulacion')[]
  /** Whether its last record may be missing. */
  isLastRecordOptional?: boolean
  /** Whether it corrects another. */
  readonly isCorrective: boolean
  files: number
}

export interface Mail {
  readonly subject: string
  readonly invoice: string
  /** The fewest and the most messages that may have arrived. */
  least: number
  most: number
}

export interface Company extends CompanyKey {
  mode: Mode
  /** The last day of the certificate that lasts longest. */
  certifiedUntil: string
  readonly invoices: Map<string, Invoice>
  readonly received: Map<string, { readonly number: string; total: number }>
  readonly mails: Mail[]
  /** Series with a gap that a restore has left. */
  hasSkipped: boolean
}

/** What stays true even if the server loses its data: numbers that customers have. */
export interface Given {
  /** Invoice and total by company and number. */
  readonly numbers: Map<string, { readonly id: string; readonly total: number | null }>
}

export const madrid = (ms: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid' }).format(ms)

const cents = (amount: number): number => Math.round(amount * 100)

/** Tax of 21 % of a base in cents, rounded half away from zero. */
export const taxOf = (base: number): number => Math.sign(base) * Math.floor((Math.abs(base) * 21 + 50) / 100)

/** An invoice as the server shows it. */
export interface Shown {
  readonly id: string
  readonly status: string
  readonly number: string | null
  readonly issue_date: string | null
  readonly total: number
  readonly external_id: string
}

/** Numbers that a company gives are unique for ever. */
export function give(given: Given, company: Company, invoice: Invoice): void {
  const name = `${company.id} ${invoice.number}`
  const before = given.numbers.get(name)
  must(
    'one invoice for each number',
    !before || before.id === invoice.id,
    () => `${invoice.number} is of two invoices`,
  )
  given.numbers.set(name, { id: invoice.id, total: invoice.total })
}

/** A single invoice is as the responses stated. */
export function checkShown(invoice: Invoice, shown: Shown): void {
  must(
    'an invoice is what was acknowledged',
    shown.status === invoice.status && shown.number === invoice.number && shown.issue_date === invoice.date,
    () =>
      `${invoice.ref} should be ${invoice.status} ${invoice.number} of ${invoice.date}, but is ${shown.status} ${shown.number} of ${shown.issue_date}`,
  )
  must(
    'an amount never changes',
    invoice.total === null || cents(shown.total) === invoice.total,
    () => `${invoice.ref} amounts to ${shown.total} instead of ${Number(invoice.total) / 100}`,
  )
}

/** The list of issued invoices, drafts included, is complete. */
export function checkList(
  company: Company,
  list: { readonly items: readonly Shown[]; readonly total: number },
): void {
  must(
    'a list counts what it has',
    list.total === company.invoices.size,
    () => `${list.total} instead of ${company.invoices.size} invoices`,
  )
  for (const shown of list.items) {
    const invoice = company.invoices.get(shown.id)
    if (!invoice)
      throw new Violation(
        'a list has nothing else',
        `${shown.external_id} ${shown.status} ${shown.number} is unknown`,
      )
    checkShown(invoice, shown)
  }
  must(
    'a list has everything',
    list.items.length === Math.min(500, company.invoices.size),
    () => `${list.items.length} items`,
  )
}

export function checkTotal(what: string, shown: number, wanted: number): void {
  must('a list counts what it has', shown === wanted, () => `${what}: ${shown} instead of ${wanted}`)
}

/** Numbers of a series follow one another, and so do their dates. */
export function checkNumbers(company: Company): void {
  const series = new Map<string, Invoice[]>()
  for (const invoice of company.invoices.values())
    if (invoice.number !== null && !invoice.isImported)
      series.set(invoice.series, [...(series.get(invoice.series) ?? []), invoice])
  for (const [code, invoices] of series) {
    invoices.sort((a, b) => (String(a.number) < String(b.number) ? -1 : 1))
    invoices.forEach((invoice, index) => {
      const before = invoices[index - 1]
      must(
        'no gap in a series',
        company.hasSkipped || invoice.number === `${code}${String(index + 1).padStart(6, '0')}`,
        () => `${invoice.number} is number ${index + 1} of its series`,
      )
      must(
        'dates rise with numbers',
        !before || String(before.date) <= String(invoice.date),
        () => `${before?.number} of ${before?.date} and ${invoice.number} of ${invoice.date}`,
      )
    })
  }
}

/** A row of the table of fiscal records. */
export interface RecordRow {
  readonly sequence: number
  readonly invoice_id: string
  readonly tipo: 'alta' | 'anulacion'
  readonly estado: string
  readonly mode: Mode
  readonly huella: string
  readonly huella_anterior: string
  readonly record: string
  readonly num_serie: string
}

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex').toUpperCase()

/** The hash of a record, from its content. */
function hashOf({ record }: RecordRow): string {
  const { RegistroAlta: alta, RegistroAnulacion: gone } = JSON.parse(record)
  const one = alta ?? gone
  const before = one.Encadenamiento.RegistroAnterior?.Huella ?? ''
  const { IDFactura: id } = one
  const parts = alta
    ? [
        ['IDEmisorFactura', id.IDEmisorFactura],
        ['NumSerieFactura', id.NumSerieFactura],
        ['FechaExpedicionFactura', id.FechaExpedicionFactura],
        ['TipoFactura', alta.TipoFactura],
        ['CuotaTotal', alta.CuotaTotal],
        ['ImporteTotal', alta.ImporteTotal],
      ]
    : [
        ['IDEmisorFacturaAnulada', id.IDEmisorFacturaAnulada],
        ['NumSerieFacturaAnulada', id.NumSerieFacturaAnulada],
        ['FechaExpedicionFacturaAnulada', id.FechaExpedicionFacturaAnulada],
      ]
  return sha256(
    [...parts, ['Huella', before], ['FechaHoraHusoGenRegistro', one.FechaHoraHusoGenRegistro]]
      .map(([name, value]) => `${name}=${value}`)
      .join('&'),
  )
}

/** The chain of a company is whole, never changes, and has the records of its invoices. */
export function checkChain(company: Company, rows: readonly RecordRow[], seen: Map<number, string>): void {
  rows.forEach((row, index) => {
    const before = rows[index - 1]
    const known = seen.get(row.sequence)
    must(
      'a record never changes',
      known === undefined || known === row.record,
      () => `record ${row.sequence} changed`,
    )
    if (known === undefined) {
      must('a hash is that of its record', row.huella === hashOf(row), () => `record ${row.sequence}`)
      seen.set(row.sequence, row.record)
    }
    must(
      'a chain has no gap and no fork',
      Number(row.sequence) === index + 1 && row.huella_anterior === (before?.huella ?? ''),
      () =>
        `record ${row.sequence} follows ${row.huella_anterior.slice(0, 8)} instead of ${before?.huella.slice(0, 8)}`,
    )
  })
  must('a record never goes', seen.size === rows.length, () => `${rows.length} of ${seen.size} records`)
  const byInvoice = new Map<string, string[]>()
  for (const { invoice_id, tipo } of rows)
    byInvoice.set(invoice_id, [...(byInvoice.get(invoice_id) ?? []), tipo])
  for (const invoice of company.invoices.values()) {
    const has = (byInvoice.get(invoice.id) ?? []).join()
    const may = [invoice.records, ...(invoice.isLastRecordOptional ? [invoice.records.slice(0, -1)] : [])]
    must(
      'each invoice has its records',
      may.some((one) => one.join() === has),
      () => `${invoice.number} has the records "${has}" instead of "${invoice.records.join()}"`,
    )
    byInvoice.delete(invoice.id)
  }
  must(
    'each record has its invoice',
    byInvoice.size === 0,
    () => `${byInvoice.size} invoices with records are unknown`,
  )
}

/** What the authority received fits what the server has. */
export function checkAuthority(
  company: Company,
  rows: readonly RecordRow[],
  received: readonly AuthorityRecord[],
  { given, hasRestored }: { readonly given: Given; readonly hasRestored: boolean },
): void {
  const accepted = new Map(
    received.filter(({ outcome }) => outcome !== 'Incorrecto').map((one) => [one.hash, one]),
  )
  const arrived = new Set(received.map(({ hash }) => hash))
  const own = new Map(rows.map((row) => [row.huella, row]))
  const known = new Set<string>([''])
  for (const record of received) {
    must(
      'a hash is that of its record',
      record.isRight,
      () => `the authority received ${record.number} with a wrong hash`,
    )
    must(
      'the authority gets only records of the chain',
      hasRestored || own.has(record.hash),
      () => `${record.number} is unknown`,
    )
    must(
      'records arrive in the order of the chain',
      hasRestored || known.has(record.before) || own.get(record.before)?.mode === 'no_verifactu',
      () => `${record.number} arrived before the record that it follows`,
    )
    known.add(record.hash)
    const total = given.numbers.get(`${company.id} ${record.number}`)?.total
    if (record.kind === 'Alta' && total !== undefined && total !== null)
      must(
        'the authority has the amounts of the invoices',
        cents(Number(record.total)) === total,
        () => `${record.number}: ${record.total} instead of ${total / 100}`,
      )
  }
  for (const row of rows) {
    if (row.estado === 'accepted' || row.estado === 'accepted_with_errors')
      must(
        'accepted is what the authority accepted',
        hasRestored || accepted.has(row.huella),
        () => `${row.num_serie} (${row.tipo})`,
      )
    if (row.mode === 'no_verifactu')
      must('records without VERI*FACTU are not sent', !arrived.has(row.huella), () => row.num_serie)
  }
}

/** Mails arrived as often as they may. */
export function checkMails(company: Company, arrived: readonly Arrived[], isOver: boolean): void {
  for (const mail of company.mails) {
    const own = arrived.filter(({ subject }) => subject === mail.subject)
    must(
      'a mail arrives once',
      own.length <= mail.most,
      () => `"${mail.subject}" arrived ${own.length} times, at most ${mail.most} may`,
    )
    must(
      'copies of a mail have one Message-ID',
      new Set(own.map(({ messageId }) => messageId)).size <= 1,
      () => mail.subject,
    )
    must(
      'an acknowledged mail has arrived',
      own.length >= (isOver ? mail.least : 0),
      () => `"${mail.subject}" arrived ${own.length} times, at least ${mail.least} must`,
    )
  }
}
