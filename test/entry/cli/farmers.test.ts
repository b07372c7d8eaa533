/** Receipts of the farmers' regime from and to CSV, with columns for key and withholding. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { validate } from '#engine/index.ts'
import { calculated, farmLine, farmReceipt, ON_THE_PRICE } from '../../farmers.ts'
import { temporaryFolder } from '../../folders.ts'
import { cuadra } from './run.ts'

const folder = temporaryFolder()

const { supplier, customer } = farmReceipt([]).invoice
const COLUMNS = {
  Recibo: '/invoice/header/invoice_number',
  Producto: '/invoice/lines/*/item_description',
  Kilos: '/invoice/lines/*/quantity',
  Precio: '/invoice/lines/*/unit_price_without_tax',
  Compensación: '/invoice/lines/*/tax_output_rate',
  Clave: '/invoice/lines/*/tax_regime_key',
  Retención: '/invoice/lines/*/tax_withheld_rate',
}
const PAYABLE = {
  Retenido: '/invoice/totals/total_taxes_withheld',
  Líquido: '/invoice/totals/total_executable_amount',
}

let count = 0
function mappingFile(more: object = {}): string {
  const file = join(folder, `${++count}.json`)
  const mapping = {
    numbers: '1.234,56',
    dates: 'dd/MM/yyyy',
    group_by: ['Recibo'],
    columns: { ...COLUMNS, ...more },
    constants: {
      '/meta': { direction: 'received', source_system: 'test' },
      '/invoice/supplier': supplier,
      '/invoice/customer': customer,
      '/invoice/header/invoice_type_code': '01',
      '/invoice/issue_data': { issue_date: '2026-03-10', receipt_date: '2026-03-10' },
    },
  }
  writeFileSync(file, JSON.stringify(mapping))
  return file
}

const convert = async (input: string, mapping: string, from = 'csv', to = 'json_1_1') => {
  const args = ['convert', '--from', from, '--to', to, '--mapping', mapping, '--json', '-']
  const { out, err } = await cuadra(args, { input })
  if (!out.startsWith('{')) throw new Error(err)
  return JSON.parse(out)
}

const row = (cells: string, more = '') => `${Object.keys(COLUMNS).join(';')}${more}\n${cells}\n`
const codesOf = (items: readonly { readonly code: string }[]) => items.map(({ code }) => code)

/** Returns the amounts of a document calculated again: base and amount of the withholding, and amount to pay. */
function figuresOf(document: unknown) {
  const { data } = validate(document, { operation: 'received' })
  const { taxes_withheld: [withheld] = [], totals } = required(data).invoice
  return [withheld?.taxable_base, totals.total_taxes_withheld, totals.total_executable_amount]
}

describe('receipts in a spreadsheet', () => {
  it('have the withholding on the price with the compensation', async () => {
    const { errors, content } = await convert(row('R-1;Naranjas;1000;1,00;12;02;2'), mappingFile())
    expect(errors).toEqual([])
    expect(figuresOf(content)).toEqual([1120, 22.4, 1097.6])
  })

  const withPayable = (cells: string) => row(cells, `;${Object.keys(PAYABLE).join(';')}`)

  it('keep a withholding on the price alone, which their totals state', async () => {
    const cells = 'R-1;Naranjas;1000;1,00;12;02;2;20,00;1.100,00'
    const { errors, content } = await convert(withPayable(cells), mappingFile(PAYABLE))
    expect(codesOf(errors)).toEqual(['withholding_base_net'])
    expect(figuresOf(content)).toEqual([1000, 20, 1100])
  })

  it('are refused if the withholding follows the price and the amount to pay does not', async () => {
    const cells = 'R-1;Naranjas;1000;1,00;12;02;2;20,00;1.097,60'
    const { is_converted, errors } = await convert(withPayable(cells), mappingFile(PAYABLE))
    expect(is_converted).toBe(false)
    expect(codesOf(errors)).toEqual(['totals_mismatch'])
  })

  it('keep it in CSV in the columns of the totals; without these, a warning states what is lost', async () => {
    const sent = JSON.stringify(calculated([farmLine(1000, 12, 2)], ON_THE_PRICE))
    const kept = await convert(sent, mappingFile(PAYABLE), 'json_1_1', 'csv')
    expect(kept.content).toBe(
      withPayable('R-26-001;Naranjas;1;1000;12;02;2;20;1100').replaceAll('\n', '\r\n'),
    )
    expect(codesOf(kept.errors)).toEqual(['withholding_base_net'])
    const lost = await convert(sent, mappingFile(), 'json_1_1', 'csv')
    expect(codesOf(lost.errors)).toEqual(['withholding_base_net', 'csv.total_differs', 'csv.not_written'])
    expect(lost.errors[2].extra.fields).toContain('/invoice/totals/total_taxes_withheld')
  })
})
