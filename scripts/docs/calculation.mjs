/**
 * Fills `docs/calculation.md`: inserts after each comment with a sample invoice what the engine returns for it. `rows`
 * inserts a table of `explain` rows. `explain`, `reconcile` and `validate` insert the entry with the path.
 */
import { code, fence, path, readText, table } from './text.mjs'

/** Matches a comment such as `<!-- explain {"lines": [...]} {"totals": "check"} /path -->`, and what follows it. */
const MADE =
  /^<!-- (rows|explain|reconcile|validate) (\{.*?\})(?: (\{[^{]*\}))? (\/.*) -->\n\n(?:(?:\|.*\n)+|```json\n[\s\S]*?```\n)/gm

const company = (town, post_code, tax_id) => ({
  person_type_code: 'J',
  tax_id,
  name: `Ejemplo de ${town}, S.L.`,
  company: { address: { address: 'Calle Inventada, 7', post_code, town } },
})

/** Returns a complete document from the blocks of a sample. */
export function documentOf({ direction = 'issued', lines, totals, ...blocks }) {
  const isIssued = direction === 'issued'
  return {
    schema_version: 'json_1_1',
    meta: { direction, source_system: 'docs', ...(isIssued && { external_ref: 'D-1' }) },
    invoice: {
      supplier: company('Madrid', '28013', 'B12345674'),
      customer: company('Santander', '39004', 'B77777779'),
      header: isIssued
        ? { invoice_type_code: '01', invoice_series_code: 'D' }
        : { invoice_type_code: '01', invoice_number: 'R-1' },
      issue_data: {},
      lines: lines.map((line) => ({ item_description: 'Artículo', ...line })),
      totals: { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0, ...totals },
      ...blocks,
    },
  }
}

/** Formats an amount with at least two decimals. */
const euros = (amount) => (Number(amount.toFixed(2)) === amount ? amount.toFixed(2) : String(amount))

/** Returns the rows of `explain` for paths and for the paths below them. */
function rowsOf(rows, paths) {
  const isBelow = (row, start) => row.path === start || row.path.startsWith(`${start}/`)
  const missing = paths.find((start) => !rows.some((row) => isBelow(row, start)))
  if (missing) throw new Error(`docs: explain has no row for ${missing}`)
  return table(
    ['Amount', 'How', 'Exact', 'Rounded'],
    rows
      .filter((row) => paths.some((start) => isBelow(row, start)))
      .map((row) => [code(row.path.replace('/invoice/', '')), row.formula, row.exact, euros(row.rounded)]),
  )
}

export async function calculationPage() {
  const { explain, reconcile, validate } = await import(path('dist/index.js'))
  const entries = { rows: explain, explain, reconcile, validate: (...given) => validate(...given).errors }
  return readText('docs/calculation.md').replace(MADE, (made, name, sample, options = '{}', paths) => {
    const wanted = paths.split(' ')
    const found = entries[name](documentOf(JSON.parse(sample)), JSON.parse(options))
    const shown =
      name === 'rows'
        ? rowsOf(found, wanted)
        : fence(
            'json',
            JSON.stringify(
              found.find((entry) => entry.path === wanted[0]),
              null,
              2,
            ),
          )
    return `${made.split('\n')[0]}\n\n${shown}\n`
  })
}
