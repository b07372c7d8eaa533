/** Sends documents to a running server, and compares the proposals for those of the corpus with the expected content. */
import { readFileSync } from 'node:fs'
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

export interface Proposal {
  /** `ready`, `pending_review` or `rejected`; `failed` if the server did not return 200. */
  readonly status: string
  readonly score: number
  readonly draft: any
  readonly scores: Readonly<Record<string, number>>
  readonly seconds: number
  /** The largest memory of a reading process so far, in megabytes; 0 if the system does not report it. */
  readonly peakMb: number
}

export type Medium = 'XML' | 'text PDF' | 'scan PDF' | 'photo'

/** The result of a document, from the corpus or real. */
export interface Outcome extends Proposal {
  readonly medium: Medium
  readonly fields: readonly Field[]
  /** Wrong values with a score of 0.9 or more, including those in lines. */
  readonly sure: readonly string[]
}

export interface Measured extends Outcome {
  readonly document: Document
}

/** Returns the largest memory that any child process of a process has used, in megabytes. */
function peakOfChildren(pid: number | undefined): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean)
    const statuses = children.map((child) => readFileSync(`/proc/${child}/status`, 'latin1'))
    return Math.max(0, ...statuses.map((text) => Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024))
  } catch {
    return 0
  }
}

export async function propose(server: TestServer, { key }: TestCompany, file: Uint8Array): Promise<Proposal> {
  const body = paperForm(file)
  const start = performance.now()
  const { status: code, json, text } = await server.call('POST', RECOGNIZE, { key, body })
  const seconds = (performance.now() - start) / 1000
  const isDone = code === 200
  const draft = isDone ? json.canonical_draft : {}
  return {
    status: isDone ? json.status.replace('recognized_', '') : `failed: ${code} ${text.slice(0, 200)}`,
    score: isDone ? json.score : 0,
    draft,
    scores: draft.recognition?.field_scores ?? {},
    seconds,
    peakMb: peakOfChildren(server.process.pid),
  }
}

export function mediumOf({ source, kind }: Document): Medium {
  if (source === 'xml') return 'XML'
  if (source === 'text') return 'text PDF'
  return kind === 'pdf' ? 'scan PDF' : 'photo'
}

export async function measure(
  server: TestServer,
  company: TestCompany,
  document: Document,
): Promise<Measured> {
  const proposal = await propose(server, company, await document.make())
  const { draft, scores } = proposal
  return {
    ...proposal,
    document,
    medium: mediumOf(document),
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
  }
}

const CORE: readonly string[] = [
  '/invoice/header/invoice_number',
  '/invoice/issue_data/issue_date',
  '/invoice/supplier/tax_id',
  '/invoice/customer/tax_id',
  '/invoice/totals/invoice_total',
]

/** Whether a proposal is ready although its number, date, total or one of its tax ids is wrong. */
export const isReadyAndWrong = ({ status, fields }: Outcome): boolean =>
  status === 'ready' && fields.some(({ pointer, isRight }) => !isRight && CORE.includes(pointer))
