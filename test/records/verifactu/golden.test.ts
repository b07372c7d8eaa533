/** Tests that every valid golden invoice becomes a record that matches the official schema and reads back equal. */

import { beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import {
  cancellationRecord,
  checkRecord,
  checkSubmission,
  type FiscalRecord,
  hashOf,
  type RegistroAlta,
  readVerifactu,
  recordXml,
  registrationRecord,
  submissionXml,
} from '#records/verifactu/index.ts'
import { goldenInvoices } from '../../engine/golden-invoices.ts'
import { goldenLines } from '../../engine/golden-lines.ts'
import { figure } from '../../figures.ts'
import { HEADER, SYSTEM } from './records.ts'
import { officialSchema } from './schema.ts'

const TIMESTAMP = '2027-06-30T12:00:00+02:00'

/** Invoices before this date have no records (error 1152) and are skipped. */
const FIRST_RECORDS = '2024-10-28'

/** Golden invoices that are valid as documents but that the authority would reject as records, with its code. */
const REFUSED: Readonly<Record<string, string>> = {
  // A surcharge of 3 % on 21 % is a warning of the engine, but a rejection by the authority.
  'equivalence_surcharge_unknown--fires': 'aeat.1162',
  // Likewise a surcharge without taxed lines.
  'equivalence_surcharge_unknown--fires-nothing-taxed': 'aeat.1170',
  // An intra-Community supply to a customer identified by a Spanish NIF.
  'recc_key_mismatch--fires-not-covered (near miss)': 'aeat.1289',
  // An operation of 2028, in a record of 2027.
  'schema-format--fires (near miss)': 'aeat.1173',
  // The authority accepts no simplified invoice over 3,000 euros.
  'simplified_limit_exceeded--fires-retail': 'aeat.1150',
  // A foreign company must be identified in a record.
  'literal-company-elsewhere-without-vat-number': 'record.recipient_unidentified',
  // A record names the recipient by a tax id, also where the invoice need not.
  'customer-company-abroad-without-tax-id': 'record.recipient_unidentified',
  'customer-person-without-tax-id': 'record.recipient_unidentified',
  'customer_tax_id_missing--fires-corrective': 'record.recipient_unidentified',
  'key-02-issued-withheld': 'aeat.1286',
  'customer_tax_id_missing--fires-intra-community': 'record.recipient_unidentified',
  'customer_tax_id_missing--fires-reverse-charge': 'record.recipient_unidentified',
  'customer_tax_id_missing--fires-self-invoice': 'record.recipient_unidentified',
  'customer_tax_id_missing--fires-spanish-company': 'record.recipient_unidentified',
  'customer_tax_id_missing--fires-spanish-company (near miss)': 'record.recipient_unidentified',
  // What the engine advises against, the authority rejects.
  'export_not_exempt--fires': 'aeat.1286',
  'export_not_exempt--fires-zero-rate': 'aeat.1286',
  'intra_community_supply_outside_eu--fires-spain': 'aeat.1289',
  'intra_community_supply_outside_eu--fires-spanish-tax-id': 'aeat.1289',
  'future_operation_date--fires': 'aeat.1125',
  // Drafts without issuer.
  'withholding_not_due--fires-without-tax-id': 'record.issuer_nif',
  'withholding_not_due--fires-without-tax-id (near miss)': 'record.issuer_nif',
  'company-without-id': 'record.issuer_nif',
  'company-of-wrong-types': 'record.issuer_nif',
}

describe('golden invoices as fiscal records', () => {
  const records: { RegistroAlta: RegistroAlta }[] = []
  const refused = new Map<string, string[]>()
  /** Records without the fields that depend on the chain, and their items. */
  const answers = new Map<string, unknown>()
  beforeAll(() => {
    records.length = 0
    refused.clear()
    answers.clear()
    // One chain for each taxpayer.
    const last = new Map<string, FiscalRecord>()
    for (const { name, invoice } of goldenInvoices()) {
      if (invoice.meta.direction !== 'issued') continue
      if (required(invoice.invoice.issue_data.issue_date) < FIRST_RECORDS) continue
      const issuer = invoice.invoice.supplier.tax_id ?? ''
      const previous = last.get(issuer) ?? null
      const result = registrationRecord(invoice, { system: SYSTEM, previous, timestamp: TIMESTAMP })
      if (!result.ok) {
        refused.set(
          name,
          result.items.map((item) => `${item.code} ${item.message}`),
        )
        continue
      }
      const { IDVersion, IDFactura, RefExterna, Encadenamiento, SistemaInformatico, ...own } =
        result.record.RegistroAlta
      const { FechaHoraHusoGenRegistro, TipoHuella, Huella, ...what } = own
      answers.set(name, [what, ...result.items.map((item) => `${item.code} ${item.path}`)])
      records.push(result.record)
      last.set(issuer, result.record)
    }
  })

  it('every invoice gives a record, except those that the authority would reject', () => {
    figure(`${records.length} golden invoices registered, ${refused.size} refused`)
    expect(
      Object.fromEntries([...refused].map(([name, items]) => [name, required(items[0]).split(' ')[0]])),
    ).toEqual(REFUSED)
    expect(records.length).toBeGreaterThan(150)
  })

  it('every record matches golden-records.json', () => {
    const { written, found } = goldenLines(new URL('golden-records.json', import.meta.url), answers)
    expect(found).toEqual(written)
  })

  it('every record passes the authority’s checks and carries its own hash', () => {
    for (const record of records) {
      expect(checkRecord(record)).toEqual([])
      expect(record.RegistroAlta.Huella).toBe(hashOf(record))
    }
  })

  it('every record reads back from its XML equal', () => {
    for (const record of records) {
      const reading = readVerifactu(recordXml(record))
      expect(reading.items).toEqual([])
      expect({ RegistroAlta: reading.document?.value }).toEqual(record)
    }
  })

  it.skipIf(!officialSchema)('every XML is valid against the official schema', async () => {
    const validateXml = required(officialSchema)()
    for (const record of records) {
      expect(validateXml(recordXml(record))).toEqual([])
      expect(
        validateXml(submissionXml({ Cabecera: HEADER, RegistroFactura: [record] }, { indent: 2 })),
      ).toEqual([])
      const cancelled = cancellationRecord(record, {
        system: SYSTEM,
        previous: record,
        timestamp: TIMESTAMP,
      })
      expect(cancelled.items).toEqual([])
      expect(validateXml(recordXml(required(cancelled.record)))).toEqual([])
    }
  })

  it('all records in one message pass the checks of a message', () => {
    const own = records.filter((record) => record.RegistroAlta.IDFactura.IDEmisorFactura === 'B12345674')
    expect(checkSubmission({ Cabecera: HEADER, RegistroFactura: own })).toEqual([])
  })
})
