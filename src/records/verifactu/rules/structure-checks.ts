/**
 * Rules for violations of the official schema without a more specific code, and for unusable texts that the schema
 * accepts.
 */
import type { Locale } from '#core/invoice/index.ts'
import type { Violation } from '#core/xml/index.ts'
import { trimmed } from '../model/hash.ts'
import { design, ERROR_LIST, service, validations } from '../model/laws.ts'
import { isImpossibleDate, relatedOf } from './check-context.ts'
import {
  type AuthorityCode,
  type Fail,
  isText,
  type OfflineRule,
  offline,
  type Structural,
} from './check-declaration.ts'
import { isBlank, isNameRequired } from './identity-checks.ts'

// ---- Texts of violations: `{problem}` of the messages below ----

type Describe = Readonly<Record<Locale, (violation: Violation) => string>>

const lengthOf = ({ received }: Violation): number => [...String(received)].length

const limits = ({ allowed }: Violation): { min: number; max: number } =>
  typeof allowed === 'number' ? { min: allowed, max: allowed } : (allowed as { min: number; max: number })

const PROBLEMS: Readonly<Record<Violation['kind'], Describe>> = {
  missing: { en: () => 'is mandatory but missing', es: () => 'es obligatorio y falta' },
  unknown: {
    en: () => 'does not exist in this part of the schema',
    es: () => 'no existe en esta parte del esquema',
  },
  kind: {
    en: ({ allowed }) =>
      allowed === 'list'
        ? 'is not a list'
        : allowed === 'block'
          ? 'is not a block of elements'
          : 'is not text',
    es: ({ allowed }) =>
      allowed === 'list'
        ? 'no es una lista'
        : allowed === 'block'
          ? 'no es un bloque de elementos'
          : 'no es un texto',
  },
  value: {
    en: ({ allowed }) => `is not one of ${(allowed as string[]).join(', ')}`,
    es: ({ allowed }) => `no es ninguno de ${(allowed as string[]).join(', ')}`,
  },
  pattern: {
    en: () => 'does not have the format that the schema requires',
    es: () => 'no tiene el formato que exige el esquema',
  },
  length: {
    en: (violation) => {
      const { min, max } = limits(violation)
      return `has ${lengthOf(violation)} characters instead of ${min === max ? max : `${min} to ${max}`}`
    },
    es: (violation) => {
      const { min, max } = limits(violation)
      return `tiene ${lengthOf(violation)} caracteres en lugar de ${min === max ? max : `${min} a ${max}`}`
    },
  },
  exclusive: {
    en: () => 'excludes another element that is also present',
    es: () => 'excluye otro elemento que también figura',
  },
  count: {
    en: ({ received, allowed }) =>
      received === 0 ? 'is an empty list' : `occurs ${received} times and may occur ${allowed} times`,
    es: ({ received, allowed }) =>
      received === 0 ? 'es una lista vacía' : `aparece ${received} veces y puede aparecer ${allowed}`,
  },
  character: {
    en: () => 'has a character that XML forbids',
    es: () => 'contiene un carácter que XML no admite',
  },
}

/** Text for values that the schema accepts although they are empty or impossible. */
const UNUSABLE = { en: 'is empty or impossible', es: 'está vacío o es imposible' }

/** Returns the problem of a value, worded to follow the name of its field. */
export const problemOf = (violation: Violation | undefined, locale: Locale): string =>
  violation ? PROBLEMS[violation.kind][locale](violation) : UNUSABLE[locale]

// ---- Classification of violations ----

const isNumber = ({ field }: Structural): boolean => field.startsWith('NumSerieFactura')

const isDate = ({ field }: Structural): boolean => /Fecha|Desde|Hasta/.test(field)

/**
 * Returns checks of the invoice number of the record itself. The number of the previous record is not checked: a record
 * refused for its number stays in the chain, and the next record must name it.
 */
const numbers = (isWrong: (number: string) => boolean): Pick<OfflineRule, 'alta' | 'anulacion'> => {
  const check = (path: string, number: string, fail: Fail): void => {
    if (isWrong(number)) fail(path, { received: number })
  }
  return {
    alta: ({ record: { IDFactura: id } }, fail) =>
      check('/IDFactura/NumSerieFactura', id.NumSerieFactura, fail),
    anulacion: ({ record: { IDFactura: id } }, fail) =>
      check('/IDFactura/NumSerieFacturaAnulada', id.NumSerieFacturaAnulada, fail),
  }
}

/** Whether a text has characters outside ASCII 32 to 126, after trimming as the authority does. */
const hasForeignCharacters = (text: string): boolean => /[^ -~]/.test(trimmed(text))

/** Whether a text has only blanks. They satisfy the minimum length of the schema, but the authority trims them. */
const isOnlyBlanks = (text: string): boolean => text !== '' && isBlank(text)

/** Reported if the XML is not well-formed. */
export const MALFORMED_XML: OfflineRule = offline({
  code: 4103,
  effect: 'rejects-whole-submission',
  field: '(message)',
  law: service('5.1'),
  en: [
    'The document is not well-formed XML.',
    'Write it with an XML serialiser, which closes all elements and escapes & and <.',
  ],
  es: [
    'El documento no es XML bien formado.',
    'Escríbalo con un serializador de XML, que cierra todos los elementos y escapa & y <.',
  ],
})

/** Reported if the XML has another encoding. */
export const NOT_UTF8: OfflineRule = offline({
  code: 4119,
  effect: 'rejects-whole-submission',
  field: '(encoding)',
  law: service('4.1'),
  en: [
    'The document has an encoding other than UTF-8.',
    'Write it in UTF-8, and declare UTF-8 or no encoding.',
  ],
  es: [
    'El documento está en una codificación distinta de UTF-8.',
    'Escríbalo en UTF-8 y declare UTF-8 o ninguna codificación.',
  ],
})

/** Reported if the document has no known element. */
export const EMPTY_REQUEST: OfflineRule = offline({
  code: 4138,
  effect: 'rejects-whole-submission',
  field: '(message)',
  law: ERROR_LIST,
  en: [
    'The document has no element that the service knows.',
    'Send a SOAP 1.1 envelope in UTF-8 whose body has one message or one query.',
  ],
  es: [
    'El documento no tiene ningún elemento que el servicio conozca.',
    'Envíe un sobre SOAP 1.1 en UTF-8 con un mensaje o una consulta en su cuerpo.',
  ],
})

export const STRUCTURE_CODES: readonly AuthorityCode[] = [
  offline({
    code: 1251,
    field: 'IDVersion',
    law: design('6, L15'),
    en: ['"{received}" is not a version of the record format.', 'Send 1.0.'],
    es: ['«{received}» no es una versión del formato de los registros.', 'Envíe 1.0.'],
    structure: (violation) => violation.field === 'IDVersion' && isText(violation),
  }),
  offline({
    code: 1104,
    field: 'IDFactura/NumSerieFactura',
    law: design('2'),
    en: ['The invoice number {problem}.', 'Send series and number together, in 1 to 60 characters.'],
    es: ['El número de la factura {problem}.', 'Envíe serie y número juntos, en 1 a 60 caracteres.'],
    alta({ record }, fail) {
      if (isOnlyBlanks(record.IDFactura.NumSerieFactura)) fail('/IDFactura/NumSerieFactura')
      for (const { path, id } of relatedOf(record))
        if (isOnlyBlanks(id.NumSerieFactura)) fail(`${path}/NumSerieFactura`)
    },
    anulacion({ record: { IDFactura: id } }, fail) {
      if (isOnlyBlanks(id.NumSerieFacturaAnulada)) fail('/IDFactura/NumSerieFacturaAnulada')
    },
    structure: (violation) => violation.kind === 'length' && isNumber(violation),
  }),
  offline({
    code: 1130,
    field: 'IDFactura/NumSerieFactura',
    law: validations('3.1.3.1'),
    en: [
      'The invoice number "{received}" has characters outside ASCII 32 to 126.',
      'Number invoices without accents, Ñ, no-break spaces or typographic dashes.',
    ],
    es: [
      'El número de factura «{received}» tiene caracteres fuera de ASCII 32 a 126.',
      'Numere las facturas sin acentos, Ñ, espacios duros ni guiones tipográficos.',
    ],
    ...numbers(hasForeignCharacters),
    structure: ({ kind, field }) => kind === 'character' && field.startsWith('NumSerieFactura'),
  }),
  offline({
    code: 1287,
    field: 'NumSerieFactura (field name in the message)',
    law: validations('3.1.3.1'),
    en: [
      'The characters < > " \' = are not allowed in an invoice number; this one is "{received}".',
      'Number invoices without them; & and / are allowed.',
    ],
    es: [
      'Los caracteres < > " \' = no se admiten en un número de factura; este es «{received}».',
      'Numere las facturas sin ellos; & y / sí se admiten.',
    ],
    ...numbers((number) => /[<>"'=]/.test(number)),
  }),
  offline({
    code: 1172,
    field: 'NIF or ObligadoEmision',
    law: design('1'),
    en: [
      '{field} is empty.',
      'Send the NIF of nine characters; omit the element if another one identifies the party; a query needs ObligadoEmision or Destinatario.',
    ],
    es: [
      '{field} está vacío.',
      'Envíe el NIF de nueve caracteres; omita el elemento si otro identifica a la parte; una consulta lleva ObligadoEmision o Destinatario.',
    ],
    consulta({ record: { Cabecera: header } }, fail) {
      if (!header.ObligadoEmision && !header.Destinatario) fail('/Cabecera')
    },
    structure: ({ field, received }) =>
      (received === null && (field === 'NIF' || field === 'ObligadoEmision')) ||
      (received === '' && field === 'NIF'),
  }),
  offline({
    code: 4106,
    effect: 'rejects-whole-submission',
    field: '(any date)',
    law: design('1'),
    en: [
      '"{received}" is not a date: the format of {field} is dd-mm-yyyy.',
      'Send a calendar day, with leading zeros (05-01-2027).',
    ],
    es: [
      '«{received}» no es una fecha: el formato de {field} es dd-mm-aaaa.',
      'Envíe un día del calendario, con ceros a la izquierda (05-01-2027).',
    ],
    envio({ record: { Cabecera: header } }, fail) {
      const date = header.RemisionVoluntaria?.FechaFinVeriFactu
      if (isImpossibleDate(date)) fail('/Cabecera/RemisionVoluntaria/FechaFinVeriFactu', { received: date })
    },
    consulta({ record: { FiltroConsulta: filter } }, fail) {
      const { FechaExpedicionFactura: day, RangoFechaExpedicion: range } = filter.FechaExpedicionFactura ?? {}
      const dates = [
        ['/FechaExpedicionFactura/FechaExpedicionFactura', day],
        ['/FechaExpedicionFactura/RangoFechaExpedicion/Desde', range?.Desde],
        ['/FechaExpedicionFactura/RangoFechaExpedicion/Hasta', range?.Hasta],
        ['/ClavePaginacion/FechaExpedicionFactura', filter.ClavePaginacion?.FechaExpedicionFactura],
      ] as const
      for (const [path, date] of dates)
        if (isImpossibleDate(date)) fail(`/FiltroConsulta${path}`, { received: date })
    },
    structure: (violation) => isDate(violation) && isText(violation),
  }),
  MALFORMED_XML,
  NOT_UTF8,
  EMPTY_REQUEST,
  offline({
    code: 4102,
    effect: 'rejects-whole-submission',
    field: '(message)',
    law: validations('3.1'),
    en: [
      'The official schema does not allow this: {field} {problem}.',
      'Send every mandatory element and no unknown ones, each as the block, list or text that the schema defines; a record that breaks the schema makes the tax authority reject the whole message.',
    ],
    es: [
      'El esquema oficial no admite esto: {field} {problem}.',
      'Envíe todos los elementos obligatorios y ninguno ajeno al esquema, como bloque, lista o texto según el esquema; un registro así hace que la AEAT rechace el mensaje entero.',
    ],
    structure: (violation) => !isText(violation),
    fixOf: ({ kind, received }) =>
      kind === 'count' && received !== 0
        ? {
            en: 'Merge equal elements, or split the elements over several invoices or messages.',
            es: 'Agrupe los elementos iguales o reparta los elementos en varias facturas o mensajes.',
          }
        : undefined,
  }),
  offline({
    code: 1100,
    field: '(any)',
    law: validations('3.1'),
    en: [
      'The value cannot be used: {field} {problem}.',
      'Send it as the official record layout defines: amounts with a decimal point and up to two decimals (1234.50), codes from their list, texts neither empty nor too long.',
    ],
    es: [
      'El valor no se puede usar: {field} {problem}.',
      'Envíelo como indica el diseño de registro: importes con punto y hasta dos decimales (1234.50), claves de su lista, textos ni vacíos ni demasiado largos.',
    ],
    alta({ record }, fail) {
      if (isBlank(record.NombreRazonEmisor)) fail('/NombreRazonEmisor')
      if (isBlank(record.DescripcionOperacion)) fail('/DescripcionOperacion')
    },
    envio({ record }, fail) {
      const { NombreRazon: name, NIF: nif } = record.Cabecera.Representante ?? {}
      if (isBlank(name) && !isNameRequired(nif)) fail('/Cabecera/Representante/NombreRazon')
      // In a reply to a request of the authority, `RemisionVoluntaria` is never allowed (code 4127).
      const { RemisionVoluntaria: voluntary, RemisionRequerimiento: request } = record.Cabecera
      if (voluntary && !request && Object.values(voluntary).every((value) => value === undefined))
        fail('/Cabecera/RemisionVoluntaria')
    },
    structure: isText,
  }),
]
