/** Rules for the names and NIF of issuer, recipients and third party. Parties without a NIF are in `foreign-checks.ts`. */
import { required } from '#core/errors/index.ts'
import { design, ERROR_LIST, nifLawWith, validations } from '../model/laws.ts'
import { type AuthorityCode, type Fail, offline, type Structural } from './check-declaration.ts'
import { FOREIGN_CODES } from './foreign-checks.ts'
import {
  ENTITY_CONTROL,
  isBlank,
  isIssuer,
  isNameRequired,
  isNifText,
  type LocatedNif,
  nifErrorCode,
  nifFault,
  nifsOfAlta,
  nifsOfAnulacion,
  nifsOfConsulta,
  nifsOfEnvio,
  nifsOfEvento,
} from './identity-checks.ts'

/** Reports every faulty NIF of the list at a location where `code` is the code of a malformed NIF. */
const wrongNifs = (
  code: number,
  subject: Structural['subject'],
  list: readonly LocatedNif[],
  fail: Fail,
): void => {
  for (const { path, nif } of list)
    if (nifErrorCode(subject, path) === code && nifFault(nif))
      fail(path, { received: nif, reason: nifFault(nif) })
}

/** Whether a violation is in one of these blocks: neither NIF nor IDOtro, both, or a name of the wrong length. */
const brokenBlock = ({ kind, field, parent }: Structural, blocks: readonly string[]): boolean =>
  blocks.includes(parent) &&
  (kind === 'exclusive' ||
    (kind === 'missing' && field === 'NIF|IDOtro') ||
    (kind === 'length' && field === 'NombreRazon'))

export const PARTY_CODES: readonly AuthorityCode[] = [
  offline({
    code: 1108,
    field: 'IDFactura/IDEmisorFactura',
    law: validations('3.1.3.1'),
    en: [
      'The issuer {received} is not the taxpayer of the message, {expected}.',
      'Send the records of each taxpayer in a separate message, whose header has the same NIF.',
    ],
    es: [
      'El emisor {received} no es el obligado del mensaje, {expected}.',
      'Envíe los registros de cada obligado en un mensaje aparte, cuya cabecera lleve el mismo NIF.',
    ],
    alta({ record, around }, fail) {
      const issuer = record.IDFactura.IDEmisorFactura
      const expected = around.header?.ObligadoEmision?.NIF
      if (isOther(issuer, expected)) fail('/IDFactura/IDEmisorFactura', { received: issuer, expected })
    },
    anulacion({ record, around }, fail) {
      const issuer = record.IDFactura.IDEmisorFacturaAnulada
      const expected = around.header?.ObligadoEmision?.NIF
      if (isOther(issuer, expected)) fail('/IDFactura/IDEmisorFacturaAnulada', { received: issuer, expected })
    },
  }),
  offline({
    code: 1120,
    field: 'IDFactura/IDEmisorFactura',
    law: design('2'),
    en: ['The issuer’s NIF is not text.', 'Send the nine characters of the NIF as text ("B12345674").'],
    es: ['El NIF del emisor no es un texto.', 'Envíe los nueve caracteres del NIF como texto («B12345674»).'],
    structure: (violation) => violation.kind === 'kind' && isIssuer(violation),
  }),
  offline({
    code: 1123,
    field: 'NIF',
    law: nifLawWith(design('2')),
    en: [
      '"{received}" is not a NIF, which has nine characters (digits and capital letters) with a valid check character.',
      'Correct it; identify a party without a Spanish NIF in IDOtro.',
    ],
    es: [
      '«{received}» no es un NIF, que tiene nueve caracteres (cifras y mayúsculas) y un carácter de control válido.',
      'Corríjalo; quien no tiene NIF español se identifica en IDOtro.',
    ],
    alta: (context, fail) => wrongNifs(1123, 'alta', nifsOfAlta(context), fail),
    evento: (context, fail) => wrongNifs(1123, 'evento', nifsOfEvento(context), fail),
    consulta: (context, fail) => wrongNifs(1123, 'consulta', nifsOfConsulta(context), fail),
    structure: (violation) =>
      isNifText(violation, 1123) ||
      // Here an empty issuer of another invoice counts too. Any other empty NIF has a separate code (1172).
      (violation.kind === 'length' &&
        violation.field === 'IDEmisorFactura' &&
        nifErrorCode(violation.subject, violation.location) === 1123),
    partly: ENTITY_CONTROL,
  }),
  offline({
    code: 1178,
    field: 'Tercero',
    law: validations('3.1.3.12'),
    en: [
      'The third party is not identified by a name and exactly one identifier.',
      'Send NombreRazon (1 to 120 characters) and exactly one of NIF and IDOtro.',
    ],
    es: [
      'El tercero no está identificado con un nombre y un solo identificador.',
      'Envíe NombreRazon (de 1 a 120 caracteres) y exactamente uno de NIF e IDOtro.',
    ],
    alta({ record }, fail) {
      if (isBlank(record.Tercero?.NombreRazon)) fail('/Tercero/NombreRazon')
    },
    evento({ record }, fail) {
      if (isBlank(record.Evento.TerceroODestinatario?.NombreRazon))
        fail('/Evento/TerceroODestinatario/NombreRazon')
    },
    structure: (violation) => brokenBlock(violation, ['Tercero', 'TerceroODestinatario']),
  }),
  offline({
    code: 1188,
    field: 'Tercero/NIF',
    law: validations('3.1.3.12'),
    en: [
      'The third party {received} is the issuer itself.',
      'Send the NIF of the party that issued the invoice in the issuer’s name, or omit Tercero and EmitidaPorTerceroODestinatario.',
    ],
    es: [
      'El tercero {received} es el propio emisor.',
      'Envíe el NIF de quien expidió la factura en nombre del emisor, u omita Tercero y EmitidaPorTerceroODestinatario.',
    ],
    alta({ record }, fail) {
      const nif = record.Tercero?.NIF
      if (nif === record.IDFactura.IDEmisorFactura) fail('/Tercero/NIF', { received: nif })
    },
  }),
  offline({
    code: 1219,
    field: 'IDFactura/IDEmisorFactura',
    law: nifLawWith(design('2')),
    en: [
      'The issuer "{received}" is not a NIF, which has nine characters (digits and capital letters) with a valid check character.',
      'Send the issuer’s NIF as it is in the census, without the prefix ES, spaces or hyphens.',
    ],
    es: [
      'El emisor «{received}» no es un NIF, que tiene nueve caracteres (cifras y mayúsculas) y un carácter de control válido.',
      'Envíe el NIF del emisor tal como figura en el censo, sin ES delante, espacios ni guiones.',
    ],
    alta: (context, fail) => wrongNifs(1219, 'alta', nifsOfAlta(context), fail),
    anulacion: (context, fail) => wrongNifs(1219, 'anulacion', nifsOfAnulacion(context), fail),
    structure: (violation) => isNifText(violation, 1219),
    partly: ENTITY_CONTROL,
  }),
  offline({
    code: 1239,
    field: 'Destinatarios',
    law: validations('3.1.3.13'),
    en: [
      'A recipient is not identified by a name and exactly one identifier.',
      'Send NombreRazon (1 to 120 characters) and exactly one of NIF and IDOtro for each.',
    ],
    es: [
      'Un destinatario no está identificado con un nombre y un solo identificador.',
      'Envíe de cada uno NombreRazon (de 1 a 120 caracteres) y exactamente uno de NIF e IDOtro.',
    ],
    alta({ recipients }, fail) {
      for (const { path, person } of recipients) if (isBlank(person.NombreRazon)) fail(`${path}/NombreRazon`)
    },
    structure: (violation) => brokenBlock(violation, ['IDDestinatario']),
  }),
  offline({
    code: 1240,
    field: 'IDEmisorFactura',
    law: design('2'),
    en: ['The issuer is empty.', 'Send the NIF of the issuer.'],
    es: ['El emisor está vacío.', 'Envíe el NIF del emisor.'],
    structure: (violation) =>
      isIssuer(violation) && (violation.received === null || violation.received === ''),
  }),
  offline({
    code: 1282,
    field: 'Cabecera/NombreRazon',
    law: ERROR_LIST,
    en: [
      'The header identifies the natural person {received} only by NIF.',
      'Add the name as it is in the census (surnames first): the tax authority does not add the names of natural persons.',
    ],
    es: [
      'La cabecera identifica a una persona física, {received}, solo por su NIF.',
      'Añada el nombre tal como figura en el censo (apellidos primero): la AEAT no lo completa en personas físicas.',
    ],
    envio: (context, fail) => unnamed(nifsOfEnvio(context), context.record.Cabecera, fail),
    consulta: (context, fail) => unnamed(nifsOfConsulta(context), context.record.Cabecera, fail),
  }),
  ...FOREIGN_CODES,
]

/** Whether two NIF are well-formed and different. A malformed NIF has a separate code. */
function isOther(issuer: string, expected: unknown): boolean {
  return (
    typeof expected === 'string' &&
    [issuer, expected].every((nif) => nif.length === 9 && nifFault(nif) === null) &&
    issuer !== expected
  )
}

type Named = Readonly<Record<string, unknown>>

/** Reports natural persons in a header whose name is blank. */
function unnamed(nifs: readonly LocatedNif[], header: object, fail: Fail): void {
  for (const { path, nif } of nifs) {
    const [, , block] = path.split('/')
    const person = (header as Readonly<Record<string, Named | undefined>>)[required(block)]
    if (isBlank(person?.NombreRazon as string) && isNameRequired(nif))
      fail(`/Cabecera/${block}/NombreRazon`, { received: nif })
  }
}
