/** Requests that cannot be answered: the error object of the specification. */
import type { Extra, Locale, Text } from '../invoice/index.ts'
import { type CodedText, fill } from '../messages/index.ts'

/** `detail` of an error answer (specification, section "Errors"), without the id of a request. */
export interface Detail {
  readonly code: string
  /** What is wrong, where, and how to mend it. */
  readonly message: string
  readonly [extra: string]: unknown
}

export interface Refusal {
  readonly detail: Detail
}

const MESSAGES = {
  too_large: {
    en: 'The request is larger than {max_bytes} bytes. Send the invoices one by one.',
    es: 'La petición supera los {max_bytes} bytes. Envíe las facturas una a una.',
  },
  too_deep: {
    en: 'The request nests more than {max_depth} levels. An invoice has 8: look for what wraps it.',
    es: 'La petición anida más de {max_depth} niveles. Una factura tiene 8: busque qué la envuelve.',
  },
  not_json: {
    en: 'The request is not JSON: line {line}, column {column}: {reason}.',
    es: 'La petición no es JSON: línea {line}, columna {column}: {reason}.',
  },
  not_object: {
    en: 'The request is {received}. Send an object with op, document and options.',
    es: 'La petición es {received}. Envíe un objeto con op, document y options.',
  },
  unknown_member: {
    en: 'The request has no member {received}. It has {allowed}.',
    es: 'La petición no tiene ningún miembro {received}. Tiene {allowed}.',
  },
  unknown_op: {
    en: 'op is {received}. Send one of {allowed}.',
    es: 'op es {received}. Envíe uno de {allowed}.',
  },
  options: {
    en: 'options is {received}. Send an object, or leave it out.',
    es: 'options es {received}. Envíe un objeto u omita options.',
  },
  option: { en: 'The options are wrong: {reason}.', es: 'Las opciones son incorrectas: {reason}.' },
  document: {
    en: 'There is no document. Send {expected}.',
    es: 'Falta document. Envíe {expected}.',
  },
  records: {
    en: 'document is {received}. Send the list of records, oldest first.',
    es: 'document es {received}. Envíe la lista de registros, del más antiguo al más reciente.',
  },
  catalog: {
    en: 'There is no catalog {received}. The catalogs are {allowed}.',
    es: 'No existe el catálogo {received}. Los catálogos son {allowed}.',
  },
  too_long_to_explain: {
    en: 'The invoice has {lines} lines; at most {max_lines} are explained in one answer. Send the request without an explanation, or explain the invoice in a program of your own (`explain`).',
    es: 'La factura tiene {lines} líneas; en una respuesta se explican {max_lines} como máximo. Repita la petición sin explicación o explique la factura en un programa propio (`explain`).',
  },
  over_budget: {
    en: 'The request needs more work or memory than one request may use. Send the invoices one by one.',
    es: 'La petición necesita más trabajo o memoria de lo que puede usar una sola. Envíe las facturas una a una.',
  },
  internal: {
    en: 'cuadra could not finish this request. Please report it, with the request.',
    es: 'cuadra no pudo terminar esta petición. Comuníquelo, por favor, junto con la petición.',
  },
} as const satisfies Readonly<Record<string, Text>>

export type Reason = keyof typeof MESSAGES

const CODES: Readonly<Partial<Record<Reason, string>>> = {
  too_large: 'payload_too_large',
  too_long_to_explain: 'payload_too_large',
  over_budget: 'payload_too_large',
  catalog: 'not_found',
  internal: 'internal_error',
}

/** What `shortened` leaves of a value with parts. */
const PARTS: Readonly<Record<string, Text>> = {
  array: { en: 'a list', es: 'una lista' },
  object: { en: 'an object', es: 'un objeto' },
}

/** What stands in the sentence: a value with parts is named. */
export const spoken = (extra: Extra, locale: Locale): Extra => ({
  ...extra,
  received: PARTS[String(extra.received)]?.[locale] ?? extra.received,
})

/** A refusal in the words of a text; `shown` has what stands in the sentence where that is not `extra`. */
export const refusalOf = (text: CodedText, locale: Locale, extra: Extra, shown: Extra = extra): Refusal => ({
  detail: { code: text.code, message: fill(text[locale], shown, locale), ...extra },
})

/** The answer to a request that is refused. Its code is `request_validation_error` for all but a few reasons. */
export const refusal = (reason: Reason, locale: Locale, extra: Extra = {}): Refusal =>
  refusalOf(
    { code: CODES[reason] ?? 'request_validation_error', ...MESSAGES[reason] },
    locale,
    extra,
    spoken(extra, locale),
  )

export const isRefusal = (answer: unknown): answer is Refusal =>
  typeof answer === 'object' && answer !== null && 'detail' in answer
