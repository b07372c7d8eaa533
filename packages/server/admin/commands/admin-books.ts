/** `books`: writes the VAT books of a company as XLSX. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { PRIVATE_MODES } from 'cuadra-storage/private-files.ts'
import { CuadraError, UsageError } from '#core/errors/index.ts'
import { checkTaxId } from '#core/identifiers/index.ts'
import type { CanonicalInvoice, Locale } from '#core/invoice/index.ts'
import { CASH_BASIS } from '#core/invoice/terms.ts'
import { fileNameOf, summaryText, workbookOf } from '#entry/books-file/index.ts'
import { ioReason } from '#entry/terminal/index.ts'
import { QUARTERS, readBookCompany } from '#records/books/book-settings.ts'
import { type BookInvoice, type NotBooked, type Quarter, vatBooks } from '#records/books/index.ts'
import type { App } from '../../src/app/app.ts'
import type { CompanyRecord } from '../../src/service/company/company.ts'
import { allTaxpayers } from '../../src/service/company/company.ts'
import { lockReasonsOf } from '../../src/service/invoice/filed-returns.ts'
import { type Replaced, relatedOf, replacementsOf } from '../../src/service/invoice/replacements.ts'
import { type Payment, paymentsOf } from '../../src/service/sii/cash-basis/payments.ts'
import { inBatches } from '../../src/store/batches.ts'
import { CANONICAL_COLUMNS, type InvoiceRow, unchangedCanonical } from '../../src/store/invoices.ts'
import type { Rows } from '../../src/store/store.ts'
import { fromJson } from '../../src/store/stored-json.ts'
import { print } from '../admin-output.ts'
import { patternParser } from '../arguments.ts'
import type { Io } from '../io.ts'
import { rowsInKeyOrder } from '../row-pages.ts'
import { databaseLocationOf, requireCompany, withApp } from '../session.ts'
import { countText, type Flags, localeOption } from './commands.ts'

interface BooksFlags extends Flags {
  readonly company: string
  readonly year: string
  readonly until: Quarter
  readonly out: string
  readonly locale: Locale
}

/** Returns the id of the company that has this id or tax id. */
async function companyIdOf(app: App, text: string): Promise<string> {
  const id = text.toLowerCase()
  const taxId = checkTaxId(text, 'ES').normalized
  const all = await allTaxpayers(app.store.shared)
  const found = all.find((one) => one.taxpayer_id === id || one.tax_id === taxId)
  if (found) return found.taxpayer_id
  throw new CuadraError(
    `No company ${text} in ${databaseLocationOf(app)}. See \`cuadra-admin company list\`.`,
  )
}

const LAST_DAY: Readonly<Record<Quarter, string>> = {
  '1T': '03-31',
  '2T': '06-30',
  '3T': '09-30',
  '4T': '12-31',
}
/** Statuses of invoices that may be part of a book. A received invoice with errors is a draft until it is corrected. */
const STATUSES: readonly InvoiceRow['status'][] = ['issued', 'sent', 'received', 'cancelled']

const documentsOf = (db: Rows) =>
  db
    .select('invoices', { invoice_documents: 'invoice_id' })
    .select(['invoices.invoice_id', 'invoices.direction', 'invoices.status', 'invoices.corrected_number'])
    .select(['invoices.number', 'invoices.issue_date', 'invoices.supplier_tax_id', 'invoices.fiscal_date'])
    .select([...CANONICAL_COLUMNS, 'invoice_documents.errors'])
    .where(({ or, eb }) =>
      or([eb('invoices.status', 'in', STATUSES), eb('invoices.direction', '=', 'received')]),
    )

type Row = Awaited<ReturnType<ReturnType<typeof documentsOf>['execute']>>[number]

/** A stored invoice with its parsed document. */
interface Stored extends Omit<Row, 'canonical' | 'canonical_digest'> {
  readonly data: CanonicalInvoice | null
}

async function addAll(found: Map<string, Stored>, query: ReturnType<typeof documentsOf>): Promise<void> {
  for await (const row of rowsInKeyOrder(query, 'invoices.invoice_id')) {
    const { canonical, canonical_digest, ...rest } = row
    found.set(row.invoice_id, { ...rest, data: unchangedCanonical(row) })
  }
}

const isCashBasis = ({ data }: Stored): boolean =>
  (data?.invoice.taxes_outputs ?? []).some((entry) => entry.tax_regime_key === CASH_BASIS)

/**
 * Returns the invoices of the period, and invoices of other periods that the books need: those with collections or
 * payments in the period, those that were replaced, and those that the settings state. In the fourth quarter, also
 * returns the previous year's invoices under cash basis, whose unpaid part accrues on 31 December.
 */
async function storedFor(db: Rows, { company, flags, payments }: BooksOf): Promise<readonly Stored[]> {
  const first = `${flags.year}-01-01`
  const last = `${flags.year}-${LAST_DAY[flags.until]}`
  const found = new Map<string, Stored>()
  const between = (from: string, to: string) =>
    documentsOf(db).where('fiscal_date', '>=', from).where('fiscal_date', '<=', to)
  if (flags.until === '4T') {
    const before = Number(flags.year) - 1
    await addAll(found, between(`${before}-01-01`, `${before}-12-31`))
    for (const [id, row] of found) if (!isCashBasis(row)) found.delete(id)
  }
  await addAll(found, between(first, last))
  const paid = [...payments.values()].flat().filter(({ date }) => date >= first && date <= last)
  for (const ids of inBatches([...new Set(paid.map((one) => one.invoice_id))], 500))
    await addAll(found, documentsOf(db).where('invoices.invoice_id', 'in', ids))
  const corrected = [...found.values()].flatMap((row) => row.corrected_number ?? [])
  const named = (company.data.books?.invoices ?? []).map(({ number }) => number)
  for (const numbers of inBatches([...new Set([...corrected, ...named])], 500))
    await addAll(found, documentsOf(db).where('invoices.number', 'in', numbers))
  const tickets = [...(await replacingOf(db, [...found.values()])).values()]
  for (const some of inBatches(tickets, 500)) {
    const ids = some.map(({ invoice_id }) => invoice_id)
    await addAll(found, documentsOf(db).where('invoices.invoice_id', 'in', ids))
  }
  return [...found.values()]
}

interface BooksOf {
  readonly company: CompanyRecord
  readonly flags: BooksFlags
  readonly payments: ReadonlyMap<string, readonly Payment[]>
}

async function paymentsByInvoice(db: Rows): Promise<BooksOf['payments']> {
  const byInvoice = new Map<string, Payment[]>()
  for (const book of ['ISSUED', 'RECEIVED'] as const)
    for (const one of await paymentsOf(db, book))
      if (one.cancelled_at === null)
        byInvoice.set(one.invoice_id, [...(byInvoice.get(one.invoice_id) ?? []), one])
  return byInvoice
}

const asInvoice = (
  { invoice_id, data, errors }: Stored,
  payments: readonly Payment[] = [],
  replaces = false,
): BookInvoice => {
  const items = errors === null ? [] : fromJson(errors)
  return {
    source: invoice_id,
    replaces,
    invoice: { is_valid: data !== null, errors: items, data },
    payments: payments.map(({ date, amount, method, account }) => ({
      date,
      amount,
      payment_method_code: method,
      ...(account === null ? {} : { account }),
    })),
  }
}

/**
 * Returns the stored invoices that are not in the books. Invoices that were in a filed return before they were
 * cancelled are not among them, because a correction reverses them.
 */
async function notBookedOf(db: Rows, stored: readonly Stored[]): Promise<readonly NotBooked[]> {
  const found: NotBooked[] = []
  for (const { status, number, issue_date, direction, supplier_tax_id, fiscal_date } of stored) {
    if ((status !== 'cancelled' && status !== 'draft') || number === null) continue
    if ((await lockReasonsOf(db, { direction, status, fiscal_date })).length > 0) continue
    found.push({ direction, number, issue_date, supplier_tax_id, status })
  }
  return found
}

/** Returns the simplified invoices that a full invoice (type F3) replaces, by the id of that full invoice. */
async function replacingOf(db: Rows, stored: readonly Stored[]): Promise<ReadonlyMap<string, Replaced>> {
  const naming = stored.filter(({ data }) => data !== null && relatedOf(data))
  const found = new Map<string, Replaced>()
  for (const rows of inBatches(naming, 500)) {
    const ids = rows.map(({ invoice_id }) => invoice_id)
    for (const [id, replaced] of await replacementsOf(db, ids)) found.set(id, replaced)
  }
  return found
}

async function booksOf(app: App, flags: BooksFlags) {
  const id = await companyIdOf(app, flags.company)
  return app.store.snapshot(id, async (db) => {
    const company = await requireCompany(app, db)
    const read = readBookCompany(company.data)
    if ('problems' in read)
      throw new CuadraError(
        `${read.problems.map(({ en }) => en).join('\n')}\nCorrect \`books\` with \`cuadra-admin company update\`.`,
      )
    const payments = await paymentsByInvoice(db)
    const stored = await storedFor(db, { company, flags, payments })
    const replacing = await replacingOf(db, stored)
    const withStatus = (wanted: InvoiceRow['status']) =>
      stored.filter(({ status }) => status === wanted).length
    const omitted = { cancelled: withStatus('cancelled'), drafts: withStatus('draft') }
    const invoices = stored
      .filter(({ status }) => status !== 'cancelled' && status !== 'draft')
      .map((row) => asInvoice(row, payments.get(row.invoice_id), replacing.has(row.invoice_id)))
    const own = read.company
    const notBooked = await notBookedOf(db, stored)
    const { year, until, locale } = flags
    const result = vatBooks({ company: own, year: Number(year), until, invoices, notBooked, locale })
    return { id, own, omitted, result }
  })
}

async function writeFileIn(folder: string, name: string, bytes: Uint8Array): Promise<string> {
  const file = join(resolve(folder), name)
  try {
    await mkdir(resolve(folder), { recursive: true, mode: PRIVATE_MODES.folder })
    await writeFile(file, bytes, { mode: PRIVATE_MODES.file })
    return file
  } catch (error) {
    throw new UsageError(`${file}: ${ioReason(error)}`)
  }
}

export function add(command: Command, io: Io): void {
  command
    .requiredOption('--company <company>', 'id or tax id of the company (`company list`)')
    .requiredOption(
      '--year <year>',
      'year of the books',
      patternParser(/^20\d\d$/, 'Use a year such as 2026.'),
    )
    .addOption(
      command
        .createOption('--until <quarter>', 'last quarter; the books begin on 1 January')
        .choices(QUARTERS)
        .makeOptionMandatory(),
    )
    .requiredOption('--out <folder>', 'folder of the XLSX file; an existing file is replaced')
    .addOption(localeOption())
    .action(async (flags: BooksFlags) => {
      const { id, own, omitted, result } = await withApp(io, (app) => booksOf(app, flags))
      const messages = result.items.map(({ message }) => message)
      if (!result.ok) throw new CuadraError(messages.join('\n'))
      for (const message of messages) io.err(`note: ${message}\n`)
      const { cancelled, drafts } = omitted
      if (cancelled > 0) io.err(`note: ${countText(cancelled, 'cancelled invoice')} omitted.\n`)
      if (drafts > 0)
        io.err(`note: ${countText(drafts, 'received invoice')} with errors omitted: correct them.\n`)
      const { books } = result
      const name = fileNameOf(own, Number(flags.year))
      const file = await writeFileIn(flags.out, name, await workbookOf(books))
      const done = { company_id: id, file, omitted, sums: books.sums }
      print(io, flags.json, done, () => `${summaryText(books.sums, flags.locale)}→ ${file}`)
    })
}
