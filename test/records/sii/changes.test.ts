/**
 * Invoices with one change each, and the codes that the builders of the SII's records then add and remove.
 * `UPDATE_GOLDEN=1 npx vitest run test/records/sii/changes.test.ts` writes the list.
 */
import { describe } from 'vitest'
import { issuedRecord, receivedRecord } from '#records/sii/index.ts'
import { type Alternatives, type Changeable, equalTo, type Outcome, testChanges } from '../../changes.ts'
import { goldenInvoices } from '../../engine/golden-invoices.ts'

const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  tax_regime_key: ['01', '02', '03', '05', '06', '07', '11', '14', '17'],
  tax_treatment_code: ['S1', 'S2', 'N1', 'N2', 'E1'],
  exemption_reason_code: ['E1', 'E2', 'E5'],
  non_taxable_reason: ['LOCATION_RULES', 'ARTICLES_7_14_OTHER'],
  tax_id: ['FR40303265045', '12345678Z', 'N1234567X', 'x'],
  country_code: ['ES', 'FR', 'US', 'GB'],
  person_type_code: ['F', 'J'],
  invoice_type_code: ['01', '02', '03', '05'],
  issue_date: ['2017-06-30', '2027-07-01', '2028-07-01'],
  operation_date: ['2026-12-31', '2028-01-01'],
  receipt_date: ['2026-12-31', '2028-01-01'],
  tax_group_code: ['IVA', 'IGIC', 'IPSI'],
  direction: ['received', 'issued'],
  period: ['2027-05', '2030-01'],
  deduct_in: ['2027-05', '2030-01'],
}

const ALTERNATIVES: Alternatives = {
  valuesOf(name, value) {
    if (typeof value === 'number')
      return [
        ['+ 0.5', Number((value + 0.5).toFixed(2))],
        ['+ 5000', Number((value + 5000).toFixed(2))],
        ['negated', -value],
      ]
    return equalTo(typeof value === 'boolean' ? [!value] : (VALUES[name] ?? []))
  },
  additions: {
    options: {
      period: ['2027-05', '2027-07', '2030-01'],
      counterparty_not_in_census: [true],
      corrects: [[{ invoice_number: 'S-1', issue_date: '2027-06-01' }]],
      corrected_surcharge_amount: [5.2],
      replaces: [[{ invoice_number: 'S-1', issue_date: '2027-06-01' }]],
      third_party: [true],
      without_recipient: [true],
      type: ['F6', 'LC'],
      registration_date: ['2027-06-01', '2027-07-15', '2030-01-01'],
      pro_rata: [0, 50, 101],
      deduct_in: ['2027-06', '2027-08', '2035-01'],
      fields: [{ BaseImponibleACoste: 100 }, { Cupon: 'S' }, { NumRegistroAcuerdoFacturacion: 'A' }],
    },
    issue_data: { operation_date: ['2026-12-31', '2028-01-01'], receipt_date: ['2027-06-15', '2027-07-15'] },
    taxes_outputs: {
      equivalence_surcharge: [5.2],
      equivalence_surcharge_amount: [5.2],
      tax_regime_key: ['02', '17'],
      exemption_reason_code: ['E1'],
    },
    lines: { deduction_rate: [0, 50], non_deductible_reason: ['x'] },
  },
}

/** Options of the other book are removed. */
const RECEIVED_ONLY = ['type', 'registration_date', 'pro_rata', 'deduct_in']
const ISSUED_ONLY = ['replaces', 'third_party', 'without_recipient']

function outcomeOf({ options = {}, ...invoice }: any): Outcome {
  const isReceived = invoice.meta?.direction === 'received'
  const own = Object.fromEntries(
    Object.entries(options).filter(([name]) => !(isReceived ? ISSUED_ONLY : RECEIVED_ONLY).includes(name)),
  )
  try {
    const built = isReceived ? receivedRecord(invoice, own) : issuedRecord(invoice, own)
    return { codes: new Set<string>(built.items.map(({ code }) => code)), isBlocked: !built.ok }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { codes: new Set(['TypeError']), isBlocked: true }
  }
}

describe('invoices with one change', () => {
  const documents = goldenInvoices().map(
    ({ name, invoice }): Changeable => ({ name, document: { options: {}, ...invoice }, outcomeOf }),
  )
  testChanges(new URL('codes-by-change.txt', import.meta.url), documents, ALTERNATIVES)
})
