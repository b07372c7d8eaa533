/** Every text of the invoice: one line, several lines, or a closed list; and the characters that each refuses. */

import { readFileSync } from 'node:fs'
import Ajv2020 from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { validate } from '#engine/index.ts'

type Schema = Record<string, any>

const root = new URL('../../', import.meta.url)
const read = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8'))
const bundle: Schema = read('schemas/json_1_1.schema.json')
const accepts = new Ajv2020({ strict: false }).compile(bundle)

const { code, text } = bundle.$defs.json_1_1 && read('schemas/common.json').$defs

type Format = 'line' | 'text'
const formatOf = ({ pattern }: Schema): Format | undefined =>
  pattern === code.pattern ? 'line' : pattern === text.pattern ? 'text' : undefined

const resolved = (schema: Schema): Schema =>
  schema.$ref ? { ...resolved(bundle.$defs[schema.$ref.replace('#/$defs/', '')]), ...schema } : schema

/** Paths of all texts that a client may send, with their format; none for those of a closed list. */
function textsIn(node: Schema, path: readonly string[] = []): [path: readonly string[], format?: Format][] {
  const schema = resolved(node)
  if (schema.readOnly) return []
  if (schema.type === 'string') {
    const format = formatOf(schema)
    return [format ? [path, format] : [path]]
  }
  const parts = Object.entries<Schema>(schema.properties ?? {})
  if (schema.items) parts.push(['0', schema.items])
  return parts.flatMap(([name, part]) => textsIn(part, [...path, name]))
}

const texts = textsIn(bundle.$defs.json_1_1).filter(
  ([path]) => !['$schema', 'recognition'].includes(path[0]!),
)
const pathsOf = (format?: Format) =>
  texts.filter(([, one]) => one === format).map(([path]) => path.join('/').replaceAll('/0/', '[]/'))
const free = texts.filter((one): one is [readonly string[], Format] => one[1] !== undefined)

const BASE = read('examples/01-services-irpf.json')

/** The example with a value at a path; the parts around it have their required members. */
function withText(path: readonly string[], value: string): any {
  const document = structuredClone(BASE)
  document.invoice.customer.name ??= 'Cliente'
  let node = document
  let schema = resolved(bundle.$defs.json_1_1)
  for (const name of path.slice(0, -1)) {
    schema = resolved(name === '0' ? schema.items : schema.properties[name])
    node[name] ??= schema.type === 'array' ? [] : {}
    node = node[name]
    for (const needed of schema.required ?? []) node[needed] ??= sampleOf(schema.properties[needed])
  }
  node[required(path.at(-1))] = value
  return document
}
function sampleOf(node: Schema): unknown {
  const { type, enum: values, pattern } = resolved(node)
  if (values) return values[0]
  return type === 'number' ? 1 : formatOf({ pattern }) ? 'x' : '2026-01-01'
}

const pointer = (path: readonly string[]) => `/${path.join('/')}`
const patternItems = (document: unknown) =>
  validate(document, { operation: 'received' }).errors.filter(({ code }) => code === 'schema.pattern')

const CONTROLS = ['\0', '\u0007', '\v', '\u001b', '\u007f', '\u0085', '\u009f', '\u2028', '\u2029', '\ufffd']
const BREAKS = ['\t', '\n', '\r']
/** What XML cannot represent. */
const IMPOSSIBLE = ['\0', '\u0007', '\v', '\u001b', '\uffff']

describe('the texts of the invoice', () => {
  it('have several lines only where they describe something', () => {
    expect(pathsOf('text')).toMatchInlineSnapshot(`
      [
        "invoice/supplier/company/address/address",
        "invoice/supplier/company/address/address_2",
        "invoice/supplier/person/address/address",
        "invoice/supplier/person/address/address_2",
        "invoice/customer/company/address/address",
        "invoice/customer/company/address/address_2",
        "invoice/customer/person/address/address",
        "invoice/customer/person/address/address_2",
        "invoice/customer/administrative_centres[]/centre_description",
        "invoice/header/corrective/reason_description",
        "invoice/issue_data/invoice_description",
        "invoice/lines[]/item_description",
        "invoice/lines[]/exemption_reason_text",
        "invoice/lines[]/tax_regime_description",
        "invoice/lines[]/additional_line_item_information",
        "invoice/lines[]/legal_literals[]/legal_reference",
        "invoice/taxes_outputs[]/exemption_reason_text",
        "invoice/taxes_outputs[]/tax_regime_description",
        "invoice/totals/general_discounts[]/discount_reason",
        "invoice/totals/general_surcharges[]/charge_reason",
        "invoice/totals/payments_on_account[]/description",
        "invoice/totals/reimbursable_expenses[]/description",
        "invoice/payment_terms",
        "invoice/payment_details[]/collection_additional_information",
        "invoice/legal_literals[]/legal_reference",
        "invoice/additional_data/invoice_additional_information",
      ]
    `)
  })

  it('are a date or a code of a list, or else a line', () => {
    expect(new Set(pathsOf().map((path) => path.split('/').at(-1)))).toMatchInlineSnapshot(`
      Set {
        "schema_version",
        "direction",
        "person_type_code",
        "country_code",
        "party_country_code",
        "scheme_id",
        "role",
        "issuer_country_code",
        "invoice_type_code",
        "invoice_issue_date",
        "correction_type",
        "start_date",
        "end_date",
        "issue_date",
        "operation_date",
        "receipt_date",
        "invoicing_period_start_date",
        "invoicing_period_end_date",
        "tax_group_code",
        "tax_country_code",
        "tax_currency_code",
        "invoice_currency_code",
        "exchange_rate_date",
        "item_type",
        "non_taxable_reason",
        "consumption_country_code",
        "consumption_rate_type",
        "supply_type",
        "non_deductible_reason",
        "line_item_period_start_date",
        "line_item_period_end_date",
        "transaction_date",
        "issuer_contract_date",
        "date",
        "payment_on_account_date",
        "installment_due_date",
        "payment_method_code",
      }
    `)
    expect(free.length + pathsOf().length).toBe(texts.length)
  })

  it.each(free)('at %j of format %s name their invalid character and its position', (path, format) => {
    const refused = format === 'line' ? [...CONTROLS, ...BREAKS] : IMPOSSIBLE
    for (const character of [...refused, '\ud800', '\udc00']) {
      const document = withText(path, `A ${character}B`)
      const shown = `U+${required(character.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0')}`
      expect(patternItems(document)).toMatchObject([
        { path: pointer(path), extra: { character: shown, position: 3 }, severity: 'error' },
      ])
      if (!/\p{Surrogate}/u.test(character)) expect([shown, accepts(document)]).toEqual([shown, false])
    }
    const others = format === 'line' ? [] : [...BREAKS, '\u0085', '\u2028', '\ufffd']
    for (const character of [...others, 'ñ', '😀', '\u00a0', '  ', '\u200d']) {
      const document = withText(path, `A${character}B`)
      expect([character, patternItems(document)]).toEqual([character, []])
    }
  })

  it.each(free.filter(([, format]) => format === 'line'))('at %j are trimmed', (path) => {
    const document = withText(path, ' \n\u2028A B\t\u00a0')
    expect(patternItems(document)).toEqual([])
    const sent = JSON.stringify(document)
    const { data } = validate(document, { operation: 'received' })
    const clean = validate(withText(path, 'A B'), { operation: 'received' })
    expect(data).toEqual(clean.data)
    expect(JSON.stringify(document)).toBe(sent)
  })

  it.each(free)('at %j are not only blanks', (path) => {
    const codes = validate(withText(path, ' \n'), { operation: 'received' }).errors.flatMap((item) =>
      item.path === pointer(path) ? item.code : [],
    )
    expect(['schema.min_length', 'schema.required', 'missing_required_field']).toContain(codes[0])
    expect(codes).toHaveLength(1)
  })

  it('name the character in both languages', () => {
    const document = withText(['invoice', 'header', 'invoice_series_code'], 'A\u0007B')
    const messages = (['en', 'es'] as const).map((locale) =>
      validate(document, { operation: 'received', locale }).errors.map(({ message }) => message),
    )
    expect(messages).toMatchInlineSnapshot(`
      [
        [
          "invoice_series_code contains the character U+0007 at position 2. Remove it. (API specification, "Canonical invoice")",
          "invoice_number is missing. Send invoice_number. (arts. 6.1.a and 7.1.a RD 1619/2012)",
          "issue_date is missing. Send issue_date. (arts. 6.1.b and 7.1.b RD 1619/2012)",
        ],
        [
          "invoice_series_code contiene el carácter U+0007 en la posición 2. Quítelo. (especificación de la API, "Canonical invoice")",
          "Falta invoice_number. Envíe invoice_number. (arts. 6.1.a y 7.1.a RD 1619/2012)",
          "Falta issue_date. Envíe issue_date. (arts. 6.1.b y 7.1.b RD 1619/2012)",
        ],
      ]
    `)
  })
})
