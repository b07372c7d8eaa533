/** Reading documents against their schema: every problem with its location, and texts normalised by their types. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { type Position, positionsOf, readStrict, type Shapes, vocabularyOf } from '#core/xml/index.ts'
import { vocabularies } from './vocabularies.ts'

const SHAPES: Shapes = {
  namespaces: { a: 'urn:a', s: 'urn:s' },
  roots: { 'a:Doc': 'Doc' },
  foreign: ['s:Sig'],
  elements: { Sig: 's:Sig', 'xs:integer': 's:Serial' },
  types: {
    Doc: {
      content: 'Head=Head Line=Line+ (Yes=xs:boolean | No=xs:boolean) Note=Text* Ext=Ext? s:Sig?',
      attributes: ['id xs:ID', 'version! xs:token =1'],
    },
    Head: { content: 'Date=xs:date Kind=Kind? Level=xs:integer=5? (From=xs:date To=xs:date)?' },
    Kind: { base: 'xs:string', values: 'A B' },
    Line: { content: 'Amount=Amount Text=Text{0,2}', attributes: ['ref xs:ID'] },
    Amount: { base: 'Money', attributes: ['currency! xs:token', 'unit xs:normalizedString'] },
    Money: { base: 'xs:decimal', patterns: ['-?\\d+\\.\\d{2}|0'] },
    Text: { base: 'xs:string', min: 2, max: 4 },
    Ext: { content: '<other:a lax>*' },
    Sig: { content: 's:Serial+ <any strict>?', attributes: ['Id xs:ID'] },
  },
}
const small = vocabularyOf(SHAPES)

const HEAD = '<Head><Date>2027-01-31</Date></Head>'
const LINE = '<Line><Amount currency="EUR">1.00</Amount></Line>'
const doc = (inside: string, attributes = 'version="1"') =>
  `<x:Doc xmlns:x="urn:a" xmlns:s="urn:s" ${attributes}>${inside}</x:Doc>`
const head = (inside: string) => doc(`<Head>${inside}</Head>${LINE}<Yes>1</Yes>`)
const lines = (inside: string) => doc(`${HEAD}${inside}<Yes>1</Yes>`)
const end = (inside: string) => doc(`${HEAD}${LINE}<Yes>1</Yes>${inside}`)

const instance = (attribute: string) =>
  end(`<Note xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:${attribute}>ab</Note>`)

const found = (xml: string) =>
  readStrict(small, xml).problems.map(({ kind, element }) => `${kind} ${element}`)

describe('a valid document', () => {
  it('is a tree of texts, with attributes beside the text if the type has some', () => {
    const xml = doc(
      `<Head><Date> 2027-01-31\n</Date><Level/></Head>${LINE}<Line ref="l2"><Amount currency=" EUR " unit=" a\tb">
      12.50 </Amount><Text> &amp;ñ</Text><Text><![CDATA[<>]]></Text></Line><No>0</No>`,
      'version="1" id="d"',
    )
    expect(readStrict(small, xml)).toEqual({
      name: 'Doc',
      value: {
        '@id': 'd',
        '@version': '1',
        Head: { Date: '2027-01-31', Level: '5' },
        Line: [
          { Amount: { '#': '1.00', '@currency': 'EUR' } },
          {
            '@ref': 'l2',
            Amount: { '#': '12.50', '@currency': 'EUR', '@unit': ' a b' },
            Text: [' &ñ', '<>'],
          },
        ],
        No: '0',
      },
      problems: [],
      more: 0,
    })
  })

  it('may use any prefix, comments, processing instructions and schema locations', () => {
    const xml = `<?xml version="1.0"?><!-- a --><Doc xmlns="urn:a" xmlns:i="http://www.w3.org/2001/XMLSchema-instance"
      i:schemaLocation="urn:a a.xsd" version="1"><?x?><Head xmlns=""><Date>2027<!-- y -->-01-31</Date></Head>
      <Line xmlns=""><Amount currency="EUR">1.00</Amount></Line><!-- b --><Yes xmlns="">true</Yes></Doc>`
    expect(found(xml)).toEqual([])
    expect(found(instance('type="x:TextType"'))).toEqual([])
  })

  it('keeps foreign elements as self-contained text', () => {
    const sig = '<s:Sig Id="s1"><s:Serial>1</s:Serial></s:Sig>'
    const { value, problems } = readStrict(small, end(`<Ext><s:Other>a</s:Other></Ext>${sig}`))
    expect(problems).toEqual([])
    expect(value).toMatchObject({
      Ext: '<Ext xmlns=""><s:Other xmlns:s="urn:s">a</s:Other></Ext>',
      Sig: '<s:Sig xmlns:s="urn:s" Id="s1"><s:Serial>1</s:Serial></s:Sig>',
    })
  })
})

describe('violations of the schema', () => {
  it.each([
    ['an element that is not there', head(''), ['missing /Doc/Head/Date']],
    ['several', doc(''), ['missing /Doc/Head', 'missing /Doc/Line', 'missing /Doc/Yes|No']],
    ['one before another', head('<Kind>A</Kind>'), ['missing /Doc/Head/Date']],
    ['half of a group', head('<Date>2027-01-31</Date><To>2027-01-31</To>'), ['missing /Doc/Head/From']],
    ['one that comes too late', head('<Kind>A</Kind><Date>2027-01-31</Date>'), ['order /Doc/Head/Date']],
    [
      'one that comes twice',
      head('<Date>2027-01-31</Date><Date>2027-01-31</Date>'),
      ['repeated /Doc/Head/Date'],
    ],
    [
      'more than the schema lets come',
      lines('<Line><Amount currency="EUR">0</Amount><Text>ab</Text><Text>ab</Text><Text>ab</Text></Line>'),
      ['repeated /Doc/Line[1]/Text'],
    ],
    ['two that exclude each other', end('<No>0</No>'), ['exclusive /Doc/No']],
    [
      'an element that is not known',
      head('<Date>2027-01-31</Date><Otro/>'),
      ['unknown_element /Doc/Head/Otro'],
    ],
    ['an element inside a text', head('<Date>2027-01-31<b/></Date>'), ['unknown_element /Doc/Head/Date/b']],
    ['text between elements', lines(`hola${LINE}`), ['stray_text /Doc']],
    ['the wrong namespace', head('<s:Date>2027-01-31</s:Date>'), ['namespace /Doc/Head/Date']],
    ['a day that no calendar has', head('<Date>2027-02-29</Date>'), ['pattern /Doc/Head/Date']],
    ['a value outside of a list', head('<Date>2027-01-31</Date><Kind>a</Kind>'), ['value /Doc/Head/Kind']],
    ['blanks that count', head('<Date>2027-01-31</Date><Kind> A</Kind>'), ['value /Doc/Head/Kind']],
    [
      'a pattern, in the second line',
      lines(`${LINE}<Line><Amount currency="EUR">1.0</Amount></Line>`),
      ['pattern /Doc/Line[2]/Amount'],
    ],
    ['a text that is too long', end('<Note>abcde</Note>'), ['length /Doc/Note[1]']],
    [
      'an attribute that is not there',
      lines('<Line><Amount>0</Amount></Line>'),
      ['missing /Doc/Line[1]/Amount/@currency'],
    ],
    ['one that is not known', end('<Note lang="es">ab</Note>'), ['unknown /Doc/Note[1]/@lang']],
    ['one of another namespace', end('<Note s:lang="es">ab</Note>'), ['unknown /Doc/Note[1]/@lang']],
    [
      'one with another text than the fixed one',
      doc(`${HEAD}${LINE}<Yes>1</Yes>`, 'version="2"'),
      ['value /Doc/@version'],
    ],
    ['one that is not a name', doc(`${HEAD}${LINE}<Yes>1</Yes>`, 'version="1" id="1"'), ['pattern /Doc/@id']],
    [
      'an identifier that is given already',
      lines(
        '<Line ref="l"><Amount currency="EUR">0</Amount></Line><Line ref="l"><Amount currency="EUR">0</Amount></Line>',
      ),
      ['repeated /Doc/Line[2]/@ref'],
    ],
    [
      'an element of the own namespace as foreign one',
      end('<Ext><x:Doc/></Ext>'),
      ['unknown_element /Doc/Ext/Doc'],
    ],
    ['one of no namespace as foreign one', end('<Ext><b/></Ext>'), ['unknown_element /Doc/Ext/b']],
    [
      'known elements inside of foreign ones',
      end('<Ext><s:b><s:c><s:Serial>x</s:Serial></s:c></s:b></Ext>'),
      ['pattern /Doc/Ext/b/c/Serial'],
    ],
    [
      'elements that a strict wildcard does not know',
      end('<s:Sig><s:Serial>1</s:Serial><s:b/></s:Sig>'),
      ['unknown_element /Doc/Sig/b'],
    ],
    ['another type than the schema gives', instance('type="Text"'), ['unknown /Doc/Note[1]/@type']],
    ['an element with xsi:nil', instance('nil="false"'), ['unknown /Doc/Note[1]/@nil']],
    [
      'a root of another namespace',
      doc('').replace('urn:a', 'urn:b').replace('version="1"', ''),
      expect.arrayContaining(['namespace /Doc']),
    ],
    ['another root', '<Factura/>', ['no_record ']],
    ['no XML', 'hola', ['malformed ']],
    ['nothing', '', ['malformed ']],
  ] as const)('%s', (_, xml, expected) => {
    expect(found(xml)).toEqual(expected)
  })

  it('have line, column, JSON Pointer, received text and what is allowed', () => {
    const xml = doc(
      `${HEAD}\n${LINE}\n  <Line>\r\n    <Amount currency="EUR">1,00</Amount></Line>\n<Line></Line><Yes>1</Yes>`,
    )
    expect(readStrict(small, xml).problems).toEqual([
      {
        kind: 'pattern',
        element: '/Doc/Line[2]/Amount',
        path: '/Line/1/Amount',
        field: 'Amount',
        parent: 'Line',
        line: 4,
        column: 5,
        received: '1,00',
        allowed: '^(?:-?\\d+\\.\\d{2}|0)$',
      },
      {
        kind: 'missing',
        element: '/Doc/Line[3]/Amount',
        path: '/Line/2/Amount',
        field: 'Amount',
        parent: 'Line',
        line: 5,
        column: 7,
      },
    ])
  })

  it('name alternatives, lists and types as the schema does', () => {
    const allowed = (xml: string) => required(readStrict(small, xml).problems[0]).allowed
    expect(allowed(doc(`${HEAD}${LINE}`))).toEqual(['Yes', 'No'])
    expect(allowed(head('<Date>2027-01-31</Date><Kind>C</Kind>'))).toEqual(['A', 'B'])
    expect(allowed(head('<Date>x</Date>'))).toBe('xs:date')
    expect(allowed(end('<Note>a</Note>'))).toEqual({ min: 2, max: 4 })
    expect(allowed(head('<Date>2027-01-31</Date><Otro/>'))).toEqual(['Kind', 'Level', 'From'])
  })

  it('are limited to 100, with the number of the others', () => {
    const { problems, more } = readStrict(small, end('<Note/>'.repeat(350)))
    expect([problems.length, more]).toEqual([100, 250])
  })
})

describe('the position of an element', () => {
  const xml = doc(`${HEAD}\n${LINE}\n  ${LINE}<Yes>1</Yes>`)
  const at = (line: number, column: number): Position => ({ line, column })
  it('is found by its JSON Pointer; a missing element has that of its nearest ancestor', () => {
    const positions = positionsOf(small, xml, [
      '/Line/1/Amount/@currency',
      '/Line/1/Amount/#',
      '/Line/1/Text/0',
      '/No',
      '/Line/7',
    ])
    expect(Object.fromEntries(positions)).toEqual({
      '/Line/1/Amount/@currency': { element: '/Doc/Line[2]/Amount/@currency', ...at(3, 9) },
      '/Line/1/Amount/#': { element: '/Doc/Line[2]/Amount', ...at(3, 9) },
      '/Line/1/Text/0': { element: '/Doc/Line[2]', ...at(3, 3) },
      '/No': { element: '/Doc', ...at(1, 1) },
      '/Line/7': { element: '/Doc', ...at(1, 1) },
    })
  })
})

describe('the vocabularies of the formats', () => {
  it('have their roots and namespaces', () => {
    const roots = Object.entries(vocabularies).map(([format, { roots: known }]) => [
      format,
      [...known.keys()],
    ])
    expect(Object.fromEntries(roots)).toEqual({
      facturae_3_2: ['Facturae'],
      facturae_3_2_1: ['Facturae'],
      facturae_3_2_2: ['Facturae'],
      ubl_2_1: ['Invoice', 'CreditNote'],
      cii_d16b: ['CrossIndustryInvoice'],
    })
  })

  it('resolve every type', () => {
    for (const vocabulary of Object.values(vocabularies)) {
      const seen = new Set<unknown>()
      const visit = (
        type: (typeof vocabulary.roots extends ReadonlyMap<string, infer R> ? R : never)['type'],
      ) => {
        if (seen.has(type)) return
        seen.add(type)
        expect(type.members === null).toBe(type.content === null)
        for (const attribute of type.attributes?.values() ?? []) visit(attribute.type)
        for (const member of type.members ?? []) visit(member.type)
        expect(type.byName.size).toBe(type.members?.length ?? 0)
      }
      for (const root of vocabulary.roots.values()) visit(root.type)
      expect(seen.size).toBeGreaterThan(80)
    }
  })
})
