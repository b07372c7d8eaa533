/** The definitions of the fiscal XML and of the invoice formats equal those of the official schemas. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { violationsOf } from '#core/xml/index.ts'
import { vocabulary as sii } from '#records/sii/model/sii-vocabulary.ts'
import { vocabulary as verifactu } from '#records/verifactu/model/verifactu-vocabulary.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const reference = `${root}../shared/reference`
const present = existsSync(`${reference}/verifactu/xsd`)

describe('schemas/xml', () => {
  it.skipIf(!present)(
    `is what the official schemas give${present ? '' : ' (skipped: they are not here)'}`,
    () => {
      const { status, stdout } = spawnSync('node', ['scripts/xml-shapes.mjs', reference, '--check'], {
        cwd: root,
        encoding: 'utf8',
      })
      expect(stdout).toBe(
        [
          'schemas/xml/verifactu.json: 8 roots, 156 types',
          'schemas/xml/sii.json: 70 roots, 318 types',
          'schemas/xml/facturae_3_2.json: 1 roots, 124 types',
          'schemas/xml/facturae_3_2_1.json: 1 roots, 123 types',
          'schemas/xml/facturae_3_2_2.json: 1 roots, 126 types',
          'schemas/xml/ubl_2_1.json: 2 roots, 121 types',
          'schemas/xml/cii_d16b.json: 1 roots, 166 types',
          '',
        ].join('\n'),
      )
      expect(status).toBe(0)
    },
  )

  it('reports missing, surplus and invalid values with their path', () => {
    const { type } = required(verifactu().roots.get('RegistroAnulacion'))
    const value = {
      IDVersion: '1.1',
      IDFactura: {
        IDEmisorFacturaAnulada: 'B1',
        NumSerieFacturaAnulada: '',
        FechaExpedicionFacturaAnulada: 5,
      },
      Encadenamiento: { PrimerRegistro: 'S', RegistroAnterior: 'x' },
      SistemaInformatico: [],
      FechaHoraHusoGenRegistro: '2027-13-01T00:00:00',
      TipoHuella: '01',
      'a/b': 1,
    }
    expect(violationsOf(value, type, 'RegistroAnulacion').map(({ kind, path }) => `${kind} ${path}`)).toEqual(
      [
        'value /IDVersion',
        'length /IDFactura/IDEmisorFacturaAnulada',
        'length /IDFactura/NumSerieFacturaAnulada',
        'kind /IDFactura/FechaExpedicionFacturaAnulada',
        'kind /Encadenamiento/RegistroAnterior',
        'exclusive /Encadenamiento/RegistroAnterior',
        'kind /SistemaInformatico',
        'pattern /FechaHoraHusoGenRegistro',
        'missing /Huella',
        'unknown /a~1b',
      ],
    )
  })

  it('counts characters as XML Schema does, not UTF-16 units', () => {
    const { type } = required(verifactu().roots.get('RegistroAlta'))
    const description = (text: string) =>
      violationsOf({ DescripcionOperacion: text }, type, 'RegistroAlta').filter(
        ({ field }) => field === 'DescripcionOperacion',
      )
    expect(description('💶'.repeat(500))).toEqual([])
    expect(description('💶'.repeat(501))).toMatchObject([{ kind: 'length' }])
  })

  it('has both vocabularies with their roots', () => {
    expect([...verifactu().roots.keys()]).toContain('RegFactuSistemaFacturacion')
    expect([...sii().roots.keys()]).toContain('SuministroLRFacturasEmitidas')
    for (const vocabulary of [verifactu(), sii()]) expect(vocabulary.roots.has('Fault')).toBe(true)
  })
})
