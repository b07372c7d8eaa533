/** Tests that the responsible declaration and the records' system block agree. */
import { describe, expect, it } from 'vitest'
import {
  checkRecord,
  DeclarationError,
  declarationText,
  type ResponsibleDeclaration,
  systemBlock,
} from '../../src/verifactu/index.ts'
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

describe('systemBlock', () => {
  it('gives the block of a record that passes every check', () => {
    const system = systemBlock(DECLARATION, { number: 'INST-1', several_taxpayers: true })
    expect(system).toEqual({
      NombreRazon: 'Programas Ficticios, S.L.',
      NIF: 'B12345674',
      NombreSistemaInformatico: 'Caja Ficticia',
      IdSistemaInformatico: 'CF',
      Version: '2.1.0',
      NumeroInstalacion: 'INST-1',
      TipoUsoPosibleSoloVerifactu: 'N',
      TipoUsoPosibleMultiOT: 'S',
      IndicadorMultiplesOT: 'S',
    })
    expect(
      checkRecord(
        alta((record: any) => {
          record.SistemaInformatico = system
        }),
      ),
    ).toEqual([])
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
    ['version', { version: ' ' }],
    ['system_name', { system_name: 'x'.repeat(31) }],
    ['components', { components: undefined }],
    ['date', { date: '01-12-2026' }],
    ['producer_nif', { producer_nif: 'B123' }],
    ['producer_nif', { producer_nif: undefined }],
    ['producer_nif', { producer_id: { IDType: '04', ID: 'x' } }],
    ['signature_types', { signature_types: '' }],
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
    expect(() => systemBlock(DECLARATION, { number: '', several_taxpayers: false })).toThrow(/installation/)
    expect(() =>
      systemBlock({ ...DECLARATION, multi_taxpayer: false }, { number: '1', several_taxpayers: true }),
    ).toThrow(/multi_taxpayer/)
  })
})

describe('declarationText', () => {
  it('has the title, parts a to l in the order of the law, and the annex', () => {
    const text = declarationText({ ...DECLARATION, annex: 'Contacto: soporte@example.com' })
    const lines = text.split('\n')
    expect(lines[0]).toBe('DECLARACIÓN RESPONSABLE DEL SISTEMA INFORMÁTICO DE FACTURACIÓN')
    expect(lines.slice(2, 14).map((line) => line.slice(0, 2))).toEqual(
      [...'abcdefghijkl'].map((letter) => `${letter})`),
    )
    expect(lines[3]).toBe('b) Código identificador del sistema informático: CF')
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
