/**
 * Builds the producer's responsible declaration and the block `SistemaInformatico` from the same data, so that they
 * always agree (Orden HAC/1177/2024 art. 15; RD 1007/2023 art. 13).
 */
import { CuadraError } from '#core/errors/index.ts'
import { isDate } from '#core/invoice/date.ts'
import { toFecha } from '../../fiscal/literals.ts'
import type { IDOtro, SistemaInformatico } from './verifactu-record-types.ts'

/** The data that the producer declares for a version of its invoicing system. */
export interface ResponsibleDeclaration {
  /** Name of the system, at most 30 characters. */
  readonly system_name: string
  /** Two characters of A-Z and 0-9 that the producer assigns to the system. */
  readonly system_id: string
  /** Complete version, at most 50 characters. */
  readonly version: string
  /** Hardware and software components, and the functions of the system. */
  readonly components: string
  /** True if the system can only work as VERI*FACTU. */
  readonly verifactu_only: boolean
  /** True if the system can serve several taxpayers. */
  readonly multi_taxpayer: boolean
  /** Types of signature of records and events; required unless the system can only work as VERI*FACTU. */
  readonly signature_types?: string
  readonly producer_name: string
  /** The producer's NIF, or the identifier of a foreign producer. */
  readonly producer_nif?: string
  readonly producer_id?: IDOtro
  /** Complete postal address of the producer. */
  readonly producer_address: string
  /** Date of the declaration, YYYY-MM-DD. */
  readonly date: string
  /** Town and country of the declaration. */
  readonly place: string
  /** Further information: contacts, web pages, how the system meets each requirement. */
  readonly annex?: string
}

/**
 * Thrown for invalid data of a declaration. `field` names the invalid member; the message states the problem and the
 * instruction.
 */
export class DeclarationError extends CuadraError {
  readonly field: keyof ResponsibleDeclaration | 'installation'
  constructor(field: DeclarationError['field'], problem: string) {
    super(`responsible declaration, ${field}: ${problem}`)
    this.name = 'DeclarationError'
    this.field = field
  }
}

const REQUIRED = [
  ['system_name', 30],
  ['version', 50],
  ['components', 10_000],
  ['producer_name', 120],
  ['producer_address', 500],
  ['place', 120],
] as const

function check(declaration: ResponsibleDeclaration): void {
  for (const [field, max] of REQUIRED) {
    const value: unknown = declaration[field]
    if (typeof value !== 'string' || value.trim() === '')
      throw new DeclarationError(field, 'it is missing, but the law requires it')
    if ([...value].length > max)
      throw new DeclarationError(field, `it has more than ${max} characters; shorten it`)
  }
  if (!/^[A-Z0-9]{2}$/.test(declaration.system_id))
    throw new DeclarationError('system_id', `"${declaration.system_id}" is not two characters of A-Z and 0-9`)
  if (!isDate(declaration.date))
    throw new DeclarationError('date', `"${declaration.date}" is not a date YYYY-MM-DD`)
  if ((declaration.producer_nif === undefined) === (declaration.producer_id === undefined))
    throw new DeclarationError(
      'producer_nif',
      'give the NIF, or the identifier (producer_id) of a foreign producer, and not both',
    )
  if (declaration.producer_nif !== undefined && !/^[A-Z0-9]{9}$/.test(declaration.producer_nif))
    throw new DeclarationError(
      'producer_nif',
      `"${declaration.producer_nif}" does not have the 9 characters of a NIF`,
    )
  if (!declaration.verifactu_only && !declaration.signature_types?.trim())
    throw new DeclarationError(
      'signature_types',
      'required for a system that can work without VERI*FACTU, e.g. "XAdES enveloped (EPES)"',
    )
}

const flag = (value: boolean): 'S' | 'N' => (value ? 'S' : 'N')

export interface Installation {
  /** Number of the installation, at most 100 characters; never reuse it for another installation. */
  readonly number: string
  /**
   * Whether the installation currently holds invoices of more than one taxpayer. Compute it; do not make it a setting.
   */
  readonly several_taxpayers: boolean
}

/**
 * Returns the block `SistemaInformatico` for the records of an installation of the declared system.
 *
 * Throws a `DeclarationError` that names the field. Source: Orden HAC/1177/2024 arts. 13 and 15, AEAT record design.
 *
 * @example
 * const producer = { producer_name: 'Programas, S.L.', producer_nif: 'B12345674', producer_address: 'Calle Mayor, 1, Madrid' }
 * const product = { system_name: 'Caja', system_id: 'CJ', version: '1.0', components: 'Programa de caja' }
 * const use = { verifactu_only: true, multi_taxpayer: false, date: '2027-01-02', place: 'Madrid, España' }
 * const system = systemBlock({ ...product, ...producer, ...use }, { number: 'T-1', several_taxpayers: false })
 * system.NumeroInstalacion + system.TipoUsoPosibleSoloVerifactu // => 'T-1S'
 */
export function systemBlock(
  declaration: ResponsibleDeclaration,
  installation: Installation,
): SistemaInformatico {
  check(declaration)
  const { number } = installation
  if (typeof number !== 'string' || number.trim() === '' || [...number].length > 100)
    throw new DeclarationError('installation', 'its number needs 1 to 100 characters')
  if (installation.several_taxpayers && !declaration.multi_taxpayer)
    throw new DeclarationError(
      'multi_taxpayer',
      'the installation serves several taxpayers, but the system is declared for one',
    )
  return {
    NombreRazon: declaration.producer_name,
    ...(declaration.producer_nif === undefined ? {} : { NIF: declaration.producer_nif }),
    ...(declaration.producer_id === undefined ? {} : { IDOtro: { ...declaration.producer_id } }),
    NombreSistemaInformatico: declaration.system_name,
    IdSistemaInformatico: declaration.system_id,
    Version: declaration.version,
    NumeroInstalacion: number,
    TipoUsoPosibleSoloVerifactu: flag(declaration.verifactu_only),
    TipoUsoPosibleMultiOT: flag(declaration.multi_taxpayer),
    IndicadorMultiplesOT: flag(installation.several_taxpayers),
  }
}

const TITLE = 'DECLARACIÓN RESPONSABLE DEL SISTEMA INFORMÁTICO DE FACTURACIÓN'

const COMPLIANCE =
  'La persona o entidad productora declara que este sistema informático, en esta versión, cumple el artículo 29.2.j) de la Ley 58/2003, General Tributaria, el reglamento aprobado por el Real Decreto 1007/2023, la Orden HAC/1177/2024 y lo que la sede electrónica de la Agencia Estatal de Administración Tributaria completa de esa orden.'

const identifierOf = ({ producer_nif, producer_id }: ResponsibleDeclaration): string =>
  producer_nif ?? [producer_id?.CodigoPais, producer_id?.IDType, producer_id?.ID].filter(Boolean).join(' ')

/**
 * Returns the text of the responsible declaration in Spanish, with the parts and the order that the law requires. It
 * must be visible inside the program and kept for every version.
 *
 * Throws a `DeclarationError` that names the field. Source: RD 1007/2023 art. 13, Orden HAC/1177/2024 art. 15.
 */
export function declarationText(declaration: ResponsibleDeclaration): string {
  check(declaration)
  const yes = (value: boolean): string => (value ? 'Sí' : 'No')
  const parts: readonly (readonly [string, string])[] = [
    ['Nombre del sistema informático', declaration.system_name],
    ['Código identificador del sistema informático', declaration.system_id],
    ['Identificador completo de la versión', declaration.version],
    ['Componentes, y descripción de características y funciones principales', declaration.components],
    ['Solo puede funcionar como VERI*FACTU', yes(declaration.verifactu_only)],
    ['Puede ser usado por varios obligados tributarios', yes(declaration.multi_taxpayer)],
    [
      'Tipos de firma de los registros de facturación y de evento',
      declaration.signature_types?.trim() || 'No aplica: solo funciona como VERI*FACTU',
    ],
    ['Nombre o razón social de la persona o entidad productora', declaration.producer_name],
    ['NIF o identificador de la persona o entidad productora', identifierOf(declaration)],
    ['Dirección postal completa', declaration.producer_address],
    ['Cumplimiento', COMPLIANCE],
    ['Fecha y lugar', `${toFecha(declaration.date)}, ${declaration.place}`],
  ]
  const lines = parts.map(([label, value], i) => `${String.fromCharCode(97 + i)}) ${label}: ${value}`)
  const annex = declaration.annex?.trim()
  return `${[TITLE, '', ...lines, ...(annex ? ['', 'ANEXO', annex] : [])].join('\n')}\n`
}
