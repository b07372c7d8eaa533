/** `cuadra new`, and JSON with comments in every command. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NEW_INVOICES } from '#entry/cli/commands/new-command.ts'
import { COMMENTS } from '#entry/cli/generated/texts/new.ts'
import { filesOf, temporaryFolder } from '../../folders.ts'
import { invoiceOf } from '../../formats/invoice.ts'
import { cuadra } from './run.ts'

const folder = temporaryFolder()
const file = filesOf(folder)

describe('new', () => {
  describe.each(NEW_INVOICES)('%s', (kind) => {
    it.each(['en', 'es'])('is valid without warnings, with comments in %s', async (locale) => {
      const { code, out } = await cuadra(['new', kind, '--locale', locale])
      expect(code).toBe(0)
      expect(out).toContain(`// ${COMMENTS['/schema_version'][locale as 'en'].slice(0, 20)}`)
      const checked = await cuadra(['validate', '--no-data', '-'], { input: out })
      expect([checked.code, checked.out.split('\n')[0]]).toEqual([0, '✔ <stdin>  valid'])
    })

    it('is the same without comments as JSON', async () => {
      const [plain, commented] = [await cuadra(['new', kind, '--json']), await cuadra(['new', kind])]
      expect(JSON.parse(plain.out)).toEqual(JSON.parse(commented.out.replace(/^ *\/\/.*\n/gm, '')))
    })
  })

  it('uses every comment in one of the invoices', async () => {
    const outputs = await Promise.all(NEW_INVOICES.map(async (kind) => (await cuadra(['new', kind])).out))
    const text = outputs.join('').replace(/\n *\/\/ /g, ' ')
    expect(Object.values(COMMENTS).filter(({ en }) => !text.includes(en))).toEqual([])
  })

  it('is an invoice in English, unless named otherwise', async () => {
    expect((await cuadra(['new'])).out).toBe((await cuadra(['new', 'invoice', '--locale', 'en'])).out)
  })

  it('writes a file, names the next command, and replaces the file only with --force', async () => {
    const out = join(folder, 'below', 'first.jsonc')
    expect(await cuadra(['new', '--out', out])).toEqual({
      code: 0,
      out: '',
      err: `→ ${out}\nnext: cuadra validate ${out}\n`,
    })
    expect((await cuadra(['validate', out])).code).toBe(0)
    expect(await cuadra(['new', 'ticket', '--out', out])).toEqual({
      code: 2,
      out: '',
      err: `cuadra: ${out}: already exists; add --force to replace it\n`,
    })
    expect((await cuadra(['new', 'ticket', '--out', out, '--force'])).code).toBe(0)
    expect(readFileSync(out, 'utf8')).toBe((await cuadra(['new', 'ticket'])).out)
  })

  it('refuses an unknown invoice, and --force without a file', async () => {
    const unknown = await cuadra(['new', 'proforma'])
    expect([unknown.code, unknown.err.includes('invoice, ticket, corrective, received')]).toEqual([2, true])
    expect((await cuadra(['new', '--force'])).err).toBe('cuadra: --force needs a file: add --out\n')
  })
})

const INVOICE = invoiceOf({
  totals: { total_gross_amount_before_taxes: 150, total_tax_outputs: 31.5, invoice_total: 181.5 },
})

/** An invoice with comments before, in, and after its members, and with their marks in a text. */
const WITH_COMMENTS = JSON.stringify(INVOICE, null, 2)
  .replace('{', '// first\n{ /* ¿por qué? 🧾 */')
  .replace('"Revisión de caldera"', '"// no /* comment */", // ends the line')
  .replaceAll('",,', '",')
const SAME = JSON.stringify(INVOICE).replace('Revisión de caldera', '// no /* comment */')

describe('JSON with comments', () => {
  const name = file('commented.jsonc', WITH_COMMENTS)
  const plain = file('plain.json', SAME)

  it.each([
    ['validate', '--json'],
    ['explain', '--json'],
    ['reconcile', '--json'],
    ['convert', '--to', 'facturae'],
    ['convert', '--to', 'json'],
    [
      'record',
      '--first',
      '--timestamp',
      '2026-11-01T10:00:00+01:00',
      '--system',
      file(
        'system.jsonc',
        `{
      // who made the program
      "NombreRazon": "x", "NIF": "B12345674", "NombreSistemaInformatico": "x", "IdSistemaInformatico": "01",
      "Version": "1", "NumeroInstalacion": "1", "TipoUsoPosibleSoloVerifactu": "S",
      "TipoUsoPosibleMultiOT": "N", "IndicadorMultiplesOT": "N" }`,
      ),
    ],
  ])('is read as without comments by %s %s', async (...args) => {
    expect(await cuadra([...args, name])).toEqual(await cuadra([...args, plain]))
    expect((await cuadra([...args, '-'], { input: WITH_COMMENTS })).code).toBe(0)
  })

  it('is read as the company, and in a folder', async () => {
    const company = file('company.jsonc', '{ /* ours */ "tax_id": "B12345674" }')
    expect((await cuadra(['validate', '--company', company, plain])).code).toBe(0)
    const within = filesOf(temporaryFolder())('one.jsonc', WITH_COMMENTS)
    expect((await cuadra(['validate', join(within, '..')])).code).toBe(0)
  })

  it('is refused in a file with another name, because programs do not read comments', async () => {
    const { code, out } = await cuadra(['validate', file('named.json', WITH_COMMENTS)])
    expect(code).toBe(1)
    expect(out).toContain('JSON does not allow comments.')
    expect(out.replace(/\s+/g, ' ')).toContain('Name the file .jsonc to keep the comments, or remove them.')
  })

  it('shows problems at their lines, with the comments around them', async () => {
    const input = WITH_COMMENTS.replace(
      '"tax_output_rate": 21',
      '/* high */ "tax_output_rate": 20 // percent',
    )
    const { out } = await cuadra(['validate', '-'], { input })
    const line = input.split('\n').findIndex((text) => text.includes('/* high */'))
    expect(out).toContain(`tax_rate_unknown  /invoice/lines/0/tax_output_rate  ${line + 1}:39`)
    expect(out).toContain('│         /* high */ "tax_output_rate": 20 // percent\n')
  })

  it('keeps its comments when --fix changes a value or removes a member', async () => {
    const broken = file(
      'broken.jsonc',
      WITH_COMMENTS.replace('"quantity": 3', '"quantity": "3" /* three */').replace(
        '"invoice_number"',
        '// the number\n"is_simplified": false,\n"invoice_number"',
      ),
    )
    const { code, out } = await cuadra(['validate', '--fix', '--no-data', broken])
    expect([code, out.match(/fixed {2}\S+/g)?.length]).toEqual([0, 2])
    const text = readFileSync(broken, 'utf8')
    expect(text).toContain('"quantity": 3 /* three */')
    expect(text).toContain('// the number\n"invoice_number"')
    expect(text).toContain('// first\n{ /* ¿por qué? 🧾 */')
  })

  it('with a comment that never ends is refused', async () => {
    const { code, out } = await cuadra(['validate', '-'], { input: '{ /* "a": 1 }' })
    expect([code, out.includes('json.syntax')]).toEqual([1, true])
  })
})
