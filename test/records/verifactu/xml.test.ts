/** Tests of XML: everything written reads back equal, every response is read, and hostile documents are rejected. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import {
  type Consulta,
  type FiscalRecord,
  queryXml,
  RecordReader,
  readFaultResponse,
  readResponse,
  readVerifactu,
  recordXml,
  storedState,
  submissionXml,
  XmlWriteError,
} from '#records/verifactu/index.ts'
import { messageOf } from '../../narrow.ts'
import { setAll, setTo } from '../../put.ts'
import { sized } from '../../size.ts'
import type { Loose } from './invoice.ts'
import { alta, anulacion, envio, evento, HEADER, PREVIOUS_HASH } from './records.ts'
import { officialSchema, reference } from './schema.ts'

const valid = (xml: string) => {
  if (officialSchema) expect(officialSchema()(xml)).toEqual([])
}
const readValue = (xml: string): Loose => required(readVerifactu(xml).document).value
const codes = (xml: string) => readVerifactu(xml).items.map((item) => item.code)

/** Renames prefixes: `sf:` becomes the default namespace, `sfLR:` becomes `a`. */
const renamed = (xml: string) =>
  xml
    .replace(/xmlns:sf="/g, 'xmlns="')
    .replace(/(<\/?)sf:/g, '$1')
    .replace(/xmlns:sfLR="/g, 'xmlns:a="')
    .replace(/(<\/?)sfLR:/g, '$1a:')

describe('records', () => {
  it.each([
    ['RegistroAlta', alta(), alta().RegistroAlta],
    ['RegistroAnulacion', anulacion(), anulacion().RegistroAnulacion],
    ['RegistroEvento', evento(), evento().RegistroEvento],
  ] as const)(
    '%s is written as the schema wants it and reads back equal, with any prefix, on one line or indented',
    (root, record, value) => {
      for (const xml of [recordXml(record), recordXml(record, { indent: 2, declaration: false })]) {
        // An event is only valid when signed, which the test of signatures covers.
        if (root !== 'RegistroEvento') valid(xml)
        expect(readVerifactu(xml)).toEqual({ ok: true, document: { root, value }, items: [] })
        const again = readVerifactu(renamed(xml))
        expect(again.items).toEqual([])
        expect(again.document?.value).toEqual(value)
      }
    },
  )

  it('any text reads back equal: markup, quotes, accents, carriage returns, astral characters', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('&', '<', '>', '"', "'", ']', 'ñ', '\r', '\n', '\t', '💶', ' ', 'a'),
          minLength: 1,
          maxLength: 60,
        }),
        (text) => {
          const record = alta(setTo('DescripcionOperacion', text))
          expect(readValue(recordXml(record)).DescripcionOperacion).toBe(text)
        },
      ),
      { numRuns: sized(200, 500) },
    )
  })

  it.each([
    ['an unknown member', setTo('Otro', 'x'), 'unknown', '/Otro'],
    ['a missing member', setTo('TipoFactura', undefined), 'missing', '/TipoFactura'],
    ['a number for a text', setTo('ImporteTotal', 121), 'kind', '/ImporteTotal'],
    ['a 13-digit amount', setTo('ImporteTotal', '1234567890123.00'), 'pattern', '/ImporteTotal'],
    ['a control character', setTo('DescripcionOperacion', 'a\u0007'), 'character', '/DescripcionOperacion'],
    [
      '13 breakdown lines',
      setTo('Desglose/DetalleDesglose', Array(13).fill(alta().RegistroAlta.Desglose.DetalleDesglose[0])),
      'count',
      '/Desglose/DetalleDesglose',
    ],
  ])('refuses to write %s, and writes nothing', (_, change, kind, path) => {
    let error: unknown
    try {
      recordXml(alta(change, false))
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(XmlWriteError)
    expect((error as XmlWriteError).violations[0]).toMatchObject({ kind, path })
    expect(messageOf(error)).toContain(path)
  })

  it('refuses a value that is not a record or a message', () => {
    for (const wrong of [null, undefined, {}, { RegistroAlta: null }])
      expect(() => recordXml(wrong as never)).toThrow(/^RegistroAlta was not written/)
    expect(() => recordXml({ Otro: 1 } as never)).toThrow(/"Otro" is not a root element/)
    for (const wrong of [null, undefined, {}, { Cabecera: null }])
      expect(() => submissionXml(wrong as never)).toThrow(/^RegFactuSistemaFacturacion was not written/)
  })
})

describe('messages, queries and responses', () => {
  it('a message is written with its envelope, both headers, and up to a thousand records', () => {
    const message = envio(
      setAll({
        'Cabecera/Representante': { NombreRazon: 'Gestoría', NIF: '12345678Z' },
        'Cabecera/RemisionVoluntaria': { Incidencia: 'S' },
        RegistroFactura: [...Array.from({ length: 999 }, () => alta()), anulacion()],
      }),
    )
    const xml = submissionXml(message)
    valid(xml)
    expect(xml.startsWith('<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope')).toBe(true)
    expect(readVerifactu(xml).document).toEqual({ root: 'RegFactuSistemaFacturacion', value: message })
    expect(readVerifactu(submissionXml(message, { soap: false })).document?.value).toEqual(message)
    expect(() =>
      submissionXml({ ...message, RegistroFactura: [...message.RegistroFactura, alta()] }),
    ).toThrow(XmlWriteError)
  })

  it('a query is written with every filter', () => {
    const query: Consulta = {
      Cabecera: { IDVersion: '1.0', ObligadoEmision: HEADER.ObligadoEmision },
      FiltroConsulta: {
        PeriodoImputacion: { Ejercicio: '2027', Periodo: '01' },
        NumSerieFactura: 'A-2',
        FechaExpedicionFactura: { RangoFechaExpedicion: { Desde: '01-01-2027', Hasta: '31-01-2027' } },
        RefExterna: 'x',
        ClavePaginacion: {
          IDEmisorFactura: 'B12345674',
          NumSerieFactura: 'A-1',
          FechaExpedicionFactura: '01-01-2027',
        },
      },
      DatosAdicionalesRespuesta: { MostrarNombreRazonEmisor: 'N' },
    }
    const xml = queryXml(query)
    valid(xml)
    expect(readVerifactu(xml).document).toEqual({ root: 'ConsultaFactuSistemaFacturacion', value: query })
  })

  it.skipIf(!existsSync(`${reference}verifactu/samples`))(
    'the authority’s samples read without a remark and are written again equal',
    () => {
      let read = 0
      for (const name of readdirSync(`${reference}verifactu/samples`).filter((file) =>
        file.endsWith('.xml'),
      )) {
        const { document, items } = readVerifactu(
          readFileSync(`${reference}verifactu/samples/${name}`, 'utf8'),
        )
        expect(items, name).toEqual([])
        const record = { [required(document).root]: required(document).value } as FiscalRecord
        const again = readVerifactu(recordXml(record))
        expect(again.document, name).toEqual(document)
        valid(recordXml(record))
        read++
      }
      expect(read).toBe(2)
    },
  )

  const B =
    'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/'
  const id = (number: string) =>
    `<t:IDFactura><i:IDEmisorFactura>B12345674</i:IDEmisorFactura><i:NumSerieFactura>${number}</i:NumSerieFactura><i:FechaExpedicionFactura>15-01-2027</i:FechaExpedicionFactura></t:IDFactura>`
  const line = (number: string, state: string, rest = '', operation = 'Alta') =>
    `<t:RespuestaLinea>${id(number)}<t:Operacion><i:TipoOperacion>${operation}</i:TipoOperacion></t:Operacion><t:EstadoRegistro>${state}</t:EstadoRegistro>${rest}</t:RespuestaLinea>`
  const error = (code: number) =>
    `<t:CodigoErrorRegistro>${code}</t:CodigoErrorRegistro><t:DescripcionErrorRegistro>texto de la AEAT</t:DescripcionErrorRegistro>`
  const answer = `<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Header/><env:Body><t:RespuestaRegFactuSistemaFacturacion xmlns:t="${B}RespuestaSuministro.xsd" xmlns:i="${B}SuministroInformacion.xsd"><t:CSV>A-CSV</t:CSV><t:DatosPresentacion><i:NIFPresentador>B12345674</i:NIFPresentador><i:TimestampPresentacion>2027-01-15T10:00:03+01:00</i:TimestampPresentacion></t:DatosPresentacion><t:Cabecera><i:ObligadoEmision><i:NombreRazon>X</i:NombreRazon><i:NIF>B12345674</i:NIF></i:ObligadoEmision></t:Cabecera><t:TiempoEsperaEnvio>60</t:TiempoEsperaEnvio><t:EstadoEnvio>ParcialmenteCorrecto</t:EstadoEnvio>${line('A-1', 'Correcto')}${line('A-2', 'AceptadoConErrores', error(2000))}${line('A-3', 'AceptadoConErrores', error(2004))}${line('A-4', 'Incorrecto', error(1114), 'Anulacion')}${line('A-5', 'Incorrecto', `${error(3000)}<t:RegistroDuplicado><i:IdPeticionRegistroDuplicado>1</i:IdPeticionRegistroDuplicado><i:EstadoRegistroDuplicado>Correcta</i:EstadoRegistroDuplicado></t:RegistroDuplicado>`)}</t:RespuestaRegFactuSistemaFacturacion></env:Body></env:Envelope>`

  it('a response is read line by line, with the next step', () => {
    valid(answer)
    expect(codes(answer)).toEqual([])
    const read = readResponse(readValue(answer))
    expect(read).toMatchObject({
      received: true,
      state: 'partially_accepted',
      csv: 'A-CSV',
      wait_seconds: 60,
      presented_at: '2027-01-15T10:00:03+01:00',
    })
    expect(read.lines.map((one) => [one.num_serie, one.operation, one.state, one.code, one.next])).toEqual([
      ['A-1', 'alta', 'accepted', null, 'none'],
      ['A-2', 'alta', 'accepted_with_errors', 2000, 'correct'],
      ['A-3', 'alta', 'accepted_with_errors', 2004, 'none'],
      ['A-4', 'anulacion', 'rejected', 1114, 'fix_and_register'],
      ['A-5', 'alta', 'rejected', 3000, 'adopt'],
    ])
    for (const locale of ['en', 'es'] as const)
      for (const one of readResponse(readValue(answer), locale).lines) {
        expect(one.advice.length).toBeGreaterThan(10)
        if (one.code !== null) expect(one.explanation?.length).toBeGreaterThan(20)
      }
  })

  it('a fault is read with its code and whether to resend', () => {
    const fault = (code: string, text: string) =>
      `<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body><env:Fault><faultcode>env:${code}</faultcode><faultstring>${text}</faultstring><detail><callstack xmlns="">x &lt; y</callstack></detail></env:Fault></env:Body></env:Envelope>`
    const client = fault('Client', 'Codigo[4102].El XML no cumple el esquema. Falta informar campo')
    expect(readVerifactu(client).document?.root).toBe('Fault')
    const read = readFaultResponse(readValue(client))
    expect(read.fault).toMatchObject({ code: 4102, resend: false })
    expect(required(read.fault).explanation).not.toBeNull()
    expect(readFaultResponse(readValue(fault('Server', 'Codigo[20009].Error interno'))).fault).toEqual({
      code: 20009,
      text: 'Error interno',
      resend: true,
      explanation: null,
    })
  })

  it('states are read in all three spellings', () => {
    expect(
      ['Correcto', 'Correcta', 'AceptadaConErrores', 'Anulado', 'otra', undefined].map(storedState),
    ).toEqual(['accepted', 'accepted', 'accepted_with_errors', 'cancelled', 'unknown', 'unknown'])
  })
})

describe('invalid documents', () => {
  const good = recordXml(alta())

  it.each([
    [
      'an external entity',
      `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${good.slice(38).replace('Revisión', '&x;')}`,
      'xml.doctype',
    ],
    [
      'a billion laughs',
      `<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><r>&c;</r>`,
      'xml.doctype',
    ],
    ['an entity without declaration', good.replace('Revisión', '&x;'), 'xml.malformed'],
    ['a cut document', good.slice(0, -20), 'xml.malformed'],
    ['no XML', 'hola', 'xml.malformed'],
    ['nothing', '', 'xml.malformed'],
    ['another encoding', good.replace('UTF-8', 'ISO-8859-1'), 'xml.encoding'],
    ['another vocabulary', '<factura/>', 'xml.no_record'],
    ['10,000 levels', '<a>'.repeat(10_000), 'xml.limit'],
    ['a text of a megabyte', good.replace('Revisión', 'x'.repeat(1_000_000)), 'xml.limit'],
    ['a null character', good.replace('Revisión', '\u0000'), 'xml.malformed'],
    ['a tag closed by another', '<sf:RegistroAlta xmlns:sf="x"></sf:Otro>', 'xml.malformed'],
    ['an unbound prefix', '<zz:RegistroAlta/>', 'xml.malformed'],
  ])('%s gives no document and one item', (_, xml, code) => {
    const reading = readVerifactu(xml)
    expect(reading).toMatchObject({ ok: false, document: null })
    expect(reading.items.map((item) => item.code)).toEqual([code])
    expect(required(reading.items[0]).message).not.toContain('—')
    expect(required(readVerifactu(xml, { locale: 'es' }).items[0]).message).not.toBe(
      required(reading.items[0]).message,
    )
  })

  it('misplaced elements are reported, and the rest is read', () => {
    expect(codes(good.replace('<sf:TipoFactura>', '<sf:Otro><sf:Mas/></sf:Otro><sf:TipoFactura>'))).toEqual([
      'xml.unknown_element',
    ])
    expect(
      codes(
        good
          .replace('<sf:TipoFactura>F1</sf:TipoFactura>', '')
          .replace('<sf:CuotaTotal>', '<sf:TipoFactura>F1</sf:TipoFactura><sf:CuotaTotal>'),
      ),
    ).toEqual(['xml.order'])
    expect(
      codes(good.replace('<sf:TipoFactura>', '<sf:TipoFactura>F2</sf:TipoFactura><sf:TipoFactura>')),
    ).toEqual(['xml.repeated'])
    expect(codes(good.replace('<sf:TipoFactura>', 'texto<sf:TipoFactura>'))).toEqual(['xml.stray_text'])
    expect(new Set(codes(good.replaceAll('SuministroInformacion.xsd', 'Otro.xsd')))).toEqual(
      new Set(['xml.namespace']),
    )
    expect(readVerifactu(good.replaceAll('SuministroInformacion.xsd', 'Otro.xsd')).document?.value).toEqual(
      alta().RegistroAlta,
    )
  })

  it('no text causes an exception', () => {
    fc.assert(
      fc.property(
        fc.nat(good.length),
        fc.nat(30),
        fc.string({ unit: 'binary', maxLength: 12 }),
        (at, length, insert) => {
          const reading = readVerifactu(good.slice(0, at) + insert + good.slice(at + length))
          expect(reading.ok || reading.items.length > 0).toBe(true)
        },
      ),
      { numRuns: sized(200, 2000) },
    )
  })
})

describe('RecordReader', () => {
  it('delivers each record of a long file when it ends, within any element, in chunks of any size', () => {
    const message = envio(
      setTo(
        'RegistroFactura',
        Array.from({ length: 50 }, (_, i) => (i % 3 === 2 ? anulacion() : alta())),
      ),
    )
    const xml = `<archivo>${submissionXml(message, { declaration: false })}${recordXml(evento(), { declaration: false })}</archivo>`
    for (const size of [1, 7, 1000, xml.length]) {
      const records: FiscalRecord[] = []
      const reader = new RecordReader(({ record, items }) => {
        expect(items).toEqual([])
        records.push(record)
      })
      for (let at = 0; at < xml.length; at += size) reader.write(xml.slice(at, at + size))
      expect(reader.close()).toEqual([])
      expect(records).toEqual([...message.RegistroFactura, evento()])
    }
  })

  it('returns the line of each record, and the problems of the file as a whole', () => {
    const lines: number[] = []
    const reader = new RecordReader(({ line }) => lines.push(line))
    reader.write(
      `<a>\n\n${recordXml(alta(), { declaration: false })}\n${recordXml(alta(), { declaration: false })}\n<cut>`,
    )
    expect(reader.close().map((item) => item.code)).toEqual(['xml.malformed'])
    expect(lines).toEqual([3, 4])
  })

  it('keeps a signature as complete text with its namespaces', () => {
    const xml = recordXml(alta(), { declaration: false }).replace(
      '</sf:RegistroAlta>',
      '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#" Id="s"><ds:SignatureValue>a&amp;b</ds:SignatureValue></ds:Signature></sf:RegistroAlta>',
    )
    const value = readValue(xml)
    expect(value.Signature).toBe(
      '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#" Id="s"><ds:SignatureValue>a&amp;b</ds:SignatureValue></ds:Signature>',
    )
    expect(readValue(recordXml({ RegistroAlta: value }))).toEqual(value)
    expect(PREVIOUS_HASH).toHaveLength(64)
  })
})
