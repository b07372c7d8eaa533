/**
 * Rules for `IDOtro`, parties without a NIF. Each block gets at most one code for its country and type, and one for its
 * identifier.
 */
import type { Extra, Text } from '#core/invoice/index.ts'
import { design, ERROR_LIST, validations } from '../model/laws.ts'
import { type AuthorityCode, isText, offline, type Structural } from './check-declaration.ts'
import { type Checks, checkEveryIdOtro, countryAndTypeCode, idCode, type OtherId } from './identity-checks.ts'

const facts = ({ id }: OtherId, received: string | undefined): Extra => ({
  ...(received === undefined ? {} : { received }),
  country: id.CodigoPais ?? '',
  type: id.IDType,
})

/** Returns checks that report `member` of each IDOtro whose combination of country and type is refused with `code`. */
const pair = (code: number, member: 'CodigoPais' | 'IDType'): Checks =>
  checkEveryIdOtro((someone, fail) => {
    if (countryAndTypeCode(someone) === code)
      fail(`${someone.path}/${member}`, facts(someone, someone.id[member]))
  })

/** Returns checks that report each identifier that is refused with `code`. */
const identifier = (code: number): Checks =>
  checkEveryIdOtro((someone, fail) => {
    if (idCode(someone) === code) fail(`${someone.path}/ID`, facts(someone, someone.id.ID))
  })

const inIdOtro = (violation: Structural): boolean => violation.parent === 'IDOtro' && isText(violation)

/** Paths of the identifier types of the system's producer and of the cancelling party, which have separate codes. */
const OWN_TYPE = /\/(SistemaInformatico|Generador)\/IDOtro\/IDType$/
const OF_A_RECIPIENT = /\/IDDestinatario\/IDOtro\/ID$/

const VIES: Text = {
  en: 'Whether the VAT number exists, which only VIES shows (1121).',
  es: 'Si el NIF-IVA existe: solo lo sabe VIES (1121).',
}

export const FOREIGN_CODES: readonly AuthorityCode[] = [
  offline({
    code: 1101,
    field: 'IDOtro/CodigoPais',
    law: design('2'),
    en: [
      '"{received}" is not one of the 246 country codes of the official schema.',
      'Send the ISO 3166-1 alpha-2 code in capitals; with IDType 02 the country may be omitted (Greece is EL in the identifier, Northern Ireland XI).',
    ],
    es: [
      '«{received}» no es ninguno de los 246 códigos de país del esquema oficial.',
      'Envíe el código ISO 3166-1 alfa-2 en mayúsculas; con IDType 02 puede omitirse el país (Grecia es EL en el identificador, Irlanda del Norte XI).',
    ],
    structure: (violation) => violation.field === 'CodigoPais' && inIdOtro(violation),
  }),
  offline({
    code: 1102,
    field: 'IDOtro/IDType',
    law: design('6, L7'),
    en: [
      '"{received}" is not a type of identifier.',
      'Send 02 (VAT number of another member state), 03 (passport), 04 (official id of the country of residence), 05 (residence certificate), 06 (other document) or 07 (not in the census); a Spanish NIF goes in NIF instead.',
    ],
    es: [
      '«{received}» no es ningún tipo de identificación.',
      'Envíe 02 (NIF-IVA de otro Estado miembro), 03 (pasaporte), 04 (documento oficial del país de residencia), 05 (certificado de residencia), 06 (otro documento) o 07 (no censado); un NIF español va en NIF.',
    ],
    structure: (violation) =>
      violation.field === 'IDType' && inIdOtro(violation) && !OWN_TYPE.test(violation.location),
  }),
  offline({
    code: 1103,
    field: 'IDOtro/ID',
    law: validations('3.1.3.13'),
    en: [
      'The recipient’s identifier "{received}" is invalid: it is empty, too long, or with IDType 02 not a VAT number of another member state.',
      'Send 1 to 20 characters; a VAT number in capitals, with its prefix and without separators (DE123456789).',
    ],
    es: [
      'El identificador del destinatario «{received}» no es válido: está vacío, es demasiado largo o, con IDType 02, no es un NIF-IVA de otro Estado miembro.',
      'Envíe de 1 a 20 caracteres; un NIF-IVA en mayúsculas, con su prefijo y sin separadores (DE123456789).',
    ],
    ...identifier(1103),
    structure: (violation) =>
      violation.field === 'ID' && inIdOtro(violation) && OF_A_RECIPIENT.test(violation.location),
    partly: VIES,
  }),
  offline({
    code: 1111,
    field: 'IDOtro/CodigoPais',
    law: validations('3.1.3.12-13'),
    en: [
      'An identifier of type {type} needs its country.',
      'Add CodigoPais. Only with IDType 02 can it be omitted, because the identifier has a prefix.',
    ],
    es: [
      'Un identificador de tipo {type} necesita su país.',
      'Añada CodigoPais. Solo puede omitirse con IDType 02, porque el identificador lleva un prefijo.',
    ],
    ...pair(1111, 'CodigoPais'),
  }),
  offline({
    code: 1122,
    field: 'IDOtro/CodigoPais',
    law: validations('3.1.5, nota 1'),
    en: [
      'The VAT number "{received}" does not start with the country sent with it, {country}.',
      'Correct the one that is wrong, or omit CodigoPais: with IDType 02 the prefix is enough, and the prefixes EL (Greece) and XI (Northern Ireland) match no country code.',
    ],
    es: [
      'El NIF-IVA «{received}» no empieza por el país que lo acompaña, {country}.',
      'Corrija el que esté mal u omita CodigoPais: con IDType 02 basta el prefijo, y los prefijos EL (Grecia) y XI (Irlanda del Norte) no coinciden con ningún código de país.',
    ],
    ...checkEveryIdOtro((someone, fail) => {
      if (idCode(someone) === 1122) fail(`${someone.path}/CodigoPais`, facts(someone, someone.id.ID))
    }),
  }),
  offline({
    code: 1126,
    field: 'IDOtro/CodigoPais',
    law: validations('3.1.3.13'),
    en: [
      'Country {country} cannot be combined with identifier type {type}: a Spanish recipient without NIF has a passport (03) or is not in the census (07), and 07 is only for Spain.',
      'Send the recipient’s NIF in NIF, or the type that fits the country. To a Spanish customer with unknown NIF, only a simplified invoice (F2) can be issued.',
    ],
    es: [
      'El país {country} y el tipo de identificación {type} no son compatibles: un destinatario de España sin NIF tiene pasaporte (03) o no está censado (07), y 07 es solo para España.',
      'Envíe el NIF del destinatario en NIF, o el tipo que corresponda al país. A un cliente español de NIF desconocido solo se le puede expedir factura simplificada (F2).',
    ],
    ...pair(1126, 'CodigoPais'),
  }),
  offline({
    code: 1131,
    field: 'IDOtro/ID',
    law: ERROR_LIST,
    en: [
      '"{received}" is the NIF of an entity, and only natural persons may be outside the census (type 07).',
      'Send the entity’s NIF in NIF; if the NIF is not in the census of the tax authority, the NIF is wrong or the entity must register.',
    ],
    es: [
      '«{received}» es el NIF de una entidad, y solo las personas físicas pueden no estar censadas (tipo 07).',
      'Envíe el NIF de la entidad en NIF; si la AEAT no lo conoce, el NIF está mal o la entidad debe darse de alta.',
    ],
    ...identifier(1131),
  }),
  offline({
    code: 1211,
    field: 'Tercero/IDOtro/IDType',
    law: validations('3.1.3.12'),
    en: [
      'A third party that issues invoices cannot be identified by type 07 (not in the census).',
      'Send its NIF in NIF, or for a foreign party the type of its identity document.',
    ],
    es: [
      'El tercero que expide facturas no puede identificarse con el tipo 07 (no censado).',
      'Envíe su NIF en NIF o, si es extranjero, el tipo del documento que lo identifica.',
    ],
    ...pair(1211, 'IDType'),
  }),
  offline({
    code: 1222,
    field: 'IDOtro/ID',
    law: ERROR_LIST,
    en: [
      'The identifier "{received}" is invalid: it is empty, too long, or with IDType 02 not a VAT number of another member state.',
      'Send 1 to 20 characters; a VAT number in capitals, with its prefix and without separators (DE123456789); send a Spanish NIF in NIF.',
    ],
    es: [
      'El identificador «{received}» no es válido: está vacío, es demasiado largo o, con IDType 02, no es un NIF-IVA de otro Estado miembro.',
      'Envíe de 1 a 20 caracteres; un NIF-IVA en mayúsculas, con su prefijo y sin separadores (DE123456789); envíe un NIF español en NIF.',
    ],
    ...identifier(1222),
    structure: (violation) => violation.field === 'ID' && inIdOtro(violation),
    partly: VIES,
  }),
  offline({
    code: 1232,
    field: 'IDOtro/IDType',
    law: validations('3.1.3.12'),
    en: [
      'A Spanish third party without NIF can only be identified by passport (03), not by type {type}.',
      'Send its NIF in NIF, or IDType 03 with the number of the passport.',
    ],
    es: [
      'Un tercero de España sin NIF solo puede identificarse con pasaporte (03), no con el tipo {type}.',
      'Envíe su NIF en NIF, o IDType 03 con el número del pasaporte.',
    ],
    ...pair(1232, 'IDType'),
  }),
  offline({
    code: 1234,
    field: 'IDOtro/IDType',
    law: validations('3.1.3.13'),
    en: [
      'A Spanish party without a NIF is identified by passport (03) or is not in the census (07), not by type {type}.',
      'Send the NIF in NIF, or IDType 03 or 07.',
    ],
    es: [
      'Una persona de España sin NIF se identifica con pasaporte (03) o como no censada (07), no con el tipo {type}.',
      'Envíe el NIF en NIF, o IDType 03 o 07.',
    ],
    ...pair(1234, 'IDType'),
  }),
  offline({
    code: 1254,
    field: 'IDOtro/ID',
    law: validations('3.1.5, nota 1'),
    en: [
      '"{received}" has the prefix of Northern Ireland, which did not exist before 1 January 2021.',
      'For an operation before then send the number with the prefix GB, or correct the date of the operation.',
    ],
    es: [
      '«{received}» lleva el prefijo de Irlanda del Norte, que no existía antes del 1 de enero de 2021.',
      'Para una operación anterior envíe el número con el prefijo GB, o corrija la fecha de operación.',
    ],
    ...identifier(1254),
  }),
  offline({
    code: 1255,
    field: 'IDOtro/ID',
    law: validations('3.1.5, nota 1'),
    en: [
      '"{received}" is a VAT number of Great Britain, which has had no EU VAT numbers since 1 February 2021.',
      'Use XI if the business is in Northern Ireland; otherwise send CodigoPais GB with IDType 04 or 06.',
    ],
    es: [
      '«{received}» es un número de Gran Bretaña, que no tiene NIF-IVA de la Unión desde el 1 de febrero de 2021.',
      'Use XI si la empresa está en Irlanda del Norte; si no, envíe CodigoPais GB con IDType 04 o 06.',
    ],
    ...identifier(1255),
  }),
  offline({
    code: 1290,
    field: 'IDOtro/ID',
    law: `${ERROR_LIST}; arts. 18-20 RD 1065/2007`,
    en: [
      '"{received}" is not a well-formed NIF, which type 07 requires.',
      'Send the NIF of the natural person: nine characters, in capitals, with the right letter; or identify the person by passport (03).',
    ],
    es: [
      '«{received}» no es un NIF bien formado, y el tipo 07 lo exige.',
      'Envíe el NIF de la persona física: nueve caracteres, en mayúsculas, con la letra correcta; o identifíquela con su pasaporte (03).',
    ],
    ...identifier(1290),
  }),
]
