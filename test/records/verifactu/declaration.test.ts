/** Tests that the responsible declaration and the records' system block agree. */
import { describe, expect, it } from 'vitest'
import {
  checkRecord,
  DeclarationError,
  declarationText,
  type ResponsibleDeclaration,
  systemBlock,
} from '#records/verifactu/index.ts'
import { setTo } from '../../put.ts'
import { alta } from './records.ts'

const DECLARATION: ResponsibleDeclaration = {
  system_name: 'Caja Ficticia',
  system_id: 'CF',
  version: '2.1.0',
  components: 'Aplicación web y servidor; emite facturas y tiques',
  verifactu_only: false,
  multi_taxpayer: true,
  signature_types: 'XAdES enveloped, clase EPES',
  producer_name: 'Programas Ficticios, S.L.',
  producer_nif: 'B12345674',
  producer_address: 'Calle Inventada, 7, 28013 Madrid, España',
  date: '2026-12-01',
  place: 'Madrid, España',
}

const SYSTEM = {
  NombreRazon: 'Programas Ficticios, S.L.',
  NIF: 'B12345674',
  NombreSistemaInformatico: 'Caja Ficticia',
  IdSistemaInformatico: 'CF',
  Version: '2.1.0',
}

describe('systemBlock', () => {
  it('gives the block of a record that passes every check', () => {
    const system = systemBlock(DECLARATION, { number: 'INST-1', several_taxpayers: true })
    expect(system).toEqual({
      ...SYSTEM,
      NumeroInstalacion: 'INST-1',
      TipoUsoPosibleSoloVerifactu: 'N',
      TipoUsoPosibleMultiOT: 'S',
      IndicadorMultiplesOT: 'S',
    })
    expect(checkRecord(alta(setTo('SistemaInformatico', system)))).toEqual([])
  })

  it('accepts a foreign producer', () => {
    const { producer_nif: _, ...rest } = DECLARATION
    const system = systemBlock(
      { ...rest, producer_id: { CodigoPais: 'PT', IDType: '04', ID: '500000000' } },
      { number: '1', several_taxpayers: false },
    )
    expect(system).toMatchObject({ IDOtro: { CodigoPais: 'PT', IDType: '04', ID: '500000000' } })
    expect(system.NIF).toBeUndefined()
  })

  it.each([
    ['system_id', { system_id: 'cf' }],
    ['system_id', { system_id: 'Ñ1' }],
    ['system_id', { system_id: 'CF1' }],
    ['system_id', { system_id: '1cF' }],
    ['version', { version: ' ' }],
    ['system_name', { system_name: 'x'.repeat(31) }],
    ['version', { version: 'v'.repeat(51) }],
    ['components', { components: undefined }],
    ['producer_name', { producer_name: 'p'.repeat(121) }],
    ['producer_address', { producer_address: '' }],
    ['place', { place: undefined }],
    ['date', { date: '01-12-2026' }],
    ['producer_nif', { producer_nif: 'B123' }],
    ['producer_nif', { producer_nif: 'B12345674X' }],
    ['producer_nif', { producer_nif: 'ñB12345674' }],
    ['producer_nif', { producer_nif: 'b12345674' }],
    ['producer_nif', { producer_nif: undefined }],
    ['producer_nif', { producer_id: { IDType: '04', ID: 'x' } }],
    ['signature_types', { signature_types: ' ' }],
    ['signature_types', { signature_types: undefined }],
  ] as const)('refuses a wrong %s, by name', (field, change) => {
    const wrong = { ...DECLARATION, ...change } as ResponsibleDeclaration
    for (const make of [
      () => systemBlock(wrong, { number: '1', several_taxpayers: false }),
      () => declarationText(wrong),
    ]) {
      let error: unknown
      try {
        make()
      } catch (thrown) {
        error = thrown
      }
      expect(error).toBeInstanceOf(DeclarationError)
      expect((error as DeclarationError).field).toBe(field)
    }
  })

  it('refuses an installation without number, and several taxpayers in a system for one', () => {
    for (const number of ['', ' ', 'n'.repeat(101), undefined as never])
      expect(() => systemBlock(DECLARATION, { number, several_taxpayers: false })).toThrow(/installation/)
    expect(() =>
      systemBlock({ ...DECLARATION, multi_taxpayer: false }, { number: '1', several_taxpayers: true }),
    ).toThrow(/multi_taxpayer/)
  })
})

describe('a declaration', () => {
  it('has texts as long as the records allow', () => {
    const longest = { system_name: '💶'.repeat(30), version: 'v'.repeat(50), producer_name: 'ñ'.repeat(120) }
    const system = systemBlock(
      { ...DECLARATION, ...longest },
      { number: 'n'.repeat(100), several_taxpayers: false },
    )
    expect(system).toMatchObject({
      NombreSistemaInformatico: longest.system_name,
      Version: longest.version,
      NombreRazon: longest.producer_name,
      NumeroInstalacion: 'n'.repeat(100),
      IndicadorMultiplesOT: 'N',
    })
    expect(checkRecord(alta(setTo('SistemaInformatico', system)))).toEqual([])
  })

  it('of a system that is only VERI*FACTU and for one taxpayer needs no signature', () => {
    const { signature_types: _, ...rest } = DECLARATION
    const only = { ...rest, verifactu_only: true, multi_taxpayer: false }
    expect(systemBlock(only, { number: '1', several_taxpayers: false })).toStrictEqual({
      ...SYSTEM,
      NumeroInstalacion: '1',
      TipoUsoPosibleSoloVerifactu: 'S',
      TipoUsoPosibleMultiOT: 'N',
      IndicadorMultiplesOT: 'N',
    })
    expect(declarationText(only).split('\n').slice(6, 9)).toEqual([
      'e) Solo puede funcionar como VERI*FACTU: Sí',
      'f) Puede ser usado por varios obligados tributarios: No',
      'g) Tipos de firma de los registros de facturación y de evento: No aplica: solo funciona como VERI*FACTU',
    ])
  })
})

describe('declarationText', () => {
  it('identifies a foreign producer by the known parts of its identifier', () => {
    const { producer_nif: _, ...rest } = DECLARATION
    const textOf = (producer_id: ResponsibleDeclaration['producer_id']): string =>
      declarationText({ ...rest, ...(producer_id ? { producer_id } : {}) })
    expect(textOf({ CodigoPais: 'PT', IDType: '04', ID: '500000000' })).toContain(
      'productora: PT 04 500000000\n',
    )
    expect(textOf({ IDType: '02', ID: 'PT500000000' })).toContain('productora: 02 PT500000000\n')
    expect(declarationText(DECLARATION)).toContain('productora: B12345674\n')
  })
  it('has the title, parts a to l in the order of the law, and the annex', () => {
    const text = declarationText({
      ...DECLARATION,
      signature_types: ' XAdES enveloped, clase EPES ',
      annex: ' Contacto: soporte@example.com\n',
    })
    const lines = text.split('\n')
    expect(lines[0]).toBe('DECLARACIÓN RESPONSABLE DEL SISTEMA INFORMÁTICO DE FACTURACIÓN')
    expect(lines.slice(2, 14).map((line) => line.slice(0, 2))).toEqual(
      [...'abcdefghijkl'].map((letter) => `${letter})`),
    )
    expect(lines[3]).toBe('b) Código identificador del sistema informático: CF')
    expect(lines[8]).toMatch(/: XAdES enveloped, clase EPES$/)
    expect(lines[13]).toBe('l) Fecha y lugar: 01-12-2026, Madrid, España')
    expect(text.endsWith('ANEXO\nContacto: soporte@example.com\n')).toBe(true)
  })

  it('has no annex if none is given', () => {
    for (const annex of [undefined, '  '])
      expect(declarationText({ ...DECLARATION, ...(annex ? { annex } : {}) })).toMatch(
        /l\) Fecha y lugar: [^\n]+\n$/,
      )
  })
})
