/** Tests of the hash against the vectors of the authority and of other implementations. */

import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { required } from '#core/errors/index.ts'
import {
  HASH_FIELDS,
  hashOf,
  hashText,
  portableSha256,
  type RecordKind,
  readVerifactu,
  recordHash,
} from '#records/verifactu/index.ts'
import { encode, trimmed } from '#records/verifactu/model/hash.ts'
import { figure } from '../../figures.ts'
import { reference } from './schema.ts'

interface Vector {
  readonly id: string
  readonly kind: RecordKind
  readonly input: Readonly<Record<string, string>>
  readonly string: string
  readonly sha256: string
}

const path = `${reference}verifactu/hash-vectors.json`
const present = existsSync(path)
const vectors: { official: Vector[]; peers: Vector[]; negative: Vector[] } = present
  ? JSON.parse(readFileSync(path, 'utf8'))
  : { official: [], peers: [], negative: [] }
const native = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')

/** The authority's three examples and its signed one, so that a clone without the reference tests them, too. */
const OFFICIAL = [
  [
    'alta',
    ['89890001K', '12345678/G33', '01-01-2024', 'F1', '12.35', '123.45', '', '2024-01-01T19:20:30+01:00'],
    '3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E9FC4CC058073F38F12F60',
  ],
  [
    'alta',
    [
      ...['89890001K', '12345679/G34', '01-01-2024', 'F1', '12.35', '123.45'],
      ...['3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E9FC4CC058073F38F12F60'],
      ...['2024-01-01T19:20:35+01:00'],
    ],
    'F7B94CFD8924EDFF273501B01EE5153E4CE8F259766F88CF6ACB8935802A2B97',
  ],
  [
    'anulacion',
    [
      '89890001K',
      '12345679/G34',
      '01-01-2024',
      'F7B94CFD8924EDFF273501B01EE5153E4CE8F259766F88CF6ACB8935802A2B97',
      '2024-01-01T19:20:40+01:00',
    ],
    '177547C0D57AC74748561D054A9CEC14B4C4EA23D1BEFD6F2E69E3A388F90C68',
  ],
  [
    'alta',
    [
      ...['89890001K', '12345678-G66', '03-02-2025', 'R3', '41.4', '241.4'],
      ...['C9AF4AF1EF5EBBA700350DE3EEF12C2D355C56AC56F13DB2A25E0031BD2B7ED5'],
      ...['2025-02-03T14:30:00+01:00'],
    ],
    'FF954378B64ED331A9B2366AD317D86E9DEC1716B12DD0ACCB172A6DC4C105AA',
  ],
] as const

describe('recordHash', () => {
  it('gives the hashes of the authority’s own examples', () => {
    for (const [kind, values, expected] of OFFICIAL) expect(recordHash(kind, values)).toBe(expected)
  })

  it.skipIf(!present)('reproduces every vector of the reference, text and hash', () => {
    const all = [...vectors.official, ...vectors.peers]
    let agreed = 0
    for (const { id, kind, input, string, sha256 } of all) {
      const values = Object.values(input)
      expect(hashText(kind, values), id).toBe(string)
      expect(recordHash(kind, values), id).toBe(sha256)
      expect(recordHash(kind, values, native), id).toBe(sha256)
      agreed++
    }
    figure(`${agreed} of ${all.length} hash vectors agree`)
    expect(agreed).toBe(32)
  })

  it.skipIf(!present)(
    'never gives the hashes of the wrong strings (a newline at the end, padded amounts)',
    () => {
      for (const { string, sha256, id } of vectors.negative) {
        expect(portableSha256(string), id).toBe(sha256)
        for (const right of vectors.official) expect(right.sha256).not.toBe(sha256)
      }
    },
  )

  it.skipIf(!present)('re-hashes the authority’s sample record, unsigned and signed', () => {
    for (const name of ['ejemploRegistro.xml', 'ejemploRegistro-firmado-epes-xades4j.xml']) {
      const { document, items } = readVerifactu(readFileSync(`${reference}verifactu/samples/${name}`, 'utf8'))
      expect(items).toEqual([])
      const value: any = required(document).value
      expect(hashOf({ RegistroAlta: value })).toBe(value.Huella)
    }
  })

  it('trims both ends of a value and nothing inside', () => {
    const values: string[] = [...OFFICIAL[0][1]]
    values[1] = ' 12345678/G33\t'
    expect(recordHash('alta', values)).toBe(OFFICIAL[0][2])
    values[1] = '12345678 /G33'
    expect(recordHash('alta', values)).not.toBe(OFFICIAL[0][2])
    // Java's trim removes every character up to the space.
    for (const [value, expected] of [
      ['\u0000\u0020A\u001f\n', 'A'],
      ['!A!', '!A!'],
      ['\u00a0A\u007f', '\u00a0A\u007f'],
      [' A  B ', 'A  B'],
      ['', ''],
      [' ', ''],
      ['\n \t', ''],
    ] as const)
      expect(trimmed(value)).toBe(expected)
  })

  it('hashes amounts and timestamps literally: 12.3 is not 12.30, Z is not +00:00', () => {
    const with_ = (at: number, value: string) => {
      const values: string[] = [...OFFICIAL[0][1]]
      values[at] = value
      return recordHash('alta', values)
    }
    expect(with_(4, '12.3')).not.toBe(with_(4, '12.30'))
    expect(with_(7, '2024-01-01T19:20:30Z')).not.toBe(with_(7, '2024-01-01T19:20:30+00:00'))
  })

  it('gives the hash of the host for any text, astral characters and lone surrogates included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        expect(portableSha256(text)).toBe(native(text).toUpperCase())
      }),
      { numRuns: 2000 },
    )
    expect(portableSha256('\ud800x')).toBe(native('\ud800x').toUpperCase())
    expect(portableSha256('ñ'.repeat(5000))).toBe(native('ñ'.repeat(5000)).toUpperCase())
    // Boundaries of the number of bytes, and every kind of lone surrogate.
    for (const text of [
      '\u007f\u0080',
      '\u07ff\u0800',
      '\ud7ff\ue000',
      '\uffff\u{10000}',
      '\u{10ffff}',
      '\ud800',
      '\udbff\udc00',
      '\ud800\udfff',
      '\ud800\ud800',
      '\udc00\ud800',
      '\udfff\udc00x',
      '\ud800\ue000',
      '\u{10000}'.repeat(600),
    ])
      expect(portableSha256(text), JSON.stringify(text)).toBe(native(text).toUpperCase())
  })

  it('refuses a wrong number of values, a value that is not a text, an unknown kind, and an invalid hash', () => {
    for (const kind of ['alta', 'anulacion', 'evento'] as const)
      expect(() => recordHash(kind, HASH_FIELDS[kind].slice(1))).toThrow(TypeError)
    expect(() => recordHash('alta', [1, '', '', '', '', '', '', ''] as never)).toThrow(
      /value 1 of the hash \(IDEmisorFactura\)/,
    )
    expect(() => recordHash('alta', ['', '', '', '', '', '', '', null] as never)).toThrow(
      /value 8 of the hash/,
    )
    expect(() => recordHash('baja' as never, [])).toThrow(/alta, anulacion or evento/)
    for (const list of ['12345678', undefined])
      expect(() => recordHash('alta', list as never)).toThrow(/a hash of kind alta needs 8 values/)
    expect(() => recordHash('alta', [...OFFICIAL[0][1]], () => 'abc')).toThrow(/64/)
  })
})

describe('the portable SHA-256', () => {
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

  it('hashes text of every width as UTF-8', () => {
    for (const one of ['\x7f', '\x80', '\u07ff', '\u0800', '\uffff', '\u{10000}', '\u{10ffff}', 'a\ud800b'])
      expect(portableSha256(one), JSON.stringify(one)).toBe(sha256(one).toUpperCase())
  })
})

describe('a host without TextEncoder', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('gives the same hash', async () => {
    // A module of its own, which has not found the encoder of this host.
    // @ts-expect-error: the types have no query
    const other = await import('#records/verifactu/model/hash.ts?without-encoder')
    vi.stubGlobal('TextEncoder', undefined)
    for (const text of ['IDEmisorFactura=B12345674', 'ñ'.repeat(5000), '\ud800€\u{10000}'])
      expect(other.portableSha256(text)).toBe(native(text).toUpperCase())
  })

  it('writes the bytes of every width', () => {
    for (const text of [
      '\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff',
      '\u{10000}\u{10ffff}a',
      '\ud800a',
      '\udfffa',
      'a\udbff',
    ]) {
      const bytes = new Uint8Array(32)
      expect(bytes.subarray(0, encode(text, bytes)), JSON.stringify(text)).toEqual(
        new TextEncoder().encode(text),
      )
    }
  })
})
