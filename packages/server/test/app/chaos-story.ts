/**
 * Clients of several servers that are killed and lose their database: what each response stated, and what must hold of
 * it. The clients do not know why a response is missing.
 */

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { required } from '#core/errors/index.ts'
import type { Answered, TestCompany, TestServer } from '#test/conformance/harness.ts'
import { draft, imported, nextRef } from '#test/conformance/invoices.ts'

const SERIES = ['K', 'L', 'M']
const RETRIES = 4000
const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

/** A response that states that nothing was changed. */
const UNCHANGED = ['503 service_unavailable', '409 invoice_race_condition']

type Created = Readonly<Record<'id' | 'number' | 'public_id', string>>
type Outcome =
  | { readonly is: 'done'; readonly json: Created }
  /** Nothing was changed, by the response. */
  | { readonly is: 'unchanged' }
  /** No response, or one that does not know. */
  | { readonly is: 'unknown' }

export class Story {
  /** Number of responses by status and code, or `no answer`. */
  readonly counts = new Map<string, number>()
  /** Responses that no client should get. */
  readonly wrong: string[] = []
  readonly drafts = new Set<string>()
  readonly issued = new Map<string, string>()
  readonly cancelled = new Set<string>()
  readonly imports = new Map<string, string>()
  /** SHA-256 by invoice and document. */
  readonly files = new Map<string, string>()
  /** Drafts whose issue changed nothing, by the response. */
  readonly untouched = new Set<string>()
  /** Invoices that may or may not have been issued or cancelled. */
  readonly unknown = new Set<string>()
  readonly #waiting: string[] = []
  readonly #uncancelled: string[] = []
  readonly #server: () => TestServer
  readonly #company: TestCompany

  constructor(server: () => TestServer, company: TestCompany) {
    this.#server = server
    this.#company = company
  }

  #count(code: string): void {
    this.counts.set(code, (this.counts.get(code) ?? 0) + 1)
  }

  async #send(method: string, path: string, body?: unknown, once?: string): Promise<Outcome> {
    let answer: Answered
    try {
      answer = await this.#server().call(method, path, {
        key: this.#company.key,
        body,
        headers: once === undefined ? {} : { 'Idempotency-Key': once },
      })
    } catch {
      this.#count('no answer')
      await sleep(20)
      return { is: 'unknown' }
    }
    const { status, json, text } = answer
    if (status < 400) {
      this.#count('done')
      return { is: 'done', json }
    }
    const code = `${status} ${json?.detail?.code}`
    this.#count(code)
    if (UNCHANGED.includes(code)) return { is: 'unchanged' }
    if (code !== '503 outcome_unknown') this.wrong.push(`${method} ${path}: ${text}`)
    return { is: 'unknown' }
  }

  /** Repeats a request with a key until it is done, which must happen once. */
  async #surely(method: string, path: string, body: () => unknown): Promise<Created> {
    const once = randomUUID()
    for (let tries = 0; tries < RETRIES; tries++) {
      const outcome = await this.#send(method, path, body(), once)
      if (outcome.is === 'done') return outcome.json
      await sleep(50)
    }
    throw new Error(`${method} ${path} was not done in ${RETRIES} tries`)
  }

  async draft(): Promise<void> {
    const series = required(SERIES[Math.floor(Math.random() * SERIES.length)])
    const outcome = await this.#send('PUT', '/drafts', draft({ series }))
    if (outcome.is !== 'done') return
    const { id } = outcome.json
    this.drafts.add(id)
    this.#waiting.push(id)
  }

  #isIssued(id: string, number: string): void {
    this.drafts.delete(id)
    this.issued.set(id, number)
    this.#uncancelled.push(id)
  }

  async issue(): Promise<void> {
    const id = this.#waiting.shift()
    if (id === undefined) return this.draft()
    const outcome = await this.#send('POST', `/issued-invoices/${id}/issue`, {})
    if (outcome.is === 'done') this.#isIssued(id, outcome.json.number)
    else if (outcome.is === 'unchanged') this.untouched.add(id)
    else {
      this.drafts.delete(id)
      this.unknown.add(id)
    }
  }

  async issueWithKey(): Promise<void> {
    const id = this.#waiting.shift()
    if (id === undefined) return this.draft()
    const { number } = await this.#surely('POST', `/issued-invoices/${id}/issue`, () => ({}))
    this.#isIssued(id, number)
  }

  async cancel(): Promise<void> {
    const id = this.#uncancelled.shift()
    if (id === undefined) return this.draft()
    const outcome = await this.#send('POST', `/issued-invoices/${id}/cancel`)
    if (outcome.is === 'done') this.cancelled.add(id)
    else if (outcome.is === 'unknown') this.unknown.add(id)
  }

  async import(): Promise<void> {
    const number = nextRef('OLD')
    const body = imported({ taxId: this.#company.data.tax_id, number })
    const { id } = await this.#surely('POST', '/issued-invoices/import', () => body)
    this.imports.set(id, number)
  }

  /** Attaches to an import, which never changes. */
  async upload(): Promise<void> {
    const id = [...this.imports.keys()].at(-1)
    if (id === undefined) return this.import()
    const content = randomBytes(1 + Math.floor(Math.random() * 60_000))
    const name = `${nextRef('file')}.bin`
    const form = () => {
      const body = new FormData()
      body.append('file', new Blob([content], { type: 'application/octet-stream' }), name)
      return body
    }
    const path = `/issued-invoices/${id}/documents`
    const { public_id } = await this.#surely('POST', path, form)
    this.files.set(`${path}/${public_id}`, hashOf(content))
  }

  /** Runs one operation after the other until `isOver`. */
  async live(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const dice = Math.random()
      if (dice < 0.35) await this.draft()
      else if (dice < 0.55) await this.issue()
      else if (dice < 0.75) await this.issueWithKey()
      else if (dice < 0.83) await this.cancel()
      else if (dice < 0.92) await this.import()
      else await this.upload()
    }
  }

  /** Returns what does not hold of everything that was acknowledged. */
  async broken(): Promise<string[]> {
    const { url, call } = this.#server()
    const { key } = this.#company
    const problems: string[] = []
    const expectState = async (id: string, status: string, number: string | null | undefined) => {
      const { json, text } = await call('GET', `/issued-invoices/${id}`, { key })
      if (json?.status !== status || (number !== undefined && json.number !== number))
        problems.push(`${id} should be ${status} ${number}: ${text}`)
    }
    for (const id of this.drafts) await expectState(id, 'draft', null)
    for (const id of this.untouched) await expectState(id, 'draft', null)
    for (const [id, number] of this.issued)
      if (this.cancelled.has(id)) await expectState(id, 'cancelled', number)
      else if (!this.unknown.has(id)) await expectState(id, 'issued', number)
    for (const [id, number] of this.imports) await expectState(id, 'issued', number)
    for (const [path, hash] of this.files) {
      const response = await fetch(`${url}/api/v1.1${path}`, { headers: { 'X-API-Key': key } })
      if (hashOf(new Uint8Array(await response.arrayBuffer())) !== hash)
        problems.push(`${path} is another file`)
    }
    return problems
  }
}
