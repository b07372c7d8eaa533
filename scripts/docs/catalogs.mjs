/** Writes `docs/reference/catalogs.md`: every file of `catalogs/`. */
import { readdirSync } from 'node:fs'
import { code, heading, page, path, plain, prose, readJson, slug, table } from './text.mjs'

/** Maximum number of rows of a catalog that is shown completely. */
const SMALL = 60
const SAMPLE = 5

const isScalar = (value) => value === null || ['string', 'number', 'boolean'].includes(typeof value)

/** Returns the columns: code and names with their dates, or the scalar fields of a catalog without codes. */
function columnsOf(rows) {
  const all = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  if (!all.includes('code')) return all.filter((name) => rows.every((row) => isScalar(row[name] ?? null)))
  return ['tax_group_code', 'code', 'name', 'name_en', 'percent', 'valid_from', 'valid_to'].filter((name) =>
    all.includes(name),
  )
}

const show = (value) =>
  typeof value === 'string' && /^[A-Z0-9_.-]+$/.test(value) ? code(value) : isScalar(value) ? value : ''

function datesOf(rows) {
  const from = rows
    .map((row) => row.valid_from)
    .filter((day) => typeof day === 'string')
    .sort()
  if (from.length === 0) return null
  const open = rows.filter((row) => row.valid_to === null || row.valid_to === undefined).length
  return `${open} of ${rows.length} rows have no end date; the oldest begins on ${from[0]}`
}

function section(name, file, published) {
  const { title, updated, sources, rows } = file
  const columns = columnsOf(rows)
  const small = rows.length <= SMALL
  const shown = small ? rows : rows.slice(0, SAMPLE)
  const members = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const dates = datesOf(rows)
  return [
    `## ${name}`,
    `${plain(title.en)} · ${plain(title.es)}`,
    table(
      ['', ''],
      [
        ['Rows', rows.length],
        ['Updated', updated],
        ...(dates ? [['Validity', dates]] : []),
        ['Sources', sources.map(plain).join('<br>')],
        ['Members of a row', members.map(code).join(', ')],
        [
          'Look up',
          published
            ? `${code(`catalog('${name}')`)} or ${code(`cuadra/catalogs/${name}.json`)}`
            : code(`cuadra/catalogs/${name}.json`),
        ],
        ['File', `[catalogs/${name}.json](../../catalogs/${name}.json)`],
      ],
    ),
    small ? null : `The first ${SAMPLE} rows:`,
    table(
      columns,
      shown.map((row) => columns.map((column) => show(row[column]))),
    ),
  ]
}

export async function catalogsPage() {
  const { CATALOG_NAMES, catalog } = await import(path('dist/index.js'))
  const files = readdirSync(path('catalogs'))
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => [file.replace(/\.json$/, ''), readJson(`catalogs/${file}`)])
    .filter(([, file]) => Array.isArray(file.rows))
  const published = new Set(CATALOG_NAMES)
  const order = [...CATALOG_NAMES, ...files.map(([name]) => name).filter((name) => !published.has(name))]
  const byName = new Map(files)
  return page(
    heading('Catalogs', 'catalogs/*.json'),
    prose('catalogs', {
      published: CATALOG_NAMES.length,
      files: files.length,
      units: catalog('units').length,
      unit: catalog('units')[0].name,
      rates: catalog('tax-rates', { on: '2023-05-02' }).length,
    }),
    '## Contents',
    table(
      ['Catalog', 'Content', 'Rows', '`catalog()`'],
      order.map((name) => [
        `[${name}](#${slug(name)})`,
        plain(byName.get(name).title.en),
        byName.get(name).rows.length,
        published.has(name) ? 'yes' : 'file only',
      ]),
    ),
    order.map((name) => section(name, byName.get(name), published.has(name))),
  )
}
