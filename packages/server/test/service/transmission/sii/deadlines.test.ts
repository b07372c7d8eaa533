/** Worked deadlines over HTTP: on the day of each, the list shows the deadline and the days remaining. */

import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { daysBetween } from '#records/sii/deadline/calendar.ts'
import type { Answered } from '#test/conformance/harness.ts'
import { draft, received } from '#test/conformance/invoices.ts'
import { portOf } from '#test/narrow.ts'
import { deadlineExamples } from '#test/records/sii/schema.ts'
import { createHttpServer } from '../../../../src/http/server.ts'
import { createKey } from '../../../../src/service/access/api-keys.ts'
import { record } from '../recorder.ts'
import deadlines from './deadlines.json'
import { SiiFixture } from './fixture.ts'

interface Example {
  readonly example: string
  readonly book: string
  /** Date of issue, or of entry in the books. */
  readonly day: string
  readonly operation_day?: string
  readonly self_billed?: boolean
  readonly deadline: string
}

const EXAMPLES: readonly Example[] = deadlines
const DAY = 86_400_000
/** Returns noon of a day, which is the same day in Madrid and in UTC. */
const noonOf = (day: string): number => Date.parse(`${day}T11:00:00Z`)

describe('deadlines through the API', () => {
  let fixture: SiiFixture
  let server: ReturnType<typeof createHttpServer>
  let base = ''
  let key = ''
  beforeAll(async () => {
    const enrolled = [{ enrollment_status: 'mandatory', start_date: '2024-01-01' }]
    fixture = await SiiFixture.open({ auto: false, company: { sii: { enrollment_periods: enrolled } } })
    const made = await fixture.call.store.transaction((tx) =>
      createKey(tx, { scopes: ['*'] }, fixture.app.clock.stamp()),
    )
    key = made.key
    const { Response: before } = globalThis
    server = createHttpServer(fixture.app).listen(0, '127.0.0.1')
    // Servers that are loaded later would break their connections.
    expect(Response).toBe(before)
    await once(server, 'listening')
    base = `http://127.0.0.1:${portOf(server)}/api/v1.1`
  }, 60_000)
  afterAll(async () => {
    server?.close()
    server?.closeAllConnections()
    await fixture?.close()
  })

  async function call(method: string, path: string, body?: unknown): Promise<Answered['json']> {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const json = await response.json()
    record(`${method} ${path} responds ${response.status}`, json)
    expect([response.status, json]).toEqual([expect.toSatisfy((status) => status < 300), expect.anything()])
    return json
  }

  async function register({ example, book, day, operation_day, self_billed }: Example): Promise<string> {
    if (book === 'RECEIVED') {
      const body = received({ taxId: fixture.call.company.data.tax_id, number: example, date: day })
      body.invoice.issue_data.receipt_date = day
      return (await call('PUT', '/received-invoices', body)).id
    }
    const body = draft({ series: example })
    if (operation_day) body.invoice.issue_data.operation_date = operation_day
    if (self_billed) body.invoice.header.invoice_type_code = '05'
    const { id } = await call('PUT', '/drafts', body)
    await call('POST', `/issued-invoices/${id}/issue`)
    return id
  }

  it.each(EXAMPLES)('$example: $book of $day until $deadline', async (example) => {
    fixture.now = noonOf(example.day)
    const id = await register(example)
    const found = async () => {
      const pending = await call('GET', '/sii/pending')
      const near = await call('GET', '/sii/deadlines')
      expect(near).toEqual(pending)
      return near.items.find((one: { invoice_public_id: string }) => one.invoice_public_id === id)
    }
    const { deadline, day } = example
    expect(await found()).toMatchObject({
      book_type: example.book,
      deadline,
      days_remaining: daysBetween(day, deadline),
    })
    // Three days later it is overdue, and still pending.
    fixture.now = noonOf(deadline) + 3 * DAY
    expect(await found()).toMatchObject({ deadline, days_remaining: -3 })
    expect((await call('GET', `/invoices/${id}/sii/status`))[0]).toMatchObject({
      status: 'pending',
      deadline,
    })
  })

  it.skipIf(deadlineExamples === null)('every worked example of the two books of invoices is tested', () => {
    const books = (deadlineExamples ?? []).filter(({ book }) => book === 'ISSUED' || book === 'RECEIVED')
    expect(EXAMPLES.map(({ example, day, deadline }) => [example, day, deadline])).toEqual(
      books.map(({ id, count_from, deadline_product_rule }) => [id, count_from, deadline_product_rule]),
    )
  })
})
