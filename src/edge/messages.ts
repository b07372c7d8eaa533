/** Messages for requests that are refused before the engine runs. */
import type { Extra, Locale } from '../invoice/index.ts'
import type { CodedText } from '../messages/index.ts'
import { type Refusal, refusalOf } from '../request/refusal.ts'

const INVALID = 'request_validation_error'

const MESSAGES = {
  route: {
    code: 'not_found',
    en: 'Unknown path: {path}. Use {allowed}.',
    es: 'Ruta desconocida: {path}. Use {allowed}.',
  },
  method: {
    code: 'method_not_allowed',
    en: 'Method {received} is not allowed. Use {allowed}.',
    es: 'El método {received} no está permitido. Use {allowed}.',
  },
  parameter: {
    code: INVALID,
    en: 'Unknown parameter: {parameter}. Use {allowed}.',
    es: 'Parámetro desconocido: {parameter}. Use {allowed}.',
  },
  no_parameters: {
    code: INVALID,
    en: 'This path takes no parameters. Remove {parameter}.',
    es: 'Esta ruta no admite parámetros. Quite {parameter}.',
  },
  repeated: {
    code: INVALID,
    en: 'Parameter {parameter} is repeated. Send it once.',
    es: 'El parámetro {parameter} está repetido. Envíelo una vez.',
  },
  value: {
    code: INVALID,
    en: 'Parameter {parameter} is "{received}". Send {allowed}.',
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
    en: 'The body is incomplete. Send it again.',
    es: 'El cuerpo llegó incompleto. Envíelo de nuevo.',
  },
  not_utf8: {
    code: INVALID,
    en: 'The body is not valid UTF-8 (line {line}, column {column}). Send UTF-8.',
    es: 'El cuerpo no es UTF-8 válido (línea {line}, columna {column}). Envíe UTF-8.',
  },
  shape: {
    code: 'schema_validation_failed',
    en: 'The document does not match the invoice schema: see errors.',
    es: 'El documento no se ajusta al esquema de una factura: consulte errors.',
  },
  invalid: {
    code: 'validation_failed',
    en: 'The document has errors: see errors.',
    es: 'El documento tiene errores: consulte errors.',
  },
} as const satisfies Readonly<Record<string, CodedText>>

/** Returns a refusal in the given language, with the values for programs. */
export const refuse = (reason: keyof typeof MESSAGES, locale: Locale, extra: Extra = {}): Refusal =>
  refusalOf(MESSAGES[reason], locale, extra)
