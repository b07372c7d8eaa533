/**
 * The measurement of real invoices, with a folder of two documents of the corpus.
 *
 * @slow
 */
import { expect, it } from 'vitest'
import { startServer } from '#test/conformance/harness.ts'
import { filesOf, temporaryFolder } from '#test/folders.ts'
import type { Document } from './corpus/document.ts'
import { named } from './corpus/named.ts'
import type { Truth } from './corpus/truth.ts'
import { WIDE_TEXTS } from './corpus/wide.ts'
import { compareReal, measureReal, type RealTruth, realDocuments } from './real.ts'
import { realSection } from './real-report.ts'
import { byMedium } from './tables.ts'

const corpus = Object.fromEntries(WIDE_TEXTS.map((document) => [document.name, document]))
const HOTEL = named(corpus, 'Dutch (PDF by hand)')
const TILL = named(corpus, 'receipt of a till (text printer)')

const realOf = (truth: Truth, changes: Partial<RealTruth> = {}): RealTruth => ({
  source: 'someone/invoices',
  kind: 'invoice',
  medium: 'text',
  language: 'es',
  number: truth.number,
  date: truth.issue_date,
  supplier_tax_id: truth.supplier.tax_id,
  supplier_name: truth.supplier.name,
  customer_tax_id: truth.customer?.tax_id ?? null,
  customer_name: truth.customer?.name ?? null,
  total: truth.invoice_total,
  taxes: truth.taxes,
  withheld: truth.withheld,
  due_date: truth.due_date ?? null,
  iban: truth.iban ?? null,
  legible: true,
  ...changes,
})

const draft = {
  invoice: {
    header: { invoice_series_code: 'A', invoice_number: '17' },
    supplier: { tax_id: 'IT00743110157', name: 'Peñalba, S.L.' },
    customer: { tax_id: 'B65123473' },
    totals: { invoice_total: 110 },
    taxes_outputs: [{ tax_rate: 10, taxable_base: 100, tax_amount: 10 }],
  },
}
const scores = { '/invoice/taxes_outputs/0/tax_amount': 0.9 }
const printed = realOf(HOTEL.truth, {
  number: 'A-17',
  date: null,
  supplier_tax_id: '00743110157',
  supplier_name: 'Comercial Peñalba',
  supplier_name_also: ['PENALBA SL'],
  customer_tax_id: 'ESB65123473',
  total: 110,
  taxes: [{ rate: 10, base: 100, amount: 10 }],
  due_date: null,
  iban: null,
})
const wrongIn = (changes: Partial<RealTruth>) =>
  compareReal({ ...printed, ...changes }, { draft, scores }, 'B65123473').filter(({ isRight }) => !isRight)

it('accepts the spellings of a number, an id and a name', () => {
  expect(wrongIn({})).toEqual([])
  expect(wrongIn({ number: '18' }).map(({ pointer }) => pointer)).toEqual(['/invoice/header/invoice_number'])
  expect(wrongIn({ number: '18', number_also: ['A/17'] })).toEqual([])
})

it('gives a wrong breakdown the score of its wrong entry', () => {
  const [taxes] = wrongIn({ taxes: [{ rate: 21, base: 100, amount: 21 }] })
  expect(taxes?.score).toBe(0.9)
})

it('compares no fields of unreadable documents and of other documents', () => {
  const fieldsOf = (changes: Partial<RealTruth>) =>
    compareReal({ ...printed, ...changes }, { draft, scores }, 'B65123473')
  expect(fieldsOf({ legible: false })).toEqual([])
  expect(fieldsOf({ kind: 'not an invoice' })).toEqual([])
})

it('measures a folder and reports it', async () => {
  const folder = temporaryFolder()
  const write = filesOf(folder)
  const put = async (path: string, { make, truth }: Document, changes: Partial<RealTruth>) => {
    write(`${path}.pdf`, await make())
    write(`${path}.json`, JSON.stringify(realOf(truth, changes)))
  }
  await put('seen/hotel-1', HOTEL, { language: 'nl' })
  await put('unseen/till-1', TILL, { kind: 'simplified', customer_tax_id: null })
  const documents = realDocuments(`${folder}:${folder}`)
  expect(documents.map(({ name, part }) => [name, part])).toEqual([
    ['hotel-1', 'seen'],
    ['till-1', 'unseen'],
  ])

  const server = await startServer({ store: 'sqlite' })
  const measured = await measureReal(server, documents)
  expect(measured.map(({ status, isReadyAndWrong }) => [status, isReadyAndWrong])).toEqual([
    ['ready', false],
    ['pending_review', false],
  ])
  const section = realSection(measured)
  expect(section).toMatch(/\| text, invoice, foreign, seen \| 1 \| 1 of 1 \(100\.0 %\) \|/)
  expect(section).toMatch(/\| text, ticket, Spanish, unseen \| 1 \|/)
  expect(section).toContain('| someone/invoices | 1 | 1 |')
  expect(byMedium([['real', measured]])).toMatch(/\| text PDF \| 2 \| \d+\.\d \| \d+\.\d \| (?:\d+ MB|–) \|/)
})
