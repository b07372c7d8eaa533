/**
 * Codes of the stages that run before the rules: the schema version, computed fields, fields that an operation does not
 * allow, and the JSON schema.
 */
import { type Pair, TOO_MANY } from '#core/messages/index.ts'
import { type Declaration, type DisplayNames, stageRule } from './rule.ts'

/** Texts that messages show for lists and objects instead of their contents. */
const PARTS: DisplayNames = {
  array: { en: 'an array', es: 'una lista' },
  object: { en: 'an object', es: 'un objeto' },
}

/** Names of the JSON types, and of JavaScript values that do not exist in JSON. */
const NOT_JSON = { en: 'not a JSON value', es: 'un valor que no existe en JSON' }
const TYPE_NAMES: DisplayNames = {
  string: { en: 'a string', es: 'un texto' },
  number: { en: 'a number', es: 'un número' },
  integer: { en: 'an integer', es: 'un número entero' },
  boolean: { en: 'a boolean (true or false)', es: 'un valor lógico (true o false)' },
  ...PARTS,
  null: { en: 'null', es: 'null' },
  undefined: NOT_JSON,
  function: NOT_JSON,
  symbol: NOT_JSON,
  bigint: NOT_JSON,
  NaN: { en: 'not a number (NaN)', es: 'un valor no numérico (NaN)' },
  Infinity: { en: 'infinite', es: 'infinito' },
  '-Infinity': { en: 'infinite', es: 'infinito' },
}

/** Descriptions of code lists that are too long for a message. */
const LISTS: DisplayNames = {
  country: { en: 'an ISO 3166-1 code (ES or ESP)', es: 'un código ISO 3166-1 (ES o ESP)' },
  currency: { en: 'an ISO 4217 code (EUR)', es: 'un código ISO 4217 (EUR)' },
}

const SHAPES: DisplayNames = {
  '^[0-9]{4}$': { en: 'four digits', es: 'cuatro cifras' },
}

const schemaRule = (
  keyword: string,
  en: Pair,
  es: Pair,
  more: Partial<Pick<Declaration, 'terms' | 'caseOf'> & Pick<Parameters<typeof stageRule>[0], 'cases'>> = {},
) =>
  stageRule({
    code: `schema.${keyword}`,
    source: 'schema',
    law: 'API specification, "Canonical invoice"',
    reads: ['*'],
    en,
    es,
    ...more,
  })

export const SCHEMA_RULES = [
  stageRule({
    code: 'unsupported_schema_version',
    source: 'schema',
    law: 'API specification, "Versioning"',
    reads: ['/schema_version'],
    terms: { received: TYPE_NAMES },
    en: ['schema_version is {received}.', 'Send {expected}.'],
    es: ['schema_version es {received}.', 'Envíe {expected}.'],
  }),
  stageRule({
    code: 'inferred_fields_not_allowed',
    law: 'API specification, "Fields computed by the service"',
    reads: ['*'],
    en: ['{field} is a computed field and must not be sent.', 'Remove it.'],
    es: ['{field} es un campo calculado y no debe enviarse.', 'Quítelo.'],
    cases: {
      several: {
        en: ['Computed fields must not be sent ({fields}).', 'Remove them.'],
        es: ['Los campos calculados no deben enviarse ({fields}).', 'Quítelos.'],
      },
    },
    caseOf: ({ fields }) => (Array.isArray(fields) && fields.length > 1 ? 'several' : undefined),
  }),
  stageRule({
    code: 'invoice_number_not_allowed',
    law: 'API specification, "Drafts"',
    reads: ['/invoice/header/invoice_number'],
    terms: { received: PARTS },
    en: [
      'A draft has no number yet, but {received} was sent.',
      'Remove invoice_number, which issuing assigns; if the invoice already has one, use operation issue or import.',
    ],
    es: [
      'Un borrador aún no tiene número, pero se envió {received}.',
      'Quite invoice_number, que se asigna al expedir; si la factura ya lo tiene, use la operación issue o import.',
    ],
  }),
  stageRule({
    code: 'issue_date_not_allowed',
    law: 'API specification, "Drafts"',
    reads: ['/invoice/issue_data/issue_date'],
    terms: { received: PARTS },
    en: [
      'A draft has no issue date yet, but {received} was sent.',
      'Remove issue_date, which issuing sets; if the invoice already has one, use operation issue or import.',
    ],
    es: [
      'Un borrador aún no tiene fecha de expedición, pero se envió {received}.',
      'Quite issue_date, que se fija al expedir; si la factura ya la tiene, use la operación issue o import.',
    ],
  }),
  stageRule({
    code: 'too_many_errors',
    source: 'schema',
    origin: 'cuadra',
    law: 'API specification, "Validate result"',
    reads: ['*'],
    ...TOO_MANY,
  }),
  schemaRule('required', ['{field} is missing.', 'Send {field}.'], ['Falta {field}.', 'Envíe {field}.'], {
    cases: {
      block: {
        en: ['{field} is missing.', 'Send {field} with all of these: {members}.'],
        es: ['Falta {field}.', 'Envíe {field} con todo esto: {members}.'],
      },
    },
    caseOf: ({ members }) => (members === undefined ? undefined : 'block'),
  }),
  schemaRule(
    'type',
    ['{field} is {received}.', 'Send {expected}.'],
    ['{field} es {received}.', 'Envíe {expected}.'],
    { terms: { received: TYPE_NAMES, expected: TYPE_NAMES } },
  ),
  schemaRule(
    'additional_properties',
    [
      'Unknown field: {field}.',
      'Correct its name (docs/reference/invoice.md lists the fields), or remove it.',
    ],
    [
      'Campo desconocido: {field}.',
      'Corrija su nombre (docs/reference/invoice.md enumera los campos) o quítelo.',
    ],
    {
      cases: {
        similar: {
          en: ['Unknown field: {field}.', 'Did you mean {similar}? Otherwise, remove it.'],
          es: ['Campo desconocido: {field}.', '¿Quería decir {similar}? Si no, quítelo.'],
        },
      },
      caseOf: ({ similar }) => (similar === undefined ? undefined : 'similar'),
    },
  ),
  schemaRule(
    'enum',
    ['{field} is {received}.', 'Send {allowed}.'],
    ['{field} es {received}.', 'Envíe {allowed}.'],
    {
      terms: { catalog: LISTS },
      cases: {
        named: {
          en: ['{field} is {received}.', 'Send {catalog}.'],
          es: ['{field} es {received}.', 'Envíe {catalog}.'],
        },
      },
      caseOf: ({ allowed }) => (allowed === undefined ? 'named' : undefined),
    },
  ),
  schemaRule(
    'const',
    ['{field} is {received}.', 'Send {expected}.'],
    ['{field} es {received}.', 'Envíe {expected}.'],
  ),
  schemaRule(
    'max_length',
    ['{field} has {received} characters.', 'Send at most {max_length}.'],
    ['{field} tiene {received} caracteres.', 'Envíe como máximo {max_length}.'],
  ),
  schemaRule(
    'min_length',
    ['{field} is empty or blank.', 'Send a value, or omit the field if it is optional.'],
    ['{field} está vacío o en blanco.', 'Envíe un valor, u omita el campo si es opcional.'],
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
    ['{field} is {received}, which is not a date.', 'Send a calendar date as YYYY-MM-DD.'],
    ['{field} es {received}, que no es una fecha.', 'Envíe una fecha del calendario como AAAA-MM-DD.'],
  ),
  schemaRule(
    'pattern',
    ['{field} is {received}.', 'Send {expected}.'],
    ['{field} es {received}.', 'Envíe {expected}.'],
    {
      terms: { expected: SHAPES },
      cases: {
        character: {
          en: ['{field} contains the character {character} at position {position}.', 'Remove it.'],
          es: ['{field} contiene el carácter {character} en la posición {position}.', 'Quítelo.'],
        },
      },
      caseOf: ({ character }) => (character === undefined ? undefined : 'character'),
    },
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
    ['{field} must have either {choices}.', 'Send one of the two, not both.'],
    ['{field} debe llevar {choices}, pero no ambos.', 'Envíe uno de los dos.'],
  ),
  schemaRule(
    'any_of',
    ['{field} must have {choices}, or both.', 'Send at least one of them.'],
    ['{field} debe llevar {choices}, o ambos.', 'Envíe al menos uno de ellos.'],
  ),
]
