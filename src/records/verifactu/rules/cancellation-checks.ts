/** Rules for cancellations: the party that cancels, and invoices without a previous record. */
import { design, nifLawWith, validations } from '../model/laws.ts'
import { type AuthorityCode, type OfflineRule, offline, type Structural } from './check-declaration.ts'
import {
  countryAndTypeCode,
  ENTITY_CONTROL,
  idOtrosOfAnulacion,
  isBlank,
  isNifText,
  nifFault,
} from './identity-checks.ts'

/** Returns a check that reports the identifier type of the cancelling party if `code` refuses it. */
const typeOf =
  (code: number): NonNullable<OfflineRule['anulacion']> =>
  (context, fail) => {
    for (const someone of idOtrosOfAnulacion(context))
      if (countryAndTypeCode(someone) === code)
        fail(`${someone.path}/IDType`, { received: someone.id.IDType })
  }

const inGenerator = ({ parent, kind }: Structural, kinds: readonly Structural['kind'][]): boolean =>
  parent === 'Generador' && kinds.includes(kind)

export const CANCELLATION_CODES: readonly AuthorityCode[] = [
  offline({
    code: 1224,
    field: 'GeneradoPor and Generador',
    law: validations('3.1.4.2-3'),
    en: [
      'Only one of GeneradoPor and Generador is present.',
      'Send both, or neither if the taxpayer cancels its own invoice.',
    ],
    es: [
      'De GeneradoPor y Generador solo figura uno.',
      'Envíe los dos, o ninguno si el propio obligado anula su factura.',
    ],
    anulacion({ record }, fail) {
      if (record.GeneradoPor !== undefined && record.Generador === undefined) fail('/Generador')
      if (record.GeneradoPor === undefined && record.Generador !== undefined) fail('/GeneradoPor')
    },
  }),
  offline({
    code: 1225,
    field: 'GeneradoPor',
    law: design('6, L16'),
    en: ['"{received}" is not a valid GeneradoPor.', 'Send E (issuer), D (recipient) or T (third party).'],
    es: [
      '«{received}» no es un valor válido de GeneradoPor.',
      'Envíe E (expedidor), D (destinatario) o T (tercero).',
    ],
    structure: ({ kind, location }) => kind === 'value' && location === '/GeneradoPor',
  }),
  offline({
    code: 1227,
    field: 'Generador/NIF',
    law: validations('3.1.4.3'),
    en: [
      'The issuer cancels the invoice (GeneradoPor E) but is not identified by NIF.',
      'Send Generador with a NIF instead of IDOtro, or correct GeneradoPor.',
    ],
    es: [
      'El expedidor es quien anula (GeneradoPor E), pero no está identificado con NIF.',
      'Envíe Generador con NIF en lugar de IDOtro, o corrija GeneradoPor.',
    ],
    anulacion({ record }, fail) {
      if (record.GeneradoPor === 'E' && record.Generador && record.Generador.NIF === undefined)
        fail('/Generador/NIF')
    },
  }),
  offline({
    code: 1228,
    field: 'Generador',
    law: validations('3.1.4.3'),
    en: ['The cancelling party has neither NIF nor IDOtro, or has both.', 'Send exactly one of them.'],
    es: ['Quien anula no lleva NIF ni IDOtro, o lleva los dos.', 'Envíe exactamente uno.'],
    structure: (violation) =>
      inGenerator(violation, ['exclusive']) ||
      (violation.field === 'NIF|IDOtro' && inGenerator(violation, ['missing'])),
  }),
  offline({
    code: 1229,
    field: 'Generador/IDOtro/IDType',
    law: validations('3.1.4.3'),
    en: [
      'A third party that cancels an invoice cannot be identified by type 07 (not in the census).',
      'Send its NIF in NIF, or for a foreign party the type of its identity document.',
    ],
    es: [
      'El tercero que anula una factura no puede identificarse con el tipo 07 (no censado).',
      'Envíe su NIF en NIF o, si es extranjero, el tipo del documento que lo identifica.',
    ],
    anulacion: typeOf(1229),
  }),
  offline({
    code: 1230,
    field: 'Generador/IDOtro/IDType',
    law: validations('3.1.4.3'),
    en: [
      'A cancelling Spanish recipient without a NIF cannot be identified by type {received}.',
      'Send its NIF in NIF, or IDType 03 (passport) or 07 (not in the census).',
    ],
    es: [
      'Un destinatario de España que anula sin NIF no puede identificarse con el tipo {received}.',
      'Envíe su NIF en NIF, o IDType 03 (pasaporte) o 07 (no censado).',
    ],
    anulacion: typeOf(1230),
  }),
  offline({
    code: 1231,
    field: 'Generador/IDOtro/IDType',
    law: design('6, L7'),
    en: [
      'The cancelling party cannot be identified by type "{received}".',
      'Send 02 (VAT number), 03 (passport), 04 (official id), 05 (residence certificate), 06 (other document) or, for a recipient, 07 (not in the census).',
    ],
    es: [
      'Quien anula no puede identificarse con el tipo «{received}».',
      'Envíe 02 (NIF-IVA), 03 (pasaporte), 04 (documento oficial), 05 (certificado de residencia), 06 (otro documento) o, si es un destinatario, 07 (no censado).',
    ],
    structure: ({ kind, location }) => kind === 'value' && location.endsWith('/Generador/IDOtro/IDType'),
  }),
  offline({
    code: 1258,
    field: 'Generador/NIF',
    law: nifLawWith(design('3')),
    en: [
      'The NIF of the cancelling party, "{received}", is wrong: a NIF has nine characters (digits and capital letters) with a valid check character.',
      'Correct it; identify a party without a Spanish NIF in IDOtro.',
    ],
    es: [
      'El NIF de quien anula, «{received}», es incorrecto: un NIF tiene nueve caracteres (cifras y mayúsculas) y un carácter de control válido.',
      'Corríjalo; quien no tiene NIF español se identifica en IDOtro.',
    ],
    anulacion({ record }, fail) {
      const nif = record.Generador?.NIF
      if (nifFault(nif)) fail('/Generador/NIF', { received: nif })
    },
    structure: (violation) => isNifText(violation, 1258),
    partly: ENTITY_CONTROL,
  }),
  offline({
    code: 1259,
    field: 'Generador/NIF',
    law: validations('3.1.4.3'),
    en: [
      'A recipient or third party cancels the invoice, but {received} is the taxpayer itself.',
      'Send the NIF of the party that requests the cancellation, or omit GeneradoPor and Generador.',
    ],
    es: [
      'Anula un destinatario o un tercero, y {received} es el propio obligado.',
      'Envíe el NIF de quien pide la anulación, u omita GeneradoPor y Generador.',
    ],
    anulacion({ record }, fail) {
      const { GeneradoPor: by, Generador: person, IDFactura: id } = record
      const nif = person?.NIF
      // A cancelling issuer (E) is not checked: read literally, the official rule would forbid the issuer its own NIF.
      if ((by === 'D' || by === 'T') && nif === id.IDEmisorFacturaAnulada)
        fail('/Generador/NIF', { received: nif })
    },
    partly: {
      en: 'Whether the NIF is in the census.',
      es: 'Si el NIF está en el censo.',
    },
  }),
  offline({
    code: 1273,
    field: 'Generador',
    law: design('3'),
    en: [
      'The name of the cancelling party is empty or longer than 120 characters.',
      'Send NombreRazon as it is in the census, or in the identity document.',
    ],
    es: [
      'El nombre de quien anula está vacío o tiene más de 120 caracteres.',
      'Envíe NombreRazon tal como figura en el censo, o en el documento de identidad.',
    ],
    anulacion({ record }, fail) {
      if (isBlank(record.Generador?.NombreRazon)) fail('/Generador/NombreRazon')
    },
    structure: (violation) => violation.field === 'NombreRazon' && inGenerator(violation, ['length']),
  }),
  offline({
    code: 1276,
    field: 'SinRegistroPrevio',
    law: design('3'),
    en: [
      'SinRegistroPrevio is "{received}".',
      'Send S to cancel an invoice that the tax authority never received; send N, or omit it, for any other.',
    ],
    es: [
      'SinRegistroPrevio es «{received}».',
      'Envíe S para anular una factura que la AEAT nunca recibió; para las demás, envíe N u omítalo.',
    ],
    structure: ({ kind, location }) => kind === 'value' && location === '/SinRegistroPrevio',
  }),
]
