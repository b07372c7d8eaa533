/** Tests that the reference's sample messages are read, written back, and built again from invoices. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import {
  collectionRecord,
  deletionRecord,
  issuedRecord,
  paymentRecord,
  readResponse,
  readSii,
  receivedRecord,
  siiXml,
  submission,
} from '#records/sii/index.ts'
import { setAll, setTo } from '../../put.ts'
import { HOLDER, issued, type Loose, line, messageOf, received, recordOf } from './invoices.ts'
import { officialSchema, samples } from './schema.ts'

const names = Object.keys(samples)
const missing = names.length === 0

const sample = (name: string): Loose => {
  const read = readSii(required(samples[name]))
  if (!read.ok) throw new Error(JSON.stringify(read.items))
  return read
}

/** Returns the only record of a sample. */
const recordIn = (name: string): Loose => {
  const { value } = sample(name)
  const [list] = required(Object.entries(value).find(([key]) => key.startsWith('Registro'))).slice(1) as [
    Loose[],
  ]
  expect(list).toHaveLength(1)
  return list[0]
}

describe.skipIf(missing)('samples of the reference', () => {
  it.each(names)('%s is read, and written back equal and valid', (name) => {
    const { root, value, items } = sample(name)
    expect(items).toEqual([])
    const xml = siiXml({ root, value }, { soap: true })
    expect(readSii(xml)).toEqual({ ok: true, root, value, items: [] })
    expect(officialSchema?.()(xml)).toEqual([])
    expect(xml.replace(/\s+/g, '')).toContain(
      required(
        required(samples[name])
          .replace(/\s+/g, '')
          .split(/<sii[LR]*:Cabecera>/)[1],
      ).replace(/<\/[^>]*>$/, ''),
    )
  })

  const built = (lines: readonly object[], values: Readonly<Record<string, unknown>>) =>
    recordOf(issuedRecord(issued(lines, setAll(values))))
  const description = (text: string) => setTo('issue_data/invoice_description', text)

  it('issued-f1-domestic: rates with equivalence surcharge', () => {
    const record = built([line(100, 10), line(200, 21)], {
      'issue_data/invoice_description': 'Venta con recargo de equivalencia',
      taxes_outputs: [
        { tax_rate: 10, taxable_base: 100, tax_amount: 10, equivalence_surcharge: 1.4 },
        { tax_rate: 21, taxable_base: 200, tax_amount: 42, equivalence_surcharge: 5.2 },
      ],
    })
    expect(record).toEqual(recordIn('issued-f1-domestic'))
  })

  it('issued-f1-foreign-by-operation: services not subject, goods exempt', () => {
    const lines = [
      line(100, undefined, { item_type: 'service', non_taxable_reason: 'LOCATION_RULES' }),
      line(200, undefined, { item_type: 'goods', exemption_reason_code: 'E5' }),
    ]
    const record = built(lines, {
      'header/invoice_number': 'F2026/0002',
      'issue_data/invoice_description': 'Bienes y servicios a cliente UE',
      customer: { person_type_code: 'J', name: 'KUNDE GMBH', tax_id: 'DE136695976', country_code: 'DE' },
    })
    expect(record).toEqual(recordIn('issued-f1-foreign-by-operation'))
  })

  it('issued-f1-reverse-charge: S2 with rate and tax 0', () => {
    const record = built([line(6000, 21, { reverse_charge: true })], {
      'header/invoice_number': 'F2026/0003',
      'issue_data/invoice_description': 'Ejecucion de obra',
    })
    expect(record).toEqual(recordIn('issued-f1-reverse-charge'))
  })

  it('issued-f2-simplified: no counterparty', () => {
    const record = built([line(100, 21)], {
      header: { invoice_type_code: '02', invoice_number: 'T2026/0001' },
      'issue_data/invoice_description': 'Venta mostrador',
      customer: undefined,
    })
    expect(record).toEqual(recordIn('issued-f2-simplified'))
  })

  it('issued-key17-oss: without the foreign tax', () => {
    const shop = {
      tax_regime_key: '17',
      tax_treatment_code: 'NON_TAXABLE',
      consumption_country_code: 'FR',
      consumption_tax_rate: 20,
      consumption_rate_type: 'standard',
      supply_type: 'goods',
    }
    const invoice = issued(
      [line(100, undefined, shop)],
      setAll({
        header: { invoice_type_code: '02', invoice_number: 'T2026/0002' },
        'issue_data/invoice_description': 'Venta a distancia a Francia',
        customer: undefined,
      }),
    )
    expect(invoice.invoice.totals.invoice_total).toBe(120)
    expect(recordOf(issuedRecord(invoice))).toEqual(recordIn('issued-key17-oss'))
  })

  it('issued-r1-differences: the sample plus the date of the corrected operation', () => {
    const invoice = issued(
      [line(-20, 21)],
      setAll({
        header: {
          invoice_type_code: '03',
          invoice_number: 'R2026/0001',
          corrective: {
            reason_code: '20',
            correction_type: 'D',
            invoice_number: 'F2026/0001',
            invoice_issue_date: '2026-03-10',
          },
        },
        issue_data: { issue_date: '2026-03-20', invoice_description: 'Descuento posterior' },
      }),
    )
    const expected = recordIn('issued-r1-differences')
    expected.FacturaExpedida.FechaOperacion = '10-03-2026'
    expect(recordOf(issuedRecord(invoice))).toEqual(expected)
  })

  it('issued-r1-substitution: with the amounts of the original', () => {
    const invoice = issued(
      [line(180, 21)],
      setAll({
        header: {
          invoice_type_code: '03',
          invoice_number: 'R2026/0002',
          corrective: {
            reason_code: '16',
            correction_type: 'S',
            invoice_number: 'F2026/0004',
            invoice_issue_date: '2026-03-10',
            corrected_taxable_base: 200,
            corrected_tax_amount: 42,
          },
        },
        issue_data: { issue_date: '2026-03-20', invoice_description: 'Sustituye a F2026/0004' },
      }),
    )
    const expected = recordIn('issued-r1-substitution')
    expected.FacturaExpedida.FechaOperacion = '10-03-2026'
    expect(recordOf(issuedRecord(invoice))).toEqual(expected)
  })

  const purchase = [line(100, 10), line(200, 21)]
  const reversed = purchase.map((one) => ({ ...one, reverse_charge: true }))

  it('received-f1: pro rata of 20 %', () => {
    const record = recordOf(receivedRecord(received(purchase), { pro_rata: 20 }))
    expect(record).toEqual(recordIn('received-f1'))
  })

  it('received-reverse-charge: tax at the rates of the lines, included in the total', () => {
    expect(recordOf(receivedRecord(received(reversed)))).toEqual(recordIn('received-reverse-charge'))
  })

  const european = setTo('supplier', {
    person_type_code: 'J',
    name: 'PROVEEDOR SL',
    tax_id: 'DE136695976',
    country_code: 'DE',
  })

  it('received-key09-intracommunity: ordinary breakdown, key 09', () => {
    const record = recordOf(receivedRecord(received(reversed, european)))
    expect(record).toEqual(recordIn('received-key09-intracommunity'))
  })

  it('received-dua-f5: the company as supplier, plus the total, which the sample omits', () => {
    const invoice = received([line(1000, 21)], (one) => {
      one.supplier = { person_type_code: 'J', name: 'Acme Inc.', tax_id: '98-7654321', country_code: 'US' }
      one.header.invoice_number = '26ES00281130012345'
      Object.assign(one.issue_data, { issue_date: '2026-03-04', is_dua: true })
      description('Importacion de bienes')(one)
    })
    const expected = recordIn('received-dua-f5')
    expected.FacturaRecibida.ImporteTotal = '1210.00'
    expect(recordOf(receivedRecord(invoice))).toEqual(expected)
  })

  it('issued-deletion and received-deletion', () => {
    expect(recordOf(deletionRecord(issued([line(1, 21)])))).toEqual(recordIn('issued-deletion'))
    expect(recordOf(deletionRecord(received([line(1, 21)])))).toEqual(recordIn('received-deletion'))
  })

  const cash = { tax_regime_key: '07' }

  it('issued-collections-recc: a transfer, and the forced accrual', () => {
    const invoice = issued([line(1000, 21, cash)], setTo('header/invoice_number', 'F2026/0007'))
    const collections = [
      { date: '2026-04-15', amount: 605, payment_method_code: '04', account: 'ES9121000418450200051332' },
      { date: '2027-12-31', amount: 605, account: 'never sent', forced_accrual: true },
    ]
    expect(recordOf(collectionRecord(invoice, collections))).toEqual(recordIn('issued-collections-recc'))
  })

  it('received-payments-recc: a payment and its correction', () => {
    const invoice = received(purchase.map((one) => ({ ...one, ...cash })))
    const payments = [
      { date: '2026-04-15', amount: 352, payment_method_code: '04' },
      { date: '2026-04-20', amount: -52 },
    ]
    expect(recordOf(paymentRecord(invoice, payments))).toEqual(recordIn('received-payments-recc'))
  })

  it('whole messages equal the samples', () => {
    const invoice = issued(
      [line(6000, 21, { reverse_charge: true })],
      setAll({
        'header/invoice_number': 'F2026/0003',
        'issue_data/invoice_description': 'Ejecucion de obra',
      }),
    )
    const records = [recordOf(issuedRecord(invoice))]
    const message = messageOf(submission({ book: 'ISSUED', operation: 'A0', holder: HOLDER, records }))
    const { root, value } = sample('issued-f1-reverse-charge')
    expect(message).toEqual({ root, value })

    const deletion = [recordOf(deletionRecord(received([line(1, 21)])))]
    const taken = messageOf(
      submission({ book: 'RECEIVED', operation: 'BAJA', holder: HOLDER, records: deletion }),
    )
    expect(taken).toEqual({
      root: sample('received-deletion').root,
      value: sample('received-deletion').value,
    })
  })

  it('response-partially-correct: the outcome and next step of each line', () => {
    const read = readResponse(required(samples['response-partially-correct']))
    expect(read).toMatchObject({
      ok: true,
      response: {
        book_type: 'ISSUED',
        operation_type: 'A0',
        global_status: 'partially_accepted',
        aeat_state: 'ParcialmenteCorrecto',
        csv: 'TESTCSV0000000001',
        presenter_nif: 'B12345674',
        presented_at: '2026-03-12T10:15:30',
        holder: HOLDER,
        lines: [
          {
            issuer_id: 'B12345674',
            invoice_number: 'F2026/0001',
            issue_date: '2026-03-10',
            aeat_record_state: 'Correcto',
            item_status: 'accepted',
            error_code: null,
            duplicate: null,
            next: 'none',
          },
          {
            aeat_record_state: 'AceptadoConErrores',
            item_status: 'accepted_with_errors',
            error_code: '2011',
            next: 'modify',
          },
          {
            item_status: 'rejected',
            error_code: '3000',
            error_description: 'Factura duplicada',
            duplicate: { aeat_record_state: 'Correcta', item_status: 'accepted', error_code: null },
            next: 'adopt',
          },
        ],
      },
    })
  })
})
