/** Output for programs. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { reconcile, rules, validate } from '#engine/index.ts'
import { cuadra, EXAMPLE, root, WRONG } from './run.ts'

const documentOf = (file: string): unknown => JSON.parse(readFileSync(`${root}${file}`, 'utf8'))
const TODAY = '2026-03-20'
/** What the command line adds: the operation that it chose, and why. */
const DRAFT = { operation: 'draft', operation_reason: 'without_number' }
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('json', () => {
  it('is the result of the engine for one file', async () => {
    const { code, out } = await cuadra(['validate', '--json', '--today', TODAY, WRONG])
    expect(code).toBe(1)
    expect(JSON.parse(out)).toEqual(plain({ ...validate(documentOf(WRONG), { today: TODAY }), ...DRAFT }))
  })

  it('is an array for several files', async () => {
    const { code, out } = await cuadra(['validate', '--format', 'json', '--today', TODAY, EXAMPLE, WRONG])
    expect(code).toBe(1)
    const [first, second] = JSON.parse(out)
    expect(first).toEqual(
      plain({ file: EXAMPLE, ...validate(documentOf(EXAMPLE), { today: TODAY }), ...DRAFT }),
    )
    expect([second.file, second.is_valid]).toEqual([WRONG, false])
  })

  it('depends on the options', async () => {
    const args = ['--json', '--today', TODAY, '--locale', 'es', '--totals', 'check', '--operation', 'draft']
    const { out } = await cuadra(['validate', ...args, WRONG])
    const options = { today: TODAY, locale: 'es', totals: 'check', operation: 'draft' } as const
    const chosen = { operation: 'draft', operation_reason: 'option' }
    expect(JSON.parse(out)).toEqual(plain({ ...validate(documentOf(WRONG), options), ...chosen }))
    expect(out).toContain('totals_mismatch')
    const imported = (await cuadra(['validate', '--json', '--operation', 'import', WRONG])).out
    expect(imported).toContain('/invoice/header/invoice_number')
    const company = await cuadra(['validate', '--company', '-', EXAMPLE], { input: '{"tax_id":"B12345674"}' })
    expect(company.code).toBe(1)
    expect(company.out).toContain('/invoice/supplier/tax_id')
  })

  it('includes explanations and reconciliations', async () => {
    const explained = JSON.parse((await cuadra(['explain', '--json', '--today', TODAY, EXAMPLE])).out)
    const { explanation } = validate(documentOf(EXAMPLE), { today: TODAY, explain: true })
    expect(explained).toEqual(plain({ is_valid: true, errors: [], ...DRAFT, explanation }))
    const reconciled = JSON.parse(
      (await cuadra(['reconcile', '--json', '-'], { input: readFileSync(`${root}${WRONG}`) })).out,
    )
    expect(reconciled.is_valid).toBe(false)
    expect(reconciled.reconciliation).toEqual(plain(reconcile(documentOf(WRONG))))
  })

  it('locates a syntax error', async () => {
    const { code, out } = await cuadra(['validate', '--json', '-'], { input: '{\n "a" 1}' })
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      is_valid: false,
      data: null,
      errors: [{ code: 'json.syntax', path: '', extra: { line: 2, column: 6 }, severity: 'error' }],
    })
  })
})

describe('github', () => {
  it('is one annotation per item', async () => {
    const { code, out } = await cuadra(['validate', '--format', 'github', WRONG])
    expect(code).toBe(1)
    expect(out).toContain(
      `::error file=${WRONG},line=58,col=28,title=tax_rate_unknown::There is no IVA rate of 20 %25`,
    )
    expect(out).toContain(`::warning file=${WRONG},line=125,col=40,title=iban_invalid::`)
    const lines = out.trimEnd().split('\n')
    expect(lines.pop()).toBe('cuadra: operations: draft 1')
    for (const line of lines) expect(line).toMatch(/^::(?:error|warning) file=/)
  })

  it('cannot be forged by an invoice', async () => {
    const input = JSON.stringify({ schema_version: 'x\n::error::forged', 'a\n::error::forged': 1 })
    const { out } = await cuadra(['validate', '--format', 'github', '-'], { input })
    expect(out).not.toMatch(/^::error::/m)
  })
})

describe('sarif', () => {
  it('lists rules and locations', async () => {
    const { code, out } = await cuadra(['validate', '--format', 'sarif', EXAMPLE, WRONG])
    expect(code).toBe(1)
    const { version, runs } = JSON.parse(out)
    expect(version).toBe('2.1.0')
    const { driver } = runs[0].tool
    const ids = driver.rules.map((rule: { id: string }) => rule.id)
    expect(ids).toEqual(expect.arrayContaining(rules().map((rule) => rule.code)))
    expect(runs[0].results).toHaveLength(validate(documentOf(WRONG), { today: TODAY }).errors.length)
    // Without an address of the site there are no links that lead nowhere.
    const { address } = JSON.parse(readFileSync(`${root}src/core/site/site.json`, 'utf8'))
    const pageOf = (id: string) => (address === null ? undefined : `${address}/codes/${id}`)
    for (const rule of driver.rules) expect(rule.helpUri).toBe(pageOf(rule.id))
    for (const result of runs[0].results) expect(ids[result.ruleIndex]).toBe(result.ruleId)
    const rate = runs[0].results.find((result: { ruleId: string }) => result.ruleId === 'tax_rate_unknown')
    expect(rate.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: WRONG },
      region: { startLine: 58, startColumn: 28, endLine: 58, endColumn: 30 },
    })
  })
})
