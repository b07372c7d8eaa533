/**
 * The worked year of corrections: every kind of original invoice, corrected by substitution (S) and by differences (D),
 * with the original in the books, unknown to the books, or known but not booked. A test of the books compares the
 * results with the results that the law prescribes.
 */
import { moduleOf } from '../source-module.mjs'
import { documentOf } from './calculation.mjs'
import { code, heading, page, prose, readJson, table } from './text.mjs'

/** The engine, loaded when the page is made. */
let engine
const load = async () => {
  engine ??= await moduleOf(`
export { validate } from './src/engine/index.ts'
export { vatBooks } from './src/records/books/index.ts'
export { issuedRecord, receivedRecord } from './src/records/sii/index.ts'
`)
}

/**
 * The parties, the company of the books, the kinds of original invoices (with their lines, the tax that they state, and
 * other special data), and the columns of the page.
 */
const { OWN, OTHER, BOOKS, KINDS, COLUMNS } = readJson('scripts/docs/corrections.json')

/** Returns an invoice of a kind with an amount: the original, or the correction of `type` (S or D). */
function invoiceOf(direction, kind, amount, type) {
  const {
    line,
    group,
    surcharge,
    simplified,
    other = OTHER,
    own = OWN,
    isCustoms,
    ...more
  } = KINDS[direction][kind]
  const { rate = 0, purchase, withTax, corrected = [1000, (1000 * rate) / 100] } = more
  const isPriceWithTax = purchase !== undefined || withTax
  const price = isPriceWithTax ? 'unit_price_with_tax' : 'unit_price_without_tax'
  // A correction by differences changes only the sale price, so its purchase price is 0.
  const bought = purchase === undefined ? {} : { purchase_price_incl: type === 'D' ? 0 : purchase }
  // A party that is null in the data is not stated on the document.
  const [ours, theirs] = [own ?? undefined, other ?? undefined]
  const parties =
    direction === 'issued' ? { supplier: ours, customer: theirs } : { supplier: theirs, customer: ours }
  const date = type ? '2026-05-20' : '2026-04-10'
  const code = simplified ? (type ? '04' : '02') : type ? '03' : '01'
  const correctedAmounts =
    type === 'S' ? { corrected_taxable_base: corrected[0], corrected_tax_amount: corrected[1] } : {}
  const entry = {
    tax_rate: rate,
    taxable_base: amount,
    tax_amount: (amount * rate) / 100,
    equivalence_surcharge: surcharge,
  }
  const document = documentOf({
    direction,
    ...parties,
    header: {
      invoice_type_code: code,
      ...(direction === 'issued' && { invoice_series_code: 'A' }),
      invoice_number: type ? 'A-2' : 'A-1',
      ...(type && {
        corrective: {
          reason_code: '16',
          correction_type: type,
          invoice_number: 'A-1',
          invoice_issue_date: '2026-04-10',
          ...correctedAmounts,
        },
      }),
    },
    issue_data: {
      issue_date: date,
      ...(direction === 'received' && { receipt_date: date }),
      ...(group && { tax_group_code: group }),
      ...(isCustoms && { is_dua: true }),
    },
    lines: [{ quantity: Math.sign(amount), [price]: Math.abs(amount), ...bought, ...line }],
    ...(surcharge && { taxes_outputs: [entry] }),
  })
  const operation = direction === 'issued' ? 'import' : 'received'
  const { data, errors } = engine.validate(document, { operation, today: '2026-12-31' })
  if (data === null) throw new Error(`${direction} ${kind}: ${JSON.stringify(errors)}`)
  return data
}

const cents = (value) => Math.round(Number(value ?? 0) * 100)
const sums = (rows, names) =>
  names.map((name) => rows.reduce((sum, row) => sum + cents(row[name]), 0) / 100 + 0)

/** Returns the books of a year with the correction and, in state `in`, the original. */
function booksOf(direction, original, correction, state, year) {
  const invoices = state === 'in' ? [original, correction] : [correction]
  const left = { direction, number: 'A-1', issue_date: '2026-04-10', status: 'cancelled' }
  const supplier_tax_id = direction === 'issued' ? null : original.invoice.supplier.tax_id
  return engine.vatBooks({
    company: BOOKS,
    year,
    until: '4T',
    invoices: invoices.map((invoice) => ({ source: invoice.invoice.header.invoice_number, invoice })),
    notBooked: state === 'out' ? [{ ...left, supplier_tax_id }] : [],
  })
}

/** Returns the amounts in the books and in the SII record for a kind of original, its correction and its state. */
function outcomeOf(direction, kind, type, state) {
  const original = invoiceOf(direction, kind, 1000)
  const correction = invoiceOf(direction, kind, type === 'S' ? 900 : -100, type)
  const columns = ['base', 'tax', 'surcharge', ...(direction === 'received' ? ['deductible'] : [])]
  const found = booksOf(direction, original, correction, state, 2026)
  const rows = found.ok ? found.books[direction].filter((row) => row.payment_date === undefined) : []
  const outcome = { net: found.ok ? sums(rows, columns) : 'refused' }
  if (type === 'S') {
    const back = rows.filter((row) => row.base < 0)
    const amounts = sums(back, columns).filter((_, at) => at !== 2)
    outcome.taken_back = back.length === 0 ? null : [back[0].invoice_type, ...amounts]
  }
  const known = state === 'in' && type === 'S' ? { corrected: original } : {}
  const record =
    direction === 'issued'
      ? engine.issuedRecord(correction, known)
      : engine.receivedRecord(correction, { pro_rata: 100, ...known })
  const { ImporteRectificacion: back, CuotaDeducible } =
    (record.ok && (record.record.FacturaExpedida ?? record.record.FacturaRecibida)) || {}
  if (type === 'S') outcome.sii = record.ok ? [back.BaseRectificada, back.CuotaRectificada] : 'refused'
  if (CuotaDeducible !== undefined) outcome.sii_deductible = CuotaDeducible
  if (kind === 'cash_basis') {
    const { books } = booksOf(direction, original, correction, state, 2027)
    outcome.accrual = books[direction].reduce((sum, row) => sum + cents(row.payment_amount), 0) / 100
  }
  if (kind === 'investment_good')
    outcome.goods = found.books.investment.map(({ base, initial_deductible }) => [base, initial_deductible])
  return outcome
}

const STATES = ['in', 'absent', 'out']

/** Returns the outcomes by direction and kind, as `test/records/books/corrections.json` has them. */
export const workedYear = async () => {
  await load()
  return Object.entries(KINDS).flatMap(([direction, kinds]) =>
    Object.keys(kinds).map((kind) => {
      const ofType = (type) =>
        Object.fromEntries(STATES.map((state) => [state, outcomeOf(direction, kind, type, state)]))
      return { direction, kind, S: ofType('S'), D: ofType('D') }
    }),
  )
}

const amount = (value) => value.toFixed(2)
const net = (value) => (value === 'refused' ? 'refused' : value.map(amount).join(' / '))
const takenBack = (value) => (value ? `${value[0]}: ${value.slice(1).map(amount).join(' / ')}` : '—')

export async function correctionsPage() {
  const expected = readJson('test/records/books/corrections.json')
  const articleOf = (direction, kind) =>
    expected.find((one) => one.direction === direction && one.kind === kind)?.article
  const year = await workedYear()
  const rowsOf = (wanted) =>
    year
      .filter(({ direction }) => direction === wanted)
      .map(({ direction, kind, S, D }) => [
        code(kind),
        net(S.in.net),
        takenBack(S.in.taken_back),
        S.in.sii === 'refused' ? 'refused' : S.in.sii.join(' / '),
        net(S.absent.net),
        net(S.out.net),
        net(D.in.net),
        net(D.absent.net),
        articleOf(direction, kind),
      ])
  return page(
    heading('Corrections in books and records', 'scripts/docs/corrections.mjs'),
    prose('corrections', {
      issued: table(COLUMNS, rowsOf('issued')),
      received: table(COLUMNS, rowsOf('received')),
    }),
  )
}
