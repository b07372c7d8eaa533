/** Receipts of the farmers' regime in the SII: the compensation has its own fields, and withholding has none. */
import { describe, expect, it } from 'vitest'
import { receivedRecord } from '#records/sii/index.ts'
import { calculated, correcting, FARM_RECEIPTS, farmLine, ON_THE_PRICE } from '../../farmers.ts'

function recordOf(...receipt: Parameters<typeof calculated>) {
  const result = receivedRecord(calculated(...receipt))
  if (!result.ok) throw new Error(result.items.map(({ message }) => message).join('\n'))
  expect(result.items).toEqual([])
  return result.record.FacturaRecibida
}

describe('the record of a farmer’s receipt', () => {
  it.each(Object.entries(FARM_RECEIPTS))(
    'has the total without withholding, and compensation instead of tax: %s',
    (name, [lines, [total], parts]) => {
      const record = recordOf(lines, parts)
      const details = record.DesgloseFactura.DesgloseIVA?.DetalleIVA ?? []
      expect(record.TipoFactura).toBe(name.startsWith('a correction') ? 'R1' : 'F6')
      expect(record.ClaveRegimenEspecialOTrascendencia).toBe('02')
      expect(Number(record.ImporteTotal)).toBe(total)
      const compensation = details.map((detail) => Number(detail.ImporteCompensacionREAGYP))
      expect(compensation.reduce((sum, amount) => sum + amount, 0)).toBe(Number(record.CuotaDeducible))
      for (const detail of details) expect(detail).not.toHaveProperty('CuotaSoportada')
    },
  )

  it('states rate and amount of each compensation', () => {
    const { DesgloseFactura } = recordOf([farmLine(1000, 12, 2), farmLine(333.33, 10.5, 2)])
    expect(DesgloseFactura.DesgloseIVA?.DetalleIVA).toEqual([
      { BaseImponible: '1000.00', PorcentCompensacionREAGYP: '12', ImporteCompensacionREAGYP: '120.00' },
      { BaseImponible: '333.33', PorcentCompensacionREAGYP: '10.5', ImporteCompensacionREAGYP: '35.00' },
    ])
  })

  it('is the same for both bases of the withholding', () => {
    const line = farmLine(1000, 12, 2)
    expect(recordOf([line], ON_THE_PRICE)).toEqual(recordOf([line]))
  })

  it('states base and compensation that a correction by substitution replaces', () => {
    const { TipoRectificativa, ImporteRectificacion } = recordOf([farmLine(333.33, 10.5, 2)], {
      header: correcting('S'),
    })
    expect([TipoRectificativa, ImporteRectificacion]).toEqual([
      'S',
      { BaseRectificada: '400.00', CuotaRectificada: '42.00' },
    ])
  })
})
