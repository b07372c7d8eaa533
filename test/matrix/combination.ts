/** An invoice with the features of a combination, and every output of the engine for it, each made when it is asked for. */

import { required } from '#core/errors/index.ts'
import type { CompletedInvoice } from '#core/invoice/index.ts'
import { type Options, type ValidationResult, validate } from '#engine/index.ts'
import { type FormatCode, type Reading, readInvoice, type Written, writeInvoice } from '#formats/index.ts'
import { type BooksResult, type Row, readBookCompany, vatBooks } from '#records/books/index.ts'
import { issuedRecord, receivedRecord } from '#records/sii/index.ts'
import { registrationRecord } from '#records/verifactu/index.ts'
import { type InvoiceView, type ViewLanguage, viewOf } from '#view/index.ts'
import { SYSTEM } from '../records/verifactu/records.ts'
import { type Draft, FEATURES, type Feature } from './features.ts'
import { type Loose, OWN_PERSON, plainInvoice } from './invoice.ts'
import { type SheetRoundTrip, throughSheet } from './sheet.ts'

export const TODAY = '2026-11-28'
const RECORDED_AT = '2026-11-28T12:00:00+01:00'
/** The totals that every document states. */
export const TOTALS = ['total_gross_amount_before_taxes', 'total_tax_outputs', 'invoice_total'] as const

/** The years of the books that have a row of an invoice of the matrix. */
const YEARS = [2023, 2025, 2026]

const bookCompany = (tax_id: string, legal_name: string, activity: object) => {
  const read: Loose = readBookCompany({
    tax_id,
    legal_name,
    books: { activity, property: { situation: '4' } },
  })
  return required(read.company)
}
const COMPANY = bookCompany('B12345674', 'ENSAYOS DEL NORTE SL', { code: 'A', type: '03', iae: '6533' })
const PERSON = bookCompany(required(OWN_PERSON.tax_id), 'ELVIRA MONTALBAN', {
  code: 'A',
  type: '05',
  iae: '411',
})

const cents = (amount: number | undefined): number => Math.round((amount ?? 0) * 100)
/** Adds amounts to the cent. */
export const sumOf = (amounts: readonly (number | undefined)[]): number =>
  amounts.reduce((sum: number, amount) => sum + cents(amount), 0) / 100

export const sumBy = (entries: readonly Loose[], name: string): number =>
  sumOf(entries.map((entry) => entry[name]))

export type FormatResult = Written & { readonly reading?: Reading; readonly read?: ValidationResult }
export type RecordOutcome = { readonly record?: Loose; readonly refusals: readonly string[] }
/** The rows in the books by rate, without collections and payments. */
export interface BookOutcome {
  readonly refusals: readonly string[]
  readonly rows: readonly Row[]
  /** The rows without those that take back what the invoice replaces. */
  readonly own: readonly Row[]
  /** The part that accrues unpaid under cash basis. */
  readonly accrued: number
  readonly investmentGoods: readonly Row[]
}

const NO_BOOKS = { rows: [], own: [], accrued: 0, investmentGoods: [] }
const isCashBasis = ({ tax_regime_key: key }: Loose): boolean => key === '07'
const isCorrective = ({ invoice_type: type }: Row): boolean => String(type).startsWith('R')

const recordOf = (result: Loose): RecordOutcome =>
  result.ok
    ? { record: result.record, refusals: [] }
    : { refusals: result.items.map(({ code }: Loose) => code) }

/** Returns the document of the features, or that of the invoice that it corrects, without stated amounts. */
function drafted(features: readonly Feature[], isOriginal: boolean): Draft {
  const document = plainInvoice()
  const { invoice } = document
  const draft = { document, invoice, lines: invoice.lines, options: { today: TODAY } as Loose, isOriginal }
  for (const { isStated, change } of features) if (!isStated) change(draft)
  draft.options.operation = document.meta.direction === 'issued' ? 'import' : 'received'
  return draft
}

export class Combination {
  readonly features: readonly Feature[]
  readonly document: Loose
  readonly options: Options
  readonly result: ValidationResult
  /** The invoice that a correction by substitution replaces. */
  readonly original: Combination | undefined
  readonly #outputs = new Map<string, unknown>()

  constructor(features: readonly Feature[], isOriginal = false) {
    this.features = FEATURES.filter((one) => features.includes(one))
    const draft = drafted(this.features, isOriginal)
    const { corrective } = draft.invoice.header
    this.original = corrective?.correction_type === 'S' ? new Combination(features, true) : undefined
    if (this.original) Object.assign(corrective, this.original.#corrected())
    for (const { group, isStated, change } of this.features) {
      if (!isStated || (isOriginal && group !== 'breakdown')) continue
      const { data } = validate(draft.document, draft.options)
      if (data) change({ ...draft, calculated: data.invoice } as Draft)
    }
    this.document = draft.document
    this.options = draft.options
    this.result = validate(this.document, this.options)
  }

  /** The amounts that a correction by substitution states of this invoice, and its date. */
  #corrected(): object {
    const { issue_date } = this.document.invoice.issue_data
    if (!this.result.data) return { corrected_taxable_base: 0, corrected_tax_amount: 0 }
    // They are euros in any currency.
    const surcharge = sumBy(this.entries, 'equivalence_surcharge_amount')
    return {
      invoice_issue_date: issue_date,
      corrected_taxable_base: sumBy(this.entries, 'taxable_base'),
      corrected_tax_amount: sumOf([this.totals.total_tax_outputs, -surcharge]),
    }
  }

  /** Returns an output, made once. */
  #once<T>(name: string, make: () => T): T {
    if (!this.#outputs.has(name)) this.#outputs.set(name, make())
    return this.#outputs.get(name) as T
  }

  get name(): string {
    return this.features.map(({ name }) => name).join(' + ') || 'no feature'
  }
  has(...names: readonly string[]): boolean {
    return this.features.some(({ name }) => names.includes(name))
  }
  get isIssued(): boolean {
    return this.document.meta.direction === 'issued'
  }
  get isValid(): boolean {
    return this.result.is_valid
  }
  get data(): CompletedInvoice {
    return required(this.result.data)
  }
  get invoice(): Loose {
    return this.data.invoice
  }
  get totals(): Loose {
    return this.invoice.totals
  }
  get entries(): readonly Loose[] {
    return this.invoice.taxes_outputs ?? []
  }
  get errorCodes(): readonly string[] {
    return this.result.errors.filter(({ severity }) => severity === 'error').map(({ code }) => code)
  }
  /** Whether the tax is VAT. */
  get isVat(): boolean {
    return this.invoice.issue_data.tax_group_code === 'IVA'
  }
  get hasMargin(): boolean {
    return this.entries.some(({ tax_regime_key: key }) => key === '03' || key === '05')
  }
  /** What kept totals may differ from the breakdown: a cent per line, in the currency of the document. */
  get tolerance(): number {
    const isKept = this.options.totals === 'check' || this.entries.length > this.#groups
    const rate = this.isIssued ? 1 : (this.invoice.issue_data.invoice_currency?.exchange_rate ?? 1)
    return isKept ? this.invoice.lines.length * Math.max(0.01, 0.01 * rate) : 0
  }
  /** By how much totals that were kept do not add up among themselves: an output states the invoice total then. */
  get gap(): number {
    const { invoice_total, total_gross_amount_before_taxes: net, total_tax_outputs: tax } = this.totals
    return Math.abs(sumOf([invoice_total, -net, -tax, -(this.totals.total_consumption_taxes ?? 0)]))
  }
  /**
   * What euros may differ by if they are converted once more: a cent for each line and entry (docs/formats.md, "Euros of
   * another currency"). The amounts in the other currency are exact.
   */
  get conversionTolerance(): number {
    const isForeign = this.invoice.issue_data.invoice_currency !== undefined
    return isForeign ? 0.01 * (this.invoice.lines.length + this.entries.length) : 0
  }
  /**
   * Whether totals in yen do not add up among themselves: the formats compare sums in cents, so they refuse a whole yen by
   * name (`sums`), and Facturae is written and not read (docs/formats.md).
   */
  get isOffInYen(): boolean {
    const { invoice_currency_code: code } = this.invoice.issue_data.invoice_currency ?? {}
    return code === 'JPY' && this.options.totals === 'check'
  }
  /** Whether the totals that were kept are not those of the breakdown that was kept. */
  get differsFromBreakdown(): boolean {
    const { total_tax_outputs, invoice_total, total_gross_amount_before_taxes } = this.totals
    const tax = sumOf([this.sumOfEntries('tax_amount'), this.sumOfEntries('equivalence_surcharge_amount')])
    const total = sumOf([total_gross_amount_before_taxes, tax, this.totals.total_consumption_taxes ?? 0])
    return tax !== total_tax_outputs || total !== invoice_total
  }
  /** The number of groups of the breakdown: entries with and without surcharge are one. */
  get #groups(): number {
    return new Set(
      this.entries.map((one) =>
        JSON.stringify([
          one.tax_treatment_code,
          one.tax_rate,
          one.tax_regime_key,
          one.exemption_reason_code,
          one.non_taxable_reason,
          one.consumption_country_code,
          one.consumption_tax_rate,
        ]),
      ),
    ).size
  }

  /** Whether the document states its amounts in another currency than euros. */
  get isForeign(): boolean {
    return !this.isIssued && this.invoice.issue_data.invoice_currency !== undefined
  }

  sumOfEntries(name: string): number {
    return sumBy(this.entries, name)
  }

  get #correctedSurcharge(): object {
    const surcharge = this.original?.result.data
      ? this.original.sumOfEntries('equivalence_surcharge_amount')
      : 0
    return surcharge === 0 ? {} : { corrected_surcharge_amount: surcharge }
  }

  /** The registration record of an issued invoice. */
  verifactu(): RecordOutcome {
    return this.#once('verifactu', () => {
      const record = { system: SYSTEM, previous: null, timestamp: RECORDED_AT, ...this.#correctedSurcharge }
      return recordOf(registrationRecord(this.result, record))
    })
  }

  /** The record of the SII, of either book. */
  sii(): RecordOutcome {
    return this.#once('sii', () =>
      recordOf(
        this.isIssued
          ? issuedRecord(this.result, this.#correctedSurcharge)
          : receivedRecord(this.result, { pro_rata: 100 }),
      ),
    )
  }

  /** The record of a received correction by substitution, made with the invoice that it replaces. */
  siiWithOriginal(): RecordOutcome {
    const corrected = this.original?.result.data
    if (this.isIssued || !corrected) return this.sii()
    return this.#once('sii with original', () =>
      recordOf(receivedRecord(this.result, { pro_rata: 100, corrected })),
    )
  }

  #booksOf(invoices: readonly Combination[]): BookOutcome {
    const company = this.invoice.supplier.tax_id === PERSON.tax_id ? PERSON : COMPANY
    const all = invoices.map(({ result }, index) => ({ source: `invoice ${index + 1}`, invoice: result }))
    const rows: Row[] = []
    const payments: Row[] = []
    const investmentGoods: Row[] = []
    for (const year of this.entries.some(isCashBasis) ? [...YEARS, 2024, 2027] : YEARS) {
      const result: BooksResult = vatBooks({ company, year, until: '4T', invoices: all })
      if (!result.ok) return { ...NO_BOOKS, refusals: result.items.map(({ code }) => code) }
      for (const row of this.isIssued ? result.books.issued : result.books.received)
        (row.payment_date === undefined ? rows : payments).push(row)
      investmentGoods.push(...result.books.investment)
    }
    const own = this.original ? rows.filter(isCorrective) : rows
    return { refusals: [], rows, own, accrued: sumBy(payments, 'payment_amount'), investmentGoods }
  }

  /** The rows in the VAT books. */
  books(): BookOutcome {
    return this.#once('books', () => this.#booksOf([this]))
  }

  /** The rows of a correction by substitution and of its original in the books. */
  booksWithOriginal(): BookOutcome {
    return this.#once('books with original', () => this.#booksOf([required(this.original), this]))
  }

  format(format: FormatCode): FormatResult {
    return this.#once(format, () => {
      const written = writeInvoice(this.data, format)
      if (written.xml === null) return written
      const reading = readInvoice(written.xml, { direction: this.isIssued ? 'issued' : 'received' })
      if (!reading.document) return { ...written, reading }
      const { company: _, ...options } = this.options
      return { ...written, reading, read: validate(reading.document, { ...options, totals: 'check' }) }
    })
  }

  /** The invoice as CSV, with its three required totals. */
  sheet(): SheetRoundTrip {
    return this.#once('sheet', () => {
      const document = structuredClone(this.document)
      const own = this.isForeign ? this.totals.invoice_currency : this.totals
      for (const name of TOTALS) document.invoice.totals[name] = own[name]
      return throughSheet(document, this.data, this.options)
    })
  }

  view(language: ViewLanguage): InvoiceView {
    const direction = this.isIssued ? 'issued' : 'received'
    return this.#once(`view ${language}`, () => viewOf(this.data, { language, direction, status: direction }))
  }
}
