/** Tests of timestamps and literals of records. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromFecha, fromImporte, timestampOf, toFecha, toImporte } from '#records/fiscal/literals.ts'
import { spanishTimestamp, timestampProblem } from '#records/fiscal/timestamp.ts'
import { sized } from '../../size.ts'

const local = (instant: number, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    .format(instant)
    .replace(' ', 'T')

describe('spanishTimestamp', () => {
  it.each(['Europe/Madrid', 'Atlantic/Canary'] as const)(
    'agrees with the time zone data of the machine in %s, from 1997 to 2099',
    (zone) => {
      fc.assert(
        fc.property(fc.integer({ min: Date.UTC(1997, 0), max: Date.UTC(2099, 11, 31) }), (instant) => {
          const timestamp = spanishTimestamp(instant, zone)
          expect(timestamp.slice(0, 19)).toBe(local(instant, zone))
          expect(timestampOf(timestamp)).toBe(Math.floor(instant / 1000) * 1000)
          expect(timestampProblem(timestamp)).toBeNull()
        }),
        { numRuns: sized(500, 3000) },
      )
    },
  )

  it('changes at 01:00 UTC of the last Sundays of March and October', () => {
    expect(spanishTimestamp(Date.UTC(2027, 2, 28, 0, 59, 59))).toBe('2027-03-28T01:59:59+01:00')
    expect(spanishTimestamp(Date.UTC(2027, 2, 28, 1))).toBe('2027-03-28T03:00:00+02:00')
    expect(spanishTimestamp(Date.UTC(2027, 9, 31, 0, 59, 59))).toBe('2027-10-31T02:59:59+02:00')
    expect(spanishTimestamp(Date.UTC(2027, 9, 31, 1))).toBe('2027-10-31T02:00:00+01:00')
  })

  it('refuses invalid instants', () => {
    for (const wrong of [Number.NaN, -1, Number.POSITIVE_INFINITY, 1e17])
      expect(() => spanishTimestamp(wrong)).toThrow(RangeError)
  })
})

describe('timestampOf', () => {
  it('reads what Date reads, but refuses fractions, missing zones, impossible days and hours', () => {
    for (const right of [
      '2027-01-15T10:00:00+01:00',
      '2024-02-29T23:59:59-05:30',
      '2027-07-01T00:00:00Z',
      '1900-03-01T00:00:00+00:00',
    ])
      expect(timestampOf(right), right).toBe(Date.parse(right))
    for (const wrong of [
      ...['2027-01-15T10:00:00', '2027-01-15T10:00:00.5+01:00', '2027-02-29T10:00:00+01:00'],
      ...['2027-01-15T24:00:00+01:00', '2027-01-15T10:60:00+01:00', '2027-01-15 10:00:00+01:00'],
      ...['2027-01-15T10:00:00+0100', '2027-01-15T10:00:00+15:00', '2027-01-15T10:00:00*01:00'],
      ...['2027-01-15T1a:00:00+01:00', '', undefined],
    ])
      expect(timestampOf(wrong), String(wrong)).toBeUndefined()
  })
})

describe('literals', () => {
  it('amounts convert to cents and back, in every form that the schema allows', () => {
    fc.assert(
      fc.property(fc.integer({ min: -99_999_999_999_999, max: 99_999_999_999_999 }), (cents) => {
        expect(fromImporte(toImporte(cents))).toBe(cents)
      }),
    )
    expect(['41.4', '15', '+121.00', '-0.05', '241.', '0012', '999999999999.99'].map(fromImporte)).toEqual([
      4140, 1500, 12_100, -5, 24_100, 1200, 99_999_999_999_999,
    ])
    expect(toImporte(-0)).toBe('0.00')
  })

  it('other texts are not amounts', () => {
    const schema = /^(\+|-)?\d{1,12}(\.\d{0,2})?$/
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('0', '1', '9', '.', '-', '+', ',', ' '), maxLength: 17 }),
        (text) => {
          expect(fromImporte(text) !== undefined, text).toBe(schema.test(text))
        },
      ),
      { numRuns: 5000 },
    )
    for (const wrong of ['1234567890123.00', '1e5', '', undefined]) expect(fromImporte(wrong)).toBeUndefined()
  })

  it('dates convert both ways, and impossible ones are undefined', () => {
    expect(fromFecha(toFecha('2028-02-29'))).toBe('2028-02-29')
    for (const wrong of ['29-02-2027', '31-04-2027', '1-1-2027', '2027-01-01', '00-01-2027', '', undefined])
      expect(fromFecha(wrong)).toBeUndefined()
  })
})
