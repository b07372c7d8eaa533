/** Tests of the book of received invoices: breakdown, self-assessed tax, deduction. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { receivedRecord } from '#records/sii/index.ts'
import { setAll, setTo } from '../../put.ts'
import { inputDetail, issued, itemsOf, type Loose, line, received, recordOf } from './invoices.ts'

type Change = (invoice: Loose, document: Loose) => void

const whole = (lines: readonly object[], change?: Change, options = {}): Loose =>
  recordOf(receivedRecord(received(lines, change), options))
const of = (lines: readonly object[], change?: Change, options = {}): Loose =>
  whole(lines, change, options).FacturaRecibida
const refusal = (invoice: Loose, options = {}) => itemsOf(receivedRecord(invoice, options))

const GERMAN = { person_type_code: 'J', name: 'LIEFERANT GMBH', tax_id: 'DE136695976', country_code: 'DE' }
const AMERICAN = { person_type_code: 'J', name: 'ACME', tax_id: '98-7654321', country_code: 'US' }
const supplier = (party: object): Change => setTo('supplier', party)
const reversed = (price: number, rate?: number, more = {}) =>
  line(price, rate, { reverse_charge: true, ...more })

describe('type', () => {
  const typeOf = (lines: readonly object[], change?: Change, options = {}) =>
    of(lines, change, options).TipoFactura
  const header =
    (more: object): Change =>
    (invoice) => {
      Object.assign(invoice.header, more)
    }

  it('is F1 for 01 and 05, F2 for 02 without recipient, R1 to R5 for 03 and 04', () => {
    expect(typeOf([line(1, 21)])).toBe('F1')
    expect(typeOf([line(1, 21)], header({ invoice_type_code: '05' }))).toBe('F1')
    const anonymous: Change = (block, document) => {
      header({ invoice_type_code: '02' })(block, document)
      delete block.customer
    }
    expect(typeOf([line(1, 21)], anonymous)).toBe('F2')
    expect(of([line(1, 21)], anonymous).CuotaDeducible).toBe('0.00')
    const corrective = { reason_code: '22', correction_type: 'D' }
    expect(typeOf([line(-1, 21)], header({ invoice_type_code: '03', corrective }))).toBe('R2')
    expect(typeOf([line(-1, 21)], header({ invoice_type_code: '04', corrective }))).toBe('R5')
  })

  it('is F1 with the mark of arts. 7.2 and 7.3 for a simplified invoice that names the company', () => {
    const record = of([line(100, 21)], header({ invoice_type_code: '02' }))
    expect([
      record.TipoFactura,
      record['FacturaSimplificadaArticulos7.2_7.3'],
      record.CuotaDeducible,
    ]).toEqual(['F1', 'S', '21.00'])
    const unmarked = of([line(100, 21)])
    expect(unmarked).not.toHaveProperty('FacturaSimplificadaArticulos7.2_7.3')
  })

  it('F6, LC and F5 by differences state no correction; they cannot replace an invoice', () => {
    const corrective = (correction_type: string) =>
      header({ invoice_type_code: '03', corrective: { correction_type } })
    const record = of([line(-1, 21)], corrective('D'), { type: 'F6' })
    expect(record.TipoFactura).toBe('F6')
    expect(record.TipoRectificativa).toBeUndefined()
    for (const options of [{ type: 'F6' }, { type: 'LC' }] as const) {
      const { items }: Loose = receivedRecord(received([line(1, 21)], corrective('S')), options)
      expect(items.map(({ code }: Loose) => code)).toEqual(['sii.replaced_type'])
    }
    const customs: Change = (block, document) => {
      corrective('S')(block, document)
      block.issue_data.is_dua = true
    }
    const { items }: Loose = receivedRecord(received([line(1, 21)], customs))
    expect(items.map(({ code }: Loose) => code)).toEqual(['sii.replaced_type'])
  })

  it('is R4 by differences for a corrective without details', () => {
    const record = of([line(-1, 21)], header({ invoice_type_code: '03' }))
    expect(record.TipoFactura).toBe('R4')
    expect(record.TipoRectificativa).toBe('I')
    expect(record.FacturasRectificadas).toBeUndefined()
  })

  it('a substitution states the amounts of the original', () => {
    const corrective = {
      reason_code: '11',
      correction_type: 'S',
      invoice_number: 'A-70',
      invoice_issue_date: '2026-02-02',
      corrected_taxable_base: 100,
      corrected_tax_amount: 21,
    }
    expect(of([line(80, 21)], header({ invoice_type_code: '03', corrective }))).toMatchObject({
      TipoFactura: 'R1',
      TipoRectificativa: 'S',
      ImporteRectificacion: { BaseRectificada: '100.00', CuotaRectificada: '21.00' },
      FechaOperacion: '02-02-2026',
    })
  })

  it('F5 of imports and LC of settlements have the company as supplier', () => {
    const dua: Change = setAll({ supplier: AMERICAN, 'issue_data/is_dua': true })
    const company = { NombreRazon: 'EMPRESA DE PRUEBAS SL', NIF: 'B12345674' }
    const imported = whole([line(100, 21)], dua)
    expect(imported.FacturaRecibida.TipoFactura).toBe('F5')
    expect(imported.FacturaRecibida.Contraparte).toEqual(company)
    expect(imported.IDFactura.IDEmisorFactura).toEqual({ NIF: 'B12345674' })
    const settled = whole([line(100, 21)], supplier(AMERICAN), { type: 'LC' })
    expect(settled.FacturaRecibida.TipoFactura).toBe('LC')
    expect(settled.IDFactura.IDEmisorFactura).toEqual({ NIF: 'B12345674' })
  })

  it('is F6 for compensation to farmers and for documents that are not invoices', () => {
    const farmer = line(100, 12, { tax_regime_key: '02' })
    const record = of([farmer])
    expect(record.TipoFactura).toBe('F6')
    expect(record.ClaveRegimenEspecialOTrascendencia).toBe('02')
    expect(record.DesgloseFactura.DesgloseIVA.DetalleIVA).toEqual([
      { BaseImponible: '100.00', PorcentCompensacionREAGYP: '12', ImporteCompensacionREAGYP: '12.00' },
    ])
    expect(record.CuotaDeducible).toBe('12.00')
    expect(typeOf([line(500, 21), farmer])).toBe('F6')
    expect(
      typeOf([line(1, undefined, { non_taxable_reason: 'ARTICLES_7_14_OTHER' })], undefined, { type: 'F6' }),
    ).toBe('F6')
  })
})

describe('breakdown', () => {
  const ordinary = (record: Loose) => record.DesgloseFactura.DesgloseIVA?.DetalleIVA
  const self = (record: Loose) => record.DesgloseFactura.InversionSujetoPasivo?.DetalleIVA

  it('merges exempt and not subject amounts into details with only a base', () => {
    const lines = [
      line(100, 21),
      line(50, undefined, { exemption_reason_code: 'E1' }),
      line(30, undefined, { non_taxable_reason: 'LOCATION_RULES' }),
    ]
    expect(ordinary(of(lines))).toEqual([inputDetail('100.00', '21.00'), { BaseImponible: '80.00' }])
  })

  it('keeps investment goods in a marked detail', () => {
    const lines = [line(100, 21), line(900, 21, { item_type: 'investment_good' })]
    expect(ordinary(of(lines))).toEqual([
      inputDetail('100.00', '21.00'),
      { TipoImpositivo: '21', BaseImponible: '900.00', CuotaSoportada: '189.00', BienInversion: 'S' },
    ])
  })

  it('keeps exempt investment goods among the other bases', () => {
    const exempt = { exemption_reason_code: 'E1' }
    const lines = [
      line(50, undefined, exempt),
      line(900, undefined, { ...exempt, item_type: 'investment_good' }),
    ]
    expect(ordinary(of(lines))).toEqual([{ BaseImponible: '950.00' }])
  })

  it('shares the surcharges of goods among their deductions', () => {
    const lines = [line(60, 21), line(40, 21, { item_type: 'investment_good', deduction_rate: 50 })]
    const entry = (taxable_base: number, equivalence_surcharge: number) => ({
      tax_rate: 21,
      taxable_base,
      tax_amount: taxable_base * 0.21,
      equivalence_surcharge,
    })
    const detail = (base: string, tax: string, rate: string, surcharge: string, more = {}) => ({
      TipoImpositivo: '21',
      BaseImponible: base,
      CuotaSoportada: tax,
      TipoRecargoEquivalencia: rate,
      CuotaRecargoEquivalencia: surcharge,
      ...more,
    })
    const goods = { BienInversion: 'S' }
    // 5.2 % is the general surcharge, 1.75 % that of tobacco.
    const split = of(lines, setTo('taxes_outputs', [entry(70, 5.2), entry(30, 1.75)]))
    expect(ordinary(split)).toEqual([
      detail('42.00', '8.82', '5.2', '2.18'),
      detail('28.00', '5.88', '5.2', '1.46', goods),
      detail('18.00', '3.78', '1.75', '0.32'),
      detail('12.00', '2.52', '1.75', '0.21', goods),
    ])
    // Who is charged the surcharge deducts nothing (art. 154.Dos Ley 37/1992).
    expect(split.CuotaDeducible).toBe('0.00')
    const returned = of(
      [line(40, 21), line(-40, 21, { item_type: 'investment_good' })],
      setTo('taxes_outputs', [entry(0, 5.2)]),
    )
    expect(ordinary(returned)).toEqual([
      detail('40.00', '8.40', '5.2', '2.08'),
      detail('-40.00', '-8.40', '5.2', '-2.08', goods),
    ])
  })

  it('states the surcharge with its rate', () => {
    const record = of(
      [line(100, 21)],
      setTo('taxes_outputs', [
        { tax_rate: 21, taxable_base: 100, tax_amount: 21, equivalence_surcharge: 5.2 },
      ]),
    )
    expect(ordinary(record)).toEqual([
      {
        TipoImpositivo: '21',
        BaseImponible: '100.00',
        CuotaSoportada: '21.00',
        TipoRecargoEquivalencia: '5.2',
        CuotaRecargoEquivalencia: '5.20',
      },
    ])
    expect(record.CuotaDeducible).toBe('0.00')
  })

  it('states no surcharge for an entry with a surcharge of 0 %', () => {
    const record = of(
      [line(100, 21)],
      setTo('taxes_outputs', [{ tax_rate: 21, taxable_base: 100, tax_amount: 21, equivalence_surcharge: 0 }]),
    )
    expect(ordinary(record)).toEqual([inputDetail('100.00', '21.00')])
  })

  it('taxes a reverse charge at the line’s rate, else 21, in the total and deductible', () => {
    const record = of([reversed(100, 10), reversed(50), reversed(5, 0), line(7, 4)], supplier(AMERICAN))
    expect(self(record)).toEqual([inputDetail('100.00', '10.00', '10'), inputDetail('55.00', '11.55')])
    expect(ordinary(record)).toEqual([inputDetail('7.00', '0.28', '4')])
    expect(record.ImporteTotal).toBe('183.83')
    expect(record.CuotaDeducible).toBe('21.83')
    expect(record.ClaveRegimenEspecialOTrascendencia).toBe('01')
  })

  it('puts an acquisition from another member state under key 09 in the ordinary breakdown', () => {
    const record = of([reversed(100, 21), line(10, 21)], supplier(GERMAN))
    expect(record.ClaveRegimenEspecialOTrascendencia).toBe('09')
    expect(record.ClaveRegimenEspecialOTrascendenciaAdicional1).toBe('01')
    expect(self(record)).toBeUndefined()
    expect(ordinary(record)).toEqual([inputDetail('110.00', '23.10')])
    expect(record.ImporteTotal).toBe('133.10')
  })

  it('treats what a European supplier calls exempt, or located in Spain, as an acquisition under key 09 with tax', () => {
    const supply = (price: number, more = {}) =>
      line(price, undefined, { exemption_reason_code: 'E5', ...more })
    const service = line(50, undefined, { non_taxable_reason: 'LOCATION_RULES', deduction_rate: 50 })
    const record = of([supply(100), service, reversed(10, 10)], supplier(GERMAN))
    expect(record.ClaveRegimenEspecialOTrascendencia).toBe('09')
    expect(record.ClaveRegimenEspecialOTrascendenciaAdicional1).toBeUndefined()
    expect(self(record)).toBeUndefined()
    expect(ordinary(record)).toEqual([inputDetail('150.00', '31.50'), inputDetail('10.00', '1.00', '10')])
    expect(record.ImporteTotal).toBe('192.50')
    expect(record.CuotaDeducible).toBe('27.25')
    const rated: Loose = received(
      [supply(100), supply(200, { item_type: 'investment_good' })],
      supplier(GERMAN),
    )
    rated.invoice.lines[0].tax_output_rate = 4
    expect(ordinary(recordOf(receivedRecord(rated)).FacturaRecibida)).toEqual([
      inputDetail('100.00', '4.00', '4'),
      { TipoImpositivo: '21', BaseImponible: '200.00', CuotaSoportada: '42.00', BienInversion: 'S' },
    ])
  })

  it('states only a base for other suppliers and other exemptions', () => {
    const located = line(50, undefined, { non_taxable_reason: 'LOCATION_RULES' })
    expect(ordinary(of([located], supplier(AMERICAN)))).toEqual([{ BaseImponible: '50.00' }])
    expect(ordinary(of([located]))).toEqual([{ BaseImponible: '50.00' }])
    for (const more of [{ exemption_reason_code: 'E1' }, { non_taxable_reason: 'ARTICLES_7_14_OTHER' }]) {
      const record = of([line(50, undefined, more)], supplier(GERMAN))
      expect(ordinary(record)).toEqual([{ BaseImponible: '50.00' }])
      expect(record.ClaveRegimenEspecialOTrascendencia).toBe('01')
      expect(record.CuotaDeducible).toBe('0.00')
    }
  })

  it('assesses the tax under a sent key 09 unless the acquisition itself is exempt', () => {
    const keyed = (more: object) =>
      of([line(100, undefined, { tax_regime_key: '09', ...more })], supplier(GERMAN))
    const taxed = [inputDetail('100.00', '21.00')]
    for (const exemption_reason_code of ['E2', 'E5', 'E6']) {
      const record = keyed({ exemption_reason_code })
      expect(ordinary(record)).toEqual(taxed)
      expect(record.ImporteTotal).toBe('121.00')
      expect(record.CuotaDeducible).toBe('21.00')
    }
    for (const non_taxable_reason of ['LOCATION_RULES', 'ARTICLES_7_14_OTHER'])
      expect(ordinary(keyed({ non_taxable_reason }))).toEqual(taxed)
    for (const exemption_reason_code of ['E1', 'E3', 'E4'])
      expect(ordinary(keyed({ exemption_reason_code }))).toEqual([{ BaseImponible: '100.00' }])
  })

  it('does not assess tax that a European supplier charged under key 09, and keeps any other sent key', () => {
    const charged = of([line(100, 21, { tax_regime_key: '09' })], supplier(GERMAN))
    expect(charged.ClaveRegimenEspecialOTrascendencia).toBe('09')
    expect(charged.ImporteTotal).toBe('121.00')
    expect(charged.CuotaDeducible).toBe('21.00')
    const cash = of([reversed(100, 21, { tax_regime_key: '07' })], supplier(GERMAN))
    expect(cash.ClaveRegimenEspecialOTrascendencia).toBe('07')
    expect(self(cash)).toEqual([inputDetail('100.00', '21.00')])
  })

  it('accepts foreign rates of other taxes, of margin schemes, and of suppliers out of the census', () => {
    const ipsi: Change = setAll({ supplier: AMERICAN, 'issue_data/tax_group_code': 'IPSI' })
    expect(refusal(received([line(100, 8)], ipsi))).toEqual([])
    const taxed = { tax_treatment_code: 'TAXABLE_NON_EXEMPT' }
    expect(refusal(received([line(100, 0, taxed)], supplier(AMERICAN)))).toEqual([])
    const used = { item_description: 'Guitarra', quantity: 1, unit_price_with_tax: 500, tax_regime_key: '03' }
    expect(refusal(received([{ ...used, tax_output_rate: 0, ...taxed }], supplier(GERMAN)))).toEqual([])
    const unknown = received([line(100, 19)], undefined, ['tax_rate_unknown'])
    expect(refusal(unknown, { counterparty_not_in_census: true })).toEqual([])
  })

  it('looks up the rate of a foreign supplier on the day of the operation', () => {
    // Food was taxed at 2 % in the last quarter of 2024.
    const food: Change = setAll({
      supplier: GERMAN,
      issue_data: { issue_date: '2025-01-10', operation_date: '2024-12-20' },
    })
    expect(refusal(received([line(100, 2)], food))).toEqual([])
  })

  it('refuses foreign tax: a rate that Spain does not have, and 0 % from another member state', () => {
    const path = ['sii.foreign_tax /invoice/taxes_outputs/0/tax_rate']
    const german = received([line(100, 19)], supplier(GERMAN), ['tax_rate_unknown'])
    expect(refusal(german)).toEqual(path)
    expect(refusal(received([line(100, 19)], supplier(AMERICAN), ['tax_rate_unknown']))).toEqual(path)
    const taxed = line(100, 0, { tax_treatment_code: 'TAXABLE_NON_EXEMPT' })
    expect(refusal(received([taxed], supplier(GERMAN)))).toEqual(path)
    // 0 % without treatment is an acquisition: validate reads it as not subject by location.
    expect(of([line(100, 0)], supplier(GERMAN)).ClaveRegimenEspecialOTrascendencia).toBe('09')
    expect(of([line(100, 0, { tax_regime_key: '09' })], supplier(GERMAN)).CuotaDeducible).toBe('21.00')
    const result = receivedRecord(german)
    expect(result.ok === false && required(result.items[0]).message).toMatch(
      /^A tax rate of 19 % .*not Spanish VAT.*reverse_charge/,
    )
    // A past rate does not exist today.
    const past = received([line(100, 16)], supplier(GERMAN), ['tax_rate_unknown'])
    expect(refusal(past)).toEqual(path)
    expect(refusal(received([line(100, 21)], supplier(GERMAN)))).toEqual([])
    const dua = received([line(100, 21)], setAll({ supplier: GERMAN, 'issue_data/is_dua': true }))
    expect(refusal(dua)).toEqual([])
  })

  it('keeps key 01 for Spanish tax charged by a European supplier', () => {
    const record = of([line(100, 21)], supplier(GERMAN))
    expect(record.ClaveRegimenEspecialOTrascendencia).toBe('01')
    expect(record.Contraparte.IDOtro).toEqual({ IDType: '02', ID: 'DE136695976' })
  })

  it('states base, tax and deduction 0 for a margin scheme, with the price in the total', () => {
    const used = {
      item_description: 'Guitarra',
      quantity: 1,
      unit_price_with_tax: 500,
      tax_output_rate: 21,
      tax_regime_key: '03',
    }
    const record = of([used])
    expect(ordinary(record)).toEqual([inputDetail('0.00', '0.00', '0')])
    expect(record.CuotaDeducible).toBe('0.00')
    expect(record.ImporteTotal).toBe('500.00')
    const surcharged = of(
      [used],
      setTo('taxes_outputs', [
        {
          tax_rate: 21,
          taxable_base: 413.22,
          tax_amount: 86.78,
          equivalence_surcharge: 5.2,
          tax_regime_key: '03',
        },
      ]),
    )
    expect(ordinary(surcharged)).toEqual(ordinary(record))
    const exempt = line(500, undefined, { tax_regime_key: '05', exemption_reason_code: 'E1' })
    expect(ordinary(of([exempt]))).toEqual([inputDetail('0.00', '0.00', '0')])
  })

  it('reports an invoice with IPSI under key 08 with only its base and no deduction', () => {
    const record = of([line(60, 4), line(40, 10), reversed(7, 4)], setTo('issue_data/tax_group_code', 'IPSI'))
    expect(record.ClaveRegimenEspecialOTrascendencia).toBe('08')
    expect(ordinary(record)).toEqual([{ BaseImponible: '107.00' }])
    expect(record.ImporteTotal).toBe('107.00')
    expect(record.CuotaDeducible).toBe('0.00')
  })

  it('refuses more than six rates', () => {
    const rates = [1, 2, 3, 4, 5, 6, 7]
    const invoice = received(
      rates.map((rate) => reversed(10, rate)),
      undefined,
      ['tax_rate_unknown'],
    )
    expect(refusal(invoice)).toEqual(['sii.too_many_details /invoice/taxes_outputs'])
    const of = (make: (rate: number) => object, count: number): Loose => {
      const lines = rates.slice(0, count).map(make)
      return receivedRecord(received(lines, undefined, ['tax_rate_unknown']))
    }
    for (const [make, block] of [
      [(rate: number) => reversed(10, rate), 'InversionSujetoPasivo'],
      [(rate: number) => line(10, rate), 'DesgloseIVA'],
    ] as const) {
      expect(itemsOf(of(make, 6))).toEqual([])
      expect(of(make, 7).items.map(({ extra }: Loose) => extra)).toEqual([{ block, received: 7, allowed: 6 }])
    }
  })
})

describe('CuotaDeducible', () => {
  const deductible = (lines: readonly object[], options = {}, change?: Change) =>
    of(lines, change, options).CuotaDeducible

  it('is the tax at the percentage of each line', () => {
    expect(deductible([line(100, 21), line(200, 10)])).toBe('41.00')
    expect(deductible([line(100, 21, { deduction_rate: 50 }), line(200, 10, { deduction_rate: 0 })])).toBe(
      '10.50',
    )
    expect(deductible([line(-100, 21, { deduction_rate: 50 })])).toBe('-10.50')
  })

  it('uses the typical percentage of the reason without one on the line', () => {
    const reason = (non_deductible_reason: string, more = {}) =>
      line(100, 21, { non_deductible_reason, ...more })
    expect(deductible([reason('VEHICLE_PRESUMPTION')])).toBe('10.50')
    expect(deductible([reason('ENTERTAINMENT')])).toBe('0.00')
    expect(deductible([reason('OTHER')])).toBe('0.00')
    expect(deductible([reason('OTHER', { deduction_rate: 30 })])).toBe('6.30')
    const other: Loose = received([reason('OTHER')])
    other.invoice.lines[0].non_deductible_reason = 'UNKNOWN'
    expect(recordOf(receivedRecord(other)).FacturaRecibida.CuotaDeducible).toBe('0.00')
  })

  it('applies the general pro rata once to the sum; a line with its own pro rata keeps it', () => {
    expect(deductible([line(100, 21), line(200, 10)], { pro_rata: 20 })).toBe('8.20')
    expect(deductible([line(100, 21, { deduction_rate: 50 })], { pro_rata: 20 })).toBe('2.10')
    const own = line(100, 21, { non_deductible_reason: 'PRO_RATA', deduction_rate: 40 })
    expect(deductible([own], { pro_rata: 20 })).toBe('8.40')
    const open = line(100, 21, { non_deductible_reason: 'PRO_RATA' })
    expect(deductible([open], { pro_rata: 20 })).toBe('4.20')
    expect(refusal(received([line(1, 21), open]))).toEqual(['sii.pro_rata /invoice/lines/1/deduction_rate'])
    const untaxed = { non_deductible_reason: 'PRO_RATA', exemption_reason_code: 'E1' }
    expect(deductible([line(100, 21), line(100, undefined, untaxed)])).toBe('21.00')
    expect(deductible([line(100, 21, { non_deductible_reason: 'PRO_RATA', tax_regime_key: '13' })])).toBe(
      '0.00',
    )
  })

  it('shares self-assessed tax among lines of different percentages, to the cent', () => {
    const lines = [
      reversed(0.33, 21),
      reversed(0.33, 21, { deduction_rate: 50 }),
      reversed(0.33, 21, { deduction_rate: 0 }),
    ]
    const record = of(lines, supplier(AMERICAN))
    expect(record.DesgloseFactura.InversionSujetoPasivo.DetalleIVA).toEqual([inputDetail('0.99', '0.21')])
    expect(record.CuotaDeducible).toBe('0.11')
  })

  it('is 0 with key 13, and for a simplified invoice that does not name the company', () => {
    expect(deductible([line(100, 21, { tax_regime_key: '13' })])).toBe('0.00')
    expect(deductible([line(100, 21, { tax_regime_key: '13' }), line(100, 21)])).toBe('0.00')
    const ticket: Change = setAll({ 'header/invoice_type_code': '02', 'customer/tax_id': undefined })
    expect(deductible([line(100, 21)], {}, ticket)).toBe('0.00')
    const anonymous: Loose[] = [received([line(100, 21)], ticket), received([line(100, 21)], ticket)]
    delete anonymous[0].invoice.customer
    anonymous[1].invoice.customer.tax_id = ' '
    for (const invoice of anonymous)
      expect(recordOf(receivedRecord(invoice)).FacturaRecibida.CuotaDeducible).toBe('0.00')
    const qualified: Change = setTo('header/invoice_type_code', '02')
    expect(deductible([line(100, 21)], {}, qualified)).toBe('21.00')
  })
})

describe('dates', () => {
  it('the registration is the option, else the receipt date, else the date of issue', () => {
    const unreceived: Change = (one) => delete one.issue_data.receipt_date
    expect(whole([line(1, 21)]).FacturaRecibida.FechaRegContable).toBe('06-03-2026')
    expect(whole([line(1, 21)], unreceived).FacturaRecibida.FechaRegContable).toBe('02-03-2026')
    const later = whole([line(1, 21)], undefined, { registration_date: '2026-04-01' })
    expect(later.FacturaRecibida.FechaRegContable).toBe('01-04-2026')
    expect(later.PeriodoLiquidacion).toEqual({ Ejercicio: '2026', Periodo: '04' })
    expect(whole([line(1, 21)], undefined, { period: '2026-05' }).PeriodoLiquidacion.Periodo).toBe('05')
  })

  it('refuse a registration before the issue', () => {
    const early = receivedRecord(received([line(1, 21)]), { registration_date: '2026-03-01' })
    expect(itemsOf(early)).toEqual(['sii.registration_date /registration_date'])
    expect(early.ok === false && required(early.items[0]).message).toContain(
      'Correct registration_date or issue_date.',
    )
    const invoice: Loose = received([line(1, 21)])
    invoice.invoice.issue_data.receipt_date = '2026-03-01'
    const wrong = receivedRecord(invoice, { locale: 'es' })
    expect(itemsOf(wrong)).toEqual(['sii.registration_date /invoice/issue_data/receipt_date'])
    expect(wrong.ok === false && required(wrong.items[0]).message).toContain(
      'Corrija receipt_date o issue_date.',
    )
  })

  it('a later deduction states its period', () => {
    expect(of([line(1, 21)], undefined, { deduct_in: '2026-07' })).toMatchObject({
      ADeducirEnPeriodoPosterior: 'S',
      EjercicioDeduccion: '2026',
      PeriodoDeduccion: '07',
    })
    expect(of([line(1, 21)]).ADeducirEnPeriodoPosterior).toBeUndefined()
  })
})

describe('refusals', () => {
  it('name a supplier without id, an issued invoice, and a company without NIF on a customs document', () => {
    const unidentified = received([line(1, 21)], supplier({ person_type_code: 'J', name: 'X' }), [
      'missing_required_field',
    ])
    expect(refusal(unidentified)).toEqual(['sii.counterparty /invoice/supplier'])
    expect(refusal(issued([line(1, 21)]))).toEqual(['sii.direction /meta/direction'])
    const dua = received([line(1, 21)], setAll({ 'issue_data/is_dua': true, 'customer/tax_id': undefined }), [
      'recipient_tax_id_required',
    ])
    expect(refusal(dua)).toEqual(['sii.holder_nif /invoice/customer/tax_id'])
    const unaddressed: Loose = structuredClone(dua)
    delete unaddressed.invoice.customer
    expect(refusal(unaddressed)).toEqual(['sii.holder_nif /invoice/customer/tax_id'])
    const unknown = receivedRecord(received([line(1, 21)]), { counterparty_not_in_census: true })
    expect(recordOf(unknown).FacturaRecibida.Contraparte.IDOtro).toEqual({
      CodigoPais: 'ES',
      IDType: '07',
      ID: 'B65410011',
    })
  })

  it('name the amounts that a correction by substitution lacks', () => {
    const substitution: Change = setAll({
      'header/invoice_type_code': '03',
      'header/corrective': { correction_type: 'S' },
    })
    expect(refusal(received([line(80, 21)], substitution))).toEqual([
      'sii.correction /invoice/header/corrective/corrected_taxable_base',
      'sii.correction /invoice/header/corrective/corrected_tax_amount',
    ])
  })

  it('a wrong option is an exception', () => {
    const invoice = received([line(1, 21)])
    expect(() => receivedRecord(invoice, { pro_rata: 101 })).toThrow(TypeError)
    expect(() => receivedRecord(invoice, { deduct_in: '2026' })).toThrow(TypeError)
    expect(() => receivedRecord(invoice, { registration_date: '2026-02-30' })).toThrow(TypeError)
  })
})
