/**
 * Recognition accuracy on the documents of the corpus, and that no field with a high score is wrong. Every proposal is
 * registered unchanged, except for what the specification requires to remove.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestCompany, type TestServer } from '../conformance/harness.ts'
import { paperForm, RECOGNIZE } from '../conformance/paper.ts'
import { removed } from '../conformance/removals.ts'
import { suite } from '../needs.ts'
import { LONG } from '../size.ts'
import { closeBrowser, DOCUMENTS, type Document } from './corpus/index.ts'
import { OURS } from './corpus/parties.ts'
import { expectedOf, valueAt, wrongButTrusted } from './truths.ts'

/** Scans take a second or more, so every third one is tried. */
const isSampled = ({ source }: Document, at: number): boolean => source !== 'scan' || LONG || at % 3 === 0

interface Result {
  readonly document: Document
  readonly status: string
  readonly score: number
  readonly right: number
  readonly fields: number
  readonly wrong: readonly string[]
  readonly sure: readonly string[]
  readonly saved: string
  /** Fields that the tax QR has. */
  readonly ofCode: readonly boolean[]
}

const OF_CODE = [
  '/invoice/header/invoice_number',
  '/invoice/issue_data/issue_date',
  '/invoice/supplier/tax_id',
  '/invoice/totals/invoice_total',
]

const missing = DOCUMENTS.find((document) => document.missing !== undefined)?.missing

suite('the corpus', missing, () => {
  let server: TestServer
  let company: TestCompany
  const results: Result[] = []

  async function recognise(document: Document): Promise<Result> {
    const { key } = company
    const body = paperForm(await document.make())
    const { status: code, json, text } = await server.call('POST', RECOGNIZE, { key, body })
    expect(code, `${document.name}: ${text.slice(0, 300)}`).toBe(200)
    const draft = json.canonical_draft
    const scores = draft.recognition.field_scores
    const expected = expectedOf(document.truth, draft)
    const wrong = expected.flatMap(([pointer, value]) => {
      const actual = valueAt(draft, pointer)
      return actual === value ? [] : [`${pointer} is ${actual}, not ${value}`]
    })
    const saved = await server.call('PUT', '/received-invoices', { key, body: removed(draft) })
    return {
      document,
      status: json.status,
      score: json.score,
      fields: expected.length,
      right: expected.length - wrong.length,
      wrong,
      sure: wrongButTrusted(document.truth, draft, scores),
      saved: saved.status === 201 ? '201' : `${saved.status} ${saved.text.slice(0, 500)}`,
      ofCode: expected
        .filter(([pointer]) => OF_CODE.includes(pointer))
        .map(([pointer, value]) => valueAt(draft, pointer) === value),
    }
  }

  beforeAll(async () => {
    server = await startServer({ store: 'sqlite' })
    company = await server.company({
      tax_id: OURS.tax_id,
      legal_name: OURS.name,
      plan: { recognition_quota: 1000 },
    })
    for (const document of DOCUMENTS.filter(isSampled)) results.push(await recognise(document))
    const rows = results.map(({ document, status, score, right, fields, wrong }) =>
      [
        document.source.padEnd(5),
        `${right}/${fields}`.padStart(6),
        String(score).padStart(5),
        status.replace('recognized_', '').padEnd(15),
        document.name,
        ...wrong.map((one) => `\n        ${one}`),
      ].join(' '),
    )
    process.stderr.write(`${rows.join('\n')}\n`)
  }, 600_000)
  afterAll(async () => {
    await server?.stop()
    await closeBrowser()
  })

  const shareOf = (source: Document['source']): number => {
    const own = results.filter(({ document }) => document.source === source)
    const all = (name: 'right' | 'fields') => own.reduce((sum, one) => sum + one[name], 0)
    return all('right') / all('fields')
  }

  it('has no errors in fields of an XML', () => {
    expect(shareOf('xml')).toBe(1)
  })

  it('has no errors in fields of a tax QR', () => {
    const coded = results.filter(({ document }) => document.has_code)
    expect(coded.length).toBeGreaterThan(5)
    expect(coded.filter(({ ofCode }) => ofCode.includes(false)).map(({ document }) => document.name)).toEqual(
      [],
    )
  })

  it('has at least 95 % of the fields right in PDFs with text', () => {
    expect(shareOf('text')).toBeGreaterThanOrEqual(0.95)
  })

  it('has at least 90 % of the fields right on scans', () => {
    expect(shareOf('scan')).toBeGreaterThanOrEqual(0.9)
  })

  it('has no wrong field with a score of 0.9 or more', () => {
    expect(results.flatMap(({ document, sure }) => sure.map((one) => `${document.name}: ${one}`))).toEqual([])
  })

  it('can be registered from every proposal, after the required removals', () => {
    expect(
      results
        .filter(({ saved }) => saved !== '201')
        .map(({ document, saved }) => `${document.name}: ${saved}`),
    ).toEqual([])
  })
})
