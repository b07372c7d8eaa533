/** What is said to a client whose request is refused before the engine sees it. */
import type { Extra, Locale } from '../invoice/index.ts'
import type { CodedText } from '../messages/index.ts'
import { type Refusal, refusalOf } from '../request/refusal.ts'

const INVALID = 'request_validation_error'

const MESSAGES = {
  route: {
    code: 'not_found',
    en: 'There is nothing at {path}. Use {allowed}.',
    es: 'No hay nada en {path}. Use {allowed}.',
  },
  method: {
    code: 'method_not_allowed',
    en: 'The method is {received}. Use {allowed}.',
    es: 'El método es {received}. Use {allowed}.',
  },
  parameter: {
    code: INVALID,
    en: 'There is no parameter {parameter} here. Use {allowed}.',
    es: 'Aquí no existe el parámetro {parameter}. Use {allowed}.',
  },
  no_parameters: {
    code: INVALID,
    en: 'There are no parameters here. Leave {parameter} out.',
    es: 'Aquí no hay parámetros. Quite {parameter}.',
  },
  repeated: {
    code: INVALID,
    en: 'The parameter {parameter} is repeated. Send it once.',
    es: 'El parámetro {parameter} está repetido. Envíelo una vez.',
  },
  value: {
    code: INVALID,
    en: 'The parameter {parameter} is "{received}". Send {allowed}.',
    es: 'El parámetro {parameter} es «{received}». Envíe {allowed}.',
  },
  media_type: {
    code: 'unsupported_media_type',
    en: 'Content-Type is "{received}". Send {expected} in UTF-8.',
    es: 'Content-Type es «{received}». Envíe {expected} en UTF-8.',
  },
  encoding: {
    code: 'unsupported_media_type',
    en: 'Content-Encoding is "{received}". Send the body uncompressed.',
    es: 'Content-Encoding es «{received}». Envíe el cuerpo sin comprimir.',
  },
  broken_off: {
    code: INVALID,
    en: 'The body broke off before its end. Send it again.',
    es: 'El cuerpo se interrumpió antes de terminar. Envíelo de nuevo.',
  },
  not_utf8: {
    code: INVALID,
    en: 'The body is not UTF-8: line {line}, column {column}.',
    es: 'El cuerpo no es UTF-8: línea {line}, columna {column}.',
  },
  shape: {
    code: 'schema_validation_failed',
    en: 'The document does not have the shape of an invoice: see errors.',
    es: 'El documento no tiene la forma de una factura: vea errors.',
  },
  invalid: {
    code: 'validation_failed',
    en: 'The document has errors, so this cannot be done: see errors.',
    es: 'El documento tiene errores y no se puede hacer lo pedido: vea errors.',
  },
} as const satisfies Readonly<Record<string, CodedText>>

/** A refusal in the language asked for, with the values that a program needs to react. */
export const refuse = (reason: keyof typeof MESSAGES, locale: Locale, extra: Extra = {}): Refusal =>
  refusalOf(MESSAGES[reason], locale, extra)
