/** Tests of `checkRecord` beyond the codes. */
import { describe, expect, it } from 'vitest'
import { checkRecord, checkSubmission } from '#records/verifactu/rules/check.ts'
import { problemOf } from '#records/verifactu/rules/structure-checks.ts'
import { setTo } from '../../../put.ts'
import { alta, anulacion, envio, evento, HEADER } from '../records.ts'
import { HASH_A, IPSI, ISSUE, KEEP, key, line, record, TIMESTAMP } from './rows.ts'
import { matchesTable } from './tables.ts'

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

describe('a record of one kind', () => {
  it('is checked as that kind if the others are undefined', () => {
    const registration = { RegistroEvento: undefined, RegistroAnulacion: undefined, ...alta() }
    const cancellation = { RegistroAlta: undefined, ...anulacion() }
    expect(checkRecord(registration)).toEqual([])
    expect(checkRecord(cancellation)).toEqual([])
  })

  it('may have a mistake in its last line', () => {
    const lines = Array.from({ length: 12 }, () => alta().RegistroAlta.Desglose.DetalleDesglose[0])
    const items = checkRecord(
      record(
        {},
        {
          '/Desglose/DetalleDesglose': [...lines.slice(1), { ...lines[0], Impuesto: '09' }],
          '/CuotaTotal': '252.00',
          '/ImporteTotal': '1452.00',
        },
      ),
    )
    expect(items.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'aeat.1218 /RegistroAlta/Desglose/DetalleDesglose/11/Impuesto',
    ])
  })
})

describe('an option', () => {
  it('that is not a timestamp is refused, whatever is checked', () => {
    const message = { Cabecera: HEADER, RegistroFactura: [alta()] }
    for (const now of ['today', '2027-01-15T10:00:00', '']) {
      expect(() => checkRecord(alta(), { now })).toThrow(TypeError)
      expect(() => checkSubmission(message, { now })).toThrow(/option "now" is/)
    }
  })

  it('that is a hash replaces the portable one', () => {
    const other = 'B'.repeat(64)
    const options = { hash: () => other.toLowerCase() }
    expect(checkRecord(record(KEEP, { '/Huella': other }), options)).toEqual([])
    expect(checkRecord(alta(), options).map(({ extra }) => extra?.expected)).toEqual([other])
    expect(checkRecord(alta(), { hash: undefined as never })).toEqual([])
  })
})

describe('an item', () => {
  it('states no correction if its code rejects the record', () => {
    const [item] = checkRecord(record({}, { '/NombreRazonEmisor': ' ' }))
    expect(item?.extra).toStrictEqual({ authority_code: 1100, effect: 'rejects-record' })
  })

  it('of a message is the last one after 1,000, with the number found until then', () => {
    const wrong = record({}, { '/NombreRazonEmisor': ' ', '/DescripcionOperacion': ' ' })
    const message = envio(
      setTo(
        'RegistroFactura',
        Array.from({ length: 600 }, () => wrong),
      ),
    )
    const items = checkSubmission(message)
    expect(items.length).toBe(1001)
    expect(items.at(-1)).toMatchObject({ code: 'too_many_errors', extra: { shown: 1000, at_least: 1001 } })
  })

  it('states a length, or the range of lengths', () => {
    const wrong = { kind: 'length', path: '/NIF', field: 'NIF', parent: '', received: 'B💶' } as const
    expect(problemOf({ ...wrong, allowed: 9 }, 'en')).toBe('has 2 characters instead of 9')
    expect(problemOf({ ...wrong, allowed: 9 }, 'es')).toBe('tiene 2 caracteres en lugar de 9')
    expect(problemOf({ ...wrong, allowed: { min: 1, max: 60 } }, 'en')).toBe(
      'has 2 characters instead of 1 to 60',
    )
    expect(problemOf({ ...wrong, allowed: { min: 1, max: 60 } }, 'es')).toBe(
      'tiene 2 caracteres en lugar de 1 a 60',
    )
  })

  it('describes every kind of structural problem in both languages', async () => {
    const [one] = alta().RegistroAlta.Desglose.DetalleDesglose
    const faults = {
      'a missing element': { '/NombreRazonEmisor': undefined },
      'an unknown element': { '/FormaPago': 'x' },
      'a text instead of a list': { '/Desglose/DetalleDesglose': 'x' },
      'a text instead of a block': { '/SistemaInformatico': 'x' },
      'a number instead of a text': { '/ImporteTotal': 121 },
      'a value that is not listed': { '/TipoFactura': 'F4' },
      'a text of another form': { '/ImporteTotal': '12,1' },
      'a text that is too long': { '/SistemaInformatico/IdSistemaInformatico': '💶💶💶' },
      'a text of another length': { '/IDFactura/IDEmisorFactura': 'B1' },
      'two elements that exclude each other': { '/Encadenamiento/PrimerRegistro': 'S' },
      'an empty list': { '/Desglose/DetalleDesglose': [] },
      'a list that is too long': { '/Desglose/DetalleDesglose': Array(13).fill(one) },
      'a forbidden character': { '/DescripcionOperacion': 'a\u0007' },
      'a blank text': { '/DescripcionOperacion': ' ' },
    }
    const lines = Object.entries(faults).flatMap(([name, changes]) => [
      name,
      ...(['en', 'es'] as const).flatMap((locale) =>
        checkRecord(record({}, changes), { locale }).map(({ message }) => `    ${message}`),
      ),
    ])
    await matchesTable('messages', lines)
  })
})
