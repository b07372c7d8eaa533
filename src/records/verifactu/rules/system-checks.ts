/** Rules for `SistemaInformatico`: the program that generated the record, and its producer. */
import { design, nifLawWith, validations } from '../model/laws.ts'
import type { Consulta, SistemaInformatico } from '../model/verifactu-record-types.ts'
import { type AuthorityCode, type Fail, offline, type Structural } from './check-declaration.ts'
import {
  type Checks,
  checkEveryIdOtro,
  countryAndTypeCode,
  ENTITY_CONTROL,
  isBlank,
  isNifText,
  nifFault,
} from './identity-checks.ts'

type QuerySystem = NonNullable<Consulta['FiltroConsulta']['SistemaInformatico']>
type System = SistemaInformatico | QuerySystem

/** Applies a check to the system of a record, an event or a query. */
const ofSystem = (check: (system: System, path: string, fail: Fail) => void): Checks => ({
  alta: ({ record }, fail) => check(record.SistemaInformatico, '/SistemaInformatico', fail),
  anulacion: ({ record }, fail) => check(record.SistemaInformatico, '/SistemaInformatico', fail),
  evento: ({ record }, fail) =>
    check(record.Evento.SistemaInformatico as System, '/Evento/SistemaInformatico', fail),
  consulta({ record }, fail) {
    const system = record.FiltroConsulta.SistemaInformatico
    if (system) check(system, '/FiltroConsulta/SistemaInformatico', fail)
  },
})

const inSystem = ({ parent, kind }: Structural, kinds: readonly Structural['kind'][]): boolean =>
  parent === 'SistemaInformatico' && kinds.includes(kind)

/** Declares the code for a flag with another value than S or N. */
const flag = (code: number, field: string, en: string, es: string): AuthorityCode =>
  offline({
    code,
    field: `SistemaInformatico/${field}`,
    law: design('5'),
    en: [`${field} is "{received}".`, `Send S or N: ${en}`],
    es: [`${field} es «{received}».`, `Envíe S o N: ${es}`],
    structure: (violation) => violation.field === field && inSystem(violation, ['value']),
  })

export const SYSTEM_CODES: readonly AuthorityCode[] = [
  offline({
    code: 1176,
    field: 'SistemaInformatico/NIF',
    law: nifLawWith(design('5')),
    en: [
      'The NIF of the producer of the invoicing software, "{received}", is wrong: a NIF has nine characters (digits and capital letters) with a valid check character.',
      'Send the producer’s NIF as in the declaración responsable; identify a foreign producer in IDOtro.',
    ],
    es: [
      'El NIF del productor del sistema, «{received}», es incorrecto: un NIF tiene nueve caracteres (cifras y mayúsculas) y un carácter de control válido.',
      'Envíe el NIF del productor como en su declaración responsable; identifique a un productor extranjero en IDOtro.',
    ],
    ...ofSystem(({ NIF }, path, fail) => {
      if (nifFault(NIF)) fail(`${path}/NIF`, { received: NIF })
    }),
    structure: (violation) => isNifText(violation, 1176),
    partly: ENTITY_CONTROL,
  }),
  offline({
    code: 1177,
    field: 'SistemaInformatico/IdSistemaInformatico',
    law: validations('3.1.5.1'),
    en: [
      'The code of the system, "{received}", is not two characters of A-Z and 0-9.',
      'Send the two characters that the producer assigned to the product in its declaración responsable.',
    ],
    es: [
      'El código del sistema, «{received}», no tiene dos caracteres de A-Z y 0-9.',
      'Envíe los dos caracteres que el productor asignó al producto en su declaración responsable.',
    ],
    ...ofSystem(({ IdSistemaInformatico: id }, path, fail) => {
      if (id.length <= 2 && !/[A-Z0-9]{2}/.test(id)) fail(`${path}/IdSistemaInformatico`, { received: id })
    }),
    structure: (violation) => violation.field === 'IdSistemaInformatico' && inSystem(violation, ['length']),
  }),
  offline({
    code: 1179,
    field: 'SistemaInformatico',
    law: design('5'),
    en: [
      '{field} of the system is empty or too long.',
      'Send the producer’s name (up to 120 characters), the version (50) and the installation number (100) as in the declaración responsable and the installation.',
    ],
    es: [
      '{field} del sistema está vacío o es demasiado largo.',
      'Envíe el nombre del productor (hasta 120 caracteres), la versión (50) y el número de instalación (100) como en la declaración responsable y la instalación.',
    ],
    ...ofSystem((system, path, fail) => {
      for (const name of ['NombreRazon', 'Version', 'NumeroInstalacion'] as const)
        if (isBlank(system[name])) fail(`${path}/${name}`)
    }),
    structure: (violation) =>
      ['NombreRazon', 'Version', 'NumeroInstalacion'].includes(violation.field) &&
      inSystem(violation, ['length']),
  }),
  flag(
    1212,
    'TipoUsoPosibleSoloVerifactu',
    'S if the product can only operate as VERI*FACTU.',
    'S si el producto solo puede funcionar como VERI*FACTU.',
  ),
  flag(
    1213,
    'TipoUsoPosibleMultiOT',
    'S if the product can keep the invoices of several taxpayers.',
    'S si el producto puede llevar la facturación de varios obligados.',
  ),
  offline({
    code: 1220,
    field: 'SistemaInformatico/NombreSistemaInformatico',
    law: validations('3.1.5.1'),
    en: [
      'The name of the invoicing software is empty or longer than 30 characters.',
      'Send the name that the producer gave the product in its declaración responsable.',
    ],
    es: [
      'El nombre del sistema está vacío o tiene más de 30 caracteres.',
      'Envíe el nombre que el productor dio al producto en su declaración responsable.',
    ],
    ...ofSystem(({ NombreSistemaInformatico: name }, path, fail) => {
      if (isBlank(name)) fail(`${path}/NombreSistemaInformatico`)
    }),
    structure: (violation) =>
      violation.field === 'NombreSistemaInformatico' && inSystem(violation, ['length']),
  }),
  offline({
    code: 1221,
    field: 'SistemaInformatico/IDOtro/IDType',
    law: validations('3.1.5.1'),
    en: [
      'The producer of the invoicing software cannot be identified by type "{received}".',
      'Send 02 to 06: 07 is not for producers, and a Spanish producer has a NIF or, without a NIF, a passport (03).',
    ],
    es: [
      'El productor del sistema no puede identificarse con el tipo «{received}».',
      'Envíe de 02 a 06: 07 no es para productores, y un productor español tiene NIF o, si no lo tiene, pasaporte (03).',
    ],
    ...checkEveryIdOtro((someone, fail) => {
      if (countryAndTypeCode(someone) === 1221)
        fail(`${someone.path}/IDType`, { received: someone.id.IDType })
    }),
    structure: ({ kind, location }) =>
      kind === 'value' && location.endsWith('/SistemaInformatico/IDOtro/IDType'),
  }),
  offline({
    code: 1223,
    field: 'SistemaInformatico',
    law: validations('3.1.5.1'),
    en: [
      'The producer of the invoicing software has neither NIF nor IDOtro, or has both.',
      'Send exactly one of them.',
    ],
    es: ['El productor del sistema no lleva NIF ni IDOtro, o lleva los dos.', 'Envíe exactamente uno.'],
    structure: (violation) =>
      inSystem(violation, ['exclusive']) ||
      (violation.field === 'NIF|IDOtro' && inSystem(violation, ['missing'])),
  }),
  flag(
    1226,
    'IndicadorMultiplesOT',
    'S if this installation currently keeps the invoices of more than one taxpayer.',
    'S si esta instalación lleva actualmente la facturación de más de un obligado.',
  ),
]
