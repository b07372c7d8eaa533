/** Codes of the stages before the rules: version, computed fields, per-operation fields, schema. */
import { stageRule } from './rule.ts'

const LAW = 'schema json_1_1'

type Words = readonly [string, string]

const schemaRule = (keyword: string, en: Words, es: Words) =>
  stageRule({ code: `schema.${keyword}`, source: 'schema', law: LAW, reads: ['*'], en, es })

export const SCHEMA_RULES = [
  stageRule({
    code: 'unsupported_schema_version',
    source: 'schema',
    law: 'API specification, Versioning',
    reads: ['/schema_version'],
    en: ['schema_version is {received}.', 'Send {expected}.'],
    es: ['schema_version es {received}.', 'Envíe {expected}.'],
  }),
  stageRule({
    code: 'inferred_fields_not_allowed',
    law: 'API specification, "Fields computed by the service"',
    reads: ['*'],
    en: ['{field} is computed and must not be sent.', 'Remove it.'],
    es: ['{field} se calcula y no debe enviarse.', 'Quítelo.'],
  }),
  stageRule({
    code: 'invoice_number_not_allowed',
    law: 'API specification, Drafts',
    reads: ['/invoice/header/invoice_number'],
    en: ['A draft has no number yet; it got {received}.', 'Remove invoice_number: it is assigned on issue.'],
    es: ['Un borrador aún no tiene número; llegó {received}.', 'Quite invoice_number: se asigna al emitir.'],
  }),
  stageRule({
    code: 'issue_date_not_allowed',
    law: 'API specification, Drafts',
    reads: ['/invoice/issue_data/issue_date'],
    en: ['A draft has no issue date yet; it got {received}.', 'Remove issue_date: it is the day of issue.'],
    es: [
      'Un borrador aún no tiene fecha de expedición; llegó {received}.',
      'Quite issue_date: es el día de la emisión.',
    ],
  }),
  stageRule({
    code: 'too_many_errors',
    source: 'schema',
    origin: 'cuadra',
    law: LAW,
    reads: ['*'],
    en: [
      'There are at least {at_least} problems: {shown} are listed, and the search for more has ended.',
      'Mend these and validate again.',
    ],
    es: [
      'Hay al menos {at_least} problemas: se listan {shown} y no se han buscado más.',
      'Corrija estos y valide de nuevo.',
    ],
  }),
  schemaRule('required', ['{field} is missing.', 'Send {field}.'], ['Falta {field}.', 'Envíe {field}.']),
  schemaRule(
    'type',
    ['{field} is {received}.', 'Send {expected}.'],
    ['{field} es {received}.', 'Envíe {expected}.'],
  ),
  schemaRule(
    'additional_properties',
    ['{field} is not a field of the contract here.', 'Remove it, or correct its name.'],
    ['{field} no es un campo del contrato aquí.', 'Quítelo o corrija su nombre.'],
  ),
  schemaRule(
    'enum',
    ['{field} is {received}.', 'Send one of {allowed}{catalog}.'],
    ['{field} es {received}.', 'Envíe uno de {allowed}{catalog}.'],
  ),
  schemaRule(
    'const',
    ['{field} is {received}.', 'Send {expected}.'],
    ['{field} es {received}.', 'Envíe {expected}.'],
  ),
  schemaRule(
    'max_length',
    ['{field} has {received} characters.', 'Send at most {max_length}.'],
    ['{field} tiene {received} caracteres.', 'Envíe {max_length} como máximo.'],
  ),
  schemaRule(
    'min_length',
    ['{field} is empty.', 'Send a text, or leave it out.'],
    ['{field} está vacío.', 'Envíe un texto u omítalo.'],
  ),
  schemaRule(
    'min_items',
    ['{field} has {received} entries.', 'Send at least {min_items}.'],
    ['{field} tiene {received} elementos.', 'Envíe al menos {min_items}.'],
  ),
  schemaRule(
    'max_items',
    ['{field} has {received} entries.', 'Send at most {max_items}.'],
    ['{field} tiene {received} elementos.', 'Envíe {max_items} como máximo.'],
  ),
  schemaRule(
    'format',
    ['{received} is not a date of the calendar.', 'Send YYYY-MM-DD.'],
    ['{received} no es una fecha del calendario.', 'Envíe AAAA-MM-DD.'],
  ),
  schemaRule(
    'pattern',
    ['{field} is {received}.', 'Send a text of the form {expected}.'],
    ['{field} es {received}.', 'Envíe un texto de la forma {expected}.'],
  ),
  schemaRule(
    'minimum',
    ['{field} is {received}.', 'Send {expected} or more.'],
    ['{field} es {received}.', 'Envíe {expected} o más.'],
  ),
  schemaRule(
    'maximum',
    ['{field} is {received}.', 'Send {expected} or less.'],
    ['{field} es {received}.', 'Envíe {expected} o menos.'],
  ),
  schemaRule(
    'exclusive_minimum',
    ['{field} is {received}.', 'Send more than {expected}.'],
    ['{field} es {received}.', 'Envíe más de {expected}.'],
  ),
  schemaRule(
    'exclusive_maximum',
    ['{field} is {received}.', 'Send less than {expected}.'],
    ['{field} es {received}.', 'Envíe menos de {expected}.'],
  ),
  schemaRule(
    'one_of',
    ['{field} must have exactly one of {choices}.', 'Send one of them, not both.'],
    ['{field} debe llevar exactamente uno de {choices}.', 'Envíe uno de ellos, no ambos.'],
  ),
  schemaRule(
    'any_of',
    ['{field} must have {choices}, or both.', 'Send at least one of them.'],
    ['{field} debe llevar {choices}, o ambos.', 'Envíe al menos uno.'],
  ),
]
