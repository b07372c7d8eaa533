/** Documents that no client should send, grown from the golden invoices: every one gets a result, and quickly. */

import { isDeepStrictEqual } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { type CanonicalInvoice, explain, type Options, reconcile, validate } from '#engine/index.ts'
import { answer } from '#entry/request/index.ts'
import { random } from '../core/xml/mutations.ts'
import { goldenInputs } from '../engine/golden-invoices.ts'
import { figure } from '../figures.ts'
import { withoutComputed } from '../property/documents.ts'
import { wellFormed } from '../property/well-formed.ts'
import { collect } from '../second/compare.ts'
import { randomInvoice } from '../second/random.ts'
import { sized } from '../size.ts'
import { grow } from './corpus.ts'
import { HOSTILE_KEYS, KINDS, mutate, WILD } from './mutate.ts'

interface Input {
  readonly document: unknown
  readonly options: Options
}

const COUNT = sized(200, 10_000, 1_000_000)
const SEED = Number(process.env.CUADRA_SEED ?? 1)
/** Longest time for one document in milliseconds, which even a busy machine does not need. */
const LONGEST = 2000
/** The most bytes that may stay in use after the run. The corpus and the counts of V8 take 7 MB for 10,000 documents. */
const MOST_KEPT = 100_000_000

/** Bytes in use on the heap of this thread, without what can be freed. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

const OPTIONS: readonly Options[] = (['draft', 'issue', 'import', 'received'] as const).flatMap((operation) =>
  (['recalculate', 'check'] as const).map((totals) => ({ operation, totals, today: '2026-06-30' })),
)

const SEEDS: readonly Input[] = [
  ...goldenInputs().map(({ input, options }) => ({ document: input, options })),
  ...Array.from({ length: 100 }, (_, seed) => randomInvoice(seed) as Input),
]

const from = <T>(list: readonly T[], next: () => number): T => list[Math.floor(next() * list.length)] as T

function change({ document, options }: Input, next: () => number, other: () => Input): Input {
  const changed = structuredClone(document)
  const number = () => Math.floor(next() * 1_000_000)
  const times = 1 + Math.floor(next() * 4)
  for (let time = 0; time < times; time++)
    mutate(changed, {
      kind: from(KINDS, next),
      node: number(),
      member: number(),
      key: from(HOSTILE_KEYS, next),
      value: next() < 0.6 ? from(WILD, next) : from(valuesOf(other().document), next),
    })
  return { document: changed, options: next() < 0.3 ? { ...options, ...from(OPTIONS, next) } : options }
}

/** Members of the invoice of another document: plausible values in the wrong place. */
function valuesOf(document: unknown): unknown[] {
  const invoice = (document as CanonicalInvoice | null)?.invoice
  const blocks: unknown[] = Object.values(invoice ?? {})
  return [...blocks, ...blocks.flatMap((block) => Object.values(Object(block)))]
}

/** Throws if two values differ, with the paths. */
function same(what: string, actual: unknown, expected: unknown): void {
  // The paths are found only for values that differ, because that takes longer than the engine.
  if (isDeepStrictEqual(actual, expected)) return
  const differences: string[] = []
  collect('', actual, expected, differences, ['now', 'before'])
  if (differences.length > 0) throw new Error(`${what}: ${differences.slice(0, 5).join('; ')}`)
}

function check({ document, options }: Input): void {
  const result = validate(document, options)
  wellFormed(result)
  const { data, is_valid } = result
  const isRefused = validate(document, { ...options, totals: 'recalculate' }).data === null
  if (explain(document, options).length > 0 === isRefused) throw new Error('explain has rows without data')
  if (reconcile(document, options).length > 0 === isRefused)
    throw new Error('reconcile has rows without data')
  if (data && is_valid) {
    repeat(data, options)
    reverse(document, data, options)
  }
  requested(document, options)
}

/** A valid result, sent again, is valid and gives the same data. */
function repeat(data: CanonicalInvoice, options: Options): void {
  const again = validate(withoutComputed(data), options)
  const wrong = again.errors.filter(({ severity }) => severity === 'error')
  if (wrong.length > 0) throw new Error(`not valid when sent again: ${JSON.stringify(wrong)}`)
  same('other data when sent again', again.data, data)
}

/** The order of the lines changes no total. */
function reverse(document: unknown, data: CanonicalInvoice, options: Options): void {
  const turned = structuredClone(document) as CanonicalInvoice
  turned.invoice.lines.reverse()
  same(
    'other totals with the lines reversed',
    validate(turned, options).data?.invoice.totals,
    data.invoice.totals,
  )
}

/** The JSON request gives the same result, or refuses what JSON cannot carry. */
function requested(document: unknown, options: Options): void {
  const text = JSON.stringify({ op: 'validate', document, options })
  const response = JSON.parse(answer(text))
  if (response.detail !== undefined || document === undefined) return
  const expected = JSON.parse(JSON.stringify(validate(JSON.parse(text).document, options)))
  same('another result by request', response, expected)
}

describe(`${COUNT} documents grown from the golden invoices`, () => {
  it('get a well-formed result, the same when sent again, in any order of lines and by request', {
    timeout: 4 * 3_600_000,
  }, () => {
    const before = bytesInUse()
    const grown = grow({ seeds: SEEDS, count: COUNT, longest: LONGEST, change, check, next: random(SEED) })
    figure(`${COUNT} documents, ${grown.kept} with new coverage, ${grown.blocks} blocks, seed ${SEED}`)
    expect(grown.blocks).toBeGreaterThan(1000)
    expect(bytesInUse() - before).toBeLessThan(MOST_KEPT)
  })
})
