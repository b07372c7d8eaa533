/**
 * Measures the accuracy of recognition on the corpus. No field with a high score is wrong, and no trap is ready.
 * Registers each proposal unchanged, except for the fields that the specification requires the client to remove.
 *
 * @slowest
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { removed } from '#test/conformance/removals.ts'
import { suite } from '#test/needs.ts'
import { ALL, LONG, sized } from '#test/size.ts'
import { type Document, INVOICES, partOf, TRAPS } from './corpus/all.ts'
import { closeBrowser, DOCUMENTS } from './corpus/index.ts'
import { OURS } from './corpus/parties.ts'
import { LEAST } from './least.ts'
import { isReadyAndWrong, type Measured, measure } from './measure.ts'

/**
 * Whether the document is measured. The sample has base texts, every third base scan and every fifth of the other
 * non-scans. The full size has every third document, and the long run all of them.
 */
function isMeasured(document: Document, at: number): boolean {
  if (LONG) return true
  if (ALL) return at % 3 === 0
  const isOld = DOCUMENTS.includes(document)
  return document.source === 'scan' ? isOld && at % 3 === 0 : isOld || at % 5 === 0
}

interface Result extends Measured {
  readonly saved: string
}

const OF_CODE = [
  '/invoice/header/invoice_number',
  '/invoice/issue_data/issue_date',
  '/invoice/supplier/tax_id',
  '/invoice/totals/invoice_total',
]

const missing = [...INVOICES, ...TRAPS].find((document) => document.missing !== undefined)?.missing

suite('recognition of the corpus', missing, () => {
  let server: TestServer
  let company: TestCompany
  const results: Result[] = []
  const traps: Measured[] = []

  async function recognise(document: Document): Promise<Result> {
    const measured = await measure(server, company, document)
    expect(measured.status, `${document.name}: ${server.output().slice(-3000)}`).not.toMatch(/^failed/)
    if (measured.status === 'rejected') return { ...measured, saved: 'nothing to save' }
    const saved = await server.call('PUT', '/received-invoices', {
      key: company.key,
      body: removed(measured.draft),
    })
    return {
      ...measured,
      saved: saved.status === 201 ? '201' : `${saved.status} ${saved.text.slice(0, 500)}`,
    }
  }

  beforeAll(async () => {
    server = await startServer({ store: 'sqlite' })
    company = await server.company({
      tax_id: OURS.tax_id,
      legal_name: OURS.name,
      plan: { recognition_quota: 1000 },
    })
    for (const document of INVOICES.filter(isMeasured)) results.push(await recognise(document))
    for (const document of TRAPS.filter((_, at) => at % sized(4, 2, 1) === 0))
      traps.push(await measure(server, company, document))
    const rows = results.map(({ document, status, score, fields }) =>
      [
        document.source.padEnd(5),
        `${fields.filter(({ isRight }) => isRight).length}/${fields.length}`.padStart(6),
        String(score).padStart(5),
        status.padEnd(15),
        document.name,
        ...fields.flatMap(({ wrong }) =>
          wrong && partOf(document) !== 'held out' ? [`\n        ${wrong}`] : [],
        ),
      ].join(' '),
    )
    process.stderr.write(`${rows.join('\n')}\n`)
  }, 1_800_000)
  afterAll(async () => {
    await server?.stop()
    await closeBrowser()
  })

  const shareOf = (source: Document['source']): number => {
    const fields = results.filter(({ document }) => document.source === source).flatMap((one) => one.fields)
    return fields.filter(({ isRight }) => isRight).length / fields.length
  }

  it('reads every field of an embedded XML correctly', () => {
    expect(shareOf('xml')).toBe(1)
  })

  it('reads every field of a tax QR correctly', () => {
    const coded = results.filter(({ document }) => document.has_code)
    expect(coded.length).toBeGreaterThan(5)
    const wrong = coded.flatMap(({ document, fields }) =>
      fields.flatMap((field) =>
        OF_CODE.includes(field.pointer) && !field.isRight ? [`${document.name}: ${field.pointer}`] : [],
      ),
    )
    expect(wrong.length, wrong.join(', ')).toBeLessThanOrEqual(LEAST.codeFieldsWrong)
  })

  it('reads at least the required share of fields in PDFs with a text layer', () => {
    expect(shareOf('text')).toBeGreaterThanOrEqual(LEAST.text)
  })

  it('reads at least the required share of fields on scans', () => {
    expect(shareOf('scan')).toBeGreaterThanOrEqual(LEAST.scan)
  })

  it('reports at most the allowed number of traps as ready', () => {
    expect(traps.filter(({ status }) => status.startsWith('failed'))).toEqual([])
    expect(traps.filter(({ status }) => status === 'ready').length).toBeLessThanOrEqual(LEAST.trapsReady)
  })

  it('gives no wrong field a score of 0.9 or more', () => {
    expect(results.flatMap(({ document, sure }) => sure.map((one) => `${document.name}: ${one}`))).toEqual([])
  })

  it('reports no document as ready whose number, date, total or a tax id is wrong', () => {
    expect(results.filter(isReadyAndWrong).map(({ document }) => document.name)).toEqual([])
  })

  it('has at most the allowed number of proposals that cannot be registered after the required removals', () => {
    const refused = results
      .filter(({ saved, status }) => status !== 'rejected' && saved !== '201')
      .map(({ document, saved }) => `${document.name}: ${saved}`)
    expect(refused.length, refused.join('\n')).toBeLessThanOrEqual(LEAST.refused)
  })
})
