/** Small invoices for the worked examples, and the amounts that the engine calculates. */
import { path, table } from './text.mjs'

const { explain, reconcile, validate } = await import(path('dist/index.js'))

export { explain, reconcile, validate }

const company = (town, post_code, tax_id) => ({
  person_type_code: 'J',
  tax_id,
  name: `Ejemplo de ${town}, S.L.`,
  company: { address: { address: 'Calle Inventada, 7', post_code, town } },
})

/** Returns a line, at 21 % by default. */
export const line = (quantity, unit_price_without_tax, more = {}) => ({
  item_description: 'Artículo',
  quantity,
  unit_price_without_tax,
  tax_output_rate: 21,
  ...more,
})

export const lineWithTax = (quantity, unit_price_with_tax, more = {}) => ({
  item_description: 'Artículo',
  quantity,
  unit_price_with_tax,
  tax_output_rate: 21,
  ...more,
})

/** Returns a draft to issue; `invoice` replaces or adds blocks. */
export const draft = (lines, { totals = {}, ...invoice } = {}) => ({
  schema_version: 'json_1_1',
  meta: { direction: 'issued', source_system: 'docs', external_ref: 'D-1' },
  invoice: {
    supplier: company('Madrid', '28013', 'B12345674'),
    customer: company('Santander', '39004', 'B77777779'),
    header: { invoice_type_code: '01', invoice_series_code: 'D' },
    issue_data: {},
    lines,
    totals: { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0, ...totals },
    ...invoice,
  },
})

/** Returns a received invoice. */
export function received(lines, { issue_data = {}, ...more } = {}) {
  const { invoice, ...document } = draft(lines, more)
  return {
    ...document,
    meta: { direction: 'received', source_system: 'docs' },
    invoice: {
      ...invoice,
      header: { invoice_type_code: '01', invoice_number: 'R-1' },
      issue_data: { issue_date: '2026-03-02', ...issue_data },
    },
  }
}

/** Returns the completed invoice. Throws if the engine rejects the sample. */
export function answer(document, options) {
  const { errors, data } = validate(document, options)
  const wrong = errors.find((item) => item.severity === 'error')
  if (wrong) throw new Error(`docs: a sample is refused: ${wrong.code} ${wrong.path}`)
  return data.invoice
}

export const items = (document, options) => validate(document, options).errors

/** Returns `code path` of every item. */
export const codes = (document, options) =>
  items(document, options).map((item) => `${item.code} ${item.path}`)

/** Throws if a statement of the page is no longer true of the engine. */
export function must(condition, claim) {
  if (!condition) throw new Error(`docs: no longer true: ${claim}`)
}

/** Formats an amount with at least two decimals. */
export const euros = (amount) => (Number(amount.toFixed(2)) === amount ? amount.toFixed(2) : String(amount))

const wanted = (row, paths) => paths.some((start) => row.path === start || row.path.startsWith(`${start}/`))

/** Returns the rows of `explain` as a table: path, formula, exact, rounded. */
export function because(document, paths, options) {
  const rows = explain(document, options).filter((row) => wanted(row, paths))
  must(
    paths.every((start) => rows.some((row) => wanted(row, [start]))),
    `there are rows for ${paths.join(', ')}`,
  )
  return table(
    ['Amount', 'How', 'Exact', 'Rounded'],
    rows.map((row) => [
      `\`${row.path.replace('/invoice/', '')}\``,
      row.formula,
      row.exact,
      euros(row.rounded),
    ]),
  )
}
