/** What is suggested for an unknown field of an invoice. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { nearest, suggestedFields } from '#core/invoice/near.ts'
import { SYNONYMS } from '#core/invoice/synonyms.ts'
import { COMPUTED_MEMBERS } from '#core/invoice/terms.ts'
import { type Locale, messageParts, type Operation, validate } from '#engine/index.ts'
import schema from '#schemas/json_1_1.schema.json' with { type: 'json' }
import example from '../../examples/01-services-irpf.json' with { type: 'json' }

interface Node {
  readonly $ref?: string
  readonly allOf?: readonly Node[]
  readonly properties?: Readonly<Record<string, Node | boolean>>
  readonly items?: Node
}

/** The names of each object of an invoice, by its pointer; entries of lists have the index 0. */
const OBJECTS = new Map<string, Set<string>>()

function addObjects(node: Node, pointer: string): void {
  const name = node.$ref?.slice('#/$defs/'.length) ?? ''
  const target = (schema.$defs as Readonly<Record<string, Node>>)[name]
  for (const part of [...(target ? [target] : []), ...(node.allOf ?? [])]) addObjects(part, pointer)
  if (node.items) addObjects(node.items, `${pointer}/0`)
  for (const [member, child] of Object.entries(node.properties ?? {})) {
    OBJECTS.set(pointer, (OBJECTS.get(pointer) ?? new Set()).add(member))
    if (typeof child === 'object') addObjects(child, `${pointer}/${member}`)
  }
}
addObjects({ $ref: '#/$defs/json_1_1' }, '')

const namesOf = (pointer: string): string[] => [...required(OBJECTS.get(pointer))]
const leafOf = (path: string): string => required(path.split('.').at(-1))

/** Returns the fields suggested for a name that is added to an object of a valid invoice. */
function suggested(pointer: string, name: string, operation: Operation = 'import'): readonly string[] {
  const document: Record<string, unknown> = structuredClone(example)
  let node = document
  for (const segment of pointer.split('/').slice(1)) {
    node[segment] ??= segment.startsWith('tax') ? [{}] : {}
    node = node[segment] as Record<string, unknown>
  }
  node[name] = 1
  const item = validate(document, { operation }).errors.find(
    ({ code, path }) => code === 'schema.additional_properties' && path === `${pointer}/${name}`,
  )
  return (required(item).extra?.similar ?? []) as readonly string[]
}

const LINE = '/invoice/lines/0'
const HEADER = '/invoice/header'
const ISSUE = '/invoice/issue_data'
const TOTALS = '/invoice/totals'
const CUSTOMER = '/invoice/customer'
const ADDRESS = '/invoice/customer/company/address'
const PRICES = ['unit_price_without_tax', 'unit_price_with_tax']
const DUE = ['payment_details[].installment_due_date']
const inAddresses = (field: string) => [`company.address.${field}`, `person.address.${field}`]

describe('the fields suggested for a name of another system', () => {
  it.each<[string, string, readonly string[]]>([
    [LINE, 'tax_rate', ['tax_output_rate']],
    [LINE, 'tax', ['tax_output_rate']],
    [LINE, 'iva', ['tax_output_rate']],
    [LINE, 'vat', ['tax_output_rate']],
    [LINE, 'vat_rate', ['tax_output_rate']],
    [LINE, 'taxRate', ['tax_output_rate']],
    [LINE, 'tax_percentage', ['tax_output_rate']],
    [LINE, 'irpf', ['tax_withheld_rate']],
    [LINE, 'withholding', ['tax_withheld_rate']],
    [LINE, 'description', ['item_description']],
    [LINE, 'descripción', ['item_description']],
    [LINE, 'concept', ['item_description']],
    [LINE, 'name', ['item_description']],
    [LINE, 'producto', ['item_description']],
    [LINE, 'qty', ['quantity']],
    [LINE, 'units', ['quantity']],
    [LINE, 'price', PRICES],
    [LINE, 'unit_price', PRICES],
    [LINE, 'discount', ['discount_amount', 'discount_rate']],
    [LINE, 'discount_percent', ['discount_rate']],
    [LINE, 'discount_percentage', ['discount_rate']],
    [LINE, 'discount_value', ['discount_amount']],
    [LINE, 'discount_price', []],
    [LINE, 'charge_value', ['charge_amount']],
    [LINE, 'charge_percent', ['charge_rate']],
    [LINE, 'percent', ['charge_rate', 'discount_rate', 'tax_output_rate']],
    [LINE, 'amount', []],
    [LINE, 'tax_amount', ['tax_output_amount']],
    [LINE, 'total', ['gross_amount_with_tax', 'gross_amount_without_tax']],
    [LINE, 'notes', ['additional_line_item_information']],
    [LINE, 'number', []],
    [LINE, 'date', []],
    [LINE, 'due_date', []],
    [ISSUE, 'due_date', DUE],
    [ISSUE, 'vencimiento', DUE],
    ['/invoice', 'due_date', DUE],
    ['/invoice/payment_details/0', 'due_date', ['installment_due_date']],
    [ISSUE, 'creation_date', []],
    [ISSUE, 'date', ['issue_date']],
    [HEADER, 'date', ['issue_data.issue_date']],
    [HEADER, 'issue_date', ['issue_data.issue_date']],
    [HEADER, 'number', ['invoice_number']],
    [ISSUE, 'invoice_number', ['header.invoice_number']],
    [HEADER, 'series', ['invoice_series_code']],
    [HEADER, 'notes', ['additional_data.invoice_additional_information']],
    [ISSUE, 'currency', ['issue_data.invoice_currency.invoice_currency_code']],
    [TOTALS, 'total', ['invoice_total']],
    [TOTALS, 'total_taxes', ['total_tax_outputs']],
    [TOTALS, 'irpf', ['total_taxes_withheld']],
    [TOTALS, 'subtotal', ['total_gross_amount', 'total_gross_amount_before_taxes']],
    ['/invoice/taxes_outputs/0', 'base', ['taxable_base']],
    ['/invoice/taxes_outputs/0', 'tax_base', []],
    ['/invoice/taxes_withheld/0', 'vat_rate', []],
    [CUSTOMER, 'nif', ['tax_id']],
    [CUSTOMER, 'cif', ['tax_id']],
    [CUSTOMER, 'vat_number', ['tax_id']],
    [CUSTOMER, 'email', ['electronic_mail']],
    [CUSTOMER, 'phone', ['telephone']],
    [CUSTOMER, 'country', ['country_code']],
    [CUSTOMER, 'address', inAddresses('address')],
    [CUSTOMER, 'zip', inAddresses('post_code')],
    [CUSTOMER, 'city', inAddresses('town')],
    [CUSTOMER, 'date', []],
    [ADDRESS, 'zip', ['post_code']],
    [ADDRESS, 'postal_code', ['post_code']],
    [ADDRESS, 'cp', ['post_code']],
    [ADDRESS, 'city', ['town']],
    [ADDRESS, 'country', ['country_code']],
    ['/invoice', 'client', ['customer']],
    ['/invoice', 'items', ['lines']],
    ['', 'lines', ['invoice.lines']],
    ['/invoice/issue_data', 'tax_output_rate', ['lines[].tax_output_rate']],
    ['/invoice/lines/0', 'equivalence_surcharge', ['taxes_outputs[].equivalence_surcharge']],
    ['/invoice/lines/0', 'price_with_vat', ['unit_price_with_tax']],
    ['/invoice/totals', 'suplidos', ['reimbursable_expenses']],
  ])('at %s, %s: %j', (pointer, name, fields) => {
    expect([...suggested(pointer, name)].sort()).toEqual([...fields].sort())
  })

  it('all exist, and none is computed', () => {
    const all = new Set([...OBJECTS.values()].flatMap((names) => [...names]))
    const paths = new Set([...OBJECTS.keys()].map((pointer) => pointer.replaceAll('/0', '').slice(1)))
    for (const path of Object.keys(SYNONYMS).flatMap((fields) => fields.split(' '))) {
      expect(all).toContain(leafOf(path))
      expect(COMPUTED_MEMBERS).not.toContain(leafOf(path))
      const parent = path.replaceAll('[]', '').split('.').slice(0, -1).join('/')
      if (parent)
        expect(
          [...paths].some((known) => `/${known}`.endsWith(`/${parent}`)),
          path,
        ).toBe(true)
    }
  })

  it.each<[Locale, string, string]>([
    [
      'en',
      'Did you mean discount_rate? Otherwise, remove it.',
      'Correct its name (docs/reference/invoice.md lists',
    ],
    [
      'es',
      '¿Quería decir discount_rate? Si no, quítelo.',
      'Corrija su nombre (docs/reference/invoice.md enumera',
    ],
  ])('are in the message, which otherwise refers to the list of fields (%s)', (locale, known, unknown) => {
    const fixFor = (name: string) => {
      const document = structuredClone(example)
      Object.assign(required(document.invoice.lines[0]), { [name]: 10 })
      return messageParts(required(validate(document).errors[0]), locale).fix
    }
    expect(fixFor('discount_percent')).toBe(known)
    expect(fixFor('colour')).toContain(unknown)
  })
})

/** Meanings that exclude each other, by patterns of names. A name has at most one of each group. */
const MEANINGS: readonly (readonly (readonly [meaning: string, pattern: RegExp])[])[] = [
  [
    ['date', /(^|_)date($|_)|fecha|vencimiento/],
    ['rate', /(^|_)rate$|vatrate|taxrate|ivarate|tipoiva|^equivalence_surcharge$|recognition_score/],
    ['code', /_code$|_key$/],
    ['amount', /amount|_base$|^total_|_total$|unit_price|cuota|amount$|purchase_price/],
  ],
  [
    ['due', /(^|_)due|^due|vencimiento/],
    ['issue', /^issue_date|_issue_date/],
    ['operation', /operation/],
    ['receipt', /receipt/],
    ['start', /start/],
    ['end', /(^|_)end(_|$)/],
    ['transaction', /transaction_date/],
  ],
  [
    ['withheld', /withh|irpf|retencion/],
    ['consumption', /consumption/],
    ['output', /output|(^|_)iva|(^|_)vat|igic|^cuota$/],
  ],
  [
    ['discount', /discount|descuento/],
    ['charge', /charge/],
  ],
  [
    ['without tax', /without_tax|before_taxes|_base$|^base/],
    ['with tax', /with_tax|invoice_total|grandtotal/],
  ],
  [
    ['credited', /credited/],
    ['debited', /debited/],
  ],
  [
    ['issuer', /issuer|supplier|seller|vendor/],
    ['receiver', /receiver|customer|buyer|client/],
  ],
]

const meaningsOf = (name: string): (string | undefined)[] =>
  MEANINGS.map((group) => group.find(([, pattern]) => pattern.test(name))?.[0])

/** Returns the misspellings of a name by one letter: changed, dropped, doubled or swapped with the next. */
function misspelled(name: string, letters: string): string[] {
  return [...name].flatMap((letter, at) => {
    const [before, after] = [name.slice(0, at), name.slice(at + 1)]
    return [
      before + after,
      before + letter + letter + after,
      before + after.slice(0, 1) + letter + after.slice(1),
      ...[...letters].map((other) => before + other + after),
    ]
  })
}

describe('a misspelled field', () => {
  const objects = new Map(
    [...OBJECTS].map(([pointer, names]) => [[...names].join(), [pointer, names] as const]),
  )
  const fields = [...objects.values()].flatMap(([pointer, names]) =>
    [...names].map((name) => ({ pointer, name })),
  )
  /** Names that are right elsewhere, without separators: the next test has them. */
  const letters = (name: string): string => name.replaceAll('_', '')
  const meaningful = new Set([
    ...fields.map(({ name }) => letters(name)),
    ...Object.values(SYNONYMS).flatMap((names) => names.split(' ')),
  ])

  /** Requires that only the field itself is suggested, and reports whether it is. */
  function suggestsOnlyItself(pointer: string, name: string, wrong: string): boolean {
    const names = namesOf(pointer)
    if (meaningful.has(letters(wrong))) return false
    const similar = suggestedFields(wrong, names, pointer)
    // The two lines of an address differ in two letters only.
    for (const field of similar)
      if (field !== name.replace(/^address_2$/, field) || COMPUTED_MEMBERS.has(field))
        throw new Error(`${pointer}/${name}, misspelled ${wrong}: ${field} is suggested`)
    return similar.length > 0
  }

  it('by one letter is suggested, or nothing is: never another field, never a computed one', () => {
    let count = 0
    let found = 0
    for (const { pointer, name } of fields)
      for (const wrong of misspelled(name, 'aert_')) {
        count++
        if (suggestsOnlyItself(pointer, name, wrong)) found++
      }
    expect(found / count).toBeGreaterThan(0.5)
  })

  it('by two letters too', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...fields),
        fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
        fc.nat(),
        fc.nat(),
        ({ pointer, name }, letter, one, two) => {
          const first = misspelled(name, letter)
          const second = misspelled(required(first[one % first.length]), letter)
          const wrong = second[two % Math.max(second.length, 1)]
          if (wrong) suggestsOnlyItself(pointer, name, wrong)
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('of the usual kind is suggested', () => {
    expect(suggested(LINE, 'unit_of_mesure')).toEqual(['unit_of_measure'])
    expect(suggested(LINE, 'unit_price_witout_tax')).toEqual(['unit_price_without_tax'])
    expect(suggested(LINE, 'discount_amuont')).toEqual(['discount_amount'])
    expect(suggested(ISSUE, 'issue_dat')).toEqual(['issue_date'])
    expect(suggested('', 'invoce')).toEqual(['invoice'])
  })
})

describe('a synonym', () => {
  const synonyms = [...new Set(Object.values(SYNONYMS).flatMap((names) => names.split(' ')))]
  const fieldNames = [...new Set([...OBJECTS.values()].flatMap((names) => [...names]))]

  it('or the name of a field of another object never suggests a field of another meaning', () => {
    for (const pointer of OBJECTS.keys())
      for (const name of [...synonyms, ...fieldNames]) {
        const names = namesOf(pointer)
        if (required(OBJECTS.get(pointer)).has(name)) continue
        for (const field of suggestedFields(name, names, pointer)) {
          expect(COMPUTED_MEMBERS).not.toContain(leafOf(field))
          const meant = meaningsOf(name)
          meaningsOf(leafOf(field)).forEach((meaning, group) => {
            if (meaning !== undefined && meant[group] !== undefined && meaning !== meant[group])
              throw new Error(`${pointer}/${name}: ${field} is suggested (${meant[group]}, ${meaning})`)
          })
        }
      }
  })
})

describe('names near to another', () => {
  it('differ in up to two letters, but not in the first letter of a word', () => {
    const names = ['tax-rates', 'units', 'payment-methods', 'tax_rate']
    expect(nearest('tax-ratess', names)).toEqual(['tax-rates'])
    expect(nearest('Payment_Methods', names)).toEqual(['payment-methods'])
    expect(nearest('payment-mehtosd', names)).toEqual(['payment-methods'])
    expect(nearest('tax_date', names)).toEqual([])
    expect(nearest('tax', names)).toEqual([])
    expect(nearest('rates', names)).toEqual([])
    expect(nearest('x'.repeat(1e6), names)).toEqual([])
  })
})
