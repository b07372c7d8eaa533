/** The types of `extra` by code: they compile as documented, and hold for items of any invoice. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type InvoiceItem, type Operation, validate } from '#engine/index.ts'
import { extraShapes, typeOf } from '../../scripts/generate/extra-types.mjs'
import { runs } from '../size.ts'
import { goldenInputs } from './golden-invoices.ts'

/** Uses the members of `extra` after a `switch`. Does not compile if their types are not known. */
function shortText(item: InvoiceItem): string {
  switch (item.code) {
    case 'tax_rate_unknown': {
      const rates: readonly number[] = item.extra.allowed
      return `${item.extra.received.toFixed(2)} of ${rates.map((rate) => rate.toFixed(0)).join(', ')}`
    }
    case 'tax_id_invalid':
      return item.extra.reason.toUpperCase()
    case 'schema.required':
      return item.extra.missing.toUpperCase()
    case 'customer_tax_id_missing': {
      const nothing: null = item.extra
      return String(nothing)
    }
    case 'totals_mismatch':
      // @ts-expect-error: this code has no member of this name with a known type
      return item.extra.missing.toUpperCase()
    default:
      return String(item.extra?.received)
  }
}

const leavesOf = (value: unknown, path: readonly string[] = []): (readonly string[])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, child]) => [[...path, name], ...leavesOf(child, [...path, name])])
    : []

/** Returns the document with another value at a path; undefined removes the member. */
function changed(document: unknown, path: readonly string[], value: unknown): unknown {
  const copy = structuredClone(document)
  let parent = copy as Record<string, unknown>
  for (const name of path.slice(0, -1)) parent = parent[name] as Record<string, unknown>
  const last = path.at(-1) ?? ''
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return copy
}

const shapes = extraShapes()

/** Returns what contradicts the type of the item's `extra`. */
function contradictions({ code, extra }: InvoiceItem): string[] {
  const shape = shapes.get(code)
  if (shape === undefined) return []
  if (shape === null || extra === null) return shape === extra ? [] : [`${code}: ${JSON.stringify(extra)}`]
  return Object.entries(shape).flatMap(([name, { type, isRequired }]) => {
    const value = extra[name]
    if (value === undefined) return isRequired ? [`${code} without ${name}`] : []
    const values = Array.isArray(value) ? value : [value]
    const isTyped = type.includes('readonly') || !Array.isArray(value)
    return isTyped && values.every((one) => type.includes(typeOf(one)))
      ? []
      : [`${code}.${name} is not ${type}`]
  })
}

const VALUES = [null, true, 0, -1, 21, 5.2, 1e12, 1.23456789, '', 'x', 'ES', 'FR', '2026-02-30', '1990-01-01']
const CODES = ['S', 'E1', '07', '03', '01', '02', '17', 'IGIC', 'USD', [], {}, ['x'], undefined]
const OPERATIONS: readonly (Operation | undefined)[] = ['draft', 'issue', 'import', 'received', undefined]

describe('extra', () => {
  it('is known after a switch over the code', () => {
    const { errors } = validate({ schema_version: 'json_1_1' })
    expect(errors.map(shortText)).toEqual(['INVOICE', 'META'])
  })

  it('has the members of its code, for any invoice with a changed field', () => {
    const inputs = goldenInputs()
    fc.assert(
      fc.property(
        fc.constantFrom(...inputs),
        fc.nat(),
        fc.constantFrom(...VALUES, ...CODES),
        fc.constantFrom(...OPERATIONS),
        fc.boolean(),
        ({ input, options }, at, value, operation, check) => {
          const paths = leavesOf(input)
          const path = paths[at % Math.max(1, paths.length)]
          const document = path ? changed(input, path, value) : input
          const totals = check ? 'check' : 'recalculate'
          const { errors } = validate(document, { ...options, operation, totals })
          expect(errors.flatMap(contradictions)).toEqual([])
        },
      ),
      runs(20_000, 200_000),
    )
  })
})
