/** `cuadra convert`, and XML documents in the other commands. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { resultName } from '#entry/cli/input/input-results.ts'
import { type FormatCode, readInvoice, writeInvoice } from '#formats/index.ts'
import { filesOf, temporaryFolder } from '../../folders.ts'
import { changed, facturae, issued, LINE } from '../../formats/invoice.ts'
import { itInAll } from '../../size.ts'
import { tokens } from '../../tokens.ts'
import { cuadra, documentsIn } from './run.ts'

const folder = temporaryFolder()

const fileOf = filesOf(folder)

let count = 0
/** Returns the path of a new folder for results. */
const fresh = (): string => join(folder, `out-${count++}`)

const xmlOf = (format: FormatCode, parts = {}): string =>
  required(writeInvoice(issued(parts), format, { indent: 1 }).xml)

const JSON_FILE = fileOf('issued.json', JSON.stringify(issued()))
const FACTURAE = fileOf('issued.xsig', facturae())
const UBL = fileOf('ubl.xml', xmlOf('ubl_2_1'))
const CII = fileOf('cii.xml', xmlOf('cii_d16b'))
describe('a short name of a format', () => {
  it.each([
    ['facturae', 'facturae_3_2_2'],
    ['ubl', 'ubl_2_1'],
    ['cii', 'cii_d16b'],
    ['json', 'json_1_1'],
  ])('%s stands for %s', async (name, format) => {
    expect(await cuadra(['convert', '--to', name, JSON_FILE])).toEqual(
      await cuadra(['convert', '--to', format, JSON_FILE]),
    )
  })

  it('is in the help and in the completion, and a wrong one is refused with all names', async () => {
    for (const args of [
      ['convert', '--help'],
      ['completion', 'bash'],
      ['convert', '--to', 'ub', 'x'],
    ]) {
      const { out, err } = await cuadra(args)
      expect((out + err).replaceAll(/[",]|\n */g, ' ').replaceAll(/ +/g, ' ')).toContain(
        'facturae ubl cii json',
      )
    }
  })
})

const TARGETS = ['facturae_3_2_2', 'ubl_2_1', 'cii_d16b'] as const

/** A Facturae file with two invoices. */
const BATCH = (() => {
  const one = facturae()
  const [invoice] = required(/<Invoice>[\s\S]*<\/Invoice>/.exec(one))
  const second = invoice.replace('F26-0007', 'F26-0008')
  return changed(
    one,
    [invoice, `${invoice}\n${second}`],
    ['<Modality>I<', '<Modality>L<'],
    ['<InvoicesCount>1<', '<InvoicesCount>2<'],
    [/(<Total\w+>\s*<TotalAmount>)181.50/, '$1363.00'],
    [/(<TotalOutstandingAmount>\s*<TotalAmount>)181.50/, '$1363.00'],
    [/(<TotalExecutableAmount>\s*<TotalAmount>)181.50/, '$1363.00'],
  )
})()

const numberIn = (xml: string) => readInvoice(xml).document?.invoice.header.invoice_number

describe('an invoice', () => {
  it.each(TARGETS)('in JSON is converted to %s on the standard output', async (to) => {
    const { code, out, err } = await cuadra(['convert', '--to', to, JSON_FILE])
    expect([code, err]).toEqual([0, ''])
    const { format, document } = readInvoice(out)
    expect([format, required(document).invoice.totals.invoice_total]).toEqual([to, 181.5])
  })

  it.each([
    ['facturae_3_2_2', FACTURAE],
    ['ubl_2_1', UBL],
    ['cii_d16b', CII],
  ])('in %s is converted to any other format', async (from, file) => {
    for (const to of TARGETS) {
      const { code, out } = await cuadra(['convert', '--from', from, '--to', to, file])
      expect(code, to).toBe(0)
      expect(readInvoice(out).document?.invoice.totals.invoice_total).toBe(181.5)
    }
    const { code, out } = await cuadra(['convert', '--to', 'json_1_1', file])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual(JSON.parse(JSON.stringify(readInvoice(readFileSync(file)).document)))
  })

  it('is read from the standard input, with the direction given', async () => {
    const input = readFileSync(UBL)
    const { code, out } = await cuadra(tokens`convert --to json_1_1 --direction issued -`, { input })
    expect(code).toBe(0)
    expect(JSON.parse(out).meta.direction).toBe('issued')
  })

  it('in ISO-8859-15 keeps its euro signs and accents', async () => {
    const text = changed(facturae({ lines: [{ ...LINE, item_description: 'Revisión a 50 €' }] }), [
      'encoding="UTF-8"',
      'encoding="ISO-8859-15"',
    ])
    const bytes = Uint8Array.from(text, (sign) => (sign === '€' ? 0xa4 : sign.charCodeAt(0)))
    const { code, out } = await cuadra(['convert', '--to', 'ubl_2_1', fileOf('latin.xml', bytes)])
    expect(code).toBe(0)
    expect(out).toContain('Revisión a 50 €')
  })
})

describe('exit code 1', () => {
  it('for a draft: the missing fields are located, in both languages', async () => {
    const english = await cuadra(['convert', '--to', 'ubl_2_1', 'examples/02-shop-prices-with-tax.json'])
    expect([english.code, english.out]).toEqual([1, ''])
    expect(english.err).toContain('missing_required_field  /invoice/header/invoice_number  50:5')
    expect(english.err).toContain('invoice_number is missing.')
    const spanish = await cuadra(tokens`
      convert --to ubl_2_1 --locale es examples/02-shop-prices-with-tax.json`)
    expect(spanish.err).toContain('Falta invoice_number')
  })

  it('for data that the format does not support, in both languages', async () => {
    const document = issued({ lines: [{ ...LINE, tax_withheld_rate: 15 }] })
    const withheld = fileOf('withheld.json', JSON.stringify(document))
    const english = await cuadra(['convert', '--to', 'cii_d16b', withheld])
    expect([english.code, english.out]).toEqual([1, ''])
    expect(english.err).toContain('export_not_possible')
    expect(english.err).toContain('has no field for withholding (IRPF)')
    const spanish = await cuadra(tokens`convert --to cii_d16b --locale es ${withheld}`)
    expect(spanish.err).toContain('no admite retenciones')
    expect((await cuadra(['convert', '--to', 'facturae_3_2_2', withheld])).code).toBe(0)
  })

  it('for XML that is malformed, of another format, or of an unknown one', async () => {
    const cut = facturae().slice(0, 900)
    for (const [xml, from, code] of [
      [cut, 'auto', 'xml.malformed'],
      [xmlOf('ubl_2_1'), 'cii_d16b', 'format.different'],
      ['<html/>', 'auto', 'format.unknown'],
      ['<!DOCTYPE a [<!ENTITY b "c">]><Invoice/>', 'ubl_2_1', 'xml.doctype'],
      [xmlOf('ubl_2_1'), 'json_1_1', 'json.syntax'],
      ['{}', 'ubl_2_1', 'xml.malformed'],
    ] as const) {
      const run = await cuadra(['convert', '--from', from, '--to', 'json_1_1', '-'], { input: xml })
      expect([run.code, run.out], code).toEqual([1, ''])
      expect(run.err).toContain(code)
      expect(run.err).not.toMatch(/\n\s+at /)
    }
  })

  itInAll('for a file larger than 10 MB', async () => {
    const xml = xmlOf('ubl_2_1')
    const large = xml.padEnd(10 * 1024 * 1024 - (Buffer.byteLength(xml) - xml.length), ' ')
    expect((await cuadra(['convert', '--to', 'cii_d16b', '-'], { input: large })).code).toBe(0)
    const { code, out, err } = await cuadra(['convert', '--to', 'cii_d16b', '-'], { input: `${large} ` })
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('format.too_large')
  })

  it('for a file of several invoices, unless it is split', async () => {
    const file = fileOf('two.xml', BATCH)
    const whole = await cuadra(['convert', '--to', 'json_1_1', file])
    expect([whole.code, whole.out]).toEqual([1, ''])
    expect(whole.err).toContain('The file has 2 invoices')
    const out = fresh()
    const { code, out: report } = await cuadra(['convert', '--to', 'ubl_2_1', '--split', '--out', out, file])
    expect(code).toBe(0)
    expect(report).toContain(`${file} [2] → ${join(out, 'two-2.xml')}`)
    const numbers = ['F26-0007', 'F26-0008']
    expect([1, 2].map((part) => numberIn(readFileSync(join(out, `two-${part}.xml`), 'utf8')))).toEqual(
      numbers,
    )
    const documents = documentsIn((await cuadra(tokens`convert --to json_1_1 --split ${file}`)).out)
    expect(documents.map(({ invoice }) => invoice.header.invoice_number)).toEqual(numbers)
  })

  it('with lines of the original file after a split', async () => {
    const wrong = BATCH.replace(/(F26-0008[\s\S]*?<TaxRate>)21/, '$120')
    const at = wrong.slice(0, wrong.lastIndexOf('<Invoice>')).split('\n').length
    const run = await cuadra(['convert', '--to', 'ubl_2_1', '--split', '--json', fileOf('wrong.xml', wrong)])
    expect(run.code).toBe(1)
    const [first, second] = documentsIn(run.out)
    expect([first.part, first.is_converted, second.part, second.is_converted]).toEqual([1, true, 2, false])
    expect(second.errors[0].extra.line).toBeGreaterThan(at)
  })
})

describe('exit code 2', () => {
  it.each([
    ['no target', ['convert', JSON_FILE], "required option '--to <format>'"],
    ['unknown target', ['convert', '--to', 'pdf', JSON_FILE], 'facturae_3_2_2, ubl_2_1, cii_d16b, json_1_1'],
    ['older target', ['convert', '--to', 'facturae_3_2', JSON_FILE], 'Allowed choices'],
    ['no file', ['convert', '--to', 'ubl_2_1'], 'no file given'],
    ['missing file', ['convert', '--to', 'ubl_2_1', 'no-such.xml'], 'no-such.xml: no such file'],
    ['several XML without a folder', ['convert', '--to', 'ubl_2_1', UBL, CII], 'specify a folder with --out'],
    ['a batch without a folder', tokens`convert --to ubl_2_1 --ndjson -`, 'specify a folder with --out'],
    ['a file as folder', ['convert', '--to', 'ubl_2_1', '--out', UBL, CII], 'is a file; specify a folder'],
    ['--force alone', ['convert', '--to', 'ubl_2_1', '--force', CII], '--force needs a folder of results'],
    ['SARIF without a folder', ['convert', '--to', 'ubl_2_1', '--format', 'sarif', CII], 'needs --out'],
    [
      'folder without invoices',
      tokens`convert --to ubl_2_1 --out ${fresh()} src/entry/cli/batch`,
      'no invoice in this folder',
    ],
  ])('%s', async (_, args, messages) => {
    const { code, out, err } = await cuadra(args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(messages)
    expect(err).not.toMatch(/\n\s+at /)
  })

  it('does not prevent the conversion of the other files', async () => {
    const out = fresh()
    expect((await cuadra(['convert', '--to', 'ubl_2_1', '--out', out, 'no-such.xml', CII])).code).toBe(2)
    expect(readdirSync(out)).toEqual(['cii.xml'])
  })
})

describe('a folder', () => {
  const source = join(folder, 'source')
  fileOf('source/a.xml', xmlOf('ubl_2_1'))
  fileOf('source/2026/b.json', JSON.stringify(issued()))
  fileOf('source/2026/wrong.json', '{')
  fileOf('source/notes.txt', 'no invoice')
  fileOf('source/.hidden.xml', 'no invoice')
  const out = join(source, 'converted')

  it('keeps its subfolders, and every file is reported', async () => {
    const run = await cuadra(['convert', '--to', 'cii_d16b', '--out', out, source])
    expect([run.code, run.err]).toEqual([1, ''])
    expect(run.out).toContain(`✔ ${join(source, 'a.xml')} → ${join(out, 'a.xml')}`)
    expect(run.out).toContain(`✔ ${join(source, '2026/b.json')} → ${join(out, '2026/b.xml')}`)
    expect(run.out).toContain('json.syntax')
    expect(run.out).toContain('2 of 3 converted\n')
    expect(existsSync(join(out, '2026/wrong.xml'))).toBe(false)
  })

  it('is converted without replacing files or reading its results', async () => {
    const before = readFileSync(join(out, 'a.xml'))
    const header = { invoice_type_code: '01', invoice_series_code: 'NEW', invoice_number: 'NEW-1' }
    fileOf('source/a.xml', xmlOf('ubl_2_1', { header }))
    const again = await cuadra(['convert', '--to', 'cii_d16b', '--out', out, '--locale', 'es', source])
    expect(again.code).toBe(1)
    expect(again.out.match(/convert\.file_exists/g)).toHaveLength(2)
    // Where the text wraps depends on the length of the folder's name.
    expect(again.out.replace(/\s+/g, ' ')).toContain('ya existe. Use --force para sustituirlo')
    expect(again.out).toContain('0 de 3 convertidas\n')
    expect(readFileSync(join(out, 'a.xml'))).toEqual(before)
    const forced = await cuadra(tokens`convert --to cii_d16b --out ${out} --force ${source}`)
    expect(forced.out).toContain('2 of 3')
    expect(numberIn(readFileSync(join(out, 'a.xml'), 'utf8'))).toBe('NEW-1')
    expect(readdirSync(out).sort()).toEqual(['2026', 'a.xml'])
  })

  it('is reported in the formats of other tools', async () => {
    const args = ['convert', '--to', 'cii_d16b', '--out', out, '--force', '--format']
    const github = await cuadra([...args, 'github', source])
    expect(github.out).toMatch(/^::error file=.*wrong\.json,line=1,col=2,title=json\.syntax::/)
    expect(JSON.parse((await cuadra([...args, 'sarif', source])).out).runs[0].results).toHaveLength(1)
    const json = documentsIn((await cuadra([...args, 'json', source])).out)
    expect(json.map(({ is_converted }) => is_converted)).toEqual([true, false, true])
  })
})

describe('results', () => {
  it('never replace a source or each other', async () => {
    const here = join(folder, 'here')
    const file = fileOf('here/x.xml', xmlOf('ubl_2_1'))
    const other = fileOf('elsewhere/x.xml', xmlOf('ubl_2_1'))
    const own = await cuadra(['convert', '--to', 'cii_d16b', '--force', '--out', here, file])
    expect(own.code).toBe(1)
    expect(own.out).toContain('convert.file_taken')
    expect(readInvoice(readFileSync(file)).format).toBe('ubl_2_1')
    const both = await cuadra(['convert', '--to', 'cii_d16b', '--force', '--out', fresh(), file, other])
    expect([both.code, both.out.match(/convert\.file_taken/g)?.length]).toEqual([1, 1])
  })

  it('do not follow existing links', async () => {
    const out = fresh()
    mkdirSync(out)
    const victim = fileOf('victim.txt', 'precious')
    symlinkSync(victim, join(out, 'ubl.xml'))
    expect((await cuadra(['convert', '--to', 'cii_d16b', '--out', out, UBL])).code).toBe(1)
    expect((await cuadra(['convert', '--to', 'cii_d16b', '--force', '--out', out, UBL])).code).toBe(0)
    expect(readFileSync(victim, 'utf8')).toBe('precious')
  })

  it('have portable names', () => {
    for (const [path, numbers, name] of [
      ['a.xml', [], 'a.json'],
      ['stdin', ['000007'], 'stdin-000007.json'],
      ['2026/factura nº 7.xsig', [], '2026/factura nº 7.json'],
      ['CON.xml', [], '_CON.json'],
      ['-rf.json', [], '_rf.json'],
      ['..', [], '_.json'],
      ['../../etc/passwd', [], '_/_/etc/passwd.json'],
      ['a\u0000b\u001b[2J\u202e.xml', [], 'a_b_[2J_.json'],
      ['a:b*c?.xml', [], 'a_b_c_.json'],
      [`${'x'.repeat(300)}.xml`, ['2'], `${'x'.repeat(120)}-2.json`],
    ] as const)
      expect(resultName(path, numbers, 'json')).toBe(name)
  })
})

describe('NDJSON', () => {
  const lines = [issued(), { schema_version: 'json_1_1' }, issued()].map((one) => JSON.stringify(one))
  const input = `${lines.join('\n')}\nnot json\n`

  it('is converted to one file per line', async () => {
    const out = fresh()
    const run = await cuadra(tokens`
      convert --to facturae_3_2_2 --out ${out} ${fileOf('batch.ndjson', input)}`)
    expect(run.code).toBe(1)
    expect(run.out).toContain('2 of 4 converted\n')
    expect(run.out).toContain(':4  1 error  json.syntax')
    expect(readdirSync(out).sort()).toEqual(['batch-000001.xml', 'batch-000003.xml'])
  })

  it('is reported line by line', async () => {
    const run = await cuadra(['convert', '--to', 'ubl_2_1', '--ndjson', '--json'], { input })
    expect(run.code).toBe(1)
    const results = documentsIn(run.out)
    const lineByLine = ['1 true', '2 false', '3 true', '4 false']
    expect(results.map(({ line, is_converted }) => `${line} ${is_converted}`)).toEqual(lineByLine)
    expect(readInvoice(results[2].content).format).toBe('ubl_2_1')
    const conversion = { file: '<stdin>', from: 'json_1_1', to: 'ubl_2_1', out: null }
    expect(results[0]).toMatchObject({ ...conversion, errors: [] })
  })

  it('is converted to completed invoices, which are unchanged if already complete', async () => {
    const run = await cuadra(['convert', '--to', 'json_1_1', '--ndjson'], { input: required(lines[0]) })
    expect(run.code).toBe(0)
    expect(JSON.parse(run.out)).toEqual(JSON.parse(JSON.stringify(issued())))
  })
})

describe('XML in the other commands', () => {
  it.each([FACTURAE, UBL, CII])('validates, explains and reconciles %s', async (file) => {
    const { code, out } = await cuadra(['validate', file])
    expect(code).toBe(0)
    expect(out).toContain(`✔ ${file}  valid`)
    expect(out).toMatch(/Invoice total +181\.50\n/)
    expect((await cuadra(['explain', file])).out).toMatch(/invoice_total +181\.50/)
    const { out: reconciled } = await cuadra(['reconcile', file])
    expect(reconciled).toMatch(/\/invoice\/totals\/invoice_total +181\.50 +181\.50 +✔\n/)
  })

  it.each([
    ['facturae_3_2_2', /<TaxRate>20[.0]*<\/TaxRate>/],
    ['ubl_2_1', /<cbc:Percent>20<\/cbc:Percent>/],
    ['cii_d16b', /<ram:RateApplicablePercent>20<\/ram:RateApplicablePercent>/],
  ] as const)('shows a broken rule in the XML of %s', async (format, element) => {
    const data = issued({ lines: [LINE, { ...LINE, tax_output_rate: 20 }] })
    const xml = required(writeInvoice(data, format, { indent: 1 }).xml)
    const file = fileOf(`rate-${format}.xml`, xml)
    const { code, out } = await cuadra(['validate', file])
    expect(code).toBe(1)
    const [, line, column] = required(
      /tax_rate_unknown {2}\/invoice\/lines\/1\/tax_output_rate {2}(\d+):(\d+)/.exec(out),
    )
    const text = required(xml.split('\n')[Number(line) - 1])
    expect(text.slice(Number(column) - 1)).toMatch(element)
    expect(out).toContain(`❯ ${line} │ ${text}`)
    const { format: detected, errors } = JSON.parse((await cuadra(['validate', '--json', file])).out)
    expect(detected).toBe(format)
    expect(errors[0].extra).toMatchObject({ line: Number(line), column: Number(column) })
    const github = (await cuadra(['validate', '--format', 'github', file])).out
    expect(github).toContain(`line=${line},col=${column},title=tax_rate_unknown::`)
  })

  it('shows a missing field at its parent element', async () => {
    const xml = xmlOf('ubl_2_1').replaceAll('EUR', 'USD')
    const { code, out } = await cuadra(['validate', '-'], { input: xml })
    expect(code).toBe(1)
    expect(out).toContain('exchange_rate_not_available  /invoice/issue_data/invoice_currency/exchange_rate')
    expect(out).toMatch(/❯ \d+ │ +<cbc:DocumentCurrencyCode>USD</)
  })

  it('shows schema errors in the XML, in both languages', async () => {
    const xml = changed(facturae(), [/ *<InvoiceTotal>[^<]*<\/InvoiceTotal>\n/, ''])
    const file = fileOf('missing.xml', xml)
    const { code, out } = await cuadra(['validate', file])
    expect(code).toBe(1)
    expect(out).toContain('xml.missing  /Facturae/Invoices/Invoice[1]/InvoiceTotals/InvoiceTotal')
    expect(out).toContain('InvoiceTotal is missing in InvoiceTotals')
    expect(out).toMatch(/❯ \d+ │ /)
    expect((await cuadra(['validate', '--locale', 'es', file])).out).toContain('falta InvoiceTotal')
  })

  it('distinguishes malformed XML, other XML and UTF-16', async () => {
    const read = (input: string | Uint8Array) => cuadra(['validate', '-'], { input })
    expect((await read('<a')).out).toContain('format.unknown')
    expect((await read(facturae().slice(0, 700))).out).toContain('xml.malformed')
    const wide = Buffer.from(`\ufeff${facturae().replace('UTF-8', 'UTF-16')}`, 'utf16le')
    expect((await read(wide)).code).toBe(0)
    const wrong = Buffer.from(facturae().replace('Revisión', 'Revisi\u00f3n'), 'latin1')
    expect((await read(wrong)).out).toContain('xml.encoding')
  })
})
