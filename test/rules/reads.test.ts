/** A rule declares the paths that it reads; this test observes them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import type { Options } from '#core/invoice/index.ts'
import { examine } from '#engine/examine/examine.ts'
import { featuresOf } from '#rules/features.ts'
import { hasNeeds, RULES, type Rule } from '#rules/index.ts'
import type { Context } from '#rules/rule.ts'
import { widened } from '../property/widened.ts'

const CASES = new URL('../cases/', import.meta.url)
const read = (path: string) => JSON.parse(readFileSync(new URL(path, CASES), 'utf8'))

const GOLDEN = readdirSync(CASES).map((name): readonly [unknown, Options] => [
  read(`${name}/input.json`),
  existsSync(new URL(`${name}/options.json`, CASES)) ? read(`${name}/options.json`) : {},
])
const RANDOM = fc
  .sample(widened(), { numRuns: 200, seed: 12 })
  .map(({ document, operation }): readonly [unknown, Options] => [document, { operation }])

/** Members of the normalised invoice that stand for another one of the document. */
const SOURCES: Readonly<Record<string, string>> = {
  '/invoice/header/is_simplified': '/invoice/header/invoice_type_code',
  '/invoice/header/is_corrective': '/invoice/header/invoice_type_code',
}

/** What a context holds beside the document, and what of the document it comes from. */
const DERIVED: Readonly<Record<string, readonly string[]>> = {
  date: ['/invoice/issue_data/operation_date', '/invoice/issue_data/issue_date'],
  rates: ['/invoice/issue_data/operation_date', '/invoice/issue_data/issue_date'],
  taxGroup: ['/invoice/issue_data/tax_group_code'],
}

const isBlock = (value: object): boolean => 'header' in value && 'lines' in value

/**
 * Returns the value in a proxy that reports the path of every member read. A block has its own path wherever it is
 * used.
 */
function watched(value: unknown, path: string, report: (path: string) => void): unknown {
  if (value === null || typeof value !== 'object') return value
  const own = isBlock(value) ? '/invoice' : path
  return new Proxy(value, {
    get(target, name) {
      const member = Reflect.get(target, name)
      const isOfList = Array.isArray(target) && (name === 'length' || typeof member === 'function')
      if (typeof name === 'symbol' || isOfList) return member
      const at = `${own}/${Array.isArray(target) ? '*' : name}`
      report(SOURCES[at] ?? at)
      return watched(member, at, report)
    },
  })
}

/** Returns the context in proxies that report what is read of the document. Derived data is not observed. */
function watchedContext(context: Context, looked: Set<string>, concluded: Set<string>): Context {
  const copy = { ...context }
  for (const name of Object.keys(context) as (keyof Context)[]) {
    const value = context[name]
    const isDocument =
      typeof value === 'object' &&
      value !== null &&
      (isBlock(value) ||
        Object.values(value).some((one) => typeof one === 'object' && one !== null && isBlock(one)))
    Object.defineProperty(copy, name, {
      get() {
        for (const path of DERIVED[name] ?? []) concluded.add(path)
        return isDocument
          ? watched(value, '', (path) => path.startsWith('/invoice/') && looked.add(path))
          : value
      },
    })
  }
  return copy
}

const matches = (pattern: string, path: string): boolean =>
  pattern === '*' || new RegExp(`^${pattern.replaceAll('*', '[^/]+')}(/|$)`).test(path)

interface Watched {
  /** Read of the document. */
  readonly looked: Set<string>
  /** Where it reported something, or what a value was concluded from. */
  readonly concluded: Set<string>
}

function watch(): ReadonlyMap<Rule, Watched> {
  const seen = new Map(
    RULES.map((rule) => [rule, { looked: new Set<string>(), concluded: new Set<string>() }]),
  )
  for (const [document, options] of [...GOLDEN, ...RANDOM]) {
    const { outcome, findings } = examine(document, options)
    for (const { code, path } of findings)
      required(seen.get(required(RULES.find((rule) => rule.code === code)))).concluded.add(
        path.replace(/\/\d+(?=\/|$)/g, '/*'),
      )
    if (outcome === null) continue
    const features = featuresOf(outcome.context)
    for (const [rule, { looked, concluded }] of seen) {
      if (rule.scope === 'stage' || !hasNeeds(rule, features)) continue
      const own = watchedContext(outcome.context, looked, concluded)
      if (rule.scope === 'document') rule.check(own, () => {})
      if (rule.scope === 'line' && rule.applies?.(own) !== false)
        for (const [index, line] of own.invoice.lines.entries()) rule.check(line, own, () => {}, index)
    }
  }
  return seen
}

describe('what a rule reads', () => {
  const seen = [...watch()]

  it('is declared in its reads', () => {
    const undeclared = seen.flatMap(([{ code, reads }, { looked }]) =>
      [...looked]
        // Of a member and the block that it is in, the member is meant.
        .filter((path) => ![...looked].some((other) => other.startsWith(`${path}/`)))
        .filter((path) => !reads.some((pattern) => matches(pattern, path)))
        .map((path) => `${code} ${path}`),
    )
    expect(undeclared).toEqual([])
  })

  it('is everything it declares', () => {
    const untouched = seen
      .filter(([{ scope }]) => scope !== 'stage')
      .flatMap(([{ code, reads }, { looked, concluded }]) =>
        reads
          .filter((pattern) => ![...looked, ...concluded].some((path) => matches(pattern, path)))
          .map((pattern) => `${code} ${pattern}`),
      )
    expect(untouched).toEqual([])
  })
})
