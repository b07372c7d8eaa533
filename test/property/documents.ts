/// <reference types="node" />
/** Documents that the properties start from, and what is done to them. */
import { readdirSync, readFileSync } from 'node:fs'
import { COMPUTED_MEMBERS } from '#core/invoice/index.ts'
import type { Operation } from '#engine/index.ts'
import type { ArbitraryDocument, ArbitraryLine, ArbitraryTotals } from './arbitrary.ts'

export const OPERATIONS = ['draft', 'issue', 'import', 'received'] as const satisfies readonly Operation[]

const folder = new URL('../../examples/', import.meta.url)

/** The example documents, by file name. */
export const EXAMPLES: readonly (readonly [string, unknown])[] = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => [name, JSON.parse(readFileSync(new URL(name, folder), 'utf8'))] as const)

/** A plain issued invoice with the given lines; each line may omit what is irrelevant. */
export function invoiceOf(
  lines: readonly Partial<ArbitraryLine>[],
  totals: Partial<ArbitraryTotals> = {},
): ArbitraryDocument {
  const party = (tax_id: string, name: string) => ({
    person_type_code: 'J',
    tax_id,
    name,
    country_code: 'ES',
    company: {
      legal_name: name,
      address: { address: 'Calle Mayor 1', post_code: '28013', town: 'Madrid', country_code: 'ES' },
    },
  })
  return {
    schema_version: 'json_1_1',
    meta: { direction: 'issued', source_system: 'test', external_ref: 'REF-1' },
    invoice: {
      supplier: party('B58378431', 'Talleres Ejemplo SL'),
      customer: party('A28015865', 'Cliente Ejemplo SA'),
      header: { invoice_type_code: '01', invoice_series_code: 'A' },
      issue_data: { operation_date: '2025-03-10', tax_group_code: 'IVA' },
      lines: lines.map(
        (line) =>
          ({
            item_description: 'Artículo',
            ...line,
            ...(line.quantity === undefined ? { quantity: 1 } : {}),
          }) as ArbitraryLine,
      ),
      totals: { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0, ...totals },
    },
  }
}

/** The document with the fields that the operation asks for. */
export function asSent(document: ArbitraryDocument, operation: Operation): ArbitraryDocument {
  if (operation === 'draft') return document
  const { meta, invoice } = document
  return {
    ...document,
    meta: { ...meta, direction: operation === 'received' ? 'received' : 'issued' },
    invoice: {
      ...invoice,
      header: { ...invoice.header, ...(operation === 'issue' ? {} : { invoice_number: 'F-1' }) },
      issue_data: { ...invoice.issue_data, issue_date: '2025-03-10' },
    },
  }
}

/** The `data` of a result, as a client may send it back. */
export const withoutComputed = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value, (name, member) => (COMPUTED_MEMBERS.has(name) ? undefined : member)))

/** Freezes a value and all that it holds, so that a change of it throws. */
export function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) deepFreeze(member)
  }
  return value
}
