/** Hostile documents are refused, without exceptions or partial values. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { decodeXml, positionsOf, readStrict, rootOf } from '#core/xml/index.ts'
import { itInAll } from '../../size.ts'
import { vocabularies } from './vocabularies.ts'

const ubl = required(vocabularies.ubl_2_1)
const NAMES = `xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:c="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2" xmlns:e="urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2"`
const invoice = (inside: string): string => `<Invoice ${NAMES}>${inside}</Invoice>`
const deep = (name: string, levels: number): string =>
  `<${name}>`.repeat(levels) + `</${name}>`.repeat(levels)
const first = (xml: string) => {
  const { problems, value } = readStrict(ubl, xml)
  return [problems[0]?.kind, value]
}

describe('a hostile document', () => {
  it.each([
    ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]><Invoice/>', 'doctype'],
    [
      'a billion laughs',
      `<!DOCTYPE a [<!ENTITY l0 "lol">${Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')}]>${invoice('&l9;')}`,
      'doctype',
    ],
    ['an entity that is not declared', invoice('<c:ID>&lol;</c:ID>'), 'malformed'],
    ['an external file', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><Invoice/>', 'doctype'],
    ['10,000 levels of a known element', invoice(deep('c:ID', 10_000)), 'limit'],
    ['10,000 levels of an unknown one', invoice(deep('x', 10_000)), 'limit'],
    [
      '10,000 levels of a foreign one',
      invoice(`<e:UBLExtensions><e:UBLExtension><e:ExtensionContent>${deep('y', 10_000)}`),
      'limit',
    ],
    ['a million levels', '<Invoice>'.repeat(1_000_000), 'limit'],
    ['a text that is not closed', invoice('<c:ID>'), 'malformed'],
    ['a character that XML does not have', invoice('<c:ID>\u0001</c:ID>'), 'malformed'],
    ['a character reference to one', invoice('<c:ID>&#1;</c:ID>'), 'malformed'],
    ['a prefix that is not declared', '<a:Invoice/>', 'malformed'],
    ['a second root', `${invoice('')}${invoice('')}`, 'malformed'],
    ['more characters than the limit', `<Invoice>${' '.repeat(10 * 1024 * 1024)}`, 'limit'],
  ])('%s is refused as a whole', (_, xml, kind) => {
    expect(first(xml)).toEqual([kind, null])
  })

  itInAll('a hundred thousand unknown elements, attributes or namespaces are counted, not listed', () => {
    const many = (text: (i: number) => string) => Array.from({ length: 100_000 }, (_, i) => text(i)).join('')
    for (const xml of [
      invoice(many(() => '<x/>')),
      `<Invoice ${NAMES} ${many((i) => ` a${i}="1"`)}/>`,
      invoice(many((i) => `<c${i}:ID xmlns:c${i}="urn:${i}"/>`)),
    ]) {
      const { problems, more } = readStrict(ubl, xml)
      expect(problems).toHaveLength(100)
      expect(more).toBeGreaterThan(99_000)
    }
  })

  it('positions in a deep document end where its reader ends', () => {
    const xml = invoice(`<c:ID/>${deep('x', 100_000)}<c:IssueDate/>`)
    const found = positionsOf(ubl, xml, ['/ID', '/IssueDate'])
    expect(found.get('/ID')?.column).toBe(invoice('').indexOf('>') + 2)
    // Its element is beyond the limit, so it has the position of the root.
    expect(found.get('/IssueDate')?.column).toBe(1)
  })

  it('a text in ten thousand pieces is one text', () => {
    const { value } = readStrict(ubl, invoice(`<c:ID>${'a<!-- -->'.repeat(10_000)}</c:ID>`))
    expect((value as { ID: { '#': string } }).ID['#']).toBe('a'.repeat(10_000))
  })

  it('no text and no bytes make it throw', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '/',
      '<Invoice>',
      '</Invoice>',
      `<Invoice ${NAMES}>`,
      '<c:ID>',
      '</c:ID>',
      '&',
      '&#',
      ';',
      '<!',
      '<![CDATA[',
      ']]>',
      '<!--',
      '<?',
      '?>',
      '"',
      '=',
      ' xmlns="',
      'ñ',
      '\u0000',
      '\uD83D',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.uint8Array({ maxLength: 60 }), (pieces, bytes) => {
        const text = pieces.join('')
        readStrict(ubl, text)
        rootOf(text)
        positionsOf(ubl, text, ['/ID'])
        decodeXml(bytes)
      }),
      { numRuns: 2000 },
    )
  })
})
