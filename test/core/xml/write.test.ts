/** Writing values with attributes and elements without namespace, and refusing invalid ones. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import {
  readStrict,
  type Shapes,
  SOAP_NAMESPACE,
  violationsOf,
  vocabularyOf,
  withFault,
  writeXml,
  XmlWriteError,
} from '#core/xml/index.ts'
import { vocabularies } from './vocabularies.ts'

const SHAPES: Shapes = {
  namespaces: { a: 'urn:a', b: 'urn:b', s: 'urn:s' },
  roots: { 'a:Doc': 'Doc' },
  foreign: ['s:Sig'],
  elements: { Sig: 's:Sig', 'xs:string': 'b:Note' },
  types: {
    Doc: { content: 'Date=xs:date? Amount=Amount* b:Note* s:Sig?', attributes: ['id xs:ID'] },
    Amount: { base: 'xs:decimal', attributes: ['currency! xs:token', 'list xs:token =6'] },
    Sig: { content: '<any lax>*' },
  },
}
const small = vocabularyOf(SHAPES)
const plain = vocabularyOf({ ...SHAPES, types: { ...SHAPES.types, Doc: { content: 'b:Note*' } } })

const kinds = (value: unknown) =>
  violationsOf(value, required(small.roots.get('Doc')).type, 'Doc').map(({ kind, path }) => `${kind} ${path}`)

describe('writing', () => {
  it('writes a fault into an envelope whose namespace is declared once', () => {
    const withFaults = vocabularyOf(withFault({ ...SHAPES, types: { ...SHAPES.types } }))
    const value = { faultcode: 'soapenv:Client', faultstring: 'Codigo[4102].a < b' }
    const xml = writeXml(withFaults, 'Fault', value, { soap: true, declaration: false })
    expect(xml).toBe(
      `<soapenv:Envelope xmlns:soapenv="${SOAP_NAMESPACE}"><soapenv:Header/><soapenv:Body><soapenv:Fault><faultcode>soapenv:Client</faultcode><faultstring>Codigo[4102].a &lt; b</faultstring></soapenv:Fault></soapenv:Body></soapenv:Envelope>`,
    )
    expect(readStrict(withFaults, writeXml(withFaults, 'Fault', value))).toMatchObject({
      value,
      problems: [],
    })
  })

  it('puts elements in the order of the shape, omits the prefix of those without namespace, and writes attributes', () => {
    const value = {
      Sig: '<s:Sig xmlns:s="urn:s"><s:x></s:x></s:Sig>',
      Note: ['a < b', 'ñ'],
      Amount: [{ '@list': '6', '@currency': 'EU"R', '#': '1.00' }],
      Date: '2027-01-31',
      '@id': 'd1',
    }
    const xml = writeXml(small, 'Doc', value, { indent: 1 })
    expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<a:Doc xmlns:a="urn:a" xmlns:b="urn:b" id="d1">
 <Date>2027-01-31</Date>
 <Amount currency="EU&quot;R" list="6">1.00</Amount>
 <b:Note>a &lt; b</b:Note>
 <b:Note>ñ</b:Note>
 <s:Sig xmlns:s="urn:s"><s:x></s:x></s:Sig>
</a:Doc>
`)
    expect(readStrict(small, xml)).toMatchObject({ value, problems: [] })
  })

  it('makes the namespace of the root the default one, on request, if all elements have a namespace', () => {
    const options = { bare: true, declaration: false, rootAttributes: { 'xmlns:x': 'urn:x', 'x:y': 'a&b' } }
    expect(writeXml(plain, 'Doc', { Note: ['a'] }, options)).toBe(
      '<Doc xmlns="urn:a" xmlns:b="urn:b" xmlns:x="urn:x" x:y="a&amp;b"><b:Note>a</b:Note></Doc>',
    )
    expect(writeXml(small, 'Doc', { Date: '2027-01-31' }, { bare: true, declaration: false })).toBe(
      '<a:Doc xmlns:a="urn:a"><Date>2027-01-31</Date></a:Doc>',
    )
  })

  it('accepts plain text for a type with optional attributes', () => {
    const value = { ID: '1', IssueDate: '2027-01-31' }
    const found = violationsOf(
      value,
      required(required(vocabularies.ubl_2_1).roots.get('Invoice')).type,
      'Invoice',
    )
    expect(found.filter(({ field }) => field === 'ID')).toEqual([])
  })

  it('refuses what the schema refuses, and writes nothing', () => {
    expect(kinds({ Amount: [{ '#': '1,00' }, { '@currency': 'EUR' }, '1'] })).toEqual([
      'pattern /Amount/0',
      'missing /Amount/0/@currency',
      'kind /Amount/1',
      'missing /Amount/2/@currency',
    ])
    expect(kinds({ Amount: [{ '#': '1', '@currency': 5, '@list': '7', '@otro': 'x', Otro: 'y' }] })).toEqual([
      'kind /Amount/0/@currency',
      'value /Amount/0/@list',
      'unknown /Amount/0/@otro',
      'unknown /Amount/0/Otro',
    ])
    expect(kinds({ Date: '2027-02-30', Nota: 'x', '@ID': 'y', '@id': '1', Sig: {} })).toEqual([
      'pattern /@id',
      'unknown /@ID',
      'pattern /Date',
      'kind /Sig',
      'unknown /Nota',
    ])
    expect(() => writeXml(small, 'Doc', { Date: 'ayer' })).toThrow(XmlWriteError)
  })
})
