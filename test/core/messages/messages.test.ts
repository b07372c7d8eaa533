/**
 * Every message of every rule, in both languages, for documents that are as wrong as possible. An empty list, a gap, a
 * doubled blank, a word of the other language, or the instruction to send what was sent, is a fault.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { valueAt } from '#core/invoice/index.ts'
import { cite, fill, fillBy } from '#core/messages/index.ts'
import {
  type Locale,
  messageParts,
  type Options,
  rules,
  type ValidationItem,
  validate,
} from '#engine/index.ts'
import { figure } from '../../figures.ts'
import { sized } from '../../size.ts'

const ROOT = fileURLToPath(new URL('../../cases/', import.meta.url))
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const CASES: ReadonlyArray<{ readonly input: Json; readonly options: Options }> = readdirSync(ROOT)
  .filter((name) => existsSync(`${ROOT}${name}/input.json`))
  .map((name) => ({
    input: read(`${ROOT}${name}/input.json`),
    options: existsSync(`${ROOT}${name}/options.json`) ? read(`${ROOT}${name}/options.json`) : {},
  }))

/** Unlikely values, none of which makes a message wrong. */
const WRONG: readonly Json[] = [
  '',
  ' ',
  'Ñandú y Cía.',
  'x',
  null,
  0,
  -1,
  101,
  3.123456789,
  true,
  [],
  {},
  '1985-06-01',
]

/** Days without rates, with few, and with those of another time. */
const DAYS = ['1985-01-01', '1994-06-01', '2000-01-01', '2012-10-01', '2023-05-02', '2026-03-16']

/** Places of every leaf and list of a document. */
function placesOf(value: Json, path: readonly string[] = []): (readonly string[])[] {
  if (value === null || typeof value !== 'object') return [path]
  const inner = Object.entries(value).flatMap(([name, member]) => placesOf(member, [...path, name]))
  return path.length === 0 ? inner : [path, ...inner]
}

/** The document with another value in one place; places that are missing on the way are made. */
function withValue(document: Json, path: readonly string[], value: Json): Json {
  const copy = structuredClone(document)
  let node = copy as Record<string, Json>
  for (const name of path.slice(0, -1)) {
    if (node[name] === null || typeof node[name] !== 'object') node[name] = {}
    node = node[name] as Record<string, Json>
  }
  node[required(path.at(-1))] = value
  return copy
}

const DAY = ['invoice', 'issue_data', 'operation_date']
const GROUP = ['invoice', 'issue_data', 'tax_group_code']

/** A sample has a wrong value in one of so many places. */
const EVERY = sized(10, 1)

/** Every golden invoice on every day and in every tax group, and with one wrong value in each place in turn. */
function* documents(): Generator<{ readonly document: Json; readonly options: Options }> {
  let turn = 0
  for (const { input, options } of CASES) {
    yield { document: input, options }
    for (const day of DAYS) yield { document: withValue(input, DAY, day), options }
    for (const group of ['IVA', 'IGIC', 'IPSI'])
      yield {
        document: withValue(withValue(input, GROUP, group), DAY, required(DAYS[turn++ % DAYS.length])),
        options,
      }
    for (const [index, place] of placesOf(input).entries())
      if ((index + turn) % EVERY === 0)
        yield { document: withValue(input, place, WRONG[turn++ % WRONG.length] ?? null), options }
  }
  const lines = Array.from({ length: 2000 }, () => null)
  yield { document: { schema_version: 'json_1_1', meta: {}, invoice: { lines } }, options: {} }
}

const FAULTS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['an open placeholder', /\{\w+\}|—/],
  ['a value that is not there', /undefined|NaN|\[object/],
  [
    'an empty list or value',
    /\(\)|""|«»(?!\.|,| )| [.,;:)]|\b(?:of|are|is|[Ss]end|[Uu]se|es|de|son|[Ee]nvíe)[.,;:)]/,
  ],
  ['a doubled blank', / {2}/],
  ['a doubled stop', /[.,;:]{2}|\.\)\.|, ?(?:or|o|u)[.,]/],
  ['a plural in brackets', /\((?:s|es)\)/],
  ['articles without "and" before the last', /arts?\. [^;]*, [\w.-]+ (?:Ley|RD) /],
  ['cents of any currency', /\bcents?\b|céntimo/i],
]

/** Names of sections and values that were sent stand in quotes; a wrong value may look like anything. */
const unquoted = (text: string): string => text.replace(/"[^"]*"|«[^»]*»/g, 'x')

const ENGLISH =
  /\b(?:the|is|are|of|and|or|not|with|without|must|send|list|issued|received|pending|registered|placeholder|control_form|string|array|object|boolean|specification|calculation page|Directive|Regulation|errors)\b/i
const SPANISH = /\b(?:el|los|las|una|del|está|envíe|factura|línea|tipo|debe|falta|según|especificación)\b/i

/** Member and value that a message asks for: "Send tax_regime_key 17". */
const ASKED = /(?:Send|Use|Envíe|Use) ([a-z_]+) ([\w.-]+?)[.,;]/

/** Whether the fix asks for exactly what the document has. */
function asksForWhatWasSent(fix: string, item: ValidationItem, document: unknown): boolean {
  const sent = valueAt(document, item.path)
  const [, member, value] = ASKED.exec(fix) ?? []
  const parent = item.path.slice(0, item.path.lastIndexOf('/'))
  const { allowed, expected } = item.extra ?? {}
  const bound = /^schema\.(?:exclusive_)?(?:minimum|maximum)$/.test(item.code)
  return (
    (member !== undefined && String(valueAt(document, `${parent}/${member}`)) === value) ||
    (Array.isArray(allowed) && sent !== undefined && allowed.includes(sent)) ||
    (!bound && expected !== undefined && expected !== null && expected === item.extra?.received)
  )
}

/** The message in a language; `validate` writes the same (see the test below). */
const wordsOf = (item: ValidationItem, locale: Locale): string => {
  const { message, fix, law } = messageParts(item, locale)
  return `${message} ${fix} (${law})`
}

function faultsOf(item: ValidationItem, locale: Locale, document: unknown): string[] {
  const { message, fix, law } = messageParts(item, locale)
  const whole = unquoted(`${message} ${fix} (${cite(law, 'en')})`)
  const faults = FAULTS.filter(([, pattern]) => pattern.test(whole)).map(([name]) => name)
  const messageText = `${unquoted(`${message} ${fix}`)} (${unquoted(law)})`
  if (locale === 'es' && ENGLISH.test(messageText)) faults.push('an English word')
  if (locale === 'en' && SPANISH.test(unquoted(`${message} ${fix}`))) faults.push('a Spanish word')
  if (asksForWhatWasSent(fix, item, document)) faults.push('advice to send what was sent')
  return faults
}

it('no message has an unfilled placeholder, an empty list, a word of the other language or useless advice', () => {
  const found = new Map<string, string>()
  const codes = new Set<string>()
  let messages = 0
  for (const { document, options } of documents())
    for (const item of validate(document, options).errors) {
      codes.add(item.code)
      for (const locale of ['en', 'es'] as const) {
        messages++
        for (const fault of faultsOf(item, locale, document))
          found.set(`${item.code}, ${locale}: ${fault}`, `${item.path}: ${wordsOf(item, locale)}`)
      }
    }
  figure(`${messages} messages of ${codes.size} codes read`)
  expect(Object.fromEntries(found)).toEqual({})
  expect(
    rules()
      .filter(({ code }) => !codes.has(code))
      .map(({ code }) => code),
  ).toEqual([])
})

it('messageParts has the messages of validate, in the requested language', () => {
  for (const { input, options } of CASES)
    for (const locale of ['en', 'es'] as const)
      for (const item of validate(input, { ...options, locale }).errors)
        expect(wordsOf(item, locale)).toBe(item.message)
  const other: ValidationItem = {
    source: 'business',
    code: 'from.elsewhere',
    message: 'A message of another program.',
    path: '',
    extra: null,
    severity: 'error',
  }
  expect(messageParts(other)).toEqual({ message: 'A message of another program.', fix: '', law: '' })
})

describe('values in messages', () => {
  const choice = (values: readonly number[], locale: Locale): string =>
    fillBy('{a}', () => values, locale, { isChoice: true })

  it('decimals of a Spanish text have a comma, also in amounts and percentages sent as texts', () => {
    const text = 'Suman {sum}; puede llegar a {most}; al {rate} %, no al {other} %.'
    const values = { sum: '3010.01', most: 1234567.5, rate: '5.2', other: [7.5, 10] }
    expect(fill(text, values, 'es')).toBe(
      'Suman 3.010,01; puede llegar a 1.234.567,5; al 5,2 %, no al 7,5; 10 %.',
    )
    expect(fill(text, values, 'en')).toBe(
      'Suman 3010.01; puede llegar a 1234567.5; al 5.2 %, no al 7.5, 10 %.',
    )
    expect(fill('{version} {number}', { version: '1.0', number: '2026.1.2' }, 'es')).toBe('1.0 2026.1.2')
  })

  it('a sentence of cuadra is never shortened, and a long value is shortened after a word', () => {
    const long = 'palabra '.repeat(30).trim()
    expect(fill('Es: {problem}.', { problem: long }, 'es')).toBe(`Es: ${long}.`)
    expect(fill('Es: {received}.', { received: long }, 'es')).toBe(`Es: ${'palabra '.repeat(10).trim()}….`)
    expect(fill('{received}', { received: 'x'.repeat(99) })).toBe(`${'x'.repeat(80)}…`)
  })

  it('lists end in the word for "or" of the language', () => {
    expect(choice([21, 10, 4], 'en')).toBe('21, 10 or 4')
    expect(choice([21, 10, 4], 'es')).toBe('21, 10 o 4')
    expect(choice([10, 8], 'es')).toBe('10 u 8')
    expect(choice([12, 11], 'es')).toBe('12 u 11')
    expect(choice([120, 110], 'es')).toBe('120 o 110')
    expect(choice([10], 'es')).toBe('10')
    expect(fill('{a}', { a: [1, 2] })).toBe('1, 2')
  })
  it('laws keep their names, other documents are translated, and titles of sections are not', () => {
    const law = 'arts. 5 and 11 RD 1619/2012; API specification, "Catalogs and lists"; Directive 2006/112/EC'
    expect(cite(law, 'en')).toBe(law)
    expect(cite(law, 'es')).toBe(
      'arts. 5 y 11 RD 1619/2012; especificación de la API, "Catalogs and lists"; Directiva 2006/112/CE',
    )
  })
})

/** Each finding of strangers, by the sentence that was wrong. */
describe('sentences', () => {
  const invoice = (change: (invoice: Record<string, any>) => void, options: Options = {}) => {
    const document = structuredClone(
      required(CASES.find(({ input }) => validate(input).errors.length === 0)).input,
    )
    change((document as { invoice: Record<string, unknown> }).invoice)
    return (code: string, locale: Locale) =>
      wordsOf(required(validate(document, options).errors.find((item) => item.code === code)), locale)
  }
  it('a day without rates offers no list', () => {
    const messageText = invoice((sent) => {
      sent.issue_data = { operation_date: '1985-01-01' }
      sent.lines[0].tax_output_rate = 21
      sent.lines[0].tax_withheld_rate = 15.5
    })
    expect(messageText('tax_rate_unknown', 'en')).toMatch(
      /^No IVA rates are known for 1985-01-01\. Check operation_date/,
    )
    expect(messageText('tax_rate_unknown', 'es')).toMatch(
      /^No se conocen tipos del IVA para el 01\/01\/1985\. Revise/,
    )
  })
  it('IPSI cites its own law', () => {
    const messageText = invoice((sent) => {
      sent.issue_data = { tax_group_code: 'IPSI' }
      sent.lines[0].tax_output_rate = 21
    })
    expect(messageText('tax_rate_unknown', 'en')).toMatch(/\(art\. 18 Ley 8\/1991\)$/)
  })
  it('the fix for a surcharge on an untaxed operation does not suggest 0', () => {
    const messageText = invoice((sent) => {
      sent.lines = [{ ...sent.lines[0], tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E1' }]
      delete sent.lines[0].tax_output_rate
      const base = sent.lines[0].quantity * sent.lines[0].unit_price_without_tax
      sent.taxes_outputs = [
        {
          tax_rate: 0,
          taxable_base: base,
          tax_amount: 0,
          exemption_reason_code: 'E1',
          equivalence_surcharge: 5.2,
        },
      ]
    })
    expect(messageText('equivalence_surcharge_unknown', 'en')).toMatch(
      /without tax\. Remove equivalence_surcharge and its/,
    )
  })
})
