/** Sends documents of the corpus to a running server, and compares the proposals with the expected content. */
import { valueAt } from '#core/invoice/index.ts'
import type { TestCompany, TestServer } from '#test/conformance/harness.ts'
import { paperForm, RECOGNIZE } from '#test/conformance/paper.ts'
import type { Document } from './corpus/document.ts'
import { expectedOf, wrongButTrusted } from './truths.ts'

export interface Field {
  readonly pointer: string
  readonly isRight: boolean
  /** `null` if the field has no score. */
  readonly score: number | null
  /** The value read and the value expected, if they differ. */
  readonly wrong: string | null
}

export interface Measured {
  readonly document: Document
  /** `ready`, `pending_review` or `rejected`; `failed` if the server did not return 200. */
  readonly status: string
  readonly score: number
  readonly fields: readonly Field[]
  /** Wrong values with a score of 0.9 or more, including those in lines. */
  readonly sure: readonly string[]
  readonly draft: any
}

export async function measure(
  server: TestServer,
  { key }: TestCompany,
  document: Document,
): Promise<Measured> {
  const body = paperForm(await document.make())
  const { status: code, json, text } = await server.call('POST', RECOGNIZE, { key, body })
  const isDone = code === 200
  const draft = isDone ? json.canonical_draft : {}
  const scores: Readonly<Record<string, number>> = draft.recognition?.field_scores ?? {}
  return {
    document,
    status: isDone ? json.status.replace('recognized_', '') : `failed: ${code} ${text.slice(0, 200)}`,
    score: isDone ? json.score : 0,
    fields: expectedOf(document.truth, draft).map(([pointer, value]) => {
      const actual = valueAt(draft, pointer)
      return {
        pointer,
        isRight: actual === value,
        score: scores[pointer] ?? null,
        wrong: actual === value ? null : `${pointer} is ${actual}, not ${value}`,
      }
    }),
    sure: wrongButTrusted(document.truth, draft, scores),
    draft,
  }
}
