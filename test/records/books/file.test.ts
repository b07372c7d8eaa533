/** The XLSX file, read by another library than the one that writes it, and compared with the official format. */
import { existsSync, readFileSync } from 'node:fs'
import * as reader from '@e965/xlsx'
import { beforeAll, expect, it } from 'vitest'
import { fileNameOf, workbookOf } from '#entry/books-file/workbook.ts'
import { INVESTMENT_COLUMNS, ISSUED_COLUMNS, RECEIVED_COLUMNS, vatBooks } from '#records/books/index.ts'
import { setMissing, suite } from '../../needs.ts'
import { shared } from '../../shared.ts'
import { line, named, purchase, sale, withBooks } from './sample.ts'

const REFERENCE = shared('reference/books/books.json')

interface Official {
  readonly col: string
  readonly header: string
  readonly group: string | null
  readonly type: string
}
const official = (): Record<'E' | 'R' | 'S', Official[]> => JSON.parse(readFileSync(REFERENCE, 'utf8'))

/** Columns that the template has and the record design lacks. */
const ONLY_IN_TEMPLATE = ['Situación', 'Referencia Catastral']

suite('the columns', existsSync(REFERENCE) ? undefined : 'needs ../shared/reference/books', () => {
  it.each([
    ['issued invoices', 'E', ISSUED_COLUMNS, 36],
    ['received invoices', 'R', RECEIVED_COLUMNS, 42],
  ] as const)(
    'of %s have the official groups, headers and types in order',
    (_name, sheet, columns, count) => {
      expect(columns).toHaveLength(count)
      expect(columns.map(({ group, header, type }) => ({ group: group || null, header, type }))).toEqual(
        official()[sheet].map(({ group, header, type }) => ({ group, header, type })),
      )
    },
  )

  it('of investment goods have those of the record design, and the two of the template', () => {
    expect(INVESTMENT_COLUMNS).toHaveLength(42)
    const known = INVESTMENT_COLUMNS.filter(({ header }) => !ONLY_IN_TEMPLATE.includes(header))
    expect(known.map(({ group, header, type }) => ({ group: group || null, header, type }))).toEqual(
      official().S.map(({ group, header, type }) => ({ group, header, type })),
    )
  })
})

it('the name of the file has year, tax id, C and the name of the company, without forbidden characters', () => {
  expect(fileNameOf({ tax_id: 'B12345674', legal_name: 'ACME SL' }, 2026)).toBe('2026B12345674CACME SL.xlsx')
  expect(fileNameOf({ tax_id: 'B12345674', legal_name: '../A/B: C' }, 2026)).toBe(
    '2026B12345674C.. A B  C.xlsx',
  )
})

suite('the file, opened by another program', setMissing('peers'), () => {
  let workbook: reader.WorkBook
  const books = () => {
    const company = withBooks({
      agreement: 'RGE123',
      invoices: [
        { number: '9', supplier_tax_id: 'B65410011', asset: { type: '21' } },
        { number: '2', payments: [{ date: '2026-03-03', amount: 121, account: 'ES7921000813610123456789' }] },
      ],
    })
    const invoices = named(
      sale({ number: 'A-1', series: 'A', date: '2026-01-05' }, line(0.1, 21), line(1234.5, 10)),
      sale({ number: '2', date: '2026-02-28' }, line(100, 21, { tax_regime_key: '07' })),
      purchase({ number: '9', date: '2026-12-31' }, line(5000, 21, { item_type: 'investment_good' })),
    )
    const result = vatBooks({ company, year: 2026, until: '4T', invoices })
    if (!result.ok) throw new Error(JSON.stringify(result.items))
    return result.books
  }
  const SHEETS = {
    EXPEDIDAS: [ISSUED_COLUMNS, 'issued'],
    RECIBIDAS: [RECEIVED_COLUMNS, 'received'],
    'BIENES-INVERSIÓN': [INVESTMENT_COLUMNS, 'investment'],
  } as const

  beforeAll(async () => {
    workbook = reader.read(await workbookOf(books()), { cellNF: true })
  })

  it('has the three sheets, with groups, headers and types in rows 1 to 3', () => {
    expect(workbook.SheetNames).toEqual(Object.keys(SHEETS))
    for (const [name, [columns]] of Object.entries(SHEETS)) {
      const sheet = workbook.Sheets[name]!
      const cell = (row: number, column: number) =>
        sheet[reader.utils.encode_cell({ r: row, c: column })]?.v ?? ''
      columns.forEach(({ group, header, type }, at) => {
        const isFirst = columns[at - 1]?.group !== group
        expect([cell(0, at), cell(1, at), cell(2, at)]).toEqual([isFirst ? group : '', header, type])
      })
      const merged = (sheet['!merges'] ?? []).map(({ s, e }) => [s.r, s.c, e.c])
      for (const [row, first, last] of merged as [number, number, number][]) {
        expect(row).toBe(0)
        expect(new Set(columns.slice(first, last + 1).map(({ group }) => group)).size).toBe(1)
      }
    }
  })

  it('has the rows from row 4: amounts as numbers 0.00, dates as dd/mm/yyyy, codes as texts, nothing else', () => {
    const all = books()
    for (const [name, [columns, book]] of Object.entries(SHEETS)) {
      const sheet = workbook.Sheets[name]!
      expect(all[book].length).toBeGreaterThan(0)
      all[book].forEach((row, at) => {
        columns.forEach((column, c) => {
          const cell = sheet[reader.utils.encode_cell({ r: at + 3, c })]
          const value = row[column.name]
          if (value === undefined) expect(cell).toBeUndefined()
          else if (column.type.startsWith('Fecha'))
            expect([cell.t, cell.z, cell.w]).toEqual([
              'n',
              'dd/mm/yyyy',
              String(value).split('-').reverse().join('/'),
            ])
          else if (column.type === 'Decimal(4,0)') expect([cell.t, cell.z, cell.v]).toEqual(['n', '0', value])
          else if (column.type.startsWith('Decimal')) {
            expect([cell.t, cell.z, cell.v]).toEqual(['n', '0.00', value])
            expect(cell.w).toBe(Number(value).toFixed(2))
          } else {
            expect([cell.t, cell.z, cell.v]).toEqual(['s', '@', value])
            expect(String(value).length).toBeLessThanOrEqual(Number(/\((\d+)\)/.exec(column.type)?.[1]))
          }
        })
      })
      const last = reader.utils.decode_range(sheet['!ref'] ?? '').e
      expect([last.r, last.c]).toEqual([all[book].length + 2, columns.length - 1])
    }
  })

  it('names every cell of a row in its columns, so that no value is lost', () => {
    const all = books()
    for (const [columns, book] of Object.values(SHEETS)) {
      const names = columns.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      for (const row of all[book]) expect(names).toEqual(expect.arrayContaining(Object.keys(row)))
    }
  })
})
