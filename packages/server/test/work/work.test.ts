/**
 * Worker threads return the same results as the event loop, and other requests are served meanwhile. Counts turns, not
 * seconds.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { folderWithPackages } from '#test/folders.ts'
import { itInAll } from '#test/size.ts'
import { ApiError } from '../../src/errors/api-error.ts'
import { createWork, type Work } from '../../src/work/work.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const MAX_BYTES = 4 * 1024 * 1024
const folder = folderWithPackages()

let worker: URL
let beside: Work
let atOnce: Work

beforeAll(async () => {
  const outfile = join(folder, 'worker.mjs')
  await build({
    entryPoints: [`${root}packages/server/src/work/worker.ts`],
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    outfile,
    logLevel: 'silent',
  })
  worker = pathToFileURL(outfile)
  beside = createWork(worker, { large: 0 })
  atOnce = createWork(worker, { large: Number.POSITIVE_INFINITY })
}, 60_000)

afterAll(async () => {
  await beside.close()
  await atOnce.close()
})

const invoice = (lines: readonly unknown[]) => ({
  schema_version: 'json_1_1',
  meta: { direction: 'issued', source_system: 'test', external_ref: 'R-1' },
  invoice: {
    supplier: { person_type_code: 'J', tax_id: 'B12345674', name: 'Ferretería Inventada, S.L.' },
    header: { invoice_type_code: '02', invoice_series_code: 'T' },
    issue_data: {},
    lines,
    totals: { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0 },
  },
})
const CLIENT = { company: 'A' }
const line = { item_description: 'Ñandú 🦤', quantity: 1, unit_price_without_tax: 1, tax_output_rate: 21 }

const request = (document: unknown, explain = false) => ({
  document,
  options: { operation: 'draft' as const, locale: 'es' as const, explain },
})

const reading = (text: string) => ({ bytes: Buffer.from(text), maxBytes: MAX_BYTES, locale: 'es' as const })

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString()

const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('it was not refused')
    },
    (error: unknown) => {
      expect(error).toBeInstanceOf(ApiError)
      return (error as ApiError).body('id', 'es')
    },
  )

/** Counts the turns of the event loop until a promise settles. */
async function turnsDuring(promise: Promise<unknown>): Promise<number> {
  let turns = 0
  let done = false
  const turn = () => {
    turns++
    if (!done) setImmediate(turn)
  }
  setImmediate(turn)
  await promise
  done = true
  return turns
}

describe('work in a thread', () => {
  it('returns the same results: validations, values and batches', async () => {
    for (const document of [
      invoice([line]),
      invoice(new Array(50).fill({ ...line, unit_of_measure: 'brazas' })),
      invoice(new Array(2000).fill({ ...line, taxable: true, u: 1 })),
      0,
    ])
      for (const explain of [false, true]) {
        const asked = request(document, explain)
        const { canonical, ...validation } = await beside.validate(asked, CLIENT, 1)
        expect(validation).toEqual(JSON.parse(JSON.stringify(await atOnce.validate(asked, CLIENT, 1))))
        expect(canonical).toBe(JSON.stringify(validation.data))
        const results = await beside.validateAsJson(asked, CLIENT, 1)
        expect({ ...results, data: textOf(results.data) }).toEqual({ ...validation, data: canonical })
        const validatedAtOnce = await atOnce.validateAsJson(asked, CLIENT, 1)
        expect(textOf(validatedAtOnce.data)).toBe(canonical)
      }
    const text = JSON.stringify({ invoices: [invoice([line]), 0, invoice([{ ...line, taxable: true }])] })
    expect(await beside.parseBody(reading(text), CLIENT)).toEqual(JSON.parse(text))
    const batch = { ...reading(text), operation: 'draft' as const, hasKey: true }
    const read = await beside.readBatch(batch, CLIENT)
    expect(read).toEqual(await atOnce.readBatch(batch, CLIENT))
    expect(read.inferred?.items).toEqual([{ index: 2, fields: ['/invoice/lines/0/taxable'] }])
  })

  it('refuses the same input with the same messages', async () => {
    for (const text of ['{"a":1,"a":2}', '{"a":', '[[[', `[${'['.repeat(100)}`, '"\\u0000"', '"\xff']) {
      const body = { ...reading(text), bytes: Buffer.from(text, 'latin1') }
      expect(await refusalOf(beside.parseBody(body, CLIENT))).toEqual(
        await refusalOf(atOnce.parseBody(body, CLIENT)),
      )
    }
    for (const body of [{}, { invoices: [] }, { invoices: [0], more: 1 }]) {
      const batch = { ...reading(JSON.stringify(body)), operation: 'draft' as const, hasKey: true }
      expect(await refusalOf(beside.readBatch(batch, CLIENT))).toEqual(
        await refusalOf(atOnce.readBatch(batch, CLIENT)),
      )
    }
  })

  it('leaves turns to others during a large validation, unlike the event loop', async () => {
    const large = request(invoice(new Array(5000).fill(line)))
    expect(await turnsDuring(atOnce.validate(large, CLIENT, 1))).toBe(0)
    expect(await turnsDuring(beside.validate(large, CLIENT, 1))).toBeGreaterThan(0)
  })

  it('leaves turns after each large body that it parses in the event loop', async () => {
    const usual = createWork(worker)
    try {
      const large = reading(JSON.stringify(invoice(new Array(20_000).fill(line))))
      const first = usual.parseBody(large, CLIENT)
      const second = usual.parseBody(large, CLIENT)
      await first
      expect(await turnsDuring(second)).toBeGreaterThan(0)
    } finally {
      await usual.close()
    }
  })

  itInAll('leaves turns also if many entries are compared with many lines in a small document', async () => {
    const document = invoice(new Array(480).fill(line))
    const entries = new Array(480).fill({ tax_rate: 21, taxable_base: 1, tax_amount: 0.21 })
    Object.assign(document.invoice, { taxes_outputs: entries })
    const usual = createWork(worker)
    try {
      expect(await turnsDuring(usual.validate(request(document), CLIENT, 1))).toBeGreaterThan(0)
      expect(await turnsDuring(usual.validate(request(invoice([line])), CLIENT, 1))).toBe(0)
    } finally {
      await usual.close()
    }
  })

  it('refuses a document that needs more memory than a thread has, and serves the next one', async () => {
    const narrow = createWork(worker, { large: 0, heapMb: 64 })
    try {
      const large = request(invoice(new Array(20_000).fill(line)), true)
      const { detail } = await refusalOf(narrow.validate(large, CLIENT, 1))
      expect(detail).toMatchObject({ code: 'service_unavailable', reason: 'out_of_memory' })
      expect(detail.message).toContain('--max-old-space-size')
      expect((await narrow.validate(request(invoice([line])), CLIENT, 1)).data).not.toBeNull()
    } finally {
      await narrow.close()
    }
  })

  it('refuses documents at once whose thread fails while it starts, and serves them when threads start again', async () => {
    const file = join(folder, 'failing.mjs')
    writeFileSync(file, "throw new Error('cannot start')")
    const failing = createWork(pathToFileURL(file), { large: 0, timeMs: 600_000 })
    try {
      const asked = ['A', 'B', 'C'].map((company) =>
        failing.validate(request(invoice([line])), { company }, 1),
      )
      for (const { detail } of await Promise.all(asked.map(refusalOf)))
        expect(detail).toMatchObject({ code: 'service_unavailable', reason: 'not_started' })
      await expect(asked[0]).rejects.toMatchObject({ cause: { message: 'cannot start' } })
      writeFileSync(file, readFileSync(worker))
      // A thread that began to start earlier may still fail, which refuses what waits then.
      const served = await vi.waitFor(() => failing.validate(request(invoice([line])), CLIENT, 1), 30_000)
      expect(served.data).not.toBeNull()
    } finally {
      await failing.close()
    }
  })

  it('refuses a document that takes too long, documents that wait when it closes, and abandoned ones', async () => {
    const slow = createWork(worker, { large: 0, timeMs: 1 })
    const reasonOf = async (company: string, hasLeft?: () => boolean) => {
      const asked = slow.validate(request(invoice([line])), { company, hasLeft }, 1)
      return (await refusalOf(asked)).detail.reason
    }
    expect(await reasonOf('A')).toBe('out_of_time')
    expect(await reasonOf('A', () => true)).toBe('left')
    const waiting = [reasonOf('A'), reasonOf('A')]
    await slow.close()
    expect(await Promise.all(waiting)).toEqual(['closing', 'closing'])
    expect(await reasonOf('A')).toBe('closing')
  })
})
