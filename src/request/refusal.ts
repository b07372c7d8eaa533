/** Refusals of requests: the error object of the specification. */
import type { Extra, Locale, Text } from '../invoice/index.ts'
import { type CodedText, fill } from '../messages/index.ts'

/** `detail` of an error response (specification, section "Errors"), without the request id. */
export interface Detail {
  readonly code: string
  /** The problem, its location, and how to fix it. */
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
    en: 'The request is nested more than {max_depth} levels deep; an invoice has 8. Remove what is around the invoice.',
    es: 'La petición anida más de {max_depth} niveles; una factura tiene 8. Quite lo que la envuelve.',
  },
  not_json: {
    en: 'The request is not valid JSON: line {line}, column {column}: {reason}.',
    es: 'La petición no es JSON válido: línea {line}, columna {column}: {reason}.',
  },
  not_object: {
    en: 'The request is {received}. Send an object with op, document and options.',
    es: 'La petición es {received}. Envíe un objeto con op, document y options.',
  },
  unknown_member: {
    en: 'Unknown member of the request: {received}. Use {allowed}.',
    es: 'Miembro desconocido de la petición: {received}. Use {allowed}.',
  },
  unknown_op: {
    en: 'op is {received}. Send one of {allowed}.',
    es: 'op es {received}. Envíe uno de {allowed}.',
  },
  options: {
    en: 'options is {received}. Send an object, or omit options.',
    es: 'options es {received}. Envíe un objeto u omita options.',
  },
  option: { en: 'Invalid options: {reason}.', es: 'Opciones no válidas: {reason}.' },
  document: {
    en: 'document is missing. Send {expected}.',
    es: 'Falta document. Envíe {expected}.',
  },
  records: {
    en: 'document is {received}. Send the list of records, oldest first.',
    es: 'document es {received}. Envíe la lista de registros, del más antiguo al más reciente.',
  },
  catalog: {
    en: 'Unknown catalog: {received}. Use {allowed}.',
    es: 'Catálogo desconocido: {received}. Use {allowed}.',
  },
  too_long_to_explain: {
    en: 'The invoice has {lines} lines; one response explains at most {max_lines}. Send it without explanation, or use `explain` in your own program.',
    es: 'La factura tiene {lines} líneas; una respuesta explica {max_lines} como máximo. Envíela sin explicación, o use `explain` en su propio programa.',
  },
  over_budget: {
    en: 'The request needs too much time or memory. Send the invoices one by one.',
    es: 'La petición necesita demasiado tiempo o memoria. Envíe las facturas una a una.',
  },
  internal: {
    en: 'cuadra could not complete this request. Report this error, together with the request.',
    es: 'cuadra no pudo completar esta petición. Comuníquelo junto con la petición.',
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

/** Names of the types that `shortened` returns for objects and lists. */
const PARTS: Readonly<Record<string, Text>> = {
  array: { en: 'an array', es: 'una lista' },
  object: { en: 'an object', es: 'un objeto' },
}

/** Returns the values for the message, with types named in the language. */
export const withTypeNames = (extra: Extra, locale: Locale): Extra => ({
  ...extra,
  received: PARTS[String(extra.received)]?.[locale] ?? extra.received,
})

/** Creates a refusal with a text. `shown` has the values of the message, if they differ from `extra`. */
export const refusalOf = (text: CodedText, locale: Locale, extra: Extra, shown: Extra = extra): Refusal => ({
  detail: { code: text.code, message: fill(text[locale], shown, locale), ...extra },
})

/** Creates the response to a refused request. Its code is `request_validation_error` for all but a few reasons. */
export const refusal = (reason: Reason, locale: Locale, extra: Extra = {}): Refusal =>
  refusalOf(
    { code: CODES[reason] ?? 'request_validation_error', ...MESSAGES[reason] },
    locale,
    extra,
    withTypeNames(extra, locale),
  )

export const isRefusal = (answer: unknown): answer is Refusal =>
  typeof answer === 'object' && answer !== null && 'detail' in answer
