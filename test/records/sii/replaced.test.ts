/** What the record of a correction by substitution takes back: what the record of the replaced invoice had. */
import { expect, it } from 'vitest'
import { issuedRecord, receivedRecord } from '#records/sii/index.ts'
import { setAll, setTo } from '../../put.ts'
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
  expect(amountsOf(receivedRecord(correction, { corrected: original }))).toEqual(['1100.00', '231.00'])
})

it('a paper that states the assessed tax is believed', () => {
  const correction = received([line(900, undefined, reversed)], replacing(1000, 100))
  expect(amountsOf(receivedRecord(correction))).toEqual(['1000.00', '100.00'])
})

it('the replaced invoice is decisive, whatever the correction states of it', () => {
  const original = received([line(1000, 21)])
  const correction = received([line(900, 21)], replacing(500, 105))
  expect(amountsOf(receivedRecord(correction))).toEqual(['500.00', '105.00'])
  expect(amountsOf(receivedRecord(correction, { corrected: original }))).toEqual(['1000.00', '210.00'])
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
  expect(amountsOf(receivedRecord(correction, { corrected: original }))).toEqual(['100.00', '21.00'])
})

it('these books do not have IPSI: the record of an issued invoice takes back its base alone', () => {
  const ipsi = setTo('issue_data/tax_group_code', 'IPSI')
  expect(amountsOf(issuedRecord(issued([line(900, 10)], replacing(1000, 100, ipsi))))).toEqual([
    '1000.00',
    '0.00',
  ])
})

it('a correction that changes the tax group takes back what the record of the other group had', () => {
  const ipsi = setTo('issue_data/tax_group_code', 'IPSI')
  const vat = issued([line(1000, 21)])
  const toIpsi = issued([line(900, 10)], replacing(1000, 210, ipsi))
  expect(itemsOf(issuedRecord(toIpsi))).toEqual([
    'sii.replaced_unknown /invoice/header/corrective/invoice_number',
  ])
  expect(amountsOf(issuedRecord(toIpsi, { corrected: vat }))).toEqual(['1000.00', '210.00'])
  const toVat = issued([line(900, 21)], replacing(1000, 100))
  expect(amountsOf(issuedRecord(toVat, { corrected: issued([line(1000, 10)], ipsi) }))).toEqual([
    '1000.00',
    '0.00',
  ])
  const bought = received([line(900, 10)], replacing(1000, 210, ipsi))
  expect(itemsOf(receivedRecord(bought))).toEqual([
    'sii.replaced_unknown /invoice/header/corrective/invoice_number',
  ])
})

it('a base without tax may have been self-assessed, which only the replaced invoice shows', () => {
  const correction = received([line(900, 21)], replacing(1000, 0))
  expect(itemsOf(receivedRecord(correction))).toEqual([
    'sii.replaced_unknown /invoice/header/corrective/invoice_number',
  ])
  const original = received([line(1000, undefined, reversed)])
  expect(amountsOf(receivedRecord(correction, { corrected: original }))).toEqual(['1000.00', '210.00'])
})

it('the correction of a ticket that did not name the company deducts nothing, even if it names it', () => {
  const ticket = received([line(100, 21)], setAll({ 'header/invoice_type_code': '02', customer: undefined }))
  const correction = received(
    [line(-10, 21)],
    setAll({
      'header/invoice_type_code': '04',
      'issue_data/issue_date': '2026-03-05',
      'header/corrective': {
        reason_code: '16',
        correction_type: 'D',
        invoice_number: 'A-77',
        invoice_issue_date: '2026-03-02',
      },
    }),
  )
  const deductible = (options = {}) =>
    (recordOf(receivedRecord(correction, options)) as Loose).FacturaRecibida.CuotaDeducible
  expect(deductible()).toBe('-2.10')
  expect(deductible({ corrected: ticket })).toBe('0.00')
})

it('the corrected invoice may be the result of validate, and must come from it', () => {
  const original = { is_valid: true, errors: [], data: received([line(1000, 21)]) } as const
  const correction = received([line(900, 21)], replacing(1000, 210))
  expect(amountsOf(receivedRecord(correction, { corrected: original }))).toEqual(['1000.00', '210.00'])
  expect(() => receivedRecord(correction, { corrected: { invoice: {} } as never })).toThrow(TypeError)
})
