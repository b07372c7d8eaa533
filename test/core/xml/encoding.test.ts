/** Decoding the bytes of XML documents. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeXml, MAX_XML_BYTES, rootOf } from '#core/xml/index.ts'

const declaration = (encoding: string): string => `<?xml version="1.0" encoding="${encoding}"?>`
const latin = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const wide = (text: string, big: boolean): Uint8Array => {
  const units = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))
  return Uint8Array.from(units.flatMap((unit) => (big ? [unit >> 8, unit & 255] : [unit & 255, unit >> 8])))
}
const marked = (mark: readonly number[], bytes: Uint8Array): Uint8Array =>
  Uint8Array.from([...mark, ...bytes])
const LITTLE = [0xff, 0xfe]
const BIG = [0xfe, 0xff]
const UTF8 = [0xef, 0xbb, 0xbf]

const DOC = '<a>Añil, 5 €, 💶</a>'

describe('a document is decoded', () => {
  it.each([
    ['UTF-8 without a declaration', utf8(DOC), DOC, 'UTF-8'],
    ['UTF-8 as declared', utf8(declaration('utf-8') + DOC), declaration('utf-8') + DOC, 'UTF-8'],
    ['UTF-8 with a mark, which is removed', marked(UTF8, utf8(DOC)), DOC, 'UTF-8'],
    ['UTF-16 LE', marked(LITTLE, wide(DOC, false)), DOC, 'UTF-16LE'],
    [
      'UTF-16 BE',
      marked(BIG, wide(declaration('UTF-16') + DOC, true)),
      declaration('UTF-16') + DOC,
      'UTF-16BE',
    ],
    [
      'UTF-16 LE under its own name',
      marked(LITTLE, wide(declaration('UTF-16LE'), false)),
      declaration('UTF-16LE'),
      'UTF-16LE',
    ],
    [
      'ISO-8859-1',
      latin(`${declaration('ISO-8859-1')}<a>A\xF1il \xA4</a>`),
      `${declaration('ISO-8859-1')}<a>Añil ¤</a>`,
      'ISO-8859-1',
    ],
    [
      'ISO-8859-15',
      latin(`${declaration('iso-8859-15')}\xA4\xBD\xF1`),
      `${declaration('iso-8859-15')}€œñ`,
      'ISO-8859-15',
    ],
    [
      'Windows-1252',
      latin(`${declaration('windows-1252')}\x80\x93\xF1`),
      `${declaration('windows-1252')}€“ñ`,
      'Windows-1252',
    ],
    ['US-ASCII', latin(`${declaration('US-ASCII')}<a/>`), `${declaration('US-ASCII')}<a/>`, 'US-ASCII'],
    [
      'single quotes and blanks',
      latin("<?xml version='1.0'  encoding = 'latin1' ?>\xF1"),
      "<?xml version='1.0'  encoding = 'latin1' ?>ñ",
      'ISO-8859-1',
    ],
  ] as const)('%s', (_, bytes, text, encoding) => {
    expect(decodeXml(bytes)).toEqual({ text, encoding, problem: null })
  })

  it('any text of UTF-8 and UTF-16 comes back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const xml = `<a>${text}</a>`
        expect(decodeXml(utf8(xml)).text).toBe(xml)
        expect(decodeXml(marked(LITTLE, wide(xml, false))).text).toBe(xml)
        expect(decodeXml(marked(BIG, wide(xml, true))).text).toBe(xml)
      }),
    )
  })

  it('the same bytes are valid UTF-8 as for the decoder of the platform', () => {
    const bytes = fc.array(
      fc.oneof(fc.constantFrom(0xc3, 0xb1, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0xed, 0xa0, 0x80), fc.nat(255)),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(bytes, (list) => {
        const document = Uint8Array.from([0x3c, 0x61, ...list])
        let expected: string | null = null
        try {
          expected = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(document)
        } catch {}
        expect(decodeXml(document).text).toBe(expected)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a document is refused', () => {
  it.each([
    ['nothing', new Uint8Array(), 'empty', '', 1, 1],
    ['bytes that are not UTF-8', marked([], latin('<a>\n  A\xF1il</a>')), 'bytes', 'UTF-8', 2, 4],
    ['UTF-8 that is cut off', latin('<a>\xE2\x82'), 'bytes', 'UTF-8', 1, 4],
    [
      'a byte that Windows-1252 does not have',
      latin(`${declaration('cp1252')}\n\x81`),
      'bytes',
      'Windows-1252',
      2,
      1,
    ],
    ['a byte beyond US-ASCII', latin(`${declaration('ascii')}\xF1`), 'bytes', 'US-ASCII', 1, 39],
    ['half a character of UTF-16', marked(LITTLE, latin('<')), 'bytes', 'UTF-16LE', 1, 3],
    ['half a pair of UTF-16', marked(LITTLE, wide('<\uD83D>', false)), 'bytes', 'UTF-16LE', 1, 8],
    ['UTF-16 without a mark', wide('<?xml version="1.0"?>', false), 'mark', 'UTF-16', 1, 1],
    ['UTF-16 that only the declaration names', latin(declaration('UTF-16')), 'mark', 'UTF-16', 1, 1],
    [
      'a mark of UTF-8 before another encoding',
      marked(UTF8, latin(declaration('ISO-8859-1'))),
      'mark',
      'ISO-8859-1',
      1,
      1,
    ],
    ['a mark of UTF-16 before UTF-8', marked(BIG, wide(declaration('UTF-8'), true)), 'mark', 'UTF-8', 1, 1],
    ['an encoding that is not read', latin(declaration('EBCDIC-CP-ES')), 'unknown', 'EBCDIC-CP-ES', 1, 1],
    ['UTF-32', Uint8Array.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0]), 'mark', 'UTF-16', 1, 1],
  ] as const)('%s', (_, bytes, kind, encoding, line, column) => {
    expect(decodeXml(bytes)).toMatchObject({ text: null, problem: { kind, encoding, line, column } })
  })

  it('over 10 MB, before decoding', () => {
    expect(decodeXml(new Uint8Array(MAX_XML_BYTES + 1))).toMatchObject({
      text: null,
      problem: { kind: 'size', max_bytes: 10_485_760 },
    })
  })
})

describe('the first element', () => {
  it.each([
    [
      '<?xml version="1.0"?><!-- a --><b:Invoice xmlns:b="urn:b" x="1"><oops',
      { name: 'Invoice', namespace: 'urn:b' },
    ],
    [`<!--${'a'.repeat(10_000)}--><Invoice/>`, { name: 'Invoice', namespace: '' }],
    ['\uFEFF<Invoice xmlns="urn:b"/>', { name: 'Invoice', namespace: 'urn:b' }],
    ['<b:Invoice/>', null],
    ['<!DOCTYPE Invoice><Invoice/>', null],
    ['{}', null],
    ['', null],
  ])('of %s', (text, expected) => {
    expect(rootOf(text)).toEqual(expected)
  })
})
