/** Blanks are trimmed from every code and reference of the canonical invoice that a client chooses. */
import { describe, expect, it } from 'vitest'
import { trimmedDocument } from '../../../../src/server/service/invoice/trim.ts'
import { invoiceSchemas } from '../../../../src/server/shapes/invoice-schemas.ts'

type Schema = Record<string, any>

const targetOf = (ref: string): Schema => invoiceSchemas()[ref.replace('#/components/schemas/', '')] as Schema

/** Types of fields with codes and references that a client chooses. */
const REFERENCES = ['#/components/schemas/Reference', '#/components/schemas/Code']

/** Paths of all such fields: names of members, and `0` for the entries of a list. */
function referencesIn(schema: Schema, path: readonly string[] = []): string[][] {
  if (schema.$ref) {
    if (REFERENCES.includes(schema.$ref)) return [[...path]]
    return referencesIn(targetOf(schema.$ref), path)
  }
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
      referencesIn(one as Schema, [...path, name]),
    ),
    ...(schema.items ? referencesIn(schema.items, [...path, '0']) : []),
  ]
}

const documentWith = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, name) => (name === '0' ? [inner] : { [name]: inner }), value)

describe('trimmedDocument', () => {
  const paths = [
    ...referencesIn(invoiceSchemas().CanonicalInvoice as Schema),
    ['meta', 'source_system'],
    ['meta', 'external_ref'],
    ['invoice', 'header', 'invoice_series_code'],
    ['invoice', 'header', 'invoice_number'],
    ['invoice', 'header', 'corrective', 'invoice_series_code'],
    ['invoice', 'header', 'corrective', 'invoice_number'],
    ['invoice', 'supplier', 'identifiers', '0', 'value'],
  ]

  it('covers the references of the schemas', () => {
    expect(paths.length).toBeGreaterThan(20)
    expect(paths).toContainEqual(['invoice', 'lines', '0', 'references', 'delivery_notes', '0', 'number'])
  })

  it.each(paths.map((path) => [path.join('trims %s'), path] as const))('trims %s', (_, path) => {
    expect(trimmedDocument(documentWith(path, ' A B\u00a0'))).toEqual(documentWith(path, 'A B'))
  })

  it('leaves everything else as it is, and copies nothing that does not change', () => {
    for (const value of [null, 7, 'text', [], {}, { meta: [] }, { invoice: { lines: [null, 7] } }])
      expect(trimmedDocument(value)).toBe(value)
    const clean = {
      meta: { external_ref: 'A', source_system: 7 },
      invoice: { lines: [{ article_code: 'X' }] },
    }
    expect(trimmedDocument(clean)).toBe(clean)
    const text = { invoice: { customer: { name: ' N ' }, lines: [{ item_description: ' D ' }] } }
    expect(trimmedDocument(text)).toBe(text)
  })

  it('never changes its input', () => {
    const sent = { meta: { external_ref: ' A ' }, invoice: { lines: [{ article_code: ' X' }, {}] } }
    const before = JSON.stringify(sent)
    trimmedDocument(sent)
    expect(JSON.stringify(sent)).toBe(before)
  })
})
