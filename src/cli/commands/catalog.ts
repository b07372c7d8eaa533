/** `cuadra catalog` and `cuadra rules`: the data that the engine judges by. */
import { CATALOG_NAMES, type CatalogName, catalog, type Locale, rules } from '../../api/index.ts'
import { UsageError } from '../../errors/index.ts'
import { codeAddress } from '../../site/addresses.ts'
import { clip, wrap } from '../../terminal/printable.ts'
import { table } from '../../terminal/table.ts'
import { cite } from '../../words/index.ts'
import type { Colors } from '../input/colors.ts'

export interface View {
  readonly json: boolean
  readonly locale: Locale
  readonly colors: Colors
  readonly width: number
}

/** A column with a longer cell comes last. */
const LONG = 24

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const cell = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

/** The rows of a catalog, or the names of all. */
export function catalogText(name: string | undefined, on: string | undefined, view: View): string {
  const { colors, width } = view
  if (name === undefined) return view.json ? asJson(CATALOG_NAMES) : `${CATALOG_NAMES.join('\n')}\n`
  if (!CATALOG_NAMES.includes(name as CatalogName))
    throw new UsageError(`unknown catalog "${name}"; the catalogs are ${CATALOG_NAMES.join(', ')}`)
  const rows = catalog(name as CatalogName, on === undefined ? {} : { on })
  if (view.json) return asJson(rows)
  // Code and name, then what is short, then texts, which the edge of the terminal may cut.
  const others = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (field) => field !== 'code' && field !== 'name',
  )
  const isLong = (field: string) => rows.some((row) => cell(row[field]).length > LONG)
  const fields = ['code', 'name', ...others.filter((field) => !isLong(field)), ...others.filter(isLong)]
  const cells = rows.map((row) => fields.map((field) => cell(row[field])))
  const aligns = fields.map((field) =>
    rows.some((row) => typeof row[field] === 'number') ? ('right' as const) : ('left' as const),
  )
  const [head, ...body] = table([fields, ...cells], aligns)
  const count = colors.dim(`${rows.length} rows${on === undefined ? '' : ` in force on ${on}`}`)
  return `${[colors.dim(clip(head!, width)), ...body.map((line) => clip(line, width)), count].join('\n')}\n`
}

/** One rule in full, or a line for each. */
export function rulesText(code: string | undefined, view: View): string {
  const { colors, locale, width } = view
  const all = rules()
  const paint = (severity: string) =>
    severity === 'error' ? colors.red(severity.padEnd(7)) : colors.yellow(severity.padEnd(7))
  if (code === undefined) {
    if (view.json) return asJson(all)
    const longest = Math.max(...all.map((rule) => rule.code.length))
    const lines = all.map((rule) => {
      const message = clip(rule.message[locale], Math.max(40, width - longest - 11))
      return `${paint(rule.severity)}  ${rule.code.padEnd(longest)}  ${message}`
    })
    return `${lines.join('\n')}\n`
  }
  const rule = all.find((entry) => entry.code === code)
  if (!rule) {
    const near = all.filter((entry) => entry.code.includes(code)).map((entry) => entry.code)
    const hint = near.length > 0 ? `; did you mean ${near.slice(0, 5).join(', ')}?` : '; see cuadra rules'
    throw new UsageError(`unknown rule "${code}"${hint}`)
  }
  if (view.json) return asJson(rule)
  const paragraph = (text: string) => wrap(text, Math.min(96, width) - 4).map((line) => `    ${line}`)
  const lines = [
    `${colors.bold(rule.code)}  ${paint(rule.severity).trimEnd()}  ${colors.dim(`${rule.source}, ${rule.origin}`)}`,
    ...paragraph(rule.message[locale]),
    ...paragraph(rule.mend[locale]).map(colors.cyan),
    ...paragraph(cite(rule.law, locale)).map(colors.dim),
    ...rule.reads.map((path) => `    ${colors.dim('reads')} ${path}`),
    `    ${codeAddress(rule.code, locale)}`,
  ]
  return `${lines.join('\n')}\n`
}
