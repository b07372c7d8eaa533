/** The command line with issued invoices in another currency: euros in every result that enters a book. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { readInvoice, writeInvoice } from '#formats/index.ts'
import { filesOf, temporaryFolder } from '../../folders.ts'
import { changed, issued, LINE } from '../../formats/invoice.ts'
import { tokens } from '../../tokens.ts'
import { cuadra } from './run.ts'
import { csvOf, mappingOf, ROW } from './sheet.ts'

const folder = temporaryFolder()
const fileOf = filesOf(folder)

/** 100.00 USD, which are 92.00 EUR. */
const document = issued({
  lines: [{ ...LINE, quantity: 2, unit_price_without_tax: 46 }],
  issue_data: {
    issue_date: '2026-03-16',
    invoice_currency: { invoice_currency_code: 'USD', exchange_rate: 0.92, exchange_rate_date: '2026-03-13' },
  },
})
const UBL = required(writeInvoice(document, 'ubl_2_1').xml)
const WITHOUT_EUROS = changed(
  UBL,
  [/<cbc:Note>[^<]*Tipo de cambio[^<]*<\/cbc:Note>/, ''],
  ['<cbc:TaxCurrencyCode>EUR</cbc:TaxCurrencyCode>', ''],
  [/<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">[^<]*<\/cbc:TaxAmount><\/cac:TaxTotal>/, ''],
)
const WITH = fileOf('usd.xml', UBL)
const WITHOUT = fileOf('usd-only.xml', WITHOUT_EUROS)

describe('XML that the company issued in dollars', () => {
  it('is converted to json_1_1 in euros', async () => {
    const { code, out } = await cuadra(['convert', '--to', 'json_1_1', '--direction', 'issued', WITH])
    const { totals } = JSON.parse(out).invoice
    expect([code, totals.invoice_total, totals.invoice_currency.invoice_total]).toEqual([0, 111.32, 121])
  })

  it('is validated as an import in euros', async () => {
    const { code, out } = await cuadra(['validate', '--operation', 'import', '--json', WITH])
    expect([code, JSON.parse(out).data.invoice.totals.invoice_total]).toEqual([0, 111.32])
  })

  it.each(['json_1_1', 'validate'])('without any amount in euros is refused by name: %s', async (to) => {
    const conversion = tokens`convert --to ${to} --direction issued`
    const args = to === 'validate' ? tokens`validate --operation import` : conversion
    const { code, out, err } = await cuadra([...args, '--json', WITHOUT])
    expect([code, out + err]).toEqual([1, expect.stringContaining('format.exchange_rate_missing')])
  })

  it.each(['issued', 'received'])(
    'without any amount in euros changes to another syntax: %s',
    async (direction) => {
      const { code, out } = await cuadra(['convert', '--to', 'cii_d16b', '--direction', direction, WITHOUT])
      expect(code).toBe(0)
      expect(readInvoice(out).document?.invoice.totals.invoice_total).toBe(121)
      expect(out).not.toContain('EUR')
    },
  )

  it('is converted to CSV and back with the same euros', async () => {
    const mapping = fileOf('mapping.json', JSON.stringify(MAPPING))
    const { out: json } = await cuadra(['convert', '--to', 'json_1_1', '--direction', 'issued', WITH])
    const csv = await cuadra(['convert', '--to', 'csv', '--mapping', mapping, fileOf('usd.json', json)])
    expect([csv.code, csv.out]).toEqual([0, expect.stringContaining('USD;0,92;13/03/2026')])
    expect(csv.out).toContain(';50;')
    const back = await cuadra(tokens`
      convert --from csv --to ubl_2_1 --mapping ${mapping} --out ${folder} --force
      ${fileOf('usd.csv', csv.out)}`)
    expect(back.code).toBe(0)
  })
})

const CURRENCY = '/invoice/issue_data/invoice_currency'
const MAPPING_COLUMNS = {
  Moneda: `${CURRENCY}/invoice_currency_code`,
  Cambio: `${CURRENCY}/exchange_rate`,
  'Fecha del cambio': `${CURRENCY}/exchange_rate_date`,
  Total: '/invoice/totals/invoice_total',
}
const MAPPING = mappingOf({}, MAPPING_COLUMNS)
const RATE = { Moneda: 'USD', Cambio: '0,92', 'Fecha del cambio': '13/03/2026' }
const USD_ROW = { ...ROW, Cantidad: '2', Precio: '50', ...RATE, Total: '121' }

describe('a spreadsheet of invoices that the company issued in dollars', () => {
  const convert = (row: Readonly<Record<string, string>>, mapping: unknown = MAPPING) =>
    cuadra(
      tokens`convert --from csv --to json_1_1 --json --mapping ${fileOf('sheet.json', JSON.stringify(mapping))} -`,
      { input: csvOf([row]) },
    )

  it('is converted to euros, with the prices of its cells in the blocks', async () => {
    const { code, out } = await convert(USD_ROW)
    const { errors, content } = JSON.parse(out)
    expect([code, errors]).toEqual([0, []])
    const { lines, totals } = content.invoice
    const inDollars = { unit_price_without_tax: 50 }
    expect(lines[0]).toMatchObject({ unit_price_without_tax: 46, invoice_currency: inDollars })
    const sums = { total_gross_amount_before_taxes: 92, total_tax_outputs: 19.32, invoice_total: 111.32 }
    expect(totals).toMatchObject(sums)
  })

  it('is refused if a total of its cells is not that of its lines in dollars', async () => {
    const { code, out } = await convert({ ...USD_ROW, Total: '111,32' })
    expect([code, out]).toEqual([1, expect.stringContaining('totals_mismatch')])
    expect(out).toContain('121')
  })

  it('is refused without an exchange rate', async () => {
    const { code, out } = await convert({ ...USD_ROW, Cambio: '' })
    expect([code, out]).toEqual([1, expect.stringContaining('exchange_rate')])
  })

  it('keeps euros if it has columns for both currencies', async () => {
    const { Total: _, ...row } = USD_ROW
    const { Total: __, ...columns } = MAPPING_COLUMNS
    const dollars = '/invoice/lines/*/invoice_currency/unit_price_without_tax'
    const both = mappingOf({}, { ...columns, Dólares: dollars })
    const { code, out } = await convert({ ...row, Precio: '46', Dólares: '50' }, both)
    expect(code).toBe(0)
    expect(out).toContain('"invoice_total":111.32')
  })
})
