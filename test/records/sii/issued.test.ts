/** Tests of the book of issued invoices: how each part of an invoice is reported. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { catalog } from '#engine/index.ts'
import { deletionRecord, issuedRecord } from '#records/sii/index.ts'
import { setAll, setTo } from '../../put.ts'
import { issued, itemsOf, type Loose, line, received, recordOf, taxed } from './invoices.ts'

type Change = (invoice: Loose, document: Loose) => void

const factura = (invoice: Loose, options = {}): Loose =>
  recordOf(issuedRecord(invoice, options)).FacturaExpedida
const of = (lines: readonly object[], change?: Change, options = {}): Loose =>
  factura(issued(lines, change), options)
const refusal = (invoice: Loose, options = {}) => itemsOf(issuedRecord(invoice, options))

const type =
  (invoice_type_code: string, more = {}): Change =>
  (invoice) => {
    Object.assign(invoice.header, { invoice_type_code, ...more })
  }
const GERMAN = { person_type_code: 'J', name: 'KUNDE GMBH', tax_id: 'DE136695976', country_code: 'DE' }
const customer = (party: object): Change => setTo('customer', party)
const PASSPORT = { role: 'other', value: 'X123', scheme_id: 'OTHER', scheme_name: 'Passport' }
const CONSUMER = { person_type_code: 'F', name: 'Ana Ruiz' }

const corrective = (reason_code: string, more: object = { correction_type: 'D' }) => ({
  corrective: { reason_code, invoice_number: 'F-1', invoice_issue_date: '2026-02-10', ...more },
})

const both =
  (a: Change, b: Change): Change =>
  (invoice, document) => {
    a(invoice, document)
    b(invoice, document)
  }

describe('type of invoice', () => {
  it('01 is F1 with its counterparty', () => {
    const record = of([line(100, 21)])
    expect(record.TipoFactura).toBe('F1')
    expect(record.Contraparte).toEqual({ NombreRazon: 'CLIENTE UNO SA', NIF: 'A58818501' })
  })

  it('02 is F2 without recipient or with an invalid id, and F1 of arts. 7.2 and 7.3 with a valid id', () => {
    const bare = of(
      [line(100, 21)],
      both(type('02'), (one) => delete one.customer),
    )
    expect(bare.TipoFactura).toBe('F2')
    expect(bare.Contraparte).toBeUndefined()
    const named = of([line(100, 21)], type('02'))
    expect(named.TipoFactura).toBe('F1')
    expect(named['FacturaSimplificadaArticulos7.2_7.3']).toBe('S')
    expect(named.Contraparte.NIF).toBe('A58818501')
    const wrong = issued([line(100, 21)], both(type('02'), customer({ name: 'X', tax_id: 'A1' })), [
      'tax_id_invalid',
    ])
    expect(factura(wrong).TipoFactura).toBe('F2')
    expect(factura(wrong)['FacturaSimplificadaArticulos7.2_7.3']).toBeUndefined()
  })

  it('03 is R1 to R4 by its reason, 04 is always R5', () => {
    for (const { code, aeat_type } of catalog('correction-reasons')) {
      const record = of([line(-20, 21)], type('03', corrective(code)))
      expect(record.TipoFactura, code).toBe(aeat_type)
      expect(record.TipoRectificativa).toBe('I')
      expect(of([line(-20, 21)], type('04', corrective(code))).TipoFactura).toBe('R5')
    }
  })

  it('05 is F1, issued by the recipient; the option states a third party', () => {
    expect(of([line(100, 21)], type('05')).EmitidaPorTercerosODestinatario).toBe('S')
    expect(of([line(100, 21)], undefined, { third_party: true }).EmitidaPorTercerosODestinatario).toBe('S')
    expect(of([line(100, 21)]).EmitidaPorTercerosODestinatario).toBeUndefined()
  })

  it('a full invoice that replaces tickets is F3 and lists them', () => {
    const replaces = [{ invoice_number: 'T-1', issue_date: '2026-03-01' }]
    const record = of([line(100, 21)], undefined, { replaces })
    expect(record.TipoFactura).toBe('F3')
    expect(record.FacturasAgrupadas.IDFacturaAgrupada).toEqual([
      { NumSerieFacturaEmisor: 'T-1', FechaExpedicionFacturaEmisor: '01-03-2026' },
    ])
  })

  it('a foreign consumer without id gives F2 of art. 6.1.d, and R5 for its corrective; in Spain an id is required', () => {
    const abroad = { ...CONSUMER, country_code: 'FR' }
    expect(refusal(issued([line(100, 21)], customer(CONSUMER)))).toEqual([
      'sii.counterparty /invoice/customer',
    ])
    const record = of([line(100, 21)], customer(abroad))
    expect(record.TipoFactura).toBe('F2')
    expect(record['FacturaSinIdentifDestinatarioAritculo6.1.d']).toBe('S')
    expect(record.Contraparte).toBeUndefined()
    const corrected = of([line(-1, 21)], both(type('03', corrective('20')), customer(abroad)))
    expect(corrected.TipoFactura).toBe('R5')
    expect(of([line(100, 21)], undefined, { without_recipient: true }).TipoFactura).toBe('F2')
  })

  it('refuses replaced invoices without number or date', () => {
    const replaces: Loose = [{ invoice_number: 'T-1' }, null]
    const { items }: Loose = issuedRecord(issued([line(100, 21)]), { replaces })
    expect(items.map(({ code, path }: Loose) => `${code} ${path}`)).toEqual(
      ['0/issue_date', '1/invoice_number', '1/issue_date'].map((place) => `sii.reference /replaces/${place}`),
    )
  })

  it('refuses to replace the invoice itself, or a ticket of a later day', () => {
    const invoice = issued([line(100, 21)])
    const replaces = [
      { invoice_number: 'F2026/0001', issue_date: '2026-03-10' },
      { invoice_number: 'T-1', issue_date: '2026-03-11' },
      { invoice_number: 'T-2', issue_date: '2026-03-10' },
    ]
    const { items }: Loose = issuedRecord(invoice, { replaces })
    expect(items.map(({ code, path }: Loose) => `${code} ${path}`)).toEqual([
      'sii.reference_not_earlier /replaces/0',
      'sii.reference_not_earlier /replaces/1',
    ])
    expect(items[1].message).toContain(
      'names the invoice T-1 of 2026-03-11, which is this invoice itself or has a later date. This invoice is of 2026-03-10',
    )
  })

  it('refuses options that would have no effect', () => {
    const one = [{ invoice_number: 'T-1', issue_date: '2026-03-01' }]
    const simplified = issued([line(10, 21)], type('02'))
    expect(refusal(simplified, { replaces: one })).toEqual(['sii.option /replaces'])
    expect(refusal(issued([line(10, 21)]), { corrects: one })).toEqual(['sii.option /corrects'])
  })

  it('refuses parties without a required NIF: entities, self-billing, reverse charge, art. 25', () => {
    const path = 'sii.counterparty /invoice/customer'
    const entity = issued([line(1, 21)], customer({ person_type_code: 'J', name: 'X', country_code: 'FR' }))
    expect(refusal(entity)).toEqual([path])
    expect(refusal(issued([line(1, 21)], both(type('05'), customer(CONSUMER))))).toEqual([path])
    const reversed = line(1, 21, { reverse_charge: true })
    expect(refusal(issued([reversed], customer(CONSUMER)))).toEqual([path])
    const supply = line(1, undefined, { exemption_reason_code: 'E5' })
    expect(refusal(issued([supply], customer({ ...CONSUMER, country_code: 'FR' })))).toEqual([path])
    const wrong = issued([line(1, 21)], customer({ ...CONSUMER, tax_id: '12345678A' }), ['tax_id_invalid'])
    expect(refusal(wrong)).toEqual([path])
  })
})

describe('counterparty', () => {
  const partyOf = (party: object, options = {}) => of([line(1, 21)], customer(party), options).Contraparte

  it('has its NIF, its EU VAT number, or another id with its country', () => {
    expect(partyOf(GERMAN).IDOtro).toEqual({ IDType: '02', ID: 'DE136695976' })
    expect(partyOf({ name: 'ACME', tax_id: '98-7654321', country_code: 'US' }).IDOtro).toEqual({
      CodigoPais: 'US',
      IDType: '04',
      ID: '987654321',
    })
    expect(partyOf({ name: 'Anna', tax_id: '44051401359', country_code: 'PL' }).IDOtro.IDType).toBe('04')
    expect(
      partyOf({ ...CONSUMER, country_code: 'MA', identifiers: [{ ...PASSPORT, issuer_country_code: 'MA' }] })
        .IDOtro,
    ).toEqual({
      CodigoPais: 'MA',
      IDType: '03',
      ID: 'X123',
    })
  })

  it('is 07 if the caller knows that the NIF is not in the census, with the breakdown by operation', () => {
    const record = of([line(1, 21)], undefined, { counterparty_not_in_census: true })
    expect(record.Contraparte.IDOtro).toEqual({ CodigoPais: 'ES', IDType: '07', ID: 'A58818501' })
    expect(record.TipoDesglose.DesgloseTipoOperacion).toBeDefined()
  })
})

describe('regime keys', () => {
  const keys = (record: Loose) => [
    record.ClaveRegimenEspecialOTrascendencia,
    record.ClaveRegimenEspecialOTrascendenciaAdicional1,
    record.ClaveRegimenEspecialOTrascendenciaAdicional2,
  ]
  const keyed = (price: number, tax_regime_key: string, more = {}) =>
    line(price, 21, { tax_regime_key, ...more })

  /** Operations of a VAT group require their base at cost. */
  const COST = { fields: { BaseImponibleACoste: '10.00' } }

  it('put the largest base first, at most three, with 05 before all', () => {
    expect(keys(of([keyed(10, '01'), keyed(30, '06')], undefined, COST))).toEqual(['06', '01', undefined])
    const four = [keyed(10, '01'), keyed(30, '06'), keyed(20, '14'), keyed(5, '15')]
    expect(keys(of(four, undefined, COST))).toEqual(['06', '14', '01'])
    expect(keys(of([...four, keyed(1, '05')], undefined, COST))).toEqual(['05', '06', '14'])
    expect(keys(of([keyed(-10, '01'), keyed(-30, '06')], undefined, COST))).toEqual(['06', '01', undefined])
  })

  it('put the lower key of equal bases first in any order of lines', () => {
    expect(keys(of([keyed(10, '14'), keyed(10, '06')], undefined, COST))).toEqual(['06', '14', undefined])
    expect(keys(of([keyed(10, '06'), keyed(10, '14')], undefined, COST))).toEqual(['06', '14', undefined])
  })

  it('map the VeriFactu keys 18, 19 and 20 to 01, merged with 01', () => {
    expect(keys(of([keyed(10, '18'), keyed(10, '19'), keyed(1, '20'), keyed(1, '01')]))).toEqual([
      '01',
      undefined,
      undefined,
    ])
  })

  it('map exports under the general key to 02, and keep any other key', () => {
    const exempt = (code: string, more = {}) => line(10, undefined, { exemption_reason_code: code, ...more })
    expect(keys(of([exempt('E2')]))[0]).toBe('02')
    expect(keys(of([exempt('E3')]))[0]).toBe('02')
    expect(keys(of([exempt('E1')]))[0]).toBe('01')
    expect(keys(of([exempt('E2', { tax_regime_key: '06' })], undefined, COST))[0]).toBe('06')
  })

  it('map leases to 11, 12 or 13 by the income tax withheld', () => {
    const withheld = keyed(10, '11', { tax_withheld_rate: 19 })
    expect(keys(of([withheld]))[0]).toBe('11')
    expect(keys(of([keyed(10, '11')]))[0]).toBe('12')
    expect(keys(of([withheld, keyed(10, '11')]))[0]).toBe('13')
    expect(keys(of([withheld, keyed(5, '01')]))[0]).toBe('11')
  })

  it('refuse a key that the book does not have', () => {
    const invoice = issued([line(1, 21)])
    required(required(invoice.invoice.taxes_outputs)[0]).tax_regime_key = '99'
    expect(refusal(invoice)).toEqual(['sii.regime_key /invoice/taxes_outputs/0/tax_regime_key'])
    const result: Loose = issuedRecord(invoice)
    expect(result.items[0].extra).toEqual({ received: '99', direction: 'issued' })
  })
})

describe('breakdown', () => {
  const located = { non_taxable_reason: 'LOCATION_RULES' }
  const other = { non_taxable_reason: 'ARTICLES_7_14_OTHER' }

  it('is by invoice for a Spanish recipient, with subject, exempt and not subject amounts', () => {
    const lines = [
      line(100, 21),
      line(50, undefined, { exemption_reason_code: 'E1' }),
      line(30, undefined, { exemption_reason_code: 'E6' }),
      line(7, undefined, located),
      line(8, undefined, other),
    ]
    expect(of(lines).TipoDesglose).toEqual({
      DesgloseFactura: {
        Sujeta: {
          Exenta: {
            DetalleExenta: [
              { CausaExencion: 'E1', BaseImponible: '50.00' },
              { CausaExencion: 'E6', BaseImponible: '30.00' },
            ],
          },
          NoExenta: {
            TipoNoExenta: 'S1',
            DesgloseIVA: {
              DetalleIVA: [taxed('100.00', '21.00')],
            },
          },
        },
        NoSujeta: { ImportePorArticulos7_14_Otros: '8.00', ImporteTAIReglasLocalizacion: '7.00' },
      },
    })
  })

  it('states an exempt amount without the reason that the invoice lacks', () => {
    const lines = [line(50, undefined, { exemption_reason_text: 'Formación' }), line(7, undefined, located)]
    const invoice = issued(lines, undefined, ['exemption_reason_required'])
    expect(factura(invoice).TipoDesglose.DesgloseFactura.Sujeta).toEqual({
      Exenta: { DetalleExenta: [{ BaseImponible: '50.00' }] },
    })
  })

  it('is S3 for reverse charge and taxed operations, each with its own detail', () => {
    const record = of([line(100, 21), line(40, 21, { reverse_charge: true }), line(5, 0)])
    const { TipoNoExenta, DesgloseIVA } = record.TipoDesglose.DesgloseFactura.Sujeta.NoExenta
    expect(TipoNoExenta).toBe('S3')
    expect(DesgloseIVA.DetalleIVA.map((one: Loose) => `${one.TipoImpositivo} ${one.BaseImponible}`)).toEqual([
      '21 100.00',
      '0 40.00',
      '0 5.00',
    ])
  })

  it('merges entries with equal key fields', () => {
    const lines = [line(100, 21), line(50, 21, { tax_regime_key: '14' }), line(10, 10)]
    const { DetalleIVA } = of(lines).TipoDesglose.DesgloseFactura.Sujeta.NoExenta.DesgloseIVA
    expect(DetalleIVA).toEqual([taxed('150.00', '31.50'), taxed('10.00', '1.00', '10')])
  })

  it('refuses more than six rates and names the block', () => {
    const six = issued(
      [1, 2, 3, 4, 5, 6].map((rate) => line(10, rate)),
      undefined,
      ['tax_rate_unknown'],
    )
    expect(refusal(six)).toEqual([])
    const rates = [1, 2, 3, 4, 5, 6, 7]
    const invoice = issued(
      rates.map((rate) => line(10, rate)),
      undefined,
      ['tax_rate_unknown'],
    )
    const result = issuedRecord(invoice)
    expect(itemsOf(result)).toEqual(['sii.too_many_details /invoice/taxes_outputs'])
    expect(result.ok === false && required(result.items[0]).extra).toEqual({
      block: 'DesgloseFactura',
      received: 7,
      allowed: 6,
    })
  })

  it('is by operation for a foreign recipient; a line without item_type counts as goods', () => {
    const lines = [
      line(100, 21, { item_type: 'service' }),
      line(40, 21, { item_type: 'investment_good' }),
      line(10, 21),
    ]
    const { PrestacionServicios, Entrega } = of(lines, customer(GERMAN)).TipoDesglose.DesgloseTipoOperacion
    const detail = (block: Loose) => block.Sujeta.NoExenta.DesgloseIVA.DetalleIVA
    expect(detail(PrestacionServicios)).toEqual([taxed('100.00', '21.00')])
    expect(detail(Entrega)).toEqual([taxed('50.00', '10.50')])
  })

  it('takes the nature of one-stop-shop lines from supply_type, unless item_type states it', () => {
    const shop = (price: number, more: object) =>
      line(price, undefined, {
        tax_regime_key: '17',
        tax_treatment_code: 'NON_TAXABLE',
        consumption_country_code: 'FR',
        consumption_tax_rate: 20,
        consumption_rate_type: 'standard',
        ...more,
      })
    const lines = [
      shop(100, { supply_type: 'services' }),
      shop(40, { supply_type: 'goods' }),
      shop(7, { supply_type: 'services', item_type: 'goods' }),
    ]
    const record = of(
      lines,
      customer({
        ...CONSUMER,
        country_code: 'FR',
        identifiers: [{ ...PASSPORT, issuer_country_code: 'FR' }],
      }),
    )
    expect(record.TipoDesglose.DesgloseTipoOperacion).toEqual({
      PrestacionServicios: { NoSujeta: { ImporteTAIReglasLocalizacion: '100.00' } },
      Entrega: { NoSujeta: { ImporteTAIReglasLocalizacion: '47.00' } },
    })
  })

  it('states a gift with its rate, and only goods if goods and services are free', () => {
    const detail = [taxed('0.00', '0.00')]
    const block = { Sujeta: { NoExenta: { TipoNoExenta: 'S1', DesgloseIVA: { DetalleIVA: detail } } } }
    expect(of([line(0, 21)]).TipoDesglose).toEqual({ DesgloseFactura: block })
    const both = [line(0, 21, { item_type: 'service' }), line(0, 21, { item_type: 'goods' })]
    expect(of(both, customer(GERMAN)).TipoDesglose).toEqual({ DesgloseTipoOperacion: { Entrega: block } })
  })

  it('is by operation for a NIF that starts with N, and by invoice for simplified ones and R5 with any recipient', () => {
    const foreign = customer({
      person_type_code: 'J',
      name: 'Sucursal',
      tax_id: 'N0012622G',
      company: { address: { post_code: '28001' } },
    })
    expect(Object.keys(of([line(1, 21)], foreign).TipoDesglose)).toEqual(['DesgloseTipoOperacion'])
    const five = of([line(-1, 21)], both(type('04', corrective('20')), customer(GERMAN)))
    expect(five.Contraparte.IDOtro.ID).toBe('DE136695976')
    expect(Object.keys(five.TipoDesglose)).toEqual(['DesgloseFactura'])
  })

  it('spreads a document discount over goods and services, and the parts add up to the entry', () => {
    const lines = [line(100, 21, { item_type: 'service' }), line(33.33, 21, { item_type: 'goods' })]
    const record = of(
      lines,
      both(customer(GERMAN), setTo('totals/general_discounts', [{ discount_rate: 7 }])),
    )
    const { PrestacionServicios, Entrega } = record.TipoDesglose.DesgloseTipoOperacion
    const [service] = PrestacionServicios.Sujeta.NoExenta.DesgloseIVA.DetalleIVA
    const [goods] = Entrega.Sujeta.NoExenta.DesgloseIVA.DetalleIVA
    expect(service).toEqual(taxed('93.00', '19.53'))
    expect(goods).toEqual(taxed('31.00', '6.51'))
    expect(record.ImporteTotal).toBe('150.04')
  })

  it('puts the surcharge on goods only, and refuses more than that', () => {
    const lines = [line(60, 21, { item_type: 'goods' }), line(40, 21, { item_type: 'service' })]
    const split = (base: number): Change =>
      both(
        customer(GERMAN),
        setTo('taxes_outputs', [
          { tax_rate: 21, taxable_base: base, tax_amount: base * 0.21, equivalence_surcharge: 5.2 },
          { tax_rate: 21, taxable_base: whole(base) - base, tax_amount: (whole(base) - base) * 0.21 },
        ]),
      )
    const whole = (base: number) => Math.sign(base) * 100
    const { PrestacionServicios, Entrega } = of(lines, split(50)).TipoDesglose.DesgloseTipoOperacion
    expect(Entrega.Sujeta.NoExenta.DesgloseIVA.DetalleIVA).toEqual([
      { ...taxed('50.00', '10.50'), TipoRecargoEquivalencia: '5.2', CuotaRecargoEquivalencia: '2.60' },
      taxed('10.00', '2.10'),
    ])
    expect(PrestacionServicios.Sujeta.NoExenta.DesgloseIVA.DetalleIVA).toEqual([taxed('40.00', '8.40')])
    const path = 'sii.surcharge_on_services /invoice/taxes_outputs/0/equivalence_surcharge'
    expect(refusal(issued(lines, split(70)))).toEqual([path])
    const result: Loose = issuedRecord(issued(lines, split(70)))
    expect(result.items[0].extra).toEqual({ received: 70 })
    const entry = { tax_rate: 21, taxable_base: 100, tax_amount: 21, equivalence_surcharge: 5.2 }
    const all = setAll({ customer: GERMAN, taxes_outputs: [entry] })
    expect(refusal(issued(lines, all))).toEqual([path])
    const returned = [line(-60, 21, { item_type: 'goods' }), line(-40, 21, { item_type: 'service' })]
    // All goods may bear it.
    for (const [sold, base] of [
      [lines, 60],
      [returned, -50],
      [returned, -60],
    ] as const)
      expect(refusal(issued(sold, split(base)))).toEqual([])
    expect(refusal(issued(returned, split(-70)))).toEqual([path])
    const services = issued([line(100, 21, { item_type: 'service' })], all)
    expect(refusal(services)).toEqual([path])
  })

  it('puts the surcharge on goods beside goods without it, even if they are returned', () => {
    const sold = (lines: object[], entries: [number, boolean][]) =>
      of(
        lines,
        both(
          customer(GERMAN),
          setTo(
            'taxes_outputs',
            entries.map(([base, surcharged]) => ({
              tax_rate: 21,
              taxable_base: base,
              tax_amount: Math.round(base * 21) / 100,
              ...(surcharged ? { equivalence_surcharge: 5.2 } : {}),
            })),
          ),
        ),
      ).TipoDesglose.DesgloseTipoOperacion.Entrega.Sujeta.NoExenta.DesgloseIVA.DetalleIVA
    const goods = (price: number) => line(price, 21, { item_type: 'goods' })
    const surcharged = (base: string, tax: string, surcharge: string) => ({
      ...taxed(base, tax),
      TipoRecargoEquivalencia: '5.2',
      CuotaRecargoEquivalencia: surcharge,
    })
    expect(
      sold(
        [goods(100), goods(-50)],
        [
          [100, true],
          [-50, false],
        ],
      ),
    ).toEqual([surcharged('100.00', '21.00', '5.20'), taxed('-50.00', '-10.50')])
    // What bears the surcharge is returned; other goods and a service remain.
    expect(
      sold(
        [goods(30), goods(-30), goods(100), line(50, 21, { item_type: 'service' })],
        [
          [150, false],
          [0, true],
        ],
      ),
    ).toEqual([taxed('100.00', '21.00'), surcharged('0.00', '0.00', '0.00')])
  })

  it('states no surcharge for an entry with a surcharge of 0 %', () => {
    const entry = { tax_rate: 21, taxable_base: 100, tax_amount: 21, equivalence_surcharge: 0 }
    const record = of([line(100, 21)], setTo('taxes_outputs', [entry]))
    expect(record.TipoDesglose.DesgloseFactura.Sujeta.NoExenta.DesgloseIVA.DetalleIVA).toEqual([
      taxed('100.00', '21.00'),
    ])
  })

  it('states base and tax of the margin and the whole charge in the total; a zero margin has rate 0', () => {
    const used = (price: number, purchase: number) => ({
      item_description: 'Guitarra',
      quantity: 1,
      unit_price_with_tax: price,
      tax_output_rate: 21,
      tax_regime_key: '03',
      purchase_price_incl: purchase,
    })
    const record = of([used(500, 330)])
    expect(record.ImporteTotal).toBe('500.00')
    expect(record.ClaveRegimenEspecialOTrascendencia).toBe('03')
    const details = (one: Loose) => one.TipoDesglose.DesgloseFactura.Sujeta.NoExenta.DesgloseIVA.DetalleIVA
    expect(details(record)).toEqual([taxed('140.50', '29.51')])
    const loss = of([used(300, 330)])
    expect(loss.ImporteTotal).toBe('300.00')
    expect(details(loss)).toEqual([taxed('0.00', '0.00', '0')])
    // A margin of two cents has a rate, although its tax is less than a cent.
    expect(details(of([used(330.02, 330)]))).toEqual([taxed('0.02', '0.00')])
  })

  it('reports an invoice with IPSI under key 08, not subject by location, without that tax', () => {
    const record = of([line(100, 4)], setTo('issue_data/tax_group_code', 'IPSI'))
    expect(record.ClaveRegimenEspecialOTrascendencia).toBe('08')
    expect(record.ImporteTotal).toBe('100.00')
    expect(record.TipoDesglose).toEqual({
      DesgloseFactura: { NoSujeta: { ImporteTAIReglasLocalizacion: '100.00' } },
    })
    const abroad = both(customer(GERMAN), setTo('issue_data/tax_group_code', 'IPSI'))
    expect(of([line(100, 4, { item_type: 'service' })], abroad).TipoDesglose).toEqual({
      DesgloseTipoOperacion: {
        PrestacionServicios: { NoSujeta: { ImporteTAIReglasLocalizacion: '100.00' } },
      },
    })
  })
})

describe('dates, totals and texts', () => {
  it('FechaOperacion is present only if it differs, and determines the period; the option overrides it', () => {
    const record = (change?: Change, options = {}) =>
      recordOf(issuedRecord(issued([line(1, 21)], change), options))
    const operation = (date: string): Change => setTo('issue_data/operation_date', date)
    expect(record().PeriodoLiquidacion).toEqual({ Ejercicio: '2026', Periodo: '03' })
    expect(record(operation('2026-03-10')).FacturaExpedida.FechaOperacion).toBeUndefined()
    const earlier = record(operation('2026-02-27'))
    expect(earlier.FacturaExpedida.FechaOperacion).toBe('27-02-2026')
    expect(earlier.PeriodoLiquidacion).toEqual({ Ejercicio: '2026', Periodo: '02' })
    expect(record(operation('2026-02-27'), { period: '2025-12' }).PeriodoLiquidacion).toEqual({
      Ejercicio: '2025',
      Periodo: '12',
    })
  })

  it('a corrective has the day of the corrected operation and the period of its own issue', () => {
    const dated = type(
      '03',
      corrective('20', {
        correction_type: 'D',
        tax_period: { start_date: '2026-01-01', end_date: '2026-01-31' },
      }),
    )
    const record = recordOf(issuedRecord(issued([line(-1, 21)], dated)))
    expect(record.FacturaExpedida.FechaOperacion).toBe('31-01-2026')
    expect(record.PeriodoLiquidacion).toEqual({ Ejercicio: '2026', Periodo: '03' })
    const operated = both(dated, setTo('issue_data/operation_date', '2026-02-05'))
    const own = recordOf(issuedRecord(issued([line(-1, 21)], operated)))
    expect(own.FacturaExpedida.FechaOperacion).toBe('05-02-2026')
    expect(own.PeriodoLiquidacion).toEqual({ Ejercicio: '2026', Periodo: '03' })
  })

  it('a substitution states the corrected amounts, with the caller’s surcharge and further invoices', () => {
    const substitution = type(
      '03',
      corrective('11', { correction_type: 'S', corrected_taxable_base: 1000, corrected_tax_amount: 210 }),
    )
    const corrects = [{ invoice_number: 'F-2', issue_date: '2026-02-11' }]
    const record = of([line(800, 21)], substitution, { corrects, corrected_surcharge_amount: 52 })
    expect(record).toMatchObject({
      TipoFactura: 'R1',
      TipoRectificativa: 'S',
      ImporteRectificacion: {
        BaseRectificada: '1000.00',
        CuotaRectificada: '210.00',
        CuotaRecargoRectificado: '52.00',
      },
      ImporteTotal: '968.00',
      FechaOperacion: '11-02-2026',
    })
    expect(record.FacturasRectificadas.IDFacturaRectificada).toEqual([
      { NumSerieFacturaEmisor: 'F-1', FechaExpedicionFacturaEmisor: '10-02-2026' },
      { NumSerieFacturaEmisor: 'F-2', FechaExpedicionFacturaEmisor: '11-02-2026' },
    ])
  })

  it('the total excludes withholding and disbursements', () => {
    const record = of(
      [line(1000, 21, { tax_withheld_rate: 15 })],
      setTo('totals/reimbursable_expenses', [{ reimbursable_expenses_amount: 50 }]),
    )
    expect(record.ImporteTotal).toBe('1210.00')
  })

  it('Macrodato marks totals above one hundred million, of either sign', () => {
    expect(of([line(100_000_000, 0)]).Macrodato).toBeUndefined()
    expect(of([line(100_000_000.01, 0)]).Macrodato).toBe('S')
    expect(of([line(-100_000_000.01, 0)]).Macrodato).toBe('S')
  })

  it('the description is the invoice’s, else that of the first line, in at most 500 characters', () => {
    const long = 'ñ'.repeat(900)
    const record = of(
      [line(1, 21, { item_description: long })],
      setTo('issue_data/invoice_description', undefined),
    )
    expect(record.DescripcionOperacion).toBe('ñ'.repeat(500))
    expect(of([line(1, 21)]).DescripcionOperacion).toBe('Venta')
  })

  it('RefExterna is the external reference', () => {
    expect(
      of([line(1, 21)], (_, document) => {
        document.meta.external_ref = 'PED-1'
      }).RefExterna,
    ).toBe('PED-1')
  })

  it('members that the invoice lacks are copied and checked against the schema', () => {
    const properties = { DetalleInmueble: [{ SituacionInmueble: '3' as const }] }
    const record = of([line(1, 21)], undefined, { fields: { DatosInmueble: properties, Cupon: 'S' } })
    expect(record.DatosInmueble).toEqual(properties)
    expect(record.Cupon).toBe('S')
    const wrong = { fields: { DatosInmueble: { DetalleInmueble: [{ SituacionInmueble: '9' }] } } }
    expect(refusal(issued([line(1, 21)]), wrong)).toEqual([
      'sii.schema /FacturaExpedida/DatosInmueble/DetalleInmueble/0/SituacionInmueble',
    ])
  })
})

describe('refusals', () => {
  const without = (change: (data: Loose) => void) => {
    const invoice: Loose = issued([line(1, 21)])
    change(invoice)
    return refusal(invoice)
  }

  it('name the missing data', () => {
    expect(without((one) => delete one.invoice.header.invoice_number)).toEqual([
      'sii.number /invoice/header/invoice_number',
    ])
    expect(without((one) => delete one.invoice.issue_data.issue_date)).toEqual([
      'sii.issue_date /invoice/issue_data/issue_date',
    ])
    expect(without(setTo('invoice/header/invoice_number', ' '))).toEqual([
      'sii.number /invoice/header/invoice_number',
    ])
    expect(without((one) => delete one.invoice.supplier.tax_id)).toEqual([
      'sii.holder_nif /invoice/supplier/tax_id',
    ])
    expect(without((one) => delete one.meta.direction)).toEqual(['sii.direction /meta/direction'])
    expect(without((one) => delete one.invoice.taxes_outputs)).toEqual([
      'sii.not_normalised /invoice/taxes_outputs',
    ])
    expect(without((one) => delete one.invoice.totals)).toEqual(['sii.not_normalised /invoice/totals'])
    expect(without(setTo('meta/direction', 'received'))).toEqual(['sii.direction /meta/direction'])
    expect(without(setTo('invoice/header/invoice_number', 'x'.repeat(61)))).toEqual([
      'sii.schema /IDFactura/NumSerieFacturaEmisor',
    ])
    expect(without(setTo('invoice/header/invoice_number', 'a\u0001b'))).toEqual([
      'sii.schema /IDFactura/NumSerieFacturaEmisor',
    ])
  })

  it('show what the invoice has', () => {
    const extraOf = (change: (data: Loose) => void, options = {}) => {
      const invoice: Loose = issued([line(1, 21)])
      change(invoice)
      return (issuedRecord(invoice, options) as Loose).items[0].extra
    }
    const nothing = () => {}
    expect(extraOf(setTo('invoice/supplier/tax_id', 'X1'))).toEqual({ received: 'X1' })
    expect(extraOf(setTo('meta/direction', 'received'))).toEqual({ received: 'received', expected: 'issued' })
    expect(extraOf(nothing, { fields: { BaseImponibleACoste: 80 } })).toMatchObject({ received: 80 })
    const property = (SituacionInmueble: unknown) => ({
      fields: { DatosInmueble: { DetalleInmueble: [{ SituacionInmueble }] } },
    })
    expect(extraOf(nothing, property('9'))).toEqual({
      violation: 'value',
      received: '9',
      allowed: ['1', '2', '3', '4'],
    })
    expect(extraOf(nothing, property({}))).toMatchObject({ received: '' })
  })

  it('require the type of correction, and the amounts of a substitution', () => {
    const path = '/invoice/header/corrective'
    const open = issued([line(1, 21)], type('03', corrective('20', {})), [
      'corrective_correction_type_required',
    ])
    expect(refusal(open)).toEqual([`sii.correction ${path}/correction_type`])
    const half = issued([line(1, 21)], type('03', corrective('20', { correction_type: 'S' })), [
      'corrective_substitution_amounts_required',
    ])
    expect(refusal(half)).toEqual([
      `sii.correction ${path}/corrected_taxable_base`,
      `sii.correction ${path}/corrected_tax_amount`,
    ])
  })

  it('have both languages, with location, instruction and law', () => {
    const invoice: Loose = issued([line(1, 21)])
    delete invoice.invoice.header.invoice_number
    const en = issuedRecord(invoice)
    const es = issuedRecord(invoice, { locale: 'es' })
    expect(en.ok === false && required(en.items[0]).message).toBe(
      'A record needs the number of the invoice. Issue the invoice, or send invoice_number, before reporting it. (arts. 63.3 and 64.4 RD 1624/1992)',
    )
    expect(es.ok === false && required(es.items[0]).message).toMatch(/^El registro necesita el número/)
  })

  it('concern the invoice; a wrong option is an exception', () => {
    const invoice = issued([line(1, 21)])
    expect(() => issuedRecord(invoice, { period: '2026-13' })).toThrow(TypeError)
    expect(() => issuedRecord(invoice, { locale: 'fr' as never })).toThrow(TypeError)
  })

  it('are returned, not thrown, for values that are not invoices', () => {
    for (const value of [null, undefined, {}, [], 'x', { invoice: null }, { meta: null, invoice: {} }])
      expect(refusal(value)).toHaveLength(1)
  })
})

describe('deletionRecord', () => {
  const referenced: Change = (_, document) => {
    document.meta.external_ref = 'PED-1'
  }

  it('has the identity, the period and the reference of the record, in both books', () => {
    const number = (NumSerieFacturaEmisor: string, FechaExpedicionFacturaEmisor: string) => ({
      NumSerieFacturaEmisor,
      FechaExpedicionFacturaEmisor,
    })
    expect(recordOf(deletionRecord(issued([line(1, 21)], referenced)))).toEqual({
      PeriodoLiquidacion: { Ejercicio: '2026', Periodo: '03' },
      IDFactura: { IDEmisorFactura: { NIF: 'B12345674' }, ...number('F2026/0001', '10-03-2026') },
      RefExterna: 'PED-1',
    })
    const german = both(
      referenced,
      setAll({ 'supplier/tax_id': 'DE136695976', 'supplier/country_code': 'DE' }),
    )
    expect(recordOf(deletionRecord(received([line(1, 21)], german)))).toEqual({
      PeriodoLiquidacion: { Ejercicio: '2026', Periodo: '03' },
      IDFactura: {
        IDEmisorFactura: { NombreRazon: 'PROVEEDOR SL', IDOtro: { IDType: '02', ID: 'DE136695976' } },
        ...number('A-77', '02-03-2026'),
      },
      RefExterna: 'PED-1',
    })
  })

  it('has the period of the options, and the company as issuer of a customs settlement', () => {
    const period = { Ejercicio: '2026', Periodo: '05' }
    for (const invoice of [issued([line(1, 21)]), received([line(1, 21)])])
      expect(recordOf(deletionRecord(invoice, { period: '2026-05' })).PeriodoLiquidacion).toEqual(period)
    const settled = recordOf(
      deletionRecord(received([line(1, 21)]), { type: 'LC', registration_date: '2026-05-04' }),
    )
    expect(settled.PeriodoLiquidacion).toEqual(period)
    expect(settled.IDFactura.IDEmisorFactura).toEqual({
      NombreRazon: 'EMPRESA DE PRUEBAS SL',
      NIF: 'B12345674',
    })
    const unknown = recordOf(deletionRecord(received([line(1, 21)]), { counterparty_not_in_census: true }))
    expect(unknown.IDFactura.IDEmisorFactura.IDOtro.IDType).toBe('07')
  })

  it('is refused with an item for each problem', () => {
    const invoice: Loose = issued([line(1, 21)])
    delete invoice.invoice.supplier.tax_id
    expect(itemsOf(deletionRecord(invoice))).toEqual(['sii.holder_nif /invoice/supplier/tax_id'])
    for (const long of [issued([line(1, 21)]), received([line(1, 21)])]) {
      long.invoice.header.invoice_number = 'x'.repeat(61)
      expect(itemsOf(deletionRecord(long))).toEqual(['sii.schema /IDFactura/NumSerieFacturaEmisor'])
    }
  })
})
