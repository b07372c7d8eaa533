/** Output for people. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codeAddress } from '#core/site/site-addresses.ts'
import { cuadra, EXAMPLE, root, WRONG } from './run.ts'

const ESCAPE = String.fromCharCode(27)

describe('the lines around a problem', () => {
  it('that is far to the right are all cut at the same column, and marked', async () => {
    const long = (rate: number) =>
      `{"quantity":1,"unit_price_without_tax":5,"item_description":"${'x'.repeat(99)}","tax_output_rate":${rate}}`
    const text = JSON.stringify({ ...JSON.parse(readFileSync(`${root}${EXAMPLE}`, 'utf8')) })
    const input = text.replace(/"lines":\[.*?\]/, `"lines":\n[\n${long(21)},\n${long(20)},\n${long(4)}\n\n]`)
    const { out } = await cuadra(['validate', '-'], { input })
    const at = out.indexOf('tax_rate_unknown')
    const frame = out.slice(at).split('\n').slice(1, 7)
    expect(frame.map((line) => line.replace(/x+/, 'x'))).toEqual([
      '    2 │ …',
      '    3 │ …x","tax_output_rate":21},',
      '  ❯ 4 │ …x","tax_output_rate":20},',
      `      │ ${' '.repeat(40)}^^`,
      '    5 │ …x","tax_output_rate":4}',
      '    6 │',
    ])
  })
})

describe('validate', () => {
  it('prints the result and the totals', async () => {
    const { code, out, err } = await cuadra(['validate', EXAMPLE])
    expect(code).toBe(0)
    expect(err).toBe('')
    expect(out).toBe(`✔ ${EXAMPLE}  valid
  checked as draft: it has no number (--operation changes this)

  Treatment           Regime  Rate   Base   Tax
  TAXABLE_NON_EXEMPT  01      21 %  24.77  5.20
  TAXABLE_NON_EXEMPT  01       4 %  18.17  0.73
  ─────────────────────────────────────────────
  Total before taxes                      42.94
  Tax                                      5.93
  Invoice total                           48.87
  To pay                                  48.87

`)
  })

  it('shows each error with location, reason and fix', async () => {
    const { code, out } = await cuadra(['validate', WRONG])
    expect(code).toBe(1)
    expect(out).toMatch(/^✖ \S+everything-wrong\.json {2}\d+ errors, \d+ warnings\n/)
    expect(out).toContain(`  error  tax_rate_unknown  /invoice/lines/0/tax_output_rate  58:28
    56 │         "unit_of_measure": "01",
    57 │         "unit_price_without_tax": 0.35,
  ❯ 58 │         "tax_output_rate": 20
       │                            ^^
    59 │       },
    60 │       {
    There is no IVA rate of 20 % on 2026-03-16.
  → `)
    expect(out).toContain('^ missing: exemption_reason_code\n')
    expect(out).toContain('  § art. 6.1.j RD 1619/2012\n')
  })

  it('prints Spanish messages and numbers', async () => {
    const { out } = await cuadra(['validate', '--locale', 'es', 'examples/01-services-irpf.json', WRONG])
    expect(out).toContain('válida\n')
    expect(out).toMatch(/Retención, 15 % de 1\.645,00 +−246,75\n/)
    expect(out).toMatch(/A pagar +1\.743,70\n/)
    expect(out).toContain('falta: exemption_reason_code')
    expect(out).toMatch(/\n1 de 2 válidas\n$/)
  })

  it('accepts every example, without float noise', async () => {
    const files = readdirSync(`${root}examples`).filter((file) => file.endsWith('.json'))
    const { code, out } = await cuadra(['validate', ...files.map((file) => `examples/${file}`)])
    expect(code).toBe(0)
    expect(out).toContain(`${files.length} of ${files.length} valid\n`)
    expect(out).not.toMatch(/\d[.,]\d{5,}/)
  })

  it('prints only invalid documents with --quiet', async () => {
    expect((await cuadra(['validate', '--quiet', EXAMPLE])).out).toBe('')
    const { out } = await cuadra(['validate', '-q', EXAMPLE, WRONG])
    expect(out).not.toContain(EXAMPLE)
    expect(out).toContain(WRONG)
    expect(out).not.toContain('To pay')
  })
})

describe('explain', () => {
  it('prints formula, values, exact and rounded amount, and differences of a cent', async () => {
    const { code, out } = await cuadra(['explain', EXAMPLE])
    expect(code).toBe(0)
    expect(out).toContain('  Line 1  Cuaderno cosido A5, papel de 90 g, rayado\n')
    expect(out).toContain('(9.99 + 9.99 + 9.99) x 100 / (100 + 21) = 24.76859504132231404958… → 24.77\n')
    expect(out).toContain('line by line: 24.78, one cent more\n')
    expect(out).toContain('line by line: 5.19, one cent less\n')
    const spanish = (await cuadra(['explain', '--locale', 'es', EXAMPLE])).out
    expect(spanish).toContain('línea a línea: 5,19, un céntimo menos\n')
    // 8.256… is 8.25 in one of the lines, which gives up the cent.
    expect(out).toContain('one cent less: the parts add up to 24.77\n')
    expect(spanish).toContain('un céntimo menos: las partes suman 24,77\n')
  })

  it('fills in the formulas of a document discount and an instalment', async () => {
    const invoice = JSON.parse(readFileSync(EXAMPLE, 'utf8'))
    invoice.invoice.lines = [100, 100].map((unit_price_without_tax) => ({
      item_description: 'Pieza',
      quantity: 1,
      unit_price_without_tax,
      tax_output_rate: 21,
    }))
    invoice.invoice.totals.general_discounts = [{ discount_rate: 50 }]
    const { out } = await cuadra(['explain', '-'], { input: JSON.stringify(invoice) })
    expect(out).toContain('(100.00 + 100.00) x 100.00 / 200.00 = 100.00\n')
    expect(out).toMatch(/tax_amount +21\.00 +taxable_base x 21 %\n/)
    expect(out).toMatch(/installment_amount +121\.00 +total_executable_amount\n/)
  })

  it('prints errors for an invalid invoice', async () => {
    const { code, out } = await cuadra(['explain', '-'], { input: '{}' })
    expect(code).toBe(1)
    expect(out).toContain('schema.required')
  })
})

describe('reconcile', () => {
  it('compares sent and computed amounts', async () => {
    const good = await cuadra(['reconcile', EXAMPLE])
    expect(good.code).toBe(0)
    expect(good.out).toMatch(/\/invoice\/totals\/invoice_total +48\.87 +48\.87 +✔\n/)
    const bad = await cuadra(['reconcile', WRONG])
    expect(bad.code).toBe(1)
    expect(bad.out).toMatch(/\/invoice\/totals\/invoice_total +1,210\.00 +1,127\.50 +\+82\.50 {2}✖\n/)
  })
})

describe('colours', () => {
  it('are used with FORCE_COLOR, but not with NO_COLOR or --no-color', async () => {
    expect((await cuadra(['validate', EXAMPLE])).out).not.toContain(ESCAPE)
    expect((await cuadra(['validate', EXAMPLE], { env: { FORCE_COLOR: '1' } })).out).toContain(
      `${ESCAPE}[32m✔`,
    )
    expect((await cuadra(['validate', EXAMPLE], { env: { FORCE_COLOR: '0' } })).out).not.toContain(ESCAPE)
    expect(
      (await cuadra(['validate', EXAMPLE], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })).out,
    ).not.toContain(ESCAPE)
    const refused = await cuadra(['validate', '--no-color', WRONG], { env: { FORCE_COLOR: '1' } })
    expect(refused.out).not.toContain(ESCAPE)
  })

  it('cannot be injected by an invoice', async () => {
    const input = JSON.stringify({ schema_version: `${ESCAPE}[2J\u009b31m`, [`${ESCAPE}[31m`]: 1 })
    const { code, out } = await cuadra(['validate', '-'], { input })
    expect(code).toBe(1)
    expect(out).not.toContain(ESCAPE)
    expect(out).not.toContain('\u009b')
  })
})

describe('catalog and rules', () => {
  it('print names, rows in force, and rules', async () => {
    expect((await cuadra(['catalog'])).out.split('\n')).toContain('tax-rates')
    expect((await cuadra(['catalog', 'tax-rates'])).out).not.toContain('IVA_5 ')
    expect((await cuadra(['catalog', 'tax-rates', '--on', '2023-05-02'])).out).toMatch(/^IVA_5 +/m)
    expect(JSON.parse((await cuadra(['catalog', 'units', '--json'])).out)[0].name).toBe('Unidades')
    expect((await cuadra(['rules', 'customer_required'])).out).toContain('art. 6.1.c-d RD 1619/2012')
    expect((await cuadra(['rules', '--locale', 'es'])).out).toMatch(/^error +customer_required +\S/m)
    for (const locale of ['en', 'es'] as const) {
      const { out } = await cuadra(['rules', 'iban_invalid', '--locale', locale])
      const address = codeAddress('iban_invalid', locale)
      if (address === undefined) expect(out).not.toContain('/codes/iban_invalid')
      else expect(out).toContain(`    ${address}\n`)
    }
    expect(JSON.parse((await cuadra(['rules', 'customer_required', '--json'])).out).severity).toBe('error')
  })
})
