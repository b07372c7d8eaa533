/** What the record of a correction by substitution takes back: what the record of the replaced invoice had. */
import { expect, it } from 'vitest'
import { issuedRecord, receivedRecord } from '../../src/sii/index.ts'
import { issued, itemsOf, type Loose, line, received, recordOf } from './invoices.ts'

const replacing =
  (base: number, tax: number, more?: (invoice: Loose) => void) =>
  (invoice: Loose): void => {
    invoice.header.invoice_type_code = '03'
    invoice.header.corrective = {
      reason_code: '16',
      correction_type: 'S',
      invoice_number: 'A-70',
      invoice_issue_date: '2026-02-02',
      corrected_taxable_base: base,
      corrected_tax_amount: tax,
    }
    more?.(invoice)
  }
const amountsOf = (result: Parameters<typeof recordOf>[0]) => {
  const { FacturaRecibida, FacturaExpedida }: Loose = recordOf(result)
  const { BaseRectificada, CuotaRectificada } = (FacturaRecibida ?? FacturaExpedida).ImporteRectificacion
  return [BaseRectificada, CuotaRectificada]
}
const reversed = { reverse_charge: true }

it('with two kinds of tax on the paper, what the recipient assessed follows only from the replaced invoice', () => {
  const original = received([line(1000, undefined, reversed), line(100, 21)])
  const correction = received([line(900, undefined, reversed), line(100, 21)], replacing(1100, 21))
  expect(itemsOf(receivedRecord(correction))).toEqual([
    'sii.replaced_unknown /invoice/header/corrective/invoice_number',
  ])
  expect(amountsOf(receivedRecord(correction, { replaced: original }))).toEqual(['1100.00', '231.00'])
})

it('a paper that states the assessed tax is believed', () => {
  const correction = received([line(900, undefined, reversed)], replacing(1000, 100))
  expect(amountsOf(receivedRecord(correction))).toEqual(['1000.00', '100.00'])
})

it('the replaced invoice is decisive, whatever the correction states of it', () => {
  const original = received([line(1000, 21)])
  const correction = received([line(900, 21)], replacing(500, 105))
  expect(amountsOf(receivedRecord(correction))).toEqual(['500.00', '105.00'])
  expect(amountsOf(receivedRecord(correction, { replaced: original }))).toEqual(['1000.00', '210.00'])
})

it('a part under a margin scheme is unknown without the replaced invoice', () => {
  const used = { tax_regime_key: '03', unit_price_without_tax: undefined, unit_price_with_tax: 500 }
  const priced = { unit_price_without_tax: undefined, unit_price_with_tax: 121 }
  const original = received([line(0, 21, used), line(0, 21, priced)])
  const correction = received(
    [line(0, 21, used), line(0, 21, { ...priced, unit_price_with_tax: 60.5 })],
    replacing(100, 21),
  )
  expect(itemsOf(receivedRecord(correction))).toEqual([
    'sii.replaced_unknown /invoice/header/corrective/invoice_number',
  ])
  expect(amountsOf(receivedRecord(correction, { replaced: original }))).toEqual(['100.00', '21.00'])
})

it('these books do not have IPSI: the record of an issued invoice takes back its base alone', () => {
  const ipsi = (invoice: Loose) => {
    invoice.issue_data.tax_group_code = 'IPSI'
  }
  expect(amountsOf(issuedRecord(issued([line(900, 10)], replacing(1000, 100, ipsi))))).toEqual([
    '1000.00',
    '0.00',
  ])
})
