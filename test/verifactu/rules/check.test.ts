/** What `checkRecord` says beside the codes. */
import { describe, expect, it } from 'vitest'
import { checkRecord } from '../../../src/verifactu/rules/check.ts'
import { alta, anulacion, evento } from '../records.ts'
import { HASH_A, IPSI, ISSUE, KEEP, key, line, MOMENT, record } from './rows.ts'

describe('a registration', () => {
  it('is reported nothing of when it is right, nor are a cancellation and an event', () => {
    for (const right of [alta(), anulacion(), evento()])
      expect(checkRecord(right, { locale: 'es' })).toEqual([])
  })

  it('with more lines than a breakdown has is told so, whatever the lines are', () => {
    const lines = [...Array.from({ length: 13 }, () => alta().RegistroAlta.Desglose.DetalleDesglose[0]), null]
    const items = checkRecord(record({}, { '/Desglose/DetalleDesglose': lines }))
    expect(items.map(({ path }) => path)).toEqual(['/RegistroAlta/Desglose/DetalleDesglose'])
  })

  it('of the IPSI without regime is a warning up to 2026 and an error from 2027 on', () => {
    const without = line({ ...IPSI, ClaveRegimen: undefined })
    const before = { ...without, [ISSUE]: '31-12-2026', [MOMENT]: '2026-12-31T23:59:59+01:00' }
    expect(checkRecord(record({}, before))[0]).toMatchObject({
      severity: 'warning',
      extra: { effect: 'accepted-with-errors', needs_subsanacion: false },
    })
    const [after] = checkRecord(
      record({}, { ...without, [MOMENT]: '2027-01-01T00:00:00+01:00', [ISSUE]: '01-01-2027' }),
    )
    expect(after).toMatchObject({ severity: 'error', extra: { effect: 'rejects-record' } })
    expect(after?.extra).not.toHaveProperty('needs_subsanacion')
  })

  it('with another hash is told the one expected and the text it is of', () => {
    const right = alta().RegistroAlta.Huella
    const [item] = checkRecord(record(KEEP, { '/Huella': HASH_A }))
    expect(item?.severity).toBe('error')
    expect(item?.extra).toMatchObject({ expected: right, received: HASH_A, effect: 'accepted-with-errors' })
    expect(item?.extra?.hashed_text).toMatch(/^IDEmisorFactura=B12345674&.*&FechaHoraHusoGenRegistro=2027-/)
  })

  it('made a while ago is a warning that asks for nothing', () => {
    const [item] = checkRecord(alta(), { now: '2027-01-15T11:00:00+01:00' })
    expect(item).toMatchObject({
      code: 'aeat.2004',
      severity: 'warning',
      extra: { seconds: -3600, needs_subsanacion: false },
    })
  })

  it('is not held against a clock that is not given', () => {
    const old = { [ISSUE]: '01-01-2026', [MOMENT]: '2026-01-01T10:00:00+01:00' }
    expect(checkRecord(record({}, old))).toEqual([])
    expect(checkRecord(record({}, { ...old, '/FechaOperacion': '31-12-2099', ...line(key('15')) }))).toEqual(
      [],
    )
  })
})
