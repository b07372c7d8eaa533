/**
 * The work of a validation: it is proportional to the size of the document, whatever its errors. Counted, not timed.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { checkSchema } from '#core/invoice/index.ts'
import { examine } from '#engine/examine/examine.ts'
import { MAX_ITEMS, type Operation, validate } from '#engine/index.ts'

const MAX_LINES = 20_000
const MAX_ENTRIES = 1000
const OPERATIONS: readonly Operation[] = ['draft', 'issue', 'import', 'received']
const SCHEMAS = new URL('../../schemas/', import.meta.url)

type Members = Readonly<Record<string, unknown>>

const right = { item_description: 'Tornillo', quantity: 1, unit_price_without_tax: 1, tax_output_rate: 21 }

const invoiceOf = (members: Members, direction = 'issued') => ({
  schema_version: 'json_1_1',
  meta: { direction, source_system: 'test', external_ref: 'R-1' },
  invoice: {
    supplier: { person_type_code: 'J', tax_id: 'B12345674', name: 'Ferretería Inventada, S.L.' },
    header: { invoice_type_code: '02', invoice_series_code: 'T' },
    issue_data: {},
    lines: [right],
    totals: { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0 },
    ...members,
  },
})

/** A list that counts how often one of its entries is taken. */
function counting(entries: readonly unknown[]) {
  let taken = 0
  const list = new Proxy(entries, {
    get: (target, name, receiver) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) taken++
      return Reflect.get(target, name, receiver)
    },
  })
  return { list, taken: () => taken }
}

const codesOf = (errors: readonly { readonly code: string; readonly path: string }[]) =>
  errors.map(({ code, path }) => `${code} ${path}`)

const unknownFields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`u${index}`, index]))

describe('the lists of the schemas', () => {
  const lists: [where: string, list: Members][] = []
  const collect = (node: unknown, where: string): void => {
    if (node === null || typeof node !== 'object') return
    if ((node as Members).type === 'array') lists.push([where, node as Members])
    for (const [name, value] of Object.entries(node)) collect(value, `${where}/${name}`)
  }
  for (const file of readdirSync(SCHEMAS).filter((name) => !name.endsWith('.schema.json')))
    if (file.endsWith('.json') && !file.startsWith('validation-'))
      collect(JSON.parse(readFileSync(new URL(file, SCHEMAS), 'utf8')), file)

  it('have a maximum: 20,000 lines, 1,000 entries of any other list', () => {
    expect(lists.length).toBeGreaterThan(10)
    for (const [where, { maxItems }] of lists)
      expect(maxItems, where).toBe(where === 'invoice.json/properties/lines' ? MAX_LINES : MAX_ENTRIES)
  })

  it('that exceed every maximum are not examined', () => {
    for (const operation of OPERATIONS)
      for (const entry of [0, { a: 0 }, { ...right, taxable: true }, right]) {
        const lines = counting(new Array(MAX_LINES + 1).fill(entry))
        const { findings: errors = [] } = checkSchema(invoiceOf({ lines: lines.list }), operation)
        expect(errors.filter(({ path }) => path.startsWith('/invoice/lines'))).toEqual([
          {
            code: 'schema.max_items',
            path: '/invoice/lines',
            extra: { max_items: MAX_LINES, received: MAX_LINES + 1 },
          },
        ])
        expect(lines.taken()).toBe(0)
      }
  })

  it('accept 20,000 valid lines and refuse 20,001', () => {
    const lines = (count: number) => invoiceOf({ lines: new Array(count).fill(right) })
    const { is_valid, errors } = validate(lines(MAX_LINES))
    expect(is_valid).toBe(true)
    expect(codesOf(errors)).toEqual(['simplified_limit_exceeded /invoice/header/invoice_type_code'])
    expect(codesOf(validate(lines(MAX_LINES + 1)).errors)).toEqual(['schema.max_items /invoice/lines'])
  })
})

describe('the search ends', () => {
  const wrong: Readonly<Record<string, unknown>> = {
    zeros: 0,
    'one unknown field': { a: 0 },
    'twelve unknown fields': unknownFields(12),
    'a computed field': { ...right, taxable: true },
    'a wrong type': { ...right, quantity: 'x' },
    'both prices': { ...right, unit_price_with_tax: 1 },
    'a list of wrong entries': { ...right, legal_literals: new Array(MAX_ENTRIES).fill(0) },
  }

  for (const [name, entry] of Object.entries(wrong))
    it(`in the schema, with lines of ${name}: neither many more lines nor many more problems than 1,000`, () => {
      for (const operation of OPERATIONS) {
        const lines = counting(new Array(MAX_LINES).fill(entry))
        const { findings = [] } = checkSchema(invoiceOf({ lines: lines.list }), operation)
        expect(findings.length).toBeGreaterThan(MAX_ITEMS)
        expect(findings.length).toBeLessThan(4 * MAX_ITEMS)
        // Computed fields are looked for by themselves, on every line where there are none.
        expect(lines.taken()).toBeLessThan(MAX_LINES + 5 * MAX_ITEMS)
      }
    })

  it('in an object of 100,000 unknown fields', () => {
    const { findings = [] } = checkSchema(invoiceOf({ customer: unknownFields(100_000) }), 'draft')
    expect(findings.length).toBeGreaterThan(MAX_ITEMS)
    expect(findings.length).toBeLessThan(2 * MAX_ITEMS)
  })

  it('but finds problems of the whole document first', () => {
    const lines = new Array(MAX_LINES).fill({ ...unknownFields(12), taxable: true })
    const document = invoiceOf({
      lines,
      header: { invoice_type_code: '02', invoice_number: 'T1', is_simplified: true },
    })
    const found = codesOf(checkSchema(document, 'draft').findings ?? [])
    expect(found).toContain('invoice_number_not_allowed /invoice/header/invoice_number')
    expect(found).toContain('missing_required_field /invoice/header/invoice_series_code')
    expect(found).toContain('inferred_fields_not_allowed /invoice/header/is_simplified')
    expect(found).toContain('inferred_fields_not_allowed /invoice/lines/0/taxable')
  })

  it('in the rules, once the invoice is known to be invalid', () => {
    const bad = { ...right, tax_regime_key: '99', unit_of_measure: 'brazas', exemption_reason_code: 'E9' }
    const { findings } = examine(invoiceOf({ lines: new Array(MAX_LINES).fill(bad) }))
    expect(findings.length).toBeGreaterThan(MAX_ITEMS)
    expect(findings.length).toBeLessThan(10 * MAX_ITEMS)
  })

  it('but not before: an error after 1,000 warnings makes the invoice invalid', () => {
    const warned = { ...right, quantity: 1.123456789123 }
    const lines = [...new Array(2 * MAX_ITEMS).fill(warned), { ...right, unit_of_measure: 'brazas' }]
    const { is_valid, errors } = validate(invoiceOf({ lines }))
    expect(errors.slice(0, MAX_ITEMS).every(({ severity }) => severity === 'warning')).toBe(true)
    expect(errors.at(-1)).toMatchObject({ code: 'too_many_errors', severity: 'error' })
    expect(is_valid).toBe(false)
  })

  it('and the last item states it, with a correct count', () => {
    const { errors } = validate(invoiceOf({ lines: new Array(MAX_LINES).fill({ a: 0 }) }))
    expect(errors).toHaveLength(MAX_ITEMS + 1)
    const { at_least, ...rest } = required(errors.at(-1)).extra as { at_least: number }
    expect(rest).toEqual({ shown: MAX_ITEMS })
    expect(at_least).toBeGreaterThan(MAX_ITEMS)
    expect(errors.at(-1)?.message).toContain(`at least ${at_least} problems`)
  })
})
