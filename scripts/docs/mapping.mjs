/**
 * Writes `docs/reference/mapping.md`: for each field and format, the element in which the field is written, and whether
 * reading returns its value. To find this out, writes every golden invoice in each format and reads it again.
 */
import { existsSync, readdirSync } from 'node:fs'
import { readInvoice, writeInvoice } from '../../dist/formats/index.js'
import { validate } from '../../dist/index.js'
import { code, groupBy, heading, page, path, prose, readJson, table } from './text.mjs'

const FORMATS = { facturae_3_2_2: 'Facturae 3.2.2', ubl_2_1: 'UBL 2.1', cii_d16b: 'CII D16B' }
const CASES = 'test/cases/'

const optional = (name) => (existsSync(path(name)) ? readJson(name) : {})

const namesIn = (folder) => readdirSync(path(folder)).sort()

/** Returns the documents of the golden cases and their near misses, and the examples, with their options. */
const documents = () => [
  ...namesIn(CASES).flatMap((name) => {
    const near = optional(`${CASES}${name}/near-miss.json`)
    const own = [readJson(`${CASES}${name}/input.json`), optional(`${CASES}${name}/options.json`)]
    return near.input ? [own, [near.input, near.options]] : [own]
  }),
  ...namesIn('examples/')
    .filter((name) => name.endsWith('.json'))
    .map((name) => [readJson(`examples/${name}`), {}]),
]

/** Returns the valid documents, calculated and with a number and date, as a service would assign them. */
const invoices = () =>
  documents().flatMap(([sent, options], at) => {
    const { data, is_valid: isValid } = validate(sent, options)
    if (!isValid || data === null) return []
    const invoice = structuredClone(data)
    invoice.invoice.header.invoice_number ??= `G-${at + 1}`
    invoice.invoice.issue_data.issue_date ??= '2027-06-30'
    return [invoice]
  })

/** Returns the values of each field of an invoice, by its path without indexes. */
function fieldsOf(value, at = '', found = new Map()) {
  if (typeof value !== 'object' || value === null) {
    if (value !== undefined && value !== '') found.set(at, [...(found.get(at) ?? []), value])
  } else
    for (const [name, inner] of Object.entries(value))
      fieldsOf(inner, Array.isArray(value) ? `${at}[]` : at === '' ? name : `${at}.${name}`, found)
  return found
}

/** Returns the texts of each element by path without prefixes. Names of a credit note become those of an invoice. */
function elementsOf(xml) {
  const [open, found] = [[], new Map()]
  for (const [, close, tag, empty, text] of xml.matchAll(/<(\/?)([\w:.-]+)[^>]*?(\/?)>([^<]*)/g)) {
    if (close) open.pop()
    else {
      open.push(
        tag
          .replace(/^.*:/, '')
          .replace(/^Credit(?:Note|ed)/, (name) => (name === 'CreditNote' ? 'Invoice' : 'Invoiced')),
      )
      const at = open.join('/')
      if (text.trim() !== '') found.set(at, [...(found.get(at) ?? []), text.trim()])
      if (empty) open.pop()
    }
  }
  return found
}

/** Whether an element has a value, possibly as a date without dashes or a tax id with the prefix `ES`. */
const holds = (texts, value) =>
  texts.some((text) =>
    typeof value === 'number'
      ? Number(text) === value
      : [String(value), String(value).replaceAll('-', ''), `ES${value}`].includes(text),
  )

/** Returns the elements that have all values of a field. */
const elementsWith = (elements, values) =>
  [...elements].filter(([, texts]) => values.every((value) => holds(texts, value))).map(([at]) => at)

/** The fields to which each reason for refusing an invoice refers. There are also other reasons. */
const REASONS = {
  withholding: /withheld/,
  one_stop_shop: /consumption|supply_type/,
  equivalence_surcharge: /equivalence_surcharge/,
  margin_scheme: /purchase_price/,
  reimbursable_expenses: /reimbursable/,
}

class Field {
  written = 0
  kept = 0
  /** Number of invoices in which each element had the value of the field. */
  elements = new Map()
  /** Reasons for which invoices with the field were refused. */
  reasons = new Set()

  add(values, elements, back) {
    this.written++
    if (back !== undefined && JSON.stringify(back) === JSON.stringify(values)) this.kept++
    for (const at of elementsWith(elements, values)) this.elements.set(at, (this.elements.get(at) ?? 0) + 1)
  }

  /** Returns the text on the page: the element, and how often reading returned the value. */
  text() {
    if (this.written === 0)
      return this.reasons.size === 0 ? 'no sample' : `refused: ${[...this.reasons].join(', ')}`
    const [element, count] = mostOf(this.elements) ?? []
    const isFound = this.kept > 0 && count >= this.written * 0.9
    const name = isFound ? element.split('/').slice(-2).join('/') : undefined
    const share =
      this.kept === this.written
        ? 'kept'
        : this.kept === 0
          ? 'not kept'
          : `kept ${this.kept} of ${this.written}`
    return name === undefined ? share : `${code(name)}, ${share}`
  }
}

/** Returns the most frequent entry. If several are, returns the one with the shortest name, then the first by name. */
const mostOf = (counts) =>
  [...counts].sort(([a, m], [b, n]) => n - m || a.length - b.length || (a < b ? -1 : 1))[0]

/** Matches computed fields. They need no element, because the engine computes them from other fields. */
const COMPUTED =
  /(?:^meta\.|\.(?:taxable|exempt|is_simplified|is_corrective|tax_category_code|tax_output_code|tax_type_code|tax_withheld_code|sequence_number)$)/

export function mappingPage() {
  const rows = new Map()
  const all = invoices()
  for (const invoice of all) {
    const sent = fieldsOf(invoice.invoice)
    for (const format of Object.keys(FORMATS)) {
      const { xml, errors } = writeInvoice(invoice, format)
      const elements = xml === null ? null : elementsOf(xml)
      const { document } = xml === null ? {} : readInvoice(xml)
      const read = document && validate(document, { operation: 'received', totals: 'check' }).data
      const back = read ? fieldsOf(read.invoice) : new Map()
      for (const [fieldPath, values] of sent) {
        if (COMPUTED.test(fieldPath)) continue
        const row = rows.get(fieldPath) ?? new Map()
        rows.set(fieldPath, row)
        const field = row.get(format) ?? new Field()
        row.set(format, field)
        if (read) field.add(values, elements, back.get(fieldPath))
        else
          for (const { extra } of errors)
            if (REASONS[extra.reason]?.test(fieldPath)) field.reasons.add(extra.reason)
      }
    }
  }
  const parts = [...groupBy([...rows], ([fieldPath]) => fieldPath.split(/[.[]/)[0])].map(([name, fields]) => [
    `## ${name}`,
    table(
      ['Field', ...Object.values(FORMATS)],
      fields.map(([fieldPath, row]) => [
        code(fieldPath),
        ...Object.keys(FORMATS).map((format) => row.get(format)?.text() ?? ''),
      ]),
    ),
  ])
  return page(
    heading('Mapping of the formats', 'the golden invoices, written in each format and read again'),
    prose('mapping', { count: all.length }),
    parts,
  )
}
