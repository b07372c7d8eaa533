/** Fixture: an ordinary issued invoice with the options of its record, of which each test changes one thing. */
import { expect } from 'vitest'
import { required } from '#core/errors/index.ts'
import { type CanonicalInvoice, type Options, validate } from '#engine/index.ts'
import type { RegistrationOptions } from '#records/verifactu/index.ts'
import { SYSTEM } from './records.ts'

export const BASE = {
  schema_version: 'json_1_1',
  meta: { direction: 'issued', source_system: 'Test', external_ref: 'ref 1' },
  invoice: {
    supplier: {
      person_type_code: 'J',
      tax_id: 'B12345674',
      name: 'Calderas Ficticias, S.L.',
      company: { address: { address: 'Calle 1', post_code: '28013', town: 'Madrid' } },
    },
    customer: {
      person_type_code: 'J',
      tax_id: 'B77777779',
      name: 'Estudio Imaginado, S.L.',
      company: { address: { address: 'Calle 2', post_code: '39004', town: 'Santander' } },
    },
    header: { invoice_type_code: '01', invoice_series_code: 'A', invoice_number: 'A-7' },
    issue_data: { issue_date: '2027-01-15' },
    lines: [{ item_description: 'Revisión', quantity: 2, unit_price_without_tax: 100, tax_output_rate: 21 }],
    totals: { total_gross_amount_before_taxes: 200, total_tax_outputs: 42, invoice_total: 242 },
  },
}

/** Invoices and records whose shape the test knows. */
export type Loose = any
export type Change = (invoice: Loose) => void

export const OPTIONS: RegistrationOptions = {
  system: SYSTEM,
  previous: null,
  timestamp: '2027-01-15T10:00:00+01:00',
}

/** Returns the data of that invoice, modified by `change`. */
export const validated = (change: Change = () => {}, options: Options = {}): CanonicalInvoice => {
  const document = structuredClone(BASE)
  change(document.invoice)
  const { data, errors } = validate(document, { operation: 'import', ...options })
  expect(errors.filter((item) => item.severity === 'error')).toEqual([])
  return required(data)
}
