/** Tests of `checkRecord` beyond the codes. */
import { describe, expect, it } from 'vitest'
import { checkRecord } from '../../../src/verifactu/rules/check.ts'
import { alta, anulacion, evento } from '../records.ts'
import { HASH_A, IPSI, ISSUE, KEEP, key, line, record, TIMESTAMP } from './rows.ts'

describe('a registration', () => {
  it('gives no items if valid, like a cancellation and an event', () => {
    for (const right of [alta(), anulacion(), evento()])
      expect(checkRecord(right, { locale: 'es' })).toEqual([])
  })

  it('with too many lines gets one item, whatever the lines are', () => {
    const lines = [...Array.from({ length: 13 }, () => alta().RegistroAlta.Desglose.DetalleDesglose[0]), null]
    const items = checkRecord(record({}, { '/Desglose/DetalleDesglose': lines }))
    expect(items.map(({ path }) => path)).toEqual(['/RegistroAlta/Desglose/DetalleDesglose'])
  })

  it('with IPSI but without regime gets a warning until 2026 and an error from 2027', () => {
    const without = line({ ...IPSI, ClaveRegimen: undefined })
    const before = { ...without, [ISSUE]: '31-12-2026', [TIMESTAMP]: '2026-12-31T23:59:59+01:00' }
    expect(checkRecord(record({}, before))[0]).toMatchObject({
      severity: 'warning',
      extra: { effect: 'accepted-with-errors', needs_subsanacion: false },
    })
    const [after] = checkRecord(
      record({}, { ...without, [TIMESTAMP]: '2027-01-01T00:00:00+01:00', [ISSUE]: '01-01-2027' }),
    )
    expect(after).toMatchObject({ severity: 'error', extra: { effect: 'rejects-record' } })
    expect(after?.extra).not.toHaveProperty('needs_subsanacion')
  })

  it.each([
    ['2026-12-31T23:59:59+01:00', '01-01-2027', 'accepted-with-errors'],
    ['2027-01-01T00:00:00+01:00', '31-12-2026', 'rejects-record'],
    ['yesterday', '31-12-2026', 'accepted-with-errors'],
    ['yesterday', '01-01-2027', 'rejects-record'],
  ])(
    'with IPSI but without regime depends on its timestamp (%s), or else its date (%s)',
    (at, day, effect) => {
      const without = line({ ...IPSI, ClaveRegimen: undefined })
      const items = checkRecord(record({}, { ...without, [TIMESTAMP]: at, [ISSUE]: day }))
      expect(items.filter(({ path }) => path.endsWith('/ClaveRegimen'))).toMatchObject([
        { extra: { effect } },
      ])
    },
  )

  it('with a wrong hash gets the expected one and its text', () => {
    const right = alta().RegistroAlta.Huella
    const [item] = checkRecord(record(KEEP, { '/Huella': HASH_A }))
    expect(item?.severity).toBe('error')
    expect(item?.extra).toMatchObject({ expected: right, received: HASH_A, effect: 'accepted-with-errors' })
    expect(item?.extra?.hashed_text).toMatch(/^IDEmisorFactura=B12345674&.*&FechaHoraHusoGenRegistro=2027-/)
  })

  it('generated a while ago gets a warning without a required correction', () => {
    const [item] = checkRecord(alta(), { now: '2027-01-15T11:00:00+01:00' })
    expect(item).toMatchObject({
      code: 'aeat.2004',
      severity: 'warning',
      extra: { seconds: -3600, needs_subsanacion: false },
    })
  })

  it('is not compared with a clock if none is given', () => {
    const old = { [ISSUE]: '01-01-2026', [TIMESTAMP]: '2026-01-01T10:00:00+01:00' }
    expect(checkRecord(record({}, old))).toEqual([])
    expect(checkRecord(record({}, { ...old, '/FechaOperacion': '31-12-2099', ...line(key('15')) }))).toEqual(
      [],
    )
  })
})
