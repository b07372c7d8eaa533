/** Tests that every valid golden invoice becomes a record that matches the official schema and reads back equal. */

import { beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import type { CanonicalInvoice } from '#engine/index.ts'
import {
  deadlineOfInvoice,
  deletionRecord,
  issuedRecord,
  readSii,
  receivedRecord,
  type SiiRecord,
  siiXml,
  submission,
} from '#records/sii/index.ts'
import { goldenInvoices } from '../../engine/golden-invoices.ts'
import { goldenLines } from '../../engine/golden-lines.ts'
import { figure } from '../../figures.ts'
import type { Loose } from './invoices.ts'
import { officialSchema } from './schema.ts'

/** Golden invoices that are valid as documents but cannot be reported unchanged, with the reason. */
const REFUSED: Readonly<Record<string, string[]>> = {
  // The operation is in 2028, but the tests date invoices without a date of issue in 2027.
  'schema-format--fires (near miss)': ['sii.operation_date /invoice/issue_data/operation_date'],
  // The authority accepts no simplified invoice over 3,000 euros.
  'simplified_limit_exceeded--fires-retail': ['sii.simplified_limit /invoice/totals/invoice_total'],
  // A foreign company must be identified in a record.
  'literal-company-elsewhere-without-vat-number': ['sii.counterparty /invoice/customer'],
  // A record names the counterparty by a tax id, also where the invoice need not.
  'customer-company-abroad-without-tax-id': ['sii.counterparty /invoice/customer'],
  'customer-person-without-tax-id': ['sii.counterparty /invoice/customer'],
  'customer_tax_id_missing--fires-corrective': ['sii.counterparty /invoice/customer'],
  'customer_tax_id_missing--fires-intra-community': ['sii.counterparty /invoice/customer'],
  'customer_tax_id_missing--fires-reverse-charge': ['sii.counterparty /invoice/customer'],
  'customer_tax_id_missing--fires-self-invoice': ['sii.counterparty /invoice/customer'],
  'customer_tax_id_missing--fires-spanish-company': ['sii.counterparty /invoice/customer'],
  'customer_tax_id_missing--fires-spanish-company (near miss)': ['sii.counterparty /invoice/customer'],
  'future_operation_date--fires': ['sii.operation_date /invoice/issue_data/operation_date'],
  // Drafts without issuer.
  'withholding_not_due--fires-without-tax-id': ['sii.holder_nif /invoice/supplier/tax_id'],
  'withholding_not_due--fires-without-tax-id (near miss)': ['sii.holder_nif /invoice/supplier/tax_id'],
  'company-without-id': ['sii.holder_nif /invoice/supplier/tax_id'],
  'company-of-wrong-types': ['sii.holder_nif /invoice/supplier/tax_id'],
}

interface Built {
  readonly name: string
  readonly book: 'ISSUED' | 'RECEIVED'
  readonly record: SiiRecord
  readonly invoice: CanonicalInvoice
}

/** The SII began in July 2017; the holidays for deadlines are known from 2023. */
const FIRST_RECORDS = '2017-07-01'
const FIRST_HOLIDAYS = '2023'

const built: Built[] = []
/** Records without their number, and their items. */
const answers = new Map<string, unknown>()
let refused: Record<string, string[]> = {}

const holderOf = ({ invoice, book }: Built) => {
  const { supplier, customer } = invoice.invoice
  const party = book === 'ISSUED' ? supplier : customer
  return { name: party?.name ?? 'A', nif: party?.tax_id ?? 'B12345674' }
}

const messageOf = (one: Built, operation: 'A0' | 'A1' | 'BAJA', record: SiiRecord = one.record) => {
  const result = submission({ book: one.book, operation, holder: holderOf(one), records: [record] })
  if (!result.ok) throw new Error(`${one.name}: ${JSON.stringify(result.items)}`)
  return result.message
}

describe('golden invoices as SII records', () => {
  beforeAll(() => {
    built.length = 0
    refused = {}
    answers.clear()
    for (const { name, invoice } of goldenInvoices()) {
      if (required(invoice.invoice.issue_data.issue_date) < FIRST_RECORDS) continue
      const issued = invoice.meta.direction === 'issued'
      const result = issued ? issuedRecord(invoice) : receivedRecord(invoice)
      if (result.ok)
        built.push({ name, book: issued ? 'ISSUED' : 'RECEIVED', record: result.record, invoice })
      else refused[name] = result.items.map((item) => `${item.code} ${item.path}`)
      const { IDFactura, ...what }: Loose = result.ok ? result.record : {}
      const { NumSerieFacturaEmisor, ...identity } = IDFactura ?? {}
      if (result.ok)
        answers.set(name, [identity, what, ...result.items.map((item) => `${item.code} ${item.path}`)])
    }
  })

  it('every invoice gives a record of its book', () => {
    const count = (book: string) => built.filter((one) => one.book === book).length
    const issued = count('ISSUED')
    const received = count('RECEIVED')
    const none = Object.keys(refused).length
    figure(`sii: ${issued} issued and ${received} received records valid, ${none} refused`)
    expect(refused).toEqual(REFUSED)
    expect(issued).toBeGreaterThan(100)
    expect(received).toBeGreaterThan(15)
  })

  it('every record matches golden-records.json', () => {
    const { written, found } = goldenLines(new URL('golden-records.json', import.meta.url), answers)
    expect(found).toEqual(written)
  })

  it('every record reads back from its XML equal, with and without the envelope', () => {
    for (const one of built)
      for (const soap of [false, true]) {
        const message = messageOf(one, 'A0')
        const reading = readSii(siiXml(message, { soap }))
        expect(reading, one.name).toEqual({ ok: true, root: message.root, value: message.value, items: [] })
      }
  })

  it.skipIf(!officialSchema)('every message is valid against the official schemas', () => {
    const validateXml = required(officialSchema)()
    for (const one of built) {
      const message = messageOf(one, 'A0')
      expect(validateXml(siiXml(message)), one.name).toEqual([])
      expect(validateXml(siiXml(message, { soap: true, indent: 2 })), one.name).toEqual([])
    }
  })

  it.skipIf(!officialSchema)('every record can be deleted', () => {
    const validateXml = required(officialSchema)()
    for (const one of built) {
      const deletion = deletionRecord(one.invoice)
      expect(deletion.ok, one.name).toBe(true)
      if (!deletion.ok) continue
      expect(deletion.record.PeriodoLiquidacion).toEqual((one.record as Loose).PeriodoLiquidacion)
      expect(validateXml(siiXml(messageOf(one, 'BAJA', deletion.record))), one.name).toEqual([])
    }
  })

  it('every invoice has a deadline on or after its date', () => {
    for (const { name, invoice } of built) {
      const { issue_date, receipt_date } = invoice.invoice.issue_data
      if (required(receipt_date ?? issue_date) < FIRST_HOLIDAYS) continue
      const { holidays_unknown, cap, counted_deadline, deadline } = required(deadlineOfInvoice(invoice))
      expect(holidays_unknown, name).toBe(false)
      if (cap === null || cap >= required(counted_deadline))
        expect(deadline > required(receipt_date ?? issue_date), name).toBe(true)
    }
  })

  it('building a record does not change the invoice', () => {
    for (const { name, invoice } of built) {
      const before = JSON.stringify(invoice)
      if (invoice.meta.direction === 'issued') issuedRecord(invoice)
      else receivedRecord(invoice)
      expect(JSON.stringify(invoice), name).toBe(before)
    }
  })
})
