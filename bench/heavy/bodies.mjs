/** Request bodies that cost more than their size suggests, as hostile, careless or large clients send them. */
import { invoiceOf } from '../documents.mjs'

const totals = { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0 }

/** Returns the JSON text of a list. Built as text, a body of 20 MB needs only the memory of the text. */
const list = (count, entry) =>
  `[${typeof entry === 'string' ? Array(count).fill(entry).join() : Array.from({ length: count }, (_, i) => entry(i)).join()}]`

/** Returns an invoice in which the member at the path `place` is the given JSON text. */
function invoiceWith(place, text, change = (invoice) => invoice) {
  const document = invoiceOf(1)
  delete document.invoice.supplier.tax_id
  change(document.invoice)
  const parts = place.split('/')
  const last = parts.pop()
  const owner = parts.reduce((node, name) => {
    node[name] ??= {}
    return node[name]
  }, document.invoice)
  owner[last] = '@here@'
  return JSON.stringify(document).replace('"@here@"', () => text)
}

const linesOf = (count, entry, change) => invoiceWith('lines', list(count, entry), change)

const unknownFields = (count) => `{${Array.from({ length: count }, (_, i) => `"u${i}":${i}`).join()}}`

const rightLine = (i, more = '') =>
  `{"item_description":"Pieza ${i}","quantity":1,"unit_price_without_tax":${(10 + (i % 90) / 100).toFixed(2)},"tax_output_rate":21${more}}`

const batchOf = (...invoices) => `{"invoices":[${invoices.join()}]}`
const right = (count) => linesOf(count, (i) => rightLine(i))

const computed =
  '"taxable":true,"exempt":false,"tax_category_code":"S","tax_output_code":"01","tax_withheld_code":"04"'

const discounted = (invoice) => {
  invoice.totals = { ...totals, general_discounts: [{ discount_rate: 10 }] }
}

const entry = (i) => `{"tax_rate":${i / 1000},"taxable_base":1,"tax_amount":0.01}`

/** Returns an invoice with many tax groups and the same number of breakdown entries. */
function groups(count) {
  const document = JSON.parse(
    linesOf(
      count,
      (i) => `{"item_description":"x","quantity":1,"unit_price_without_tax":1,"tax_output_rate":${i / 1000}}`,
      discounted,
    ),
  )
  document.invoice.taxes_outputs = JSON.parse(list(count, entry))
  return JSON.stringify(document)
}

/** Returns an invoice with one-stop-shop lines at many rates, and breakdown entries that fit every line. */
function shopGroups(count) {
  const document = JSON.parse(
    linesOf(
      count,
      (i) =>
        `{"item_description":"x","quantity":1,"unit_price_without_tax":1,"tax_output_rate":0,"tax_regime_key":"17","consumption_country_code":"FR","consumption_tax_rate":${(i + 1) / 100}}`,
    ),
  )
  document.invoice.taxes_outputs = JSON.parse(
    list(count, (i) => `{"tax_rate":0,"taxable_base":${1 + i / 100},"tax_amount":0}`),
  )
  return JSON.stringify(document)
}

/** The bodies as `[name, function that returns the text, path, whether only the server is measured with it]`. */
export const BODIES = [
  ['20,000 right lines', () => right(20_000), '/drafts/validate'],
  ['20,000 right lines, explained', () => right(20_000), '/drafts/validate?explain=true'],
  ['20,000 right lines, saved', () => right(20_000), 'PUT /drafts', true],
  ['52,000 lines of `0`', () => linesOf(52_000, '0'), '/drafts/validate'],
  ['190,000 lines of `{"a":0}` in 1.5 MB', () => linesOf(190_000, '{"a":0}'), '/drafts/validate'],
  ['19,000 lines of 12 unknown fields', () => linesOf(19_000, unknownFields(12)), '/drafts/validate'],
  ['50,000 lines of 6 unknown fields', () => linesOf(50_000, unknownFields(6)), '/drafts/validate'],
  [
    '19,000 lines with 5 computed fields',
    () => linesOf(19_000, (i) => rightLine(i, `,${computed}`)),
    '/drafts/validate',
  ],
  [
    '19,000 lines that break rules',
    () =>
      linesOf(19_000, (i) =>
        rightLine(i, ',"tax_regime_key":"99","unit_of_measure":"zz","exemption_reason_code":"E9"'),
      ),
    '/drafts/validate',
  ],
  [
    '19,000 lines with too many decimals',
    () =>
      linesOf(
        19_000,
        () =>
          '{"item_description":"x","quantity":1.1234567891234,"unit_price_without_tax":1.1234567891234,"tax_output_rate":21}',
      ),
    '/drafts/validate',
  ],
  [
    '20,000 lines of 20,000 withholding rates',
    () => linesOf(20_000, (i) => rightLine(i, `,"tax_withheld_rate":${i / 1000}`)),
    '/drafts/validate',
  ],
  ['2,000 tax groups, sent and computed', () => groups(2000), '/drafts/validate'],
  ['1,000 tax groups, sent and computed', () => groups(1000), '/drafts/validate'],
  ['480 one-stop-shop groups, 480 entries', () => shopGroups(480), '/drafts/validate'],
  ['1,000 one-stop-shop groups, 1,000 entries', () => shopGroups(1000), '/drafts/validate'],
  [
    '45,000 entries of `taxes_outputs`',
    () => invoiceWith('taxes_outputs', list(45_000, entry)),
    '/drafts/validate',
  ],
  [
    '1,000 equal entries, 19,000 lines',
    () =>
      linesOf(
        19_000,
        (i) => rightLine(i),
        (invoice) => {
          invoice.taxes_outputs = JSON.parse(
            list(1000, '{"tax_rate":21,"taxable_base":190.11,"tax_amount":39.92}'),
          )
        },
      ),
    '/drafts/validate',
  ],
  [
    '45,000 discounts',
    () =>
      invoiceWith('totals/general_discounts', list(45_000, '{"discount_rate":0.01}'), (invoice) => {
        invoice.totals = { ...totals }
      }),
    '/drafts/validate',
  ],
  [
    '50,000 literals',
    () => invoiceWith('legal_literals', list(50_000, '{"legal_reference":"x"}')),
    '/drafts/validate',
  ],
  [
    '50,000 instalments',
    () => invoiceWith('payment_details', list(50_000, '{"installment_amount":1}')),
    '/drafts/validate',
  ],
  [
    '40,000 identifiers of the customer',
    () => invoiceWith('customer/identifiers', list(40_000, '{"role":"vat","value":"x","scheme_id":"GLN"}')),
    '/drafts/validate',
  ],
  ['100,000 fields in one object', () => invoiceWith('customer', unknownFields(100_000)), '/drafts/validate'],
  [
    '900 fields with names of 4 KB',
    () =>
      invoiceWith(
        'customer',
        `{${Array.from({ length: 900 }, (_, i) => `"${'k'.repeat(4000)}${i}":0`).join()}}`,
      ),
    '/drafts/validate',
  ],
  ['a text of 4 MB', () => invoiceWith('payment_terms', `"${'é'.repeat(2_000_000)}"`), '/drafts/validate'],
  [
    '60 levels of lists, 100,000 times',
    () => invoiceWith('customer', list(33_000, `${'['.repeat(55)}${']'.repeat(55)}`)),
    '/drafts/validate',
  ],
  ['52,000 lines of a repeated key', () => linesOf(50_000, '{"a":0,"a":1}'), '/drafts/validate'],
  [
    'batch: one invoice, 100,000 x `{"a":0}`',
    () => batchOf(linesOf(100_000, '{"a":0}')),
    '/drafts/batch',
    true,
  ],
  [
    'batch: one invoice, 800,000 x `{"a":0}`',
    () => batchOf(linesOf(800_000, '{"a":0}')),
    '/drafts/batch',
    true,
  ],
  [
    'batch: one invoice, 500,000 lines of 6 unknown fields',
    () => batchOf(linesOf(500_000, unknownFields(6))),
    '/drafts/batch',
    true,
  ],
  [
    'batch: 30 invoices of 20,000 right lines',
    () => batchOf(...Array(30).fill(right(20_000))),
    '/drafts/batch',
    true,
  ],
  [
    'batch: 60,000 broken invoices',
    () => batchOf(Array(60_000).fill('{"meta":{},"invoice":{}}').join()),
    '/drafts/batch',
    true,
  ],
  [
    'batch: 500 invoices of 1,000 zeros',
    () => batchOf(...Array(500).fill(linesOf(1000, '0'))),
    '/drafts/batch',
    true,
  ],
  ['batch: 800,000 zeros', () => batchOf(Array(800_000).fill('0').join()), '/drafts/batch', true],
]
