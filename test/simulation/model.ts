/**
 * What must hold, as plain data: the responses that each company got, and what follows from them. No code of the product decides
 * anything here.
 */
import { createHash } from 'node:crypto'
import { required } from '#core/errors/index.ts'
import type { Document } from '../conformance/invoices.ts'
import type { AuthorityRecord, Requested } from './authority.ts'
import type { Entry } from './books.ts'
import type { Arrived } from './faults.ts'
import type { CompanyKey, Mode, System } from './world.ts'

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

/** A fiscal record that an invoice must have, and the mode of the period in which it was made. */
export interface Duty {
  readonly type: 'alta' | 'anulacion'
  readonly mode: Mode
}

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
  /** Its fiscal records, in order. */
  records: Duty[]
  /** Whether it was cancelled where its cancellation record could not be made; null if that is not known. */
  isMissing?: boolean | null
  /** Whether its last record may be missing. */
  isLastRecordOptional?: boolean
  /** Whether it corrects another. */
  readonly isCorrective: boolean
  /** Whether the book of the SII must have it; null if it may. */
  isInBook: boolean | null
  readonly payments: PaymentOf[]
  files: number
}

/** A collection or payment of an invoice, in cents. */
export interface PaymentOf {
  readonly id: string
  readonly cents: number
  isCancelled: boolean
}

/** An invoice of a supplier. */
export interface Received {
  number: string
  total: number
  /** The document as sent. */
  document: Document
  /** The day of receipt, which decides whether the book of the SII has it. */
  readonly day: string
  isInBook: boolean | null
  readonly payments: PaymentOf[]
}

export interface Mail {
  readonly subject: string
  readonly invoice: string
  /** The fewest and the most messages that may have arrived. */
  least: number
  most: number
}

/** Days whose records the authority has requested, and the attempts that ended without a known result. */
export interface RequestOfAuthority {
  readonly periods: { readonly from: string; readonly to: string }[]
  uncertain: number
}

export interface Enrolment {
  readonly start_date: string
  end_date: string | null
}

export interface Company extends CompanyKey {
  mode: Mode
  /** The invoicing system of its chain; null before its first record. */
  system: System | null
  /** Systems that made records of the company. */
  readonly systems: Set<string>
  /** First records of later chains, by sequence. */
  readonly chainStarts: number[]
  /** A change of mode for a later day. */
  planned: { readonly mode: Mode; readonly from: string } | null
  /** The last day of the certificate that lasts longest; null without a certificate. */
  certifiedUntil: string | null
  isActive: boolean
  /** Records that the authority has, while the company's certificate is of another; null otherwise. */
  receivedAtMost: number | null
  /** Province and tax group of today. */
  province: string
  taxGroup: 'IVA' | 'IPSI'
  /** Requests of the authority, by reference. */
  readonly requests: Map<string, RequestOfAuthority>
  /** What each issued invoice says, since it was issued. */
  readonly stored: Map<string, string>
  readonly invoices: Map<string, Invoice>
  readonly received: Map<string, Received>
  /** Periods of enrolment in the SII, and whether it is part of the plan; null if the company never reports to it. */
  readonly sii: { readonly periods: Enrolment[]; isInPlan: boolean } | null
  readonly mails: Mail[]
  /** Series with a gap that a restore has left. */
  hasSkipped: boolean
}

/** What stays true even if the server loses its data: numbers that customers have. */
export interface Given {
  /** Invoice and total by company and number. */
  readonly numbers: Map<string, { readonly id: string; readonly total: number | null }>
  /** Series of these numbers, by company. */
  readonly series: Map<string, Set<string>>
}

export const madrid = (ms: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid' }).format(ms)

const cents = (amount: number): number => Math.round(amount * 100)

/** Tax of 21 % of a base in cents, rounded half away from zero. */
export const taxOf = (base: number): number => Math.sign(base) * Math.floor((Math.abs(base) * 21 + 50) / 100)

/** An invoice as the server shows it. */
export interface Shown {
  readonly id: string
  readonly status: Invoice['status']
  readonly number: string | null
  readonly issue_date: string | null
  readonly total: number
  readonly external_id: string
  /** Null in lists. */
  readonly fiscal?: { readonly status: string } | null
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
  given.series.set(company.id, (given.series.get(company.id) ?? new Set()).add(invoice.series))
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
  if (!shown.fiscal || invoice.isMissing === null) return
  must(
    'a cancellation without its record says so',
    (shown.fiscal.status === 'cancellation_missing') === (invoice.isMissing === true),
    () =>
      `${invoice.number} is ${shown.fiscal?.status}, ${invoice.isMissing ? 'without' : 'with'} its record`,
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

/** The system that a record or event names. */
export function systemOf(record: string): System {
  const systems: System[] = []
  JSON.parse(record, (name, value) => {
    if (name === 'SistemaInformatico')
      systems.push({ producer: value.NIF, installation: value.NumeroInstalacion })
    return value
  })
  return required(systems[0])
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
    const isFirst = index === 0 || company.chainStarts.includes(index + 1)
    const link = isFirst ? '' : before?.huella
    must(
      'a chain has no gap and no fork',
      Number(row.sequence) === index + 1 && row.huella_anterior === link,
      () =>
        `record ${row.sequence} follows ${row.huella_anterior.slice(0, 8)} instead of ${link?.slice(0, 8)}`,
    )
    const [own, earlier] = [systemOf(row.record), before && systemOf(before.record)]
    must(
      'a chain belongs to one system',
      isFirst || (own.producer === earlier?.producer && own.installation === earlier.installation),
      () => `record ${row.sequence} is of ${JSON.stringify(own)}, after ${JSON.stringify(earlier)}`,
    )
  })
  must('a record never goes', seen.size === rows.length, () => `${rows.length} of ${seen.size} records`)
  const byInvoice = new Map<string, string[]>()
  for (const { invoice_id, tipo, mode } of rows)
    byInvoice.set(invoice_id, [...(byInvoice.get(invoice_id) ?? []), `${tipo} ${mode}`])
  for (const invoice of company.invoices.values()) {
    const has = (byInvoice.get(invoice.id) ?? []).join()
    const may = [invoice.records, ...(invoice.isLastRecordOptional ? [invoice.records.slice(0, -1)] : [])]
    const textOf = (records: readonly Duty[]) => records.map(({ type, mode }) => `${type} ${mode}`).join()
    must(
      'each invoice has the records that its mode demands',
      may.some((one) => textOf(one) === has),
      () => `${invoice.number} has the records "${has}" instead of "${textOf(invoice.records)}"`,
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
  const { receivedAtMost } = company
  must(
    'nothing is sent with the certificate of another',
    receivedAtMost === null || received.length <= receivedAtMost,
    () => `${received.length} records, ${receivedAtMost} before`,
  )
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

/** The day of a record, in Madrid. */
export function dayOfRecord({ record }: RecordRow): string {
  const { RegistroAlta: alta, RegistroAnulacion: gone } = JSON.parse(record)
  return String((alta ?? gone).FechaHoraHusoGenRegistro).slice(0, 10)
}

/** The records that a request asks for. */
export const recordsOf = (
  rows: readonly RecordRow[],
  { periods }: RequestOfAuthority,
): readonly RecordRow[] =>
  rows.filter((row) => {
    if (row.mode !== 'no_verifactu') return false
    const day = dayOfRecord(row)
    return periods.some(({ from, to }) => from <= day && day <= to)
  })

/** A request is answered with records without VERI*FACTU only, each once, unless an earlier response was lost. */
export function checkRequests(
  company: Company,
  rows: readonly RecordRow[],
  requested: readonly Requested[],
  { hasRestored }: { readonly hasRestored: boolean },
): void {
  if (hasRestored) return
  const own = new Set(rows.flatMap(({ mode, huella }) => (mode === 'no_verifactu' ? [huella] : [])))
  for (const [reference, request] of company.requests) {
    const times = new Map<string, number>()
    for (const one of requested)
      if (one.company === company.taxId && one.reference === reference)
        for (const hash of one.hashes) times.set(hash, (times.get(hash) ?? 0) + 1)
    for (const [hash, count] of times) {
      must('a request is answered with records of the chain', own.has(hash), () => `${reference}: ${hash}`)
      must(
        'a request is answered with every record once',
        count <= 1 + request.uncertain,
        () => `${reference}: ${hash} was sent ${count} times`,
      )
    }
  }
}

/** What an issued invoice says never changes, whatever becomes of its company. */
export function checkStored(
  { stored }: Company,
  rows: readonly { readonly invoice_id: string; readonly canonical: string }[],
): void {
  for (const { invoice_id, canonical } of rows) {
    const before = stored.get(invoice_id)
    must(
      'an issued invoice says what it said',
      before === undefined || before === canonical,
      () => `${invoice_id}: ${canonical} instead of ${before}`,
    )
    stored.set(invoice_id, canonical)
  }
}

/** Whether a company reports to the SII on a day. */
export const isEnrolled = ({ sii }: Company, today: string): boolean =>
  sii?.isInPlan === true &&
  sii.periods.some(({ start_date, end_date }) => start_date <= today && today <= (end_date ?? '9999'))

/** The part of a company's data that is about the SII. */
export const siiOf = ({ sii }: Company) => ({
  fiscal_systems: { verifactu_in_plan: true, sii_in_plan: sii?.isInPlan === true },
  sii: {
    enrollment_periods: (sii?.periods ?? []).map((one) => ({ enrollment_status: 'mandatory', ...one })),
  },
})

/** Once everything is sent, the books of the SII are equal to the invoices. */
export function checkBooks(company: Company, entries: readonly Entry[]): void {
  const valid = new Map<string, Entry>(
    entries.flatMap((one) => (one.state === 'Anulada' ? [] : [[`${one.book} ${one.number}`, one] as const])),
  )
  const check = (name: string, one: Pick<Received, 'isInBook' | 'payments'>, total: number | null) => {
    const entry = valid.get(name)
    valid.delete(name)
    if (one.isInBook === null) return
    must(
      'a book has the invoices of its periods',
      Boolean(entry) === one.isInBook,
      () => `${name} is ${entry ? '' : 'not '}in the book`,
    )
    if (!entry) return
    must(
      'a book has the amounts of the invoices',
      total === null || entry.total === total,
      () => `${name}: ${entry.total / 100} instead of ${Number(total) / 100}`,
    )
    const paid = one.payments.reduce((sum, { cents, isCancelled }) => sum + (isCancelled ? 0 : cents), 0)
    const reported = entry.payments.reduce((sum, { cents, means }) => sum + (means === '03' ? 0 : cents), 0)
    must(
      'a book has what was collected and paid',
      reported === paid,
      () => `${name}: ${reported / 100} instead of ${paid / 100}`,
    )
  }
  for (const invoice of company.invoices.values())
    if (invoice.number !== null)
      check(`ISSUED ${invoice.number}`, invoice, invoice.status === 'cancelled' ? 0 : invoice.total)
  for (const received of company.received.values())
    check(`RECEIVED ${received.number}`, received, received.total)
  must('a book has nothing else', valid.size === 0, () => [...valid.keys()].join(', '))
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
