/** What the official schema refuses, and texts that it lets pass although nobody can use them. Tried last. */
import type { Locale } from '../../invoice/index.ts'
import type { Violation } from '../../xml/index.ts'
import { trimmed } from '../model/hash.ts'
import { design, LISTED, service, validations } from '../model/laws.ts'
import { isImpossible } from './context.ts'
import { isBlank, needsItsName } from './identity.ts'
import { type AuthorityCode, type Fail, type OfflineRule, offline, type Structural } from './rule.ts'

// ---- Words for a violation: `{problem}` of the messages below ----

const count = (value: unknown): string => (typeof value === 'number' ? String(value) : '')

type Describe = Readonly<Record<Locale, (violation: Violation) => string>>

const lengthOf = ({ received }: Violation): number =>
  typeof received === 'string' ? [...received].length : 0

const limits = ({ allowed }: Violation): { min: number; max: number } =>
  typeof allowed === 'number' ? { min: allowed, max: allowed } : (allowed as { min: number; max: number })

const PROBLEMS: Readonly<Record<Violation['kind'], Describe>> = {
  missing: { en: () => 'is mandatory and missing', es: () => 'es obligatorio y falta' },
  unknown: { en: () => 'is not known to the schema here', es: () => 'no existe en esta parte del esquema' },
  kind: {
    en: ({ allowed }) =>
      allowed === 'list'
        ? 'is not a list'
        : allowed === 'block'
          ? 'is not a block of elements'
          : 'is not a text',
    es: ({ allowed }) =>
      allowed === 'list'
        ? 'no es una lista'
        : allowed === 'block'
          ? 'no es un bloque de elementos'
          : 'no es un texto',
  },
  value: {
    en: ({ allowed }) => `is none of ${(allowed as string[]).join(', ')}`,
    es: ({ allowed }) => `no es ninguno de ${(allowed as string[]).join(', ')}`,
  },
  pattern: { en: () => 'does not have the form of its type', es: () => 'no tiene la forma de su tipo' },
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
    en: () => 'excludes another element that is also there',
    es: () => 'excluye otro elemento que también figura',
  },
  count: {
    en: ({ received, allowed }) =>
      received === 0
        ? 'is an empty list'
        : `occurs ${count(received)} times and may occur ${count(allowed)} times: put equal ones together, or divide it over several invoices or messages`,
    es: ({ received, allowed }) =>
      received === 0
        ? 'es una lista vacía'
        : `aparece ${count(received)} veces y puede aparecer ${count(allowed)}: agrupe los iguales o repártalo en varias facturas o envíos`,
  },
  character: {
    en: () => 'has a character that XML cannot carry',
    es: () => 'tiene un carácter que XML no admite',
  },
}

/** For a text that the schema accepts: an empty or impossible one. */
const UNUSABLE = { en: 'is empty or impossible', es: 'está vacío o es imposible' }

/** What is wrong with a value, as part of a sentence that starts with its name. */
export const problemOf = (violation: Violation | undefined, locale: Locale): string =>
  violation ? PROBLEMS[violation.kind][locale](violation) : UNUSABLE[locale]

// ---- What the messages are about ----

const ABOUT_TEXT: readonly Violation['kind'][] = ['value', 'pattern', 'length', 'character']

const isText = ({ kind }: Structural): boolean => ABOUT_TEXT.includes(kind)

const isRecord = ({ subject }: Structural): boolean => subject !== 'envio' && subject !== 'consulta'

/** A number of an invoice; the previous record's has a code of its own when it is empty or too long (1175). */
const isNumber = ({ field, parent }: Structural): boolean =>
  field.startsWith('NumSerieFactura') && parent !== 'RegistroAnterior'

const isDate = ({ field }: Structural): boolean => /^Fecha|^(Desde|Hasta)$/.test(field)

/**
 * The number of the record itself. That of the record before is not judged: a record that was refused for its number
 * stays in the chain, and the next one has to name it.
 */
const numbers = (look: (number: string) => boolean): Pick<OfflineRule, 'alta' | 'anulacion'> => {
  const judge = (path: string, number: string, fail: Fail): void => {
    if (look(number)) fail(path, { received: number })
  }
  return {
    alta: ({ record: { IDFactura: id } }, fail) =>
      judge('/IDFactura/NumSerieFactura', id.NumSerieFactura, fail),
    anulacion: ({ record: { IDFactura: id } }, fail) =>
      judge('/IDFactura/NumSerieFacturaAnulada', id.NumSerieFacturaAnulada, fail),
  }
}

/** True for a text with characters outside of ASCII 32 to 126, once trimmed as the authority does. */
const hasForeignCharacters = (text: string): boolean => /[^ -~]/.test(trimmed(text))

/** Blanks that the schema counts as characters and the authority trims. */
const isOnlyBlanks = (text: string): boolean => text !== '' && isBlank(text)

/** What reading answers when the XML is not well-formed. */
export const MALFORMED_XML: OfflineRule = offline({
  code: 4103,
  effect: 'rejects-whole-submission',
  field: '(message)',
  law: service('5.1'),
  en: [
    'The document is not well-formed XML.',
    'Write it with a serialiser, which closes what it opens and escapes & and <.',
  ],
  es: [
    'El documento no es XML bien formado.',
    'Escríbalo con un serializador, que cierra lo que abre y escapa & y <.',
  ],
})

/** What reading answers when the XML declares another encoding. */
export const NOT_UTF8: OfflineRule = offline({
  code: 4119,
  effect: 'rejects-whole-submission',
  field: '(encoding)',
  law: service('4.1'),
  en: [
    'The document is in another encoding than UTF-8.',
    'Write its bytes as UTF-8, and declare that or nothing.',
  ],
  es: [
    'El documento está en una codificación distinta de UTF-8.',
    'Escriba sus bytes en UTF-8 y declare eso o nada.',
  ],
})

/** What reading answers when there is nothing to read. */
export const EMPTY_REQUEST: OfflineRule = offline({
  code: 4138,
  effect: 'rejects-whole-submission',
  field: '(message)',
  law: LISTED,
  en: [
    'The document holds nothing that the service knows.',
    'Send a SOAP 1.1 envelope in UTF-8 with one message or one query in its body.',
  ],
  es: [
    'El documento no contiene nada que el servicio conozca.',
    'Envíe un sobre SOAP 1.1 en UTF-8 con un mensaje o una consulta en su cuerpo.',
  ],
})

export const STRUCTURE_CODES: readonly AuthorityCode[] = [
  offline({
    code: 1251,
    field: 'IDVersion',
    law: design('6, L15'),
    en: ['"{received}" is no version of the records.', 'Send 1.0.'],
    es: ['«{received}» no es una versión de los registros.', 'Envíe 1.0.'],
    structure: (violation) => violation.field === 'IDVersion' && isText(violation),
  }),
  offline({
    code: 1104,
    field: 'IDFactura/NumSerieFactura',
    law: design('2'),
    en: ['The number of the invoice {problem}.', 'Send series and number together, in 1 to 60 characters.'],
    es: ['El número de la factura {problem}.', 'Envíe serie y número juntos, en 1 a 60 caracteres.'],
    alta({ record: { IDFactura: id, FacturasRectificadas, FacturasSustituidas } }, fail) {
      if (isOnlyBlanks(id.NumSerieFactura)) fail('/IDFactura/NumSerieFactura')
      FacturasRectificadas?.IDFacturaRectificada.forEach(({ NumSerieFactura }, i) => {
        if (isOnlyBlanks(NumSerieFactura))
          fail(`/FacturasRectificadas/IDFacturaRectificada/${i}/NumSerieFactura`)
      })
      FacturasSustituidas?.IDFacturaSustituida.forEach(({ NumSerieFactura }, i) => {
        if (isOnlyBlanks(NumSerieFactura))
          fail(`/FacturasSustituidas/IDFacturaSustituida/${i}/NumSerieFactura`)
      })
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
      'The invoice number "{received}" has characters outside of ASCII 32 to 126.',
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
      'Send the NIF of nine characters; leave the element out where another identifies the party; a query names its ObligadoEmision or its Destinatario.',
    ],
    es: [
      '{field} está vacío.',
      'Envíe el NIF de nueve caracteres; omita el elemento si otro identifica a la parte; una consulta lleva ObligadoEmision o Destinatario.',
    ],
    consulta({ record: { Cabecera: header } }, fail) {
      if (!header.ObligadoEmision && !header.Destinatario) fail('/Cabecera')
    },
    structure: ({ kind, field, received }) =>
      (kind === 'missing' && received === null && (field === 'NIF' || field === 'ObligadoEmision')) ||
      (kind === 'length' && received === '' && field === 'NIF'),
  }),
  offline({
    code: 4106,
    effect: 'rejects-whole-submission',
    field: '(any date)',
    law: design('1'),
    en: [
      '"{received}" is no date: {field} is written dd-mm-yyyy.',
      'Send a day of the calendar, with zeros in front (05-01-2027).',
    ],
    es: [
      '«{received}» no es una fecha: {field} se escribe dd-mm-aaaa.',
      'Envíe un día del calendario, con ceros delante (05-01-2027).',
    ],
    envio({ record: { Cabecera: header } }, fail) {
      const date = header.RemisionVoluntaria?.FechaFinVeriFactu
      if (isImpossible(date)) fail('/Cabecera/RemisionVoluntaria/FechaFinVeriFactu', { received: date })
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
        if (isImpossible(date)) fail(`/FiltroConsulta${path}`, { received: date })
    },
    structure: (violation) => !isRecord(violation) && isDate(violation) && isText(violation),
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
      'Send every mandatory element and none that the schema lacks, as a block, a list or a text as the schema has it; one record like this makes the authority refuse the whole message.',
    ],
    es: [
      'El esquema oficial no admite esto: {field} {problem}.',
      'Envíe todos los elementos obligatorios y ninguno ajeno al esquema, como bloque, lista o texto según el esquema; un registro así hace que la AEAT rechace el mensaje entero.',
    ],
    structure: (violation) => !isText(violation),
  }),
  offline({
    code: 1100,
    field: '(any)',
    law: validations('3.1'),
    en: [
      'The value cannot be used: {field} {problem}.',
      'Send it as the record design says: amounts with a point and up to two decimals (1234.50), codes as in their list, texts that are neither empty nor too long.',
    ],
    es: [
      'El valor no se puede usar: {field} {problem}.',
      'Envíelo como dice el diseño de registro: importes con punto y hasta dos decimales (1234.50), claves de su lista, textos ni vacíos ni demasiado largos.',
    ],
    alta({ record }, fail) {
      if (isBlank(record.NombreRazonEmisor)) fail('/NombreRazonEmisor')
      if (isBlank(record.DescripcionOperacion)) fail('/DescripcionOperacion')
    },
    envio({ record }, fail) {
      const { NombreRazon: name, NIF: nif } = record.Cabecera.Representante ?? {}
      if (isBlank(name) && !needsItsName(nif)) fail('/Cabecera/Representante/NombreRazon')
      // In the answer to a request this block may not be there at all (4127).
      const { RemisionVoluntaria: voluntary, RemisionRequerimiento: request } = record.Cabecera
      if (voluntary && !request && Object.values(voluntary).every((value) => value === undefined))
        fail('/Cabecera/RemisionVoluntaria')
    },
    structure: isText,
  }),
]
