/** Creates a company with a million issued invoices directly in the database. */
import { randomUUID } from 'node:crypto'

const SERIES = 5

/** Returns the statements that create the rows, in the SQL dialect of the store. */
export function millionStatements(company, count, isPostgres) {
  const pad = (value, width) =>
    isPostgres ? `lpad((${value})::text, ${width}, '0')` : `printf('%0${width}d', ${value})`
  const day = isPostgres
    ? `to_char(date '2026-11-21' - ((${count} - n) / 2000)::int, 'YYYY-MM-DD')`
    : `date('2026-11-21', '-' || ((${count} - n) / 2000) || ' days')`
  const from = isPostgres
    ? `generate_series(1, ${count}) as g(n)`
    : `(with recursive g(n) as (select 1 union all select n + 1 from g where n < ${count}) select n from g)`
  const id = `${pad('n', 8)} || '-0000-4000-8000-000000000000'`
  const series = `'S' || (n % ${SERIES})`
  const number = `${series} || ${pad('n', 8)}`
  return [
    `insert into invoices (company_id, invoice_id, direction, status, imported, document_series, series, number, issue_date, issue_year, fiscal_date,
      external_ref, supplier_tax_id, supplier_name, customer_tax_id, customer_name, currency, total_base, total_tax, total, has_errors,
      sort_series, sort_date, sort_number, created_at, updated_at)
     select '${company}', ${id}, 'issued', 'issued', 0, ${series}, ${series}, ${number}, ${day}, substr(${day}, 1, 4), ${day},
      'REF-' || n, 'B77777779', 'Comercial', 'B' || ${pad('n % 5000', 8)}, 'Cliente ' || (n % 5000), 'EUR', 100, 21, 121, 0,
      '0' || ${series}, ${day}, ${number}, '2026-11-21T09:00:00.000000', '2026-11-21T09:00:00.000000' from ${from}`,
    // Counts of the list of numbered invoices, in the format of `src/server/store/counts.ts`.
    ...[
      ['numbered', "''"],
      ['numbered_month', 'substr(issue_date, 1, 7)'],
      ['numbered_day', 'issue_date'],
    ].map(
      ([span, place]) => `insert into invoice_counts (company_id, span, place, part, day, status, n)
     select company_id, '${span}', ${place}, document_series, '', status, count(*) from invoices
     where company_id = '${company}' group by 1, 3, 4, 6`,
    ),
  ]
}

export const newCompany = () => randomUUID()
