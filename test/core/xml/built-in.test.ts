/** Built-in types of XML Schema: their valid and invalid texts. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { BUILT_IN, normalised } from '#core/xml/built-in.ts'

const ROWS: readonly (readonly [type: string, right: readonly string[], wrong: readonly string[]])[] = [
  ['xs:string', ['', ' a\n'], []],
  ['xs:token', ['', 'a b'], []],
  ['xs:boolean', ['true', 'false', '0', '1'], ['', 'TRUE', 'yes', '2']],
  ['xs:decimal', ['1', '-1.50', '+.5', '5.', '007'], ['', '.', '1e3', '1,5', 'INF', '- 1', '--1']],
  ['xs:double', ['1', '1.0E3', '-.5e-2', 'INF', '-INF', 'NaN'], ['', '+INF', '1e', 'e5', '1,5', 'inf']],
  ['xs:integer', ['0', '-7', '+12'], ['', '1.0', '1.']],
  [
    'xs:long',
    ['1', '-9223372036854775808', '+9223372036854775807', '00000000000000000000001'],
    ['9223372036854775808', '-9223372036854775809', '1.0', ''],
  ],
  [
    'xs:date',
    [
      '2027-01-31',
      '2024-02-29',
      '2000-02-29',
      '2027-01-31Z',
      '2027-01-31+14:00',
      '-2024-01-01',
      '12024-01-01',
    ],
    [
      ...['2023-02-29', '1900-02-29', '2027-13-01', '2027-04-31', '2027-1-1', '0000-01-01'],
      ...['02027-01-01', '2027-01-31+14:30', '20270131', '2027-01-00'],
    ],
  ],
  [
    'xs:time',
    ['00:00:00', '23:59:59.999', '24:00:00', '10:00:00+01:00'],
    ['24:00:01', '1:00:00', '10:60:00', '10:00'],
  ],
  [
    'xs:dateTime',
    ['2027-01-31T10:00:00', '2027-01-31T24:00:00Z'],
    ['2027-02-30T10:00:00', '2027-01-31 10:00:00', '2027-01-31', '2027-01-31T24:00:01'],
  ],
  ['xs:language', ['es', 'es-ES'], ['', 'español', 'es_ES', 'abcdefghi']],
  ['xs:ID', ['a', '_1', 'ñ-1.2'], ['', '1a', 'a b', 'a:b', '-a']],
  [
    'xs:anyURI',
    ['', 'urn:a', 'http://a/b?c#d', '#id', 'añil', 'http://a b', 'http://[::1]/', '/a:b', '%41'],
    ['%zz', 'a#b#c', '10:00', ':a', 'a[b'],
  ],
  [
    'xs:base64Binary',
    ['', 'QUJD', 'QUI=', 'QQ==', 'Q Q = ='],
    ['QUJ', 'QQ=', 'Q===', '====', 'QR==', 'QUK=', 'QU=C', '12,5', 'QQ==QQ=='],
  ],
]

describe.each(ROWS)('%s', (name, right, wrong) => {
  const { test = () => true } = required(BUILT_IN.get(name))
  it.each(right.map((text) => [text]))('accepts "%s"', (text) => expect(test(text)).toBe(true))
  it.each(wrong.map((text) => [text]))('refuses "%s"', (text) => expect(test(text)).toBe(false))
})

describe('whitespace', () => {
  it('is kept, replaced or collapsed', () => {
    const text = ' a\t b\n\r\nc '
    expect(normalised(text, 'preserve')).toBe(text)
    expect(normalised(text, 'replace')).toBe(' a  b   c ')
    expect(normalised(text, 'collapse')).toBe('a b c')
    expect(normalised('\u00a0a\u00a0', 'collapse')).toBe('\u00a0a\u00a0')
    expect(normalised('a  b', 'collapse')).toBe('a b')
  })
})
