import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { checkTaxId, spanishTaxId } from '#core/identifiers/index.ts'
import { cif, dni, klm, nie, untidy, WITH_DIGIT, WITH_EITHER, WITH_LETTER } from './generate.ts'

const reasonOf = (value: unknown, country?: string) => checkTaxId(value, country).reason

describe('Spanish ids', () => {
  it('generated ids are accepted with their kind and type of person, however they are written', () => {
    for (const [ids, kind, person_type_code] of [
      [dni, 'DNI', 'F'],
      [nie, 'NIE', 'F'],
      [klm, 'KLM', 'F'],
      [cif, 'CIF', 'J'],
    ] as const) {
      const written = ids.chain((id) => fc.tuple(fc.constant(id), untidy(id), untidy(`ES${id}`)))
      fc.assert(
        fc.property(written, ([id, alone, prefixed]) => {
          const expected = {
            valid: true,
            kind,
            normalized: id,
            person_type_code,
            country: 'ES',
            reason: null,
          }
          expect(spanishTaxId(id)).toEqual(expected)
          for (const text of [id, alone, prefixed]) {
            expect(checkTaxId(text), text).toEqual(expected)
            expect(checkTaxId(text, 'ES'), text).toEqual(expected)
          }
        }),
      )
    }
  })

  it('the change of any one digit of a DNI, NIE or entity id is detected', () => {
    const altered = fc
      .tuple(fc.oneof(dni, nie, cif), fc.nat(8), fc.integer({ min: 1, max: 9 }))
      .filter(([id, place]) => /\d/.test(required(id[place])))
      .map(([id, place, step]) => {
        const digit = (Number(id[place]) + step) % 10
        return [id, id.slice(0, place) + digit + id.slice(place + 1)] as const
      })
    fc.assert(
      fc.property(altered, ([id, wrong]) => {
        expect(checkTaxId(wrong).valid, `${id} -> ${wrong}`).toBe(false)
      }),
      { numRuns: 2000 },
    )
  })

  it('K, L and M accept the letter of either formula and no other', () => {
    const accepted = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].filter(
      (letter) => checkTaxId(`M1234567${letter}`).valid,
    )
    expect(accepted).toEqual(['D', 'L'])
  })

  it('each entity letter requires a digit, a letter or either, and other letters are refused', () => {
    const forms = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((first) => {
      const digit = checkTaxId(`${first}12345674`).valid ? 'digit' : ''
      const letter = checkTaxId(`${first}1234567D`).valid ? 'letter' : ''
      return [first, digit + letter] as const
    })
    const taking = (form: string) =>
      forms
        .filter((row) => row[1] === form)
        .map(([first]) => first)
        .join('')
    expect(taking('digit')).toBe(WITH_DIGIT)
    expect(taking('digitletter')).toBe(WITH_EITHER)
    // K, L and M are persons: the entity letter is one of their two.
    expect(taking('letter')).toBe([...WITH_LETTER, ...'KLM'].sort().join(''))
    expect(taking('')).toBe('IOTXYZ')
  })

  it('ES is removed once, and only in front of a possible Spanish id', () => {
    expect(checkTaxId('ESESA58818501')).toMatchObject({ valid: false, normalized: 'ESESA58818501' })
    expect(checkTaxId('ESGR1234567')).toMatchObject({ valid: false, normalized: 'ESGR1234567' })
  })

  it('an entity of province 00 may carry a letter whatever its kind', () => {
    expect(checkTaxId('A0012345E').valid).toBe(true)
    expect(checkTaxId('A00123455').valid).toBe(true)
    expect(reasonOf('A0112345D')).toBe('control_form')
    expect(reasonOf('N00123455')).toBe('control_form')
  })

  it('each failure has its reason', () => {
    expect(reasonOf('00000000T')).toBe('placeholder')
    expect(reasonOf('12345678A')).toBe('control')
    expect(reasonOf('B65410010')).toBe('control')
    expect(reasonOf('123456789')).toBe('control_form')
    expect(reasonOf('X12345678')).toBe('control_form')
    expect(reasonOf('1234567LZ')).toBe('format')
    expect(reasonOf('12345678Ñ')).toBe('format')
    expect(reasonOf('I12345674')).toBe('format')
    expect(reasonOf('1234567Z')).toBe('length')
    expect(reasonOf('FR40303265045', 'ES')).toBe('length')
    expect(reasonOf(' - ', 'ES')).toBe('empty')
  })

  it('letters of other alphabets that look like Latin ones are refused', () => {
    expect(checkTaxId('eſa58818501').valid).toBe(false)
    expect(checkTaxId('Α58818501').valid).toBe(false)
    expect(checkTaxId('１2345678Z').valid).toBe(false)
  })
})

describe('other countries', () => {
  it('Greece is country GR with the prefix EL, and each code is accepted for the other', () => {
    const expected = { valid: true, kind: 'EU_VAT', normalized: 'EL094259216', country: 'GR' }
    for (const value of ['EL094259216', 'GR094259216', 'el 094-259.216']) {
      expect(checkTaxId(value)).toMatchObject(expected)
      expect(checkTaxId(value, 'GR')).toMatchObject(expected)
      expect(checkTaxId(value, 'el')).toMatchObject(expected)
    }
    expect(checkTaxId('094259216', 'EL')).toMatchObject(expected)
  })

  it('Northern Ireland is checked as XI, Great Britain is not checked', () => {
    expect(checkTaxId('XI980780684')).toMatchObject({ valid: true, kind: 'EU_VAT', country: 'XI' })
    expect(checkTaxId('980780684', 'XI').normalized).toBe('XI980780684')
    expect(checkTaxId('XIGD001').valid).toBe(true)
    expect(checkTaxId('XIHA001').valid).toBe(false)
    expect(reasonOf('XI980780685')).toBe('control')
    expect(checkTaxId('GB980780684')).toMatchObject({ valid: false, kind: null, reason: 'unknown_country' })
    expect(checkTaxId('GB980780684', 'GB')).toMatchObject({ valid: true, kind: 'OTHER', country: 'GB' })
  })

  it('a country without a check accepts any text that is not blank, trimmed and in upper case', () => {
    const expected = { valid: true, kind: 'OTHER', normalized: '12-345 678x'.toUpperCase(), country: 'US' }
    expect(checkTaxId('  12-345 678x ', 'us')).toMatchObject(expected)
    expect(reasonOf('   ', 'CH')).toBe('empty')
  })

  it('a prefix is recognised in lower case too, also in front of seven digits', () => {
    expect(checkTaxId('ro1234565')).toMatchObject({ valid: true, normalized: 'RO1234565', country: 'RO' })
  })

  it('a number with the prefix of another member is refused for its prefix', () => {
    expect(checkTaxId('DE567823561', 'FR')).toMatchObject({ reason: 'prefix', normalized: 'DE567823561' })
    expect(reasonOf('ESA58818501', 'PT')).toBe('prefix')
  })

  it('a number of zeros is refused as a placeholder, although its check character is right', () => {
    for (const vat of ['HU00000000', 'EL000000000', 'SE000000000001', 'NL000000000B00', 'XI000000000']) {
      expect(checkTaxId(vat).valid, vat).toBe(false)
    }
    expect(reasonOf('DK00000000')).toBe('placeholder')
  })

  it('a country that is not two letters is unknown, an empty one is absent', () => {
    expect(reasonOf('A58818501', 'España')).toBe('unknown_country')
    expect(reasonOf('A58818501', 7 as unknown as string)).toBe('unknown_country')
    expect(checkTaxId('A58818501', '').valid).toBe(true)
    expect(checkTaxId('A58818501', null as unknown as string).valid).toBe(true)
  })
})
