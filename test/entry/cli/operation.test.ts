/** The operation that the command line chooses from a document, unless `--operation` names it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { likelyOperation } from '#core/invoice/index.ts'
import { filesOf, temporaryFolder } from '../../folders.ts'
import { facturae, invoiceOf } from '../../formats/invoice.ts'
import { cuadra, documentsIn, EXAMPLE } from './run.ts'

const RECEIVED = 'examples/15-received-electricity.json'
const file = filesOf(temporaryFolder())
const header = { invoice_type_code: '01', invoice_series_code: 'F26' }

const NUMBERED = file('numbered.json', JSON.stringify(invoiceOf()))
const WITHOUT_DATE = file('without-date.json', JSON.stringify(invoiceOf({ issue_data: {} })))
const DRAFT = EXAMPLE

describe('without --operation, an invoice', () => {
  it.each([
    [0, NUMBERED, 'checked as issue: it has a number and an issue date (--operation changes this)'],
    [0, DRAFT, 'checked as draft: it has no number (--operation changes this)'],
    [1, WITHOUT_DATE, 'checked as draft: it has a number, but no issue date (--operation changes this)'],
    [0, RECEIVED, 'checked as received: meta.direction is received (--operation changes this)'],
  ])('exits with %i: %s is %s', async (code, name, line) => {
    for (const command of ['validate', 'explain']) {
      const result = await cuadra([command, name])
      expect([result.code, result.out.split('\n')[1]]).toEqual([code, `  ${line}`])
    }
  })

  it('names its operation and the reason for programs', async () => {
    for (const command of ['validate', 'explain', 'reconcile']) {
      const chosen = JSON.parse((await cuadra([command, '--json', NUMBERED])).out)
      expect(chosen).toMatchObject({ operation: 'issue', operation_reason: 'numbered' })
      const named = JSON.parse((await cuadra([command, '--json', '--operation', 'import', NUMBERED])).out)
      expect(named).toMatchObject({ operation: 'import', operation_reason: 'option' })
    }
  })

  it('of XML is received, because the reader takes it as received', async () => {
    const xml = file('invoice.xml', facturae())
    expect((await cuadra(['validate', xml])).out).toContain('\n  checked as received: ')
  })

  it('keeps its operation while --fix changes it', async () => {
    const line = {
      item_description: 'Consulta',
      quantity: '1',
      unit_price_without_tax: 50,
      tax_output_rate: 21,
    }
    const name = file('fix.json', JSON.stringify(invoiceOf({ lines: [line] })))
    const { code, out } = await cuadra(['validate', '--fix', name])
    expect([code, out.split('\n')[1]?.slice(0, 18)]).toEqual([0, '  checked as issue'])
  })

  it('prints no line about it with --operation, or if the document is not an object', async () => {
    expect((await cuadra(['validate', '--operation', 'issue', NUMBERED])).out).not.toContain('checked as')
    expect((await cuadra(['validate', '-'], { input: '[]' })).out).not.toContain('checked as')
  })
})

describe('several documents', () => {
  it('are counted by operation, and only invalid ones state theirs', async () => {
    const { out } = await cuadra(['validate', '--no-data', EXAMPLE, NUMBERED, WITHOUT_DATE, RECEIVED])
    expect(out.match(/checked as .*/g)).toEqual([
      'checked as draft: it has a number, but no issue date (--operation changes this)',
    ])
    expect(out.slice(-64)).toContain('\noperations: draft 2, issue 1, received 1\n3 of 4 valid\n')
  })

  it('of a batch have their operation in each line of JSON', async () => {
    const batch = join(NUMBERED, '../batch.ndjson')
    writeFileSync(batch, `${JSON.stringify(invoiceOf())}\n${JSON.stringify(invoiceOf({ header }))}\n`)
    const { out } = await cuadra(['validate', '--json', '--no-data', '--workers', '0', batch])
    expect(documentsIn(out).map(({ operation }) => operation)).toEqual(['issue', 'draft'])
  })

  it('are counted in the log of GitHub and in SARIF', async () => {
    const github = await cuadra(['validate', '--format', 'github', NUMBERED, DRAFT])
    expect(github.out).toBe('cuadra: operations: draft 1, issue 1\n')
    expect((await cuadra(['validate', '--format', 'github', '--quiet', NUMBERED])).out).toBe('')
    const sarif = JSON.parse((await cuadra(['validate', '--format', 'sarif', NUMBERED, DRAFT])).out)
    expect(sarif.runs[0].properties).toEqual({ operations: { issue: 1, draft: 1 } })
  })
})

describe('the likely operation', () => {
  it('of anything that is not an invoice is a draft', () => {
    for (const document of [undefined, null, [], 'text', {}, { invoice: [] }])
      expect(likelyOperation(document)).toEqual({ operation: 'draft', reason: 'without_number' })
  })
})
