/** `cuadra books`: the file it writes, the sums it prints, and its errors in both languages. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cuadra, spawned } from '../../entry/cli/run.ts'
import { temporaryFolder } from '../../folders.ts'

const folder = temporaryFolder()

const EXAMPLES = 'examples/books'
const COMPANY = `${EXAMPLES}/company.json`
const NAME = '2026B12345674CEMPRESA DE PRUEBAS SL.xlsx'
const example = (name: string) => JSON.parse(readFileSync(`${EXAMPLES}/${name}.json`, 'utf8'))
const file = (name: string, content: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}
const books = (args: readonly string[], { company = COMPANY, until = '1T', ...options } = {}) =>
  cuadra(
    ['books', '--company', company, '--year', '2026', '--until', until, '--out', folder, ...args],
    options,
  )

describe('cuadra books', () => {
  it('writes the file of a folder, without the company.json in it, and prints the sums', async () => {
    const { code, out, err } = await books([EXAMPLES])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(readdirSync(folder)).toContain(NAME)
    expect(out).toContain(`→ ${join(folder, NAME)}\n`)
    expect(out).toMatch(/^issued +01 +S1 +21\.00 +2 +800\.00 +168\.00 +0\.00 +0\.00 +968\.00$/m)
  })

  it('replaces the file, as the books of a year grow with each quarter', async () => {
    writeFileSync(join(folder, NAME), 'old')
    expect((await books([EXAMPLES], { until: '2T' })).code).toBe(0)
    expect(readFileSync(join(folder, NAME)).subarray(0, 2).toString()).toBe('PK')
  })

  it('prints the file and the sums as JSON', async () => {
    const { out } = await books([EXAMPLES, '--json'])
    const { file: written, sums } = JSON.parse(out)
    expect(written).toBe(join(folder, NAME))
    expect(sums.at(-1)).toMatchObject({ book: 'received', key: '09', base: 2000, tax: 420, deductible: 420 })
  })

  it('reads lines of NDJSON and the standard input, and documents that the engine returned', async () => {
    const canonical = (await cuadra(['convert', `${EXAMPLES}/A-101.json`, '--to', 'json_1_1'])).out
    const lines = file(
      'batch.ndjson',
      [example('R-7'), example('RE-55')].map((one) => JSON.stringify(one)).join('\n'),
    )
    const { code, out, err } = await books([lines, '-', '--json'], { input: canonical } as object)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out).sums).toEqual(JSON.parse((await books([EXAMPLES, '--json'])).out).sums)
  })

  it('prints sums in Spanish notation', async () => {
    const { out } = await books([EXAMPLES, '--locale', 'es'])
    expect(out).toMatch(/^expedidas +01 +S1 +21,00 +2 +800,00 /m)
  })

  it('runs as the built program', () => {
    const args = ['books', EXAMPLES, '--company', COMPANY, '--year', '2026', '--until', '1T', '--out', folder]
    expect(spawned(args)).toMatchObject({ code: 0, err: '' })
  })
})

describe('errors of cuadra books', () => {
  it('name the invoice that is not valid, and nothing is written', async () => {
    const wrong = example('A-101')
    wrong.invoice.lines[0].tax_output_rate = 20
    const out = join(folder, 'none')
    mkdirSync(out)
    const args = ['books', file('wrong.json', wrong), `${EXAMPLES}/R-7.json`, '--company', COMPANY]
    const { code, err } = await cuadra([...args, '--year', '2026', '--until', '1T', '--out', out])
    expect(code).toBe(1)
    expect(err).toMatch(/wrong\.json/)
    expect(err).toMatch(
      /^cuadra: nothing was written, because invoices are not valid \(1\): correct them, or remove them$/m,
    )
    expect(readdirSync(out)).toEqual([])
  })

  it.each([
    [
      ['--until', '5T'],
      /option '--until <quarter>' argument '5T' is invalid\. Allowed choices are 1T, 2T, 3T, 4T\./,
    ],
    [['--year', '26'], /option '--year <year>' argument '26' is invalid\. Use a year such as 2026\./],
    [['--company', 'nowhere.json'], /^cuadra: nowhere\.json: no such file\n$/],
  ])('%s state the value and the instruction', async (more, message) => {
    const { code, err } = await books([EXAMPLES, ...more])
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })

  it('list every problem of the settings with its path', async () => {
    const company = file('company.json', {
      tax_id: 'B12345678',
      legal_name: 'X',
      books: {
        activity: { code: 'E', tipo: '03' },
        pro_rata: 0.5,
        invoices: [{ deduct_in: '2026-03' }],
        investment_goods: {},
      },
    })
    const { code, err } = await books([EXAMPLES], { company })
    expect(code).toBe(2)
    expect(err.split('\n').map((line) => line.replace(/^.*company\.json: /, ''))).toEqual([
      '/tax_id: "B12345678" is not valid; use a Spanish tax id',
      '/books/activity/tipo: unknown field. Use one of code, type, iae',
      '/books/activity/code: "E" is not valid; use one of A, B, C, D',
      '/books/pro_rata: 0.5 is not valid; use a whole number from 0 to 100',
      '/books/invoices/0/number: is missing',
      '/books/invoices/0/deduct_in: "2026-03" is not valid; use a quarter such as 2026-3T',
      '/books/investment_goods: use a list',
      '',
    ])
    const spanish = await books([EXAMPLES, '--locale', 'es'], { company: file('empty.json', {}) })
    expect(spanish.err).toMatch(/\/tax_id: falta\n\/legal_name: falta\n\/books: falta\n$/)
  })

  it('say how to convert XML', async () => {
    const { code, err } = await books([file('one.xml', '<a/>')])
    expect(code).toBe(2)
    expect(err).toMatch(/one\.xml: is XML; convert it first: cuadra convert --to json_1_1\n$/)
  })

  it('of invoices that the books cannot show have their code', async () => {
    const { code, err } = await books([`${EXAMPLES}/A-101.json`, file('copy.json', example('A-101'))])
    expect(code).toBe(1)
    expect(err).toContain('books.twice')
  })
})
