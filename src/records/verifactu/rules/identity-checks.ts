/** Checks of tax ids and foreign identifiers, the same for every party of a record. */
import { required } from '#core/errors/index.ts'
import { checkTaxId, spanishTaxId } from '#core/identifiers/index.ts'
import type { Text } from '#core/invoice/index.ts'
import { fromFecha } from '../../fiscal/literals.ts'
import type {
  Consulta,
  Envio,
  IDOtro,
  RegistroAnulacion,
  RegistroEvento,
} from '../model/verifactu-record-types.ts'
import { vocabulary } from '../model/verifactu-vocabulary.ts'
import { type AltaContext, type CheckContext, relatedOf } from './check-context.ts'
import type { Fail, OfflineRule, Structural } from './check-declaration.ts'

export const isBlank = (text: string | undefined): boolean => text !== undefined && text.trim() === ''

// ---- NIF ----

/**
 * Returns the fault of a nine-character NIF: `form` (impossible form), `letter` (wrong control letter) or null. The
 * control character of an entity is not checked: it is not reliable enough to refuse a record. The schema refuses texts
 * of another length.
 */
export function nifFault(text: string | undefined): 'form' | 'letter' | null {
  if (text === undefined || [...text].length !== 9) return null
  const { kind, normalized, reason } = spanishTaxId(text)
  if (normalized !== text) return 'form'
  if (kind === 'CIF' || reason === null || reason === 'placeholder') return null
  return reason === 'control' ? 'letter' : 'form'
}

/** Whether a NIF belongs to a natural person: DNI, NIE, K, L or M. */
export const isNaturalPerson = (nif: string | undefined): boolean =>
  nif?.length === 9 && spanishTaxId(nif).person_type_code === 'F'

/**
 * Whether the holder of a NIF is a natural person, whose missing name has the codes 1282 and 1283. The authority
 * completes only the names of entities.
 */
export const isNameRequired = (nif: string | undefined): boolean =>
  isNaturalPerson(nif) && nifFault(nif) === null

/** The part of a NIF that offline checks skip. */
export const ENTITY_CONTROL: Text = {
  en: 'The control character of an entity is not checked.',
  es: 'El carácter de control de las entidades no se comprueba.',
}

const ISSUER = ['/IDFactura/IDEmisorFactura', '/IDFactura/IDEmisorFacturaAnulada']

/** Whether a violation concerns the issuer of the record's own invoice. */
export const isIssuer = ({ location }: Structural): boolean => ISSUER.includes(location)

/**
 * Returns the code for a malformed NIF at a location. Returns null for other fields, and for the issuer of the previous
 * record, which has a separate code.
 */
export function nifErrorCode(subject: Structural['subject'], location: string): number | null {
  const [field = '', parent] = location.split('/').reverse()
  if (field !== 'NIF' && !field.startsWith('IDEmisorFactura')) return null
  if (parent === 'RegistroAnterior') return null
  if (ISSUER.includes(location)) return 1219
  if (parent === 'SistemaInformatico') return 1176
  if (parent === 'Generador') return 1258
  if (!location.startsWith('/Cabecera/')) return 1123
  if (subject === 'consulta') return 4109
  return parent === 'Representante' ? 4117 : 4116
}

/**
 * Whether a violation is a non-empty NIF that the schema refuses for its length or characters, and `code` is its code.
 */
export const isNifText = (violation: Structural, code: number): boolean =>
  (violation.kind === 'length' || violation.kind === 'character') &&
  violation.received !== '' &&
  nifErrorCode(violation.subject, violation.location) === code

export interface LocatedNif {
  readonly path: string
  readonly nif: string | undefined
}

type NifEntry = readonly (readonly [path: string, nif: string | undefined])[]

const nifsAt = (list: NifEntry): LocatedNif[] => list.map(([path, nif]) => ({ path, nif }))

export const nifsOfAlta = ({ record, recipients }: AltaContext): LocatedNif[] => [
  ...nifsAt([
    ['/IDFactura/IDEmisorFactura', record.IDFactura.IDEmisorFactura],
    ['/Tercero/NIF', record.Tercero?.NIF],
    ['/SistemaInformatico/NIF', record.SistemaInformatico.NIF],
  ]),
  ...relatedOf(record).map(({ path, id }) => ({ path: `${path}/IDEmisorFactura`, nif: id.IDEmisorFactura })),
  ...recipients.map(({ path, person }) => ({ path: `${path}/NIF`, nif: person.NIF })),
]

export const nifsOfAnulacion = ({ record }: CheckContext<RegistroAnulacion>): LocatedNif[] =>
  nifsAt([
    ['/IDFactura/IDEmisorFacturaAnulada', record.IDFactura.IDEmisorFacturaAnulada],
    ['/Generador/NIF', record.Generador?.NIF],
    ['/SistemaInformatico/NIF', record.SistemaInformatico.NIF],
  ])

export const nifsOfEvento = ({ record: { Evento: event } }: CheckContext<RegistroEvento>): LocatedNif[] =>
  nifsAt([
    ['/Evento/SistemaInformatico/NIF', event.SistemaInformatico.NIF],
    ['/Evento/ObligadoEmision/NIF', event.ObligadoEmision.NIF],
    ['/Evento/TerceroODestinatario/NIF', event.TerceroODestinatario?.NIF],
  ])

export const nifsOfEnvio = ({ record: { Cabecera: header } }: CheckContext<Envio>): LocatedNif[] =>
  nifsAt([
    ['/Cabecera/ObligadoEmision/NIF', header.ObligadoEmision.NIF],
    ['/Cabecera/Representante/NIF', header.Representante?.NIF],
  ])

export const nifsOfConsulta = ({
  record: { Cabecera: header, FiltroConsulta: filter },
}: CheckContext<Consulta>): LocatedNif[] =>
  nifsAt([
    ['/Cabecera/ObligadoEmision/NIF', header.ObligadoEmision?.NIF],
    ['/Cabecera/Destinatario/NIF', header.Destinatario?.NIF],
    ['/FiltroConsulta/Contraparte/NIF', filter.Contraparte?.NIF],
    ['/FiltroConsulta/SistemaInformatico/NIF', filter.SistemaInformatico?.NIF],
    ['/FiltroConsulta/ClavePaginacion/IDEmisorFactura', filter.ClavePaginacion?.IDEmisorFactura],
  ])

// ---- IDOtro ----

/** Role of the identified party. It determines the identifier types allowed for Spain, and the code for other types. */
export type Role =
  | 'recipient'
  | 'third'
  | 'producer'
  | 'cancelling-recipient'
  | 'cancelling-third'
  | 'counterpart'

export interface OtherId {
  /** Path of the block IDOtro. */
  readonly path: string
  readonly role: Role
  readonly id: IDOtro
  /** Date, or date and time, that determines the valid prefixes of the United Kingdom. */
  readonly date: string | undefined
}

const other = (
  path: string,
  role: Role,
  person: { readonly IDOtro?: IDOtro } | undefined,
  date: string | undefined,
): OtherId[] => (person?.IDOtro ? [{ path: `${path}/IDOtro`, role, id: person.IDOtro, date }] : [])

const othersOfAlta = ({ record, recipients, accrualDate: date }: AltaContext): OtherId[] => [
  ...other('/Tercero', 'third', record.Tercero, date),
  ...recipients.flatMap(({ path, person }) => other(path, 'recipient', person, date)),
  ...other('/SistemaInformatico', 'producer', record.SistemaInformatico, date),
]

/** Returns every IDOtro of a cancellation. Skips that of a cancelling issuer, which must have a NIF (code 1227). */
export function idOtrosOfAnulacion({ record }: CheckContext<RegistroAnulacion>): OtherId[] {
  const { Generador: person, GeneradoPor: by, SistemaInformatico: system } = record
  const date = fromFecha(record.IDFactura.FechaExpedicionFacturaAnulada)
  const role = by === 'T' ? 'cancelling-third' : by === 'D' ? 'cancelling-recipient' : 'counterpart'
  return [
    ...(by === 'E' ? [] : other('/Generador', role, person, date)),
    ...other('/SistemaInformatico', 'producer', system, date),
  ]
}

function othersOfEvento({ record: { Evento: event } }: CheckContext<RegistroEvento>): OtherId[] {
  const {
    TerceroODestinatario: person,
    EmitidaPorTerceroODestinatario: by,
    SistemaInformatico: system,
  } = event
  const date = event.FechaHoraHusoGenEvento
  return [
    ...other('/Evento/SistemaInformatico', 'producer', system, date),
    ...other('/Evento/TerceroODestinatario', by === 'T' ? 'third' : 'counterpart', person, date),
  ]
}

const othersOfConsulta = ({ record: { FiltroConsulta: filter } }: CheckContext<Consulta>): OtherId[] => [
  ...other('/FiltroConsulta/Contraparte', 'counterpart', filter.Contraparte, undefined),
  ...other('/FiltroConsulta/SistemaInformatico', 'producer', filter.SistemaInformatico, undefined),
]

/** One check for each kind of document that can have an IDOtro. */
export type Checks = Required<Pick<OfflineRule, 'alta' | 'anulacion' | 'evento' | 'consulta'>>

/** Applies a check to every IDOtro of a document. */
export const checkEveryIdOtro = (look: (someone: OtherId, fail: Fail) => void): Checks => {
  const each = (list: readonly OtherId[], fail: Fail) => {
    for (const someone of list) look(someone, fail)
  }
  return {
    alta: (context, fail) => each(othersOfAlta(context), fail),
    anulacion: (context, fail) => each(idOtrosOfAnulacion(context), fail),
    evento: (context, fail) => each(othersOfEvento(context), fail),
    consulta: (context, fail) => each(othersOfConsulta(context), fail),
  }
}

/**
 * Identifier types allowed for Spanish parties in each role, the code for other types, and the code for type 07 if it
 * is never allowed.
 */
const SPAIN: Readonly<Record<Role, { types: readonly string[]; code: number; notInCensus?: number }>> = {
  recipient: { types: ['03', '07'], code: 1126 },
  third: { types: ['03'], code: 1232, notInCensus: 1211 },
  producer: { types: ['03'], code: 1221, notInCensus: 1221 },
  'cancelling-recipient': { types: ['03', '07'], code: 1230 },
  'cancelling-third': { types: ['03'], code: 1232, notInCensus: 1229 },
  counterpart: { types: ['03', '07'], code: 1234 },
}

const ID_TYPES = ['02', '03', '04', '05', '06', '07']

let countries: ReadonlySet<string> | undefined

/** Whether the schema lists this country code. */
const isCountry = (code: string | undefined): boolean => {
  countries ??= required(
    ['Tercero', 'IDOtro', 'CodigoPais'].reduce(
      (type, name) => required(type.byName.get(name)).type,
      required(vocabulary().roots.get('RegistroAlta')).type,
    ).values,
  )
  return countries.has(code as string)
}

/** Returns the code that refuses the combination of country and identifier type, or null. */
export function countryAndTypeCode({
  role,
  id: { CodigoPais: country, IDType: type },
}: OtherId): number | null {
  if (!ID_TYPES.includes(type)) return null
  const { types, code, notInCensus } = SPAIN[role]
  if (type === '07' && notInCensus !== undefined) return notInCensus
  if (country === undefined) return type === '02' ? null : 1111
  if (country === 'ES') return types.includes(type) ? null : code
  return type === '07' && isCountry(country) ? 1126 : null
}

/**
 * Days of the Brexit transition: from `XI_SINCE` VAT numbers of Northern Ireland are valid, and from `GB_UNTIL` those
 * of Great Britain are not.
 */
const XI_SINCE = '2021-01-01'
const GB_UNTIL = '2021-02-01'

/**
 * Whether a text has the form of a VAT number of another member state, in capitals, with its prefix. Check digits are
 * not checked: that is left to VIES.
 */
function isVatForm(text: string): boolean {
  const british = text.startsWith('GB')
  const asked = british ? `XI${text.slice(2)}` : text
  const { kind, normalized, reason } = checkTaxId(asked, asked.slice(0, 2))
  const formed = reason === null || reason === 'control' || reason === 'placeholder'
  return kind === 'EU_VAT' && normalized === asked && formed
}

/**
 * Returns the code that refuses a VAT number, or null. Without a date, `XI_SINCE` applies, on which both prefixes are
 * valid.
 */
function vatCode(
  { id: { CodigoPais: country, ID }, date = XI_SINCE }: OtherId,
  wrong: number,
): number | null {
  const text = ID.trim()
  const prefix = text.slice(0, 2)
  if (isCountry(country) && /[a-z]{2}/i.test(prefix) && prefix.toUpperCase() !== country) return 1122
  if (!isVatForm(text)) return wrong
  if (prefix === 'XI' && date < XI_SINCE) return 1254
  return prefix === 'GB' && date >= GB_UNTIL ? 1255 : null
}

/** Returns the code that refuses the identifier itself, or null. */
export function idCode(someone: OtherId): number | null {
  const { ID, IDType: type, CodigoPais: country } = someone.id
  const wrong = someone.role === 'recipient' ? 1103 : 1222
  // The schema already refuses a longer identifier.
  if ([...ID].length > 20) return null
  if (isBlank(ID)) return wrong
  if (countryAndTypeCode(someone) !== null) return null
  if (type === '02') return vatCode(someone, wrong)
  if (type !== '07' || country !== 'ES') return null
  const { kind, valid, normalized } = spanishTaxId(ID)
  if (kind === 'CIF' && normalized === ID) return 1131
  return valid && normalized === ID ? null : 1290
}
