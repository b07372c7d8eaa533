/** Tests of warnings about issued records, and of suppliers of Northern Ireland. */
import { describe, expect, it } from 'vitest'
import { issuedRecord, receivedRecord } from '#records/sii/index.ts'
import { setAll, setTo } from '../../put.ts'
import { inputDetail, issued, itemsOf, type Loose, line, received, recordOf } from './invoices.ts'

const warned = (invoice: any, options = {}) => {
  const result = issuedRecord(invoice, options)
  if (!result.ok) throw new Error(JSON.stringify(result.items))
  for (const item of result.items) expect(item.severity).toBe('warning')
  return result.items.map((item) => `${item.code} ${item.path}`)
}

describe('issuedRecord warns', () => {
  it('of a lease without its property, which the authority accepts with error 2000', () => {
    const lease = issued([line(100, 21, { tax_regime_key: '11' })])
    expect(warned(lease)).toEqual(['sii.lease_property /fields/DatosInmueble'])
    const property = { DetalleInmueble: [{ SituacionInmueble: '3' }] }
    expect(warned(lease, { fields: { DatosInmueble: property } })).toEqual([])
    for (const prices of [
      [100, 10],
      [100, 50, 10],
    ]) {
      const others = prices
        .slice(0, -1)
        .map((price, at) => line(price, 21, { tax_regime_key: `0${at * 6 + 1}` }))
      const minor = issued([...others, line(10, 21, { tax_regime_key: '11' })])
      expect(warned(minor)).toEqual(['sii.lease_property /fields/DatosInmueble'])
    }
    // With income tax withheld the key is 11, which needs no property.
    expect(warned(issued([line(100, 21, { tax_regime_key: '11', tax_withheld_rate: 19 })]))).toEqual([])
  })

  it('of nothing else if the record is refused', () => {
    const lease: Loose = issued([line(100, 21, { tax_regime_key: '11' })])
    lease.invoice.header.invoice_number = 'x'.repeat(61)
    expect(itemsOf(issuedRecord(lease))).toEqual(['sii.schema /IDFactura/NumSerieFacturaEmisor'])
  })

  it('of a fourth regime key, which the record omits', () => {
    const keys = (...of: string[]) => issued(of.map((key, at) => line(100 - at, 21, { tax_regime_key: key })))
    expect(warned(keys('01', '09', '14'))).toEqual([])
    expect(warned(keys('01', '09', '14', '15'))).toEqual(['sii.too_many_regime_keys /invoice/taxes_outputs'])
  })

  it('of a year that is neither that of the invoice nor the previous one', () => {
    const operation = (day: string, key = '01') =>
      issued([line(100, 21, { tax_regime_key: key })], setTo('issue_data/operation_date', day))
    const place = 'sii.period_year /PeriodoLiquidacion/Ejercicio'
    expect(warned(operation('2023-05-10'))).toEqual([place])
    expect(warned(operation('2025-12-30'))).toEqual([])
    expect(warned(operation('2027-05-10', '14'))).toEqual([])
    expect(warned(issued([line(100, 21)]), { period: '2027-01' })).toEqual([place])
    expect(warned(issued([line(100, 21)]), { period: '2026-01' })).toEqual([])
  })

  it('of a substitution with surcharge that does not state the replaced surcharge, even if 0', () => {
    const substitution = issued(
      [line(100, 21)],
      setAll({
        taxes_outputs: [{ tax_rate: 21, taxable_base: 100, tax_amount: 21, equivalence_surcharge: 5.2 }],
        'header/invoice_type_code': '03',
        'header/corrective': {
          reason_code: '11',
          correction_type: 'S',
          invoice_number: 'F-1',
          invoice_issue_date: '2026-02-10',
          corrected_taxable_base: 90,
          corrected_tax_amount: 18.9,
        },
      }),
    )
    expect(warned(substitution)).toEqual(['sii.corrected_surcharge /corrected_surcharge_amount'])
    expect(warned(substitution, { corrected_surcharge_amount: 0 })).toEqual([])
  })
})

describe('a supplier of Northern Ireland', () => {
  const northern = (item_type: string) =>
    received(
      [line(100, undefined, { reverse_charge: true, item_type })],
      setAll({ 'supplier/tax_id': 'XI980780684', 'supplier/country_code': 'GB' }),
    )
  const factura = (item_type: string) => recordOf(receivedRecord(northern(item_type))).FacturaRecibida

  it('supplies goods from inside the Union, and services from outside', () => {
    const goods = factura('goods')
    expect(goods.ClaveRegimenEspecialOTrascendencia).toBe('09')
    expect(Object.keys(goods.DesgloseFactura)).toEqual(['DesgloseIVA'])
    const services = factura('service')
    expect(services.ClaveRegimenEspecialOTrascendencia).toBe('01')
    expect(services.DesgloseFactura).toEqual({
      InversionSujetoPasivo: {
        DetalleIVA: [inputDetail('100.00', '21.00')],
      },
    })
  })

  it('keeps the key of Spanish tax, and any key that the invoice states', () => {
    const of = (lines: object[]) =>
      recordOf(
        receivedRecord(
          received(lines, setAll({ 'supplier/tax_id': 'XI980780684', 'supplier/country_code': 'GB' })),
        ),
      ).FacturaRecibida
    const acquired = (more: object) =>
      line(100, undefined, { reverse_charge: true, item_type: 'goods', ...more })
    const goods = of([acquired({}), line(10, 21, { item_type: 'goods', deduction_rate: 50 })])
    expect(goods).toMatchObject({
      ClaveRegimenEspecialOTrascendencia: '09',
      ClaveRegimenEspecialOTrascendenciaAdicional1: '01',
      ImporteTotal: '133.10',
      CuotaDeducible: '22.05',
      DesgloseFactura: {
        DesgloseIVA: {
          DetalleIVA: [inputDetail('110.00', '23.10')],
        },
      },
    })
    const exempt = line(50, undefined, { exemption_reason_code: 'E5', item_type: 'goods' })
    expect(of([acquired({}), exempt]).DesgloseFactura.DesgloseIVA.DetalleIVA).toEqual([
      inputDetail('150.00', '31.50'),
    ])
    const cash = of([acquired({ tax_regime_key: '07' })])
    expect(cash.ClaveRegimenEspecialOTrascendencia).toBe('07')
    expect(Object.keys(cash.DesgloseFactura)).toEqual(['InversionSujetoPasivo'])
  })

  it('has goods and services of one rate separated, each with its key, block and tax', () => {
    const reversed = (price: number, item_type: string) =>
      line(price, undefined, { reverse_charge: true, item_type })
    const mixed = received(
      [reversed(100, 'goods'), reversed(40, 'service'), reversed(30, 'investment_good')],
      setAll({ 'supplier/tax_id': 'XI980780684', 'supplier/country_code': 'GB' }),
    )
    expect(mixed.invoice.taxes_outputs).toHaveLength(1)
    expect(recordOf(receivedRecord(mixed)).FacturaRecibida).toMatchObject({
      ClaveRegimenEspecialOTrascendencia: '09',
      ClaveRegimenEspecialOTrascendenciaAdicional1: '01',
      ImporteTotal: '205.70',
      CuotaDeducible: '35.70',
      DesgloseFactura: {
        InversionSujetoPasivo: {
          DetalleIVA: [inputDetail('40.00', '8.40')],
        },
        DesgloseIVA: {
          DetalleIVA: [
            inputDetail('100.00', '21.00'),
            { TipoImpositivo: '21', BaseImponible: '30.00', CuotaSoportada: '6.30', BienInversion: 'S' },
          ],
        },
      },
    })
  })
})
