/** `cuadra convert` from and to CSV. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { isValidText } from '#core/invoice/characters.ts'
import { formatNumber, NUMBER_FORMATS, parseNumber } from '#entry/cli/spreadsheet/notations.ts'
import { readInvoice } from '#formats/index.ts'
import { temporaryFolder } from '../../folders.ts'
import { invoiceOf, issued, LINE } from '../../formats/invoice.ts'
import { sized } from '../../size.ts'
import { tokens } from '../../tokens.ts'
import { cuadra, documentsIn } from './run.ts'
import { COLUMNS, csvOf, mappingOf, ROW } from './sheet.ts'

const folder = temporaryFolder()

let count = 0
const fileOf = (content: string | Uint8Array, extension: string): string => {
  const file = join(folder, `${++count}.${extension}`)
  writeFileSync(file, content)
  return file
}
const fresh = (): string => join(folder, `out-${++count}`)
const mappingFile = (mapping: unknown = mappingOf()): string => fileOf(JSON.stringify(mapping), 'json')

/** Converts CSV to `json_1_1`, or to another format. */
const fromCsv = (csv: string | Uint8Array, mapping: unknown = mappingOf(), ...options: string[]) =>
  cuadra(tokens`convert --from csv --to json_1_1 --mapping ${mappingFile(mapping)} ${options} -`, {
    input: csv,
  })

/** Returns the invoices of a conversion that must succeed. */
async function invoicesOf(csv: string | Uint8Array, mapping: unknown = mappingOf()) {
  const { code, out, err } = await fromCsv(csv, mapping)
  expect(err.replace(/\d+ of \d+ converted\n/, '')).toBe('')
  expect(code).toBe(0)
  return documentsIn(out)
}

/** Converts documents to CSV. */
const toCsv = (documents: readonly unknown[], mapping: unknown = mappingOf(), ...options: string[]) =>
  cuadra(['convert', '--to', 'csv', '--ndjson', '--mapping', mappingFile(mapping), ...options, '-'], {
    input: documents.map((one) => `${JSON.stringify(one)}\n`).join(''),
  })

/** Returns the errors of a conversion that must fail, as `--json` reports them. */
async function errorsOf(csv: string | Uint8Array, mapping: unknown = mappingOf()) {
  const { code, out } = await fromCsv(csv, mapping, '--json')
  expect(code).toBe(1)
  return documentsIn(out).flatMap(({ errors }) => errors)
}

const FIRST_ROW = { ...ROW, Número: 'F-0' }

describe('rows', () => {
  it('with the same key are the lines of one invoice, also if they are not adjacent', async () => {
    const second = { ...ROW, Número: 'F-2', Concepto: 'Otra' }
    const third = { ...ROW, Concepto: 'Portes', Cantidad: '1', Precio: '9,5' }
    const [first, other] = await invoicesOf(csvOf([ROW, second, third]))
    const boiler = { item_description: 'Revisión de caldera', quantity: 3, unit_price_without_tax: 1050.25 }
    const shipping = { item_description: 'Portes', quantity: 1, unit_price_without_tax: 9.5 }
    const lines = [boiler, shipping].map((line) => ({ ...line, tax_output_rate: 21 }))
    expect(first.invoice.lines).toEqual(lines)
    expect([first.invoice.header.invoice_number, first.invoice.totals.invoice_total]).toEqual(['F-1', 3823.9])
    expect([other.invoice.header.invoice_number, other.invoice.lines.length]).toEqual(['F-2', 1])
    expect(Object.keys(first)).toEqual(['schema_version', 'meta', 'invoice'])
  })

  it('may leave cells of the whole invoice empty after the first row', async () => {
    const [invoice] = await invoicesOf(csvOf([ROW, { ...ROW, Fecha: '', NIF: '', Cliente: '', CP: '' }]))
    expect([invoice.invoice.lines.length, invoice.invoice.customer.tax_id]).toEqual([2, 'B77777779'])
  })

  it('without any value are skipped, and rows are numbered as in the spreadsheet', async () => {
    const csv = `${csvOf([ROW])};;;;;;;;\n\n${csvOf([{ ...ROW, Número: 'F-2', IVA: 'x' }]).split('\n')[1]}\n`
    const [error] = await errorsOf(csv)
    expect(error.extra).toMatchObject({ cell: 'I5', row: 5, line: 5 })
  })

  it('that disagree about their invoice are reported with both cells', async () => {
    const [error] = await errorsOf(csvOf([ROW, { ...ROW, Cliente: 'Otro, S.L.' }]))
    expect(error).toMatchObject({ code: 'csv.rows_differ', path: '/invoice/customer/name' })
    expect(error.message).toContain(
      'Cell D3, column "Cliente": "Otro, S.L." differs from "Estudio Imaginado, S.L." in cell D2',
    )
    const same = await fromCsv(csvOf([ROW, { ...ROW, Fecha: '16/3/2026' }]))
    expect(same.code).toBe(0)
  })

  it('with the same rate and different surcharges are reported', async () => {
    const mapping = mappingOf({}, { RE: '/invoice/lines/*/equivalence_surcharge' })
    const [error] = await errorsOf(csvOf(['5,2', ''].map((RE) => ({ ...ROW, RE }))), mapping)
    expect(error).toMatchObject({ code: 'csv.rows_differ', extra: { cell: 'J3', other_cell: 'J2' } })
  })

  it('with a surcharge get the breakdown of the invoice, and return it', async () => {
    const mapping = mappingOf({}, { RE: '/invoice/lines/*/equivalence_surcharge' })
    const retailer = { ...ROW, NIF: '34567890V', Cliente: 'Carmen Ibáñez Toro' }
    const rows = [
      { ...retailer, RE: '5,2' },
      { ...retailer, IVA: '10', RE: '' },
    ]
    const [document] = await invoicesOf(csvOf(rows), mapping)
    expect(document.invoice.taxes_outputs).toMatchObject([
      { tax_rate: 21, equivalence_surcharge: 5.2, equivalence_surcharge_amount: 163.84 },
      { tax_rate: 10 },
    ])
    const { out, err } = await toCsv([document], mapping)
    expect(err).toBe('')
    expect(out.split('\r\n').map((row) => row.split(';').at(-1))).toEqual(['RE', '5,2', '', ''])
  })
})

describe('a document', () => {
  it('without a customer gets no constants of the customer', async () => {
    const mapping = mappingOf({}, { Tipo: '/invoice/header/invoice_type_code' })
    const { '/invoice/header/invoice_type_code': _, ...constants } = mapping.constants
    const row = { ...ROW, NIF: '', Cliente: '', CP: '', Precio: '10', Tipo: '02' }
    const [simplified] = await invoicesOf(csvOf([row]), { ...mapping, constants })
    expect(simplified.invoice.customer).toBeUndefined()
  })

  it('has only the filled entries of a list, which return to their columns', async () => {
    const discount = (index: number, member: string) =>
      `/invoice/totals/general_discounts/${index}/discount_${member}`
    const base = mappingOf({}, { 'Dto. A': discount(0, 'rate'), 'Dto. B': discount(1, 'rate') })
    const constants = { ...base.constants, [discount(0, 'reason')]: 'A', [discount(1, 'reason')]: 'B' }
    const mapping = { ...base, constants }
    const [document] = await invoicesOf(csvOf([{ ...ROW, 'Dto. A': '', 'Dto. B': '4' }]), mapping)
    expect(document.invoice.totals.general_discounts).toEqual([{ discount_rate: 4, discount_reason: 'B' }])
    const { out } = await toCsv([document], mapping)
    expect(out.split('\r\n')[1]).toMatch(/;;4$/)
  })

  it('without a column for its number is a draft', async () => {
    const { Número: _, Fecha: __, ...columns } = COLUMNS
    const mapping = mappingOf({
      group_by: ['Pedido'],
      columns: { Pedido: '/meta/external_ref', ...columns },
    })
    const { Número: ___, Fecha: ____, ...row } = ROW
    const [draft] = await invoicesOf(csvOf([{ Pedido: 'P-1', ...row }]), mapping)
    expect([draft.meta.external_ref, draft.invoice.header.invoice_number]).toEqual(['P-1', undefined])
    const xml = await fromCsv(csvOf([{ Pedido: 'P-1', ...row }]), mapping, '--to', 'ubl_2_1', '--json')
    expect(xml.out).toContain('csv.not_mapped')
  })

  it('is compared with the totals in its cells', async () => {
    const mapping = mappingOf({}, { Total: '/invoice/totals/invoice_total' })
    expect((await fromCsv(csvOf([{ ...ROW, Total: '3.812,41' }]), mapping)).code).toBe(0)
    const [error] = await errorsOf(csvOf([{ ...ROW, Total: '3.800,00' }]), mapping)
    expect(error).toMatchObject({ code: 'totals_mismatch', extra: { cell: 'J2', line: 2 } })
  })

  it('with a broken rule is reported at its cell, in text and for programs', async () => {
    const csv = csvOf([FIRST_ROW, { ...ROW, IVA: '20' }])
    const { code, out, err } = await fromCsv(csv)
    expect(code).toBe(1)
    expect(out.trimEnd().split('\n')).toHaveLength(1)
    expect(err).toContain('tax_rate_unknown  /invoice/lines/0/tax_output_rate  3:87  I3')
    expect(err).toMatch(/❯ 3 │ .*;20\n +│ +\^\^\n/)
    expect(err).toContain('1 of 2 converted')
    const github = await fromCsv(csv, mappingOf(), '--format', 'github', '--out', fresh())
    expect(github.out).toContain('line=3,col=87,title=tax_rate_unknown::')
  })

  it('with a missing field is reported at its row', async () => {
    const [error] = await errorsOf(csvOf([FIRST_ROW, { ...ROW, Concepto: '' }]))
    expect(error).toMatchObject({ path: '/invoice/lines/0/item_description', extra: { row: 3, line: 3 } })
  })

  it.each(['facturae_3_2_2', 'ubl_2_1', 'cii_d16b'])('is converted to %s', async (to) => {
    const out = fresh()
    const address = '/invoice/customer/company/address'
    const mapping = mappingOf({}, { Ciudad: `${address}/town`, Calle: `${address}/address` })
    const csv = csvOf([{ ...ROW, Ciudad: 'Santander', Calle: 'Calle A, 1' }])
    const run = await fromCsv(csv, mapping, '--to', to, '--out', out)
    expect([run.code, run.err]).toEqual([0, ''])
    const { format, document } = readInvoice(readFileSync(join(out, 'stdin-1.xml')))
    expect([format, document?.invoice.totals.invoice_total]).toEqual([to, 3812.41])
  })
})

describe('a cell', () => {
  it.each([
    ['1.234,56', '1.234,56', 1234.56],
    ['1.234,56', '1234,56', 1234.56],
    ['1.234,56', '-1.234.567', -1234567],
    ['1.234,56', '12.34', undefined],
    ['1.234,56', '1234.56', undefined],
    ['1.234,56', '1.2345,6', undefined],
    ['1234,56', '1.234', undefined],
    ['1234,56', '−5,10', -5.1],
    ['1,234.56', '1,234.56', 1234.56],
    ['1,234.56', '9,99', undefined],
    ['1234.56', '9,99', undefined],
    ['1234.56', '007.50', 7.5],
    ['1 234,56', '1 234,5', 1234.5],
    ['1 234,56', '1\u00a0234', 1234],
    ['1.234,56', '1,5E+10', undefined],
    ['1.234,56', '(5)', undefined],
    ['1.234,56', '12345678901234567890', undefined],
    ['1.234,56', '', undefined],
  ] as const)('in the notation %s with %s is the number %s', (format, text, value) => {
    expect(parseNumber(text, format, null)).toBe(value)
  })

  it('keeps every number in every notation', () => {
    const numbers = fc
      .tuple(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), fc.integer({ min: 0, max: 8 }))
      .map(([digits, decimals]) => digits / 10 ** decimals)
    fc.assert(
      fc.property(numbers, fc.constantFrom(...NUMBER_FORMATS), (value, format) => {
        expect(parseNumber(formatNumber(value, format), format, null)).toBe(value === 0 ? 0 : value)
      }),
    )
  })

  it('may have the unit of its column, and no other', async () => {
    const mapping = mappingOf({}, { IVA: { field: COLUMNS.IVA, unit: '%' } })
    const rates = async (IVA: string) =>
      (await invoicesOf(csvOf([{ ...ROW, IVA }]), mapping))[0].invoice.lines[0].tax_output_rate
    expect([await rates('21%'), await rates('21 %'), await rates('21,00')]).toEqual([21, 21, 21])
    expect((await errorsOf(csvOf([{ ...ROW, IVA: '21 €' }]), mapping))[0].code).toBe('csv.number_invalid')
    expect((await errorsOf(csvOf([{ ...ROW, IVA: '21 %' }])))[0].code).toBe('csv.number_invalid')
  })

  it.each([
    ['dd/MM/yyyy', '5/3/2026'],
    ['dd-MM-yyyy', '05-03-2026'],
    ['dd.MM.yyyy', '05.03.2026'],
    ['MM/dd/yyyy', '03/05/2026'],
    ['yyyy-MM-dd', '2026-03-05'],
  ])('in the notation %s with %s is a date', async (dates, Fecha) => {
    const [document] = await invoicesOf(csvOf([{ ...ROW, Fecha }]), mappingOf({ dates }))
    expect(document.invoice.issue_data.issue_date).toBe('2026-03-05')
    const { out } = await toCsv([document], mappingOf({ dates }))
    expect(out.split('\r\n')[1]).toContain(Fecha === '5/3/2026' ? ';05/03/2026;' : `;${Fecha};`)
  })

  it.each(['31/02/2026', '05/03/26', '2026-03-05', '05/03/2026 00:00', 'ayer'])(
    'with %s is not a date dd/MM/yyyy',
    async (Fecha) => {
      const [error] = await errorsOf(csvOf([{ ...ROW, Fecha }]))
      expect(error).toMatchObject({ code: 'csv.date_invalid', extra: { cell: 'B2', received: Fecha } })
      expect(error.message).toContain(`"${Fecha}" is not a date in the format "dd/MM/yyyy"`)
    },
  )

  it('is translated by the values of its column, in both directions', async () => {
    const IVA = { field: COLUMNS.IVA, values: { General: 21, Reducido: 10 } }
    const ISP = { field: '/invoice/lines/*/reverse_charge', values: { Sí: true, No: null } }
    const mapping = mappingOf({}, { IVA, ISP })
    const rows = [
      { ...ROW, IVA: 'General', ISP: 'No' },
      { ...ROW, IVA: 'Reducido', ISP: '' },
    ]
    const [document] = await invoicesOf(csvOf(rows), mapping)
    expect(document.invoice.lines).toMatchObject([{ tax_output_rate: 21 }, { tax_output_rate: 10 }])
    expect(document.invoice.lines[0]).not.toHaveProperty('reverse_charge')
    const { out } = await toCsv([document], mapping)
    expect(out).toMatch(/;General;No\r\n.*;Reducido;No\r\n$/)
    const [error] = await errorsOf(csvOf([{ ...ROW, IVA: 'general', ISP: '' }]), mapping)
    expect(error.message).toContain('does not have "general". Use "General", "Reducido"')
  })

  it('of a boolean field is true or false', async () => {
    const mapping = mappingOf({}, { TAI: '/invoice/issue_data/is_tai' })
    const [document] = await invoicesOf(csvOf([{ ...ROW, TAI: 'true' }]), mapping)
    expect(document.invoice.issue_data.is_tai).toBe(true)
    const [error] = await errorsOf(csvOf([{ ...ROW, TAI: 'VERDADERO' }]), mapping)
    expect(error.code).toBe('csv.boolean_invalid')
  })

  it('that a spreadsheet would run as a formula gets an apostrophe, which is removed again', async () => {
    for (const text of ['=1+1', '+34 942', '-5 %', '@SUM(A1)', "'=1", '＝1']) {
      const document = issued({ lines: [{ ...LINE, item_description: text }] })
      const { out } = await toCsv([document])
      expect(out).toContain(`;'${text};`)
      expect((await invoicesOf(out))[0].invoice.lines[0].item_description).toBe(text)
    }
  })
})

describe('a file', () => {
  const text = csvOf([{ ...ROW, Concepto: 'Señal de 50 €' }])
  const marked = Buffer.from(`\ufeff${text}`)
  const windows = Uint8Array.from(text, (sign) => (sign === '€' ? 0x80 : sign.charCodeAt(0)))

  it.each([
    ['UTF-8', Buffer.from(text), 'utf-8'],
    ['UTF-8 with a byte order mark', marked, 'utf-8'],
    ['windows-1252', windows, 'windows-1252'],
    ['UTF-8 with a byte order mark, whatever the mapping states', marked, 'windows-1252'],
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf-8'],
  ])('is read in %s', async (_, bytes, encoding) => {
    const [document] = await invoicesOf(bytes, mappingOf({ encoding }))
    expect(document.invoice.lines[0].item_description).toBe('Señal de 50 €')
  })

  it.each([';', ',', '\t', '|'])('is read and written with the delimiter %j', async (delimiter) => {
    const mapping = mappingOf({ delimiter })
    const csv = csvOf([{ ...ROW, Concepto: 'a;b,c\td|e' }], { delimiter, end: '\r\n' })
    const documents = await invoicesOf(csv, mapping)
    expect(documents[0].invoice.lines[0].item_description).toBe('a;b,c\td|e')
    expect((await toCsv(documents, mapping)).out).toBe(csv.replace('1.050,25', '1050,25'))
  })

  it.each(['\n', '\r\n', '\r'])(
    'is read with lines that end in %j, and with line breaks in cells',
    async (end) => {
      const rows = [
        { ...ROW, Concepto: 'uno\ndos "tres"' },
        { ...ROW, Número: 'F-2' },
      ]
      const documents = await invoicesOf(csvOf(rows, { end }))
      expect(documents[0].invoice.lines[0].item_description).toBe('uno\ndos "tres"')
      const { out } = await toCsv(documents)
      expect((await invoicesOf(out))[0]).toEqual(documents[0])
    },
  )

  it('joins the rows of a name in a cell, and keeps its blanks', async () => {
    const [document] = await invoicesOf(csvOf([{ ...ROW, Cliente: 'Estudio\r\n\tImaginado,  S.L.' }]))
    expect(document.invoice.customer.name).toBe('Estudio Imaginado,  S.L.')
  })

  it('is written in the encoding of the mapping', async () => {
    const write = async (encoding: string, item_description: string) => {
      const out = fresh()
      const file = fileOf(JSON.stringify(issued({ lines: [{ ...LINE, item_description }] })), 'json')
      const mapping = mappingFile(mappingOf({ encoding }))
      const run = await cuadra(['convert', '--to', 'csv', '--mapping', mapping, '--out', out, file])
      return { ...run, bytes: run.code === 0 ? readFileSync(join(out, required(readdirSync(out)[0]))) : null }
    }
    const one = required((await write('windows-1252', 'Año 50 €')).bytes)
    expect(one.includes(Buffer.from([0x41, 0xf1, 0x6f, 0x20, 0x35, 0x30, 0x20, 0x80]))).toBe(true)
    expect((await write('utf-8-bom', 'Año')).bytes?.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    expect((await write('utf-8', 'Año')).bytes?.[0]).toBe('N'.charCodeAt(0))
    const failed = await write('windows-1252', 'Łódź')
    expect(failed.code).toBe(1)
    expect(failed.out.replace(/\s+/g, ' ')).toContain('windows-1252 does not have the character "Ł"')
  })

  it.each([
    ['', 'csv.empty', 1],
    [csvOf([]), 'csv.empty', 1],
    [';;;\n;;;\n', 'csv.empty', 1],
    [csvOf([ROW], { delimiter: ',' }), 'csv.delimiter', 1],
    [csvOf([{ ...ROW, Notas: 'x' }]), 'csv.column_unknown', 1],
    [csvOf([{ ...ROW, '': 'x' }]), 'csv.column_unnamed', 1],
    [csvOf([ROW]).replace('NIF', 'IVA'), 'csv.column_duplicate', 1],
    [csvOf([ROW]).replace('Cliente', 'Clientes'), 'csv.column_missing', 1],
    [`${csvOf([ROW])}F-2;16/03/2026\n`, 'csv.cell_count', 3],
    [csvOf([ROW]).replace(';21\n', ';21;extra\n'), 'csv.cell_count', 2],
    [csvOf([ROW, { ...ROW, Número: '' }]), 'csv.key_empty', 3],
    [csvOf([ROW]).replace(';3;', ';"3;'), 'csv.quote_not_closed', 2],
    [csvOf([ROW]).replace('Revisión', '5" Revisión'), 'csv.quote_inside', 2],
    [csvOf([ROW]).replace('Revisión', '"a" b'), 'csv.quote_inside', 2],
    [csvOf([ROW]).replace('Revisión', '\0'), 'csv.not_text', 2],
    [Buffer.from(csvOf([ROW]), 'latin1'), 'csv.encoding', 1],
    [Buffer.from([0x50, 0x4b, 3, 4, 0, 0]), 'csv.workbook', 1],
    [Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), 'csv.workbook', 1],
  ])('that is wrong is rejected as a whole: %#', async (csv, code, line) => {
    const errors = await errorsOf(csv)
    expect(errors.map((error) => error.code)).toContain(code)
    const { extra, message } = errors.find((error) => error.code === code)
    expect(extra.line).toBe(line)
    expect(message).not.toMatch(/[{}]|—/)
    const spanish = await fromCsv(csv, mappingOf(), '--locale', 'es')
    expect([spanish.code, spanish.out]).toEqual([1, ''])
    expect(spanish.err).toContain(code)
    expect(spanish.err).not.toContain(message.slice(0, 20))
  })

  it.each([
    ['Descuento', ['/invoice/lines/*/discount_rate', '/invoice/lines/*/discount_amount']],
    ['Vencimiento', ['/invoice/payment_details/0/installment_due_date']],
    ['Serie', ['/invoice/header/invoice_series_code']],
    ['Color', undefined],
  ])('with a column that the mapping lacks: the fields that it may have (%s)', async (column, similar) => {
    const [error] = await errorsOf(csvOf([{ ...ROW, [column]: 'x' }]))
    expect(error).toMatchObject({ code: 'csv.column_unknown', extra: { row: 1 } })
    expect(error.extra.similar?.toSorted()).toEqual(similar?.toSorted())
    for (const field of similar ?? []) expect(error.message).toContain(field)
  })

  const MEGABYTES = sized(1, 6)
  const size = MEGABYTES * 1e6
  it(`of ${MEGABYTES} MB of nonsense is rejected within seconds`, async () => {
    for (const [nonsense, codes] of [
      ['x'.repeat(size), ['csv.column_unknown', 'csv.column_missing']],
      [';'.repeat(size), ['csv.empty']],
      [`${Array.from({ length: size / 12 }, (_, index) => `c${index}`).join(';')}\n`, ['csv.column_unknown']],
      [`${';'.repeat(size / 2)}\n${'a;b\n'.repeat(size / 60)}`, ['csv.column_unnamed']],
      ['a;b\n'.repeat(size / 4), ['csv.too_many_rows']],
      ['"'.repeat(size + 1), ['csv.quote_not_closed']],
      ['€ñ"\n;'.repeat(size / 6), ['csv.quote_inside']],
    ] as const) {
      const { code, out, err } = await fromCsv(nonsense)
      expect([code, out]).toEqual([1, ''])
      expect(
        codes.filter((one) => err.includes(one)),
        err.slice(0, 300),
      ).not.toEqual([])
      expect(err.length).toBeLessThan(20_000)
    }
    expect((await errorsOf(Buffer.alloc(20 * 1024 * 1024 + 1, 'x')))[0].code).toBe('csv.too_large')
  }, 60_000)

  it('of 50 invoices becomes 50 files, and returns from them', async () => {
    const rows = Array.from({ length: 120 }, (_, index) => ({
      ...ROW,
      Número: `F-${(index % 50) + 1}`,
      Concepto: `Artículo n.º ${index + 1}; «${'á'.repeat(index % 7)}»`,
      Cantidad: String((index % 9) + 1),
      Precio: `${index},${String(index % 100).padStart(2, '0')}`.replace('0,00', '1,00'),
      IVA: ['21', '10', '4'][index % 3] ?? '',
    }))
    const [source, out] = [fileOf(csvOf(rows), 'csv'), fresh()]
    const mapping = mappingFile()
    const run = await cuadra(tokens`
      convert --from csv --to json_1_1 --mapping ${mapping} --out ${out} ${source}`)
    expect([run.code, run.out.split('\n').at(-2)]).toEqual([0, '50 of 50 converted'])
    expect(readdirSync(out)).toHaveLength(50)
    const back = await cuadra(['convert', '--to', 'csv', '--mapping', mapping, out])
    expect([back.code, back.err]).toEqual([0, '50 of 50 converted\n'])
    const again = await cuadra(['convert', '--from', 'csv', '--to', 'csv', '--mapping', mapping, source])
    expect(back.out).toBe(again.out)
    const sorted = (text: string) => text.trimEnd().split(/\r?\n/).sort()
    // Every price has a comma, and its last zeros are not written.
    const canonical = rows.map((row) => ({ ...row, Precio: row.Precio.replace(/,?0+$/, '') }))
    expect(sorted(back.out)).toEqual(sorted(csvOf(canonical)))
  })
})

describe('a folder', () => {
  it('of CSV files is converted', async () => {
    const source = fresh()
    mkdirSync(source)
    writeFileSync(join(source, 'a.csv'), csvOf([ROW]))
    writeFileSync(join(source, 'b.json'), '{')
    const out = fresh()
    const args = ['convert', '--from', 'csv', '--to', 'ubl_2_1', '--mapping', mappingFile(), '--out', out]
    const run = await cuadra([...args, source])
    expect([run.code, readdirSync(out)]).toEqual([0, ['a-1.xml']])
    const none = await cuadra([...args, 'src/entry/cli/batch'])
    expect([none.code, none.err]).toEqual([
      2,
      'cuadra: src/entry/cli/batch: no CSV file in this folder (.csv)\n',
    ])
  })

  it('with an existing CSV file keeps it, unless --force is given', async () => {
    const out = fresh()
    const args = tokens`
      convert --to csv --mapping ${mappingFile()} --out ${out} ${fileOf(JSON.stringify(issued()), 'json')}`
    expect((await cuadra(args)).code).toBe(0)
    const again = await cuadra(args)
    expect([again.code, again.out]).toEqual([1, expect.stringContaining('convert.file_exists')])
    expect((await cuadra([...args, '--force'])).code).toBe(0)
  })
})

describe('invoices', () => {
  it('with the same key are not mixed in one CSV', async () => {
    const both = [issued(), issued({ lines: [LINE, LINE] })]
    const { code, out } = await toCsv(both)
    expect([code, out.trimEnd().split('\r\n').length]).toEqual([1, 2])
    const json = await toCsv(both, mappingOf(), '--json')
    expect(json.out).toContain(String.raw`The CSV already has another invoice with \"Número\" F26-0007`)
  })

  it('without a key, or with a value that the mapping lacks, are rejected', async () => {
    const columns = { Pedido: '/invoice/header/references/file_reference' }
    const byOrder = mappingOf({ group_by: ['Pedido'] }, columns)
    expect((await toCsv([issued()], byOrder)).err).toContain('csv.key_missing')
    const rates = mappingOf({}, { IVA: { field: COLUMNS.IVA, values: { '10 %': 10 } } })
    const { out } = await toCsv([issued()], rates, '--json')
    expect(out).toContain(String.raw`Column \"IVA\": \"values\" in the mapping has no cell value for 21.`)
  })

  it('with values that have no column are written with a warning that names them', async () => {
    const document = issued({ lines: [{ ...LINE, article_code: 'X-1' }], payment_terms: '30 días' })
    const { code, out, err } = await toCsv([document], mappingOf(), '--json')
    expect([code, err]).toEqual([0, ''])
    const { errors, content } = JSON.parse(out)
    expect(errors[0]).toMatchObject({ code: 'csv.not_written', severity: 'warning' })
    expect(errors[0].extra.fields).toContain('/invoice/payment_terms')
    expect(content.split('\r\n')).toHaveLength(3)
  })

  it('with several surcharges at one rate are refused, because no row states which lines have them', async () => {
    const half = { tax_rate: 21, taxable_base: 75, tax_amount: 15.75 }
    const document = issued({ taxes_outputs: [{ ...half, equivalence_surcharge: 5.2 }, half] })
    const mapping = mappingOf({}, { RE: '/invoice/lines/*/equivalence_surcharge' })
    const { code, out } = await toCsv([document], mapping, '--json')
    expect(code).toBe(1)
    const divided = { code: 'csv.surcharge_divided', extra: { rate: 21 } }
    expect(JSON.parse(out).errors).toContainEqual(expect.objectContaining(divided))
  })

  it('with another total than their rows are written with a warning that names both', async () => {
    const totals = { ...invoiceOf().invoice.totals, general_discounts: [{ discount_amount: 50 }] }
    const { out } = await toCsv([issued({ totals })], mappingOf(), '--json')
    const { errors, content } = JSON.parse(out)
    expect(content).toContain('F26-0007')
    const extra = { name: 'invoice_total', expected: 121, received: 181.5 }
    expect(errors[0]).toMatchObject({ code: 'csv.total_differs', severity: 'warning', extra })
  })

  it('that were received in dollars come back with their totals in dollars', async () => {
    const dollars = { invoice_currency_code: 'USD', exchange_rate: 0.92, exchange_rate_date: '2026-03-13' }
    const meta = { direction: 'received', source_system: 'test' }
    const mapping = mappingOf({
      constants: { ...mappingOf().constants, '/meta': meta, '/invoice/issue_data/invoice_currency': dollars },
    })
    const [document] = await invoicesOf(csvOf([ROW]), mapping)
    expect(document.invoice.totals).toEqual({
      total_gross_amount_before_taxes: 3150.75,
      total_tax_outputs: 661.66,
      invoice_total: 3812.41,
    })
  })

  it('in XML are written as CSV', async () => {
    const xml = await cuadra(['convert', '--to', 'ubl_2_1', '-'], { input: JSON.stringify(issued()) })
    const args = tokens`convert --to csv --direction issued --mapping ${mappingFile()} -`
    const { code, out } = await cuadra(args, { input: xml.out })
    expect(code).toBe(0)
    expect(out.split('\r\n')[1]).toBe(
      'F26-0007;16/03/2026;B77777779;Estudio Imaginado, S.L.;39004;Revisión de caldera;3;50;21',
    )
  })

  it('return from CSV as they were, whatever their texts and numbers are', async () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
      .map((one) => `${one.replace(/\p{C}/gu, '')}.`.trim())
      .filter((one) => isValidText('line', one))
    const line = fc.record({
      item_description: text,
      quantity: fc.integer({ min: 1, max: 9999 }).map((one) => one / 100),
      unit_price_without_tax: fc.integer({ min: 1, max: 99_999_999 }).map((one) => one / 10_000),
      tax_output_rate: fc.constantFrom(21, 10, 4),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 4 }),
        text,
        fc.constantFrom(...NUMBER_FORMATS),
        fc.constantFrom(';', ',', '\t', '|'),
        async (lines, name, numbers, delimiter) => {
          const { supplier, customer } = invoiceOf().invoice
          const base = mappingOf({ numbers, delimiter })
          const columns = Object.fromEntries(
            Object.entries(base.columns).map(([column, field]) => [`=${column}"`, field]),
          )
          const mapping = { ...base, columns, group_by: ['=Número"'] }
          const company = { address: { post_code: '39004' } }
          const document = issued({
            supplier,
            customer: { tax_id: customer.tax_id, name, country_code: 'ES', company },
            header: { invoice_type_code: '01', invoice_series_code: 'F', invoice_number: 'F-1' },
            lines,
          })
          const csv = await toCsv([document], mapping)
          expect([csv.code, csv.err]).toEqual([0, ''])
          const [returned] = await invoicesOf(csv.out, mapping)
          expect(returned.invoice.lines).toEqual(lines)
          expect(returned.invoice.customer.name).toBe(name)
          expect(returned.invoice.totals.invoice_total).toBe(document.invoice.totals.invoice_total)
          expect((await toCsv([returned], mapping)).out).toBe(csv.out)
        },
      ),
      { numRuns: 60 },
    )
  }, 60_000)
})

describe('the example', () => {
  const mapping = 'examples/spreadsheet/mapping.json'
  const file = 'examples/spreadsheet/invoices.csv'

  it('has 12 valid invoices, and the same cells after two conversions', async () => {
    const out = fresh()
    const run = await cuadra(tokens`
      convert --from csv --to json_1_1 --mapping ${mapping} --out ${out} ${file}`)
    expect([run.code, readdirSync(out).length]).toEqual([0, 12])
    const back = await cuadra(['convert', '--to', 'csv', '--mapping', mapping, out])
    const direct = await cuadra(['convert', '--from', 'csv', '--to', 'csv', '--mapping', mapping, file])
    expect([back.code, direct.code, back.err]).toEqual([0, 0, '12 of 12 converted\n'])
    expect(back.out).toBe(direct.out)
  })
})

describe('a field that the mapping omits', () => {
  const { '/invoice/header/invoice_series_code': _, ...constants } = mappingOf().constants
  const field = '/invoice/header/invoice_series_code'
  const mapping = mappingOf({ constants })
  const rows = ['F-1', 'F-2', 'F-3'].map((Número) => ({ ...ROW, Número }))
  const csv = csvOf([...rows, { ...ROW, Número: 'F-4', IVA: 'x' }])

  it('is reported once for all invoices, before the other problems of each', async () => {
    const { code, err } = await fromCsv(csv, mapping)
    expect(code).toBe(1)
    expect(err.match(/error {2}\S+/g)).toEqual(['error  csv.not_mapped', 'error  csv.number_invalid'])
    expect(err).toContain(`Invoices without ${field}: 3.`)
    expect(err.replace(/\s+/g, ' ')).toContain('Add a column or a constant for it to the mapping.')
    expect(err).toMatch(/\n0 of 4 converted\n$/)
    expect((await fromCsv(csv, mapping, '--locale', 'es')).err).toContain(`Facturas sin ${field}: 3.`)
  })

  it('is one result for programs, and the invoices follow without it', async () => {
    const results = documentsIn((await fromCsv(csv, mapping, '--json')).out)
    expect(results.map(({ part, is_converted, errors }) => [part, is_converted, errors.length])).toEqual([
      [undefined, false, 1],
      ...[1, 2, 3, 4].map((part) => [part, false, part === 4 ? 1 : 0]),
    ])
    expect(results[0].errors[0]).toMatchObject({
      code: 'csv.not_mapped',
      path: field,
      extra: { field, count: 3 },
    })
  })

  it('is one annotation, and one result of SARIF', async () => {
    const github = await fromCsv(csv, mapping, '--format', 'github', '--out', fresh())
    expect(github.out.match(/title=[^:]+/g)).toEqual(['title=csv.not_mapped', 'title=csv.number_invalid'])
    const sarif = await fromCsv(csv, mapping, '--format', 'sarif', '--out', fresh())
    const { results } = JSON.parse(sarif.out).runs[0]
    expect(results.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual([
      'csv.not_mapped',
      'csv.number_invalid',
    ])
  })

  it('of lines is one field, however many lines there are', async () => {
    const { Concepto: __, ...columns } = COLUMNS
    const run = await fromCsv(csvOf(rows), mappingOf({ columns, ignore: ['Concepto'] }), '--json')
    const [first] = documentsIn(run.out)
    expect(first.errors.map(({ path }: { path: string }) => path)).toEqual([
      '/invoice/lines/*/item_description',
    ])
  })

  it('is not reported for the file if a column or another invoice states it', async () => {
    const empty = await fromCsv(csvOf(rows.map((row) => ({ ...row, Concepto: '' }))), mappingOf(), '--json')
    expect(empty.out).not.toContain('csv.not_mapped')
    expect(documentsIn(empty.out)).toHaveLength(3)
  })
})

describe('the mapping', () => {
  const columnX = (field: string) => mappingOf({}, { X: field })
  it.each([
    [[], '', 'must be an object.'],
    [{ ...mappingOf(), colums: {} }, '', 'unknown member "colums". Did you mean "columns"?'],
    [mappingOf({ delimiter: ':' }), '/delimiter', 'is ":". Use ";", ",", "\\t", "|".'],
    [mappingOf({ encoding: 'latin1' }), '/encoding', 'is "latin1"'],
    [mappingOf({ numbers: '1.0' }), '/numbers', 'is "1.0"'],
    [mappingOf({ numbers: undefined }), '/numbers', 'state the notation of "Cantidad"'],
    [mappingOf({ dates: undefined }), '/dates', 'state the notation of "Fecha"'],
    [mappingOf({ group_by: [] }), '/group_by', 'name the columns that identify an invoice'],
    [mappingOf({ group_by: 'Número' }), '/group_by', 'must be a list of column names'],
    [mappingOf({ group_by: ['Concepto'] }), '/group_by', '"Concepto" must be one of the "columns"'],
    [mappingOf({ ignore: ['NIF'] }), '/ignore', '"NIF" is also in "columns"'],
    [mappingOf({ columns: [] }), '/columns', 'must be an object'],
    [mappingOf({ columns: { Número: COLUMNS.Número } }), '/columns', 'no column holds a field of the lines'],
    [mappingOf({}, { X: 5 }), '/columns/X', 'must be a field'],
    [columnX('/invoice/lines/*/quantty'), '/columns/X', 'Did you mean "/invoice/lines/*/quantity"'],
    [columnX('/invoice/lines/*/tax_rate'), '/columns/X', 'Did you mean "/invoice/lines/*/tax_output_rate"?'],
    [
      columnX('/invoice/issue_data/due_date'),
      '/columns/X',
      'Did you mean "/invoice/payment_details/0/installment_due_date"?',
    ],
    [
      columnX('/invoice/customer/zip'),
      '/columns/X',
      'Did you mean "/invoice/customer/company/address/post_code", "/invoice/customer/person/address/post_code"?',
    ],
    [
      columnX('/invoice/lines/*/discount_date'),
      '/columns/X',
      'unknown field "/invoice/lines/*/discount_date". docs/reference/invoice.md lists the fields',
    ],
    [columnX('/invoice/lines/0/quantity'), '/columns/X', 'write * for the index of the line'],
    [columnX('/invoice/payment_details/*/installment_amount'), '/columns/X', 'a number for the index'],
    [columnX(COLUMNS.NIF), '/columns/X', 'the column "NIF" already holds /invoice/customer/tax_id'],
    [
      mappingOf({}, { NIF: { field: COLUMNS.NIF, unit: '%' } }),
      '/columns/NIF/unit',
      'must be a text that follows numbers',
    ],
    [mappingOf({}, { NIF: { field: COLUMNS.NIF, format: 1 } }), '/columns/NIF', 'unknown member "format"'],
    [
      mappingOf({}, { IVA: { field: COLUMNS.IVA, values: { a: '21' } } }),
      '/columns/IVA/values',
      'must be an object that maps cells',
    ],
    [
      mappingOf({ constants: { '/invoice/suplier/name': 'x' } }),
      '/constants/~1invoice~1suplier~1name',
      'unknown field',
    ],
    [mappingOf({ constants: { [COLUMNS.CP]: '39004' } }), '/columns/CP', 'is also in "constants"'],
    [mappingOf({ constants: { '/meta/direction': null } }), '/constants/~1meta~1direction', 'has no value'],
    [
      mappingOf({ constants: { '/schema_version': '2' } }),
      '/constants/~1schema_version',
      'cannot be a constant',
    ],
  ])(
    'with a mistake ends the command with exit code 2 and its location: %#',
    async (mapping, path, message) => {
      const { code, out, err } = await fromCsv(csvOf([ROW]), mapping)
      expect([code, out]).toEqual([2, ''])
      expect(err).toContain(`\n  ${path === '' ? '' : `${path}: `}`)
      expect(err).toContain(message)
      const spanish = await fromCsv(csvOf([ROW]), mapping, '--locale', 'es')
      expect(spanish.code).toBe(2)
      expect(spanish.err).not.toContain(message.split(/["/]/)[0]?.trim() || '…')
    },
  )

  it.each([
    [['--from', 'csv', '--to', 'json_1_1', '-'], 'CSV needs --mapping'],
    [['--to', 'csv', '-'], 'CSV needs --mapping'],
    [['--to', 'json_1_1', '--mapping', 'x.json', '-'], '--mapping is only for CSV'],
    [tokens`--from csv --to json_1_1 --ndjson --mapping x.json -`, '--ndjson reads JSON, not CSV'],
    [['--from', 'csv', '--to', 'json_1_1', '--mapping', 'no.json', '-'], 'no.json: no such file'],
    [['--from', 'csv', '--to', 'json_1_1', '--mapping', '-', '-'], 'can be read only once'],
    [['--from', 'csv', '--to', 'ubl_2_1', '--mapping', 'x.json', '-'], 'specify a folder with --out'],
    [tokens`--from csv --to json_1_1 --mapping README.md -`, '--mapping README.md: invalid JSON at line 1'],
  ])('is required for CSV only: %#', async (args, message) => {
    const { code, err } = await cuadra(['convert', ...args])
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
  })
})
