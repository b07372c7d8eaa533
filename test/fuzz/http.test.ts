/**
 * Requests made from the OpenAPI document, in sequences that use the ids of earlier responses, half of them changed.
 * Every response must be one that the document declares, none may be a fault of the server, and the audit finds no
 * problem afterwards.
 */

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { openApi } from 'cuadra-server/http/openapi.ts'
import { ROUTES } from 'cuadra-server/http/routes/index.ts'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { valueAt } from '#core/invoice/index.ts'
import { type Answered, startServer, type TestCompany, type TestServer } from '../conformance/harness.ts'
import { draft, imported, received } from '../conformance/invoices.ts'
import { random } from '../core/xml/mutations.ts'
import { figure } from '../figures.ts'
import { pathAndFolder } from '../folders.ts'
import { messageOf } from '../narrow.ts'
import { sized } from '../size.ts'
import { HOSTILE_KEYS, KINDS, mutate, WILD } from './mutate.ts'

const COUNT = sized(500, 5000, 100_000)
const SEED = Number(process.env.CUADRA_SEED ?? 1)
/** Sequences that run at the same time, each for a company of its own. */
const SEQUENCES = 8
/** Requests of one company, so that its lists stay short. */
const PER_COMPANY = 500
const BASE_PATH = '/api/v1.1'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema?: { readonly enum?: readonly unknown[]; readonly type?: string }
}
interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly types: readonly string[]
  readonly example: unknown
}

/** An operation of the document, before its references are resolved. */
interface Written {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }
}
const document = openApi(ROUTES, BASE_PATH, '1.1.0')
const paths: Readonly<Record<string, Readonly<Record<string, Written>>>> = Object(document.paths)
const resolved = <Value>(value: Value): Value => {
  const reference: unknown = Object(value).$ref
  return typeof reference === 'string' ? Object(valueAt(document, reference.slice(1))) : value
}

const OPERATIONS: readonly Operation[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
    const content = requestBody?.content ?? {}
    return {
      method: method.toUpperCase(),
      path,
      parameters: parameters.map(resolved),
      types: Object.keys(content),
      example: resolved(content['application/json']?.example),
    }
  }),
)

/** Requests that create something for the later ones, so they are chosen more often than their number says. */
const CREATING = OPERATIONS.filter(({ method, path }) => /PUT|POST/.test(method) && !path.includes('{'))

const VALUES = [
  '',
  ' ',
  '0',
  '-1',
  '999999999',
  'F',
  '2026-03-02',
  '2026-13-01',
  '%00',
  'null',
  '..',
  'ñ',
  "' or 1=1",
  '💶',
]

/** Half of the requests are as the document says; of the others a value, a parameter or a header is changed. */
class Sequence {
  readonly #ids: string[] = []
  readonly #keys: string[] = []
  statuses = new Map<number, number>()

  constructor(
    private readonly server: TestServer,
    private readonly company: TestCompany,
    private readonly next: () => number,
  ) {}

  private pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)] as T
  }

  private chance(share: number): boolean {
    return this.next() < share
  }

  private id(): string {
    if (this.#ids.length === 0 || this.chance(0.05))
      return this.pick(['x', '00000000-0000-4000-8000-000000000000', '%2F'])
    return this.chance(0.5) ? required(this.#ids.at(-1)) : this.pick(this.#ids)
  }

  private parameter({ name, schema }: Parameter): string | undefined {
    if (/_id$/.test(name)) return this.id()
    if (name === 'name') return this.pick(['currencies', 'countries', 'nothing'])
    if (name === 'Idempotency-Key') {
      if (this.#keys.length > 0 && this.chance(0.1)) return this.pick(this.#keys)
      this.#keys.push(`key-${this.#keys.length}`)
      return this.#keys.at(-1)
    }
    if (this.chance(0.3)) return this.pick(VALUES)
    if (schema?.enum) return String(this.pick(schema.enum))
    if (schema?.type === 'integer') return String(Math.floor(this.next() * 120))
    if (schema?.type === 'boolean') return this.pick(['true', 'false'])
    return this.pick(['F', 'OLD', '2026-03-02', 'B12345674', '1'])
  }

  private body({ path, example }: Operation): unknown {
    const taxId = this.company.data.tax_id
    const number = () => Math.floor(this.next() * 1_000_000)
    const whole = () => {
      if (path.endsWith('/batch'))
        return {
          invoices: [0, 1, 2].map(() =>
            path.includes('import') ? imported({ taxId, number: String(number()) }) : draft(),
          ),
        }
      if (path.includes('/import')) return imported({ taxId, number: String(number()) })
      if (path.startsWith('/received')) return received({ taxId, number: String(number()) })
      if (path.startsWith('/drafts') || path.endsWith('/validate')) return draft()
      return example
    }
    // The documents share parts, which a change would otherwise carry to every later document and test.
    const body = structuredClone(whole())
    if (this.chance(0.5) || typeof body !== 'object' || body === null) return body
    mutate(body, {
      kind: this.pick(KINDS),
      node: number(),
      member: number(),
      key: this.pick(HOSTILE_KEYS),
      value: this.pick(WILD),
    })
    return body
  }

  private content(operation: Operation): { body?: unknown; headers: Record<string, string> } {
    const { types } = operation
    if (types.length === 0) return { headers: {} }
    if (types.includes('multipart/form-data')) {
      const form = new FormData()
      const bytes = Uint8Array.from({ length: Math.floor(this.next() * 300) }, () =>
        Math.floor(this.next() * 256),
      )
      form.append(this.chance(0.9) ? 'file' : 'other', new Blob([bytes]), this.pick(['a.pdf', 'b.xml', '']))
      return { body: form, headers: {} }
    }
    if (types.includes('application/xml'))
      return {
        body: this.pick(['<Invoice/>', '<a', '', '<?xml version="1.0"?><Facturae/>']),
        headers: { 'Content-Type': this.pick(types) },
      }
    const body = this.body(operation)
    if (this.chance(0.05)) {
      const text = JSON.stringify(body) ?? ''
      return { body: text.slice(0, Math.floor(this.next() * text.length)), headers: {} }
    }
    return { body, headers: {} }
  }

  private learn({ json }: Answered): void {
    const waiting: unknown[] = [json]
    while (waiting.length > 0) {
      const value = waiting.pop()
      if (typeof value !== 'object' || value === null) continue
      for (const [name, member] of Object.entries(value)) {
        if (/(^|_)id$/.test(name) && /^[0-9a-f-]{36}$/.test(String(member)) && this.#ids.length < 200)
          this.#ids.push(String(member))
        else waiting.push(member)
      }
    }
  }

  async send(): Promise<void> {
    const operation = this.chance(0.4) ? this.pick(CREATING) : this.pick(OPERATIONS)
    const headers: Record<string, string> = {}
    const query = new URLSearchParams()
    let { path } = operation
    for (const one of operation.parameters) {
      if (one.in !== 'path' && this.chance(0.6)) continue
      const value = this.parameter(one)
      if (value === undefined) continue
      if (one.in === 'path') path = path.replace(`{${one.name}}`, encodeURIComponent(value))
      else if (one.in === 'query') query.append(one.name, value)
      // A header cannot carry other characters, so `fetch` would refuse it.
      else if (/^[\x21-\x7e]+$/.test(value)) headers[one.name] = value
    }
    const { body, headers: typed } = this.content(operation)
    const address = query.size > 0 ? `${path}?${query}` : path
    const answer = await this.server.call(operation.method, address, {
      key: this.company.key,
      body,
      headers: { ...headers, ...typed },
    })
    const { status } = answer
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    if (status >= 500 && status !== 502 && status !== 503)
      throw new Error(
        `${operation.method} ${address}: ${status} ${answer.text.slice(0, 300)}\n${JSON.stringify(body)}`,
      )
    this.learn(answer)
  }
}

describe(`${COUNT} requests from the OpenAPI document`, () => {
  it('get declared responses, and leave records and numbers that the audit accepts', {
    timeout: 4 * 3_600_000,
  }, async () => {
    const server = await startServer({ store: 'sqlite' })
    try {
      const statuses = new Map<number, number>()
      const run = async (first: number) => {
        for (let at = first; at * PER_COMPANY < COUNT; at += SEQUENCES) {
          const sequence = new Sequence(server, await server.company(), random(SEED * 1000 + at))
          const requests = Math.min(PER_COMPANY, COUNT - at * PER_COMPANY)
          try {
            for (let request = 0; request < requests; request++) await sequence.send()
          } catch (error) {
            throw new Error(`seed ${SEED}, company ${at}: ${messageOf(error)}`)
          }
          for (const [status, count] of sequence.statuses)
            statuses.set(status, (statuses.get(status) ?? 0) + count)
        }
      }
      await Promise.all(Array.from({ length: SEQUENCES }, (_, first) => run(first)))
      figure(
        `${COUNT} requests, responses by status: ${[...statuses]
          .sort()
          .map(([status, count]) => `${status} ${count}`)
          .join(', ')}, seed ${SEED}`,
      )
      // A sequence that creates nothing tries the refusals only.
      expect(statuses.get(201) ?? 0).toBeGreaterThan(COUNT / 100)
      expect(await (await fetch(`${server.url}/health`)).json()).toEqual({ status: 'ok' })
      const admin = fileURLToPath(new URL('../../dist/server/admin.js', import.meta.url))
      const { status, stdout, stderr } = spawnSync(process.execPath, [admin, 'verify'], {
        env: { ...pathAndFolder(), CUADRA_DATA_DIR: server.dataDir },
        encoding: 'utf8',
      })
      expect(status, stdout + stderr).toBe(0)
    } finally {
      await server.stop()
    }
  })
})
