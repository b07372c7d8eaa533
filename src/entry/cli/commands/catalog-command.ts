/** `cuadra catalog` and `cuadra rules`: print the catalogs and rules of the engine. */

import { UsageError } from '#core/errors/index.ts'
import { nearest } from '#core/invoice/near.ts'
import { cite } from '#core/messages/index.ts'
import { codeAddress } from '#core/site/index.ts'
import { CATALOG_NAMES, type CatalogName, catalog, type Locale, rules } from '#engine/index.ts'
import { clip, wrap } from '../../terminal/printable.ts'
import { rowLines } from '../../terminal/terminal-rows.ts'
import type { Cli } from '../input/cli.ts'
import type { Colors } from '../input/colors.ts'

export interface CatalogView {
  readonly json: boolean
  readonly locale: Locale
  readonly colors: Colors
  readonly width: number
  readonly translate: Cli['translate']
}

/** Number of characters in a cell above which its column comes last. */
const LONG_CELL = 24

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const cell = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

/** Returns `; did you mean x?` with the names that contain or resemble `wrong`; `otherwise` if there are none. */
function suggestion(
  translate: Cli['translate'],
  wrong: string,
  names: readonly string[],
  otherwise: string,
): string {
  const containing = wrong.length < 3 ? [] : names.filter((name) => name.includes(wrong)).slice(0, 5)
  const near = (containing.length > 0 ? containing : nearest(wrong, names)).join(', ')
  return near === '' ? otherwise : translate({ en: `; did you mean ${near}?`, es: `; ¿quiso decir ${near}?` })
}

/** Returns the rows of a catalog, or the names of all catalogs. */
export function catalogText(name: string | undefined, on: string | undefined, view: CatalogView): string {
  const { colors, width, translate } = view
  if (name === undefined) return view.json ? asJson(CATALOG_NAMES) : `${CATALOG_NAMES.join('\n')}\n`
  if (!CATALOG_NAMES.includes(name as CatalogName))
    throw new UsageError(
      translate({ en: `unknown catalog "${name}"`, es: `catálogo desconocido: «${name}»` }) +
        suggestion(
          translate,
          name,
          CATALOG_NAMES,
          translate({
            en: `; the catalogs are ${CATALOG_NAMES.join(', ')}`,
            es: `; los catálogos son ${CATALOG_NAMES.join(', ')}`,
          }),
        ),
    )
  const rows = catalog(name as CatalogName, on === undefined ? {} : { on })
  if (view.json) return asJson(rows)
  // Code and name come first, then short columns, then long columns, which a narrow terminal shows below their row.
  const others = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (field) => field !== 'code' && field !== 'name',
  )
  const isLong = (field: string) => rows.some((row) => cell(row[field]).length > LONG_CELL)
  const fields = ['code', 'name', ...others.filter((field) => !isLong(field)), ...others.filter(isLong)]
  const cells = rows.map((row) => fields.map((field) => cell(row[field])))
  const aligns = fields.map((field) =>
    rows.some((row) => typeof row[field] === 'number') ? ('right' as const) : ('left' as const),
  )
  const [head = '', ...body] = rowLines({ fields, cells, aligns }, width)
  const inForce = on === undefined ? '' : translate({ en: ` in force on ${on}`, es: ` vigentes el ${on}` })
  const count = colors.dim(`${rows.length} ${translate({ en: 'rows', es: 'filas' })}${inForce}`)
  return `${[colors.dim(head), ...body, count].join('\n')}\n`
}

/** Returns one rule in full, or one line per rule. */
export function rulesText(code: string | undefined, view: CatalogView): string {
  const { colors, locale, width, translate } = view
  const all = rules()
  const paint = (severity: string) =>
    severity === 'error'
      ? colors.red('error  ')
      : colors.yellow(translate({ en: 'warning', es: 'aviso' }).padEnd(7))
  if (code === undefined) {
    if (view.json) return asJson(all)
    const longest = Math.max(...all.map((rule) => rule.code.length))
    // A message that does not fit beside the code is printed below it.
    const beside = width - longest - 11
    const lines = all.map((rule) => {
      const head = `${paint(rule.severity)}  ${rule.code}`
      const message = rule.message[locale]
      if (beside < 40) return [head, ...wrap(message, width - 4).map((line) => `    ${line}`)].join('\n')
      return `${paint(rule.severity)}  ${rule.code.padEnd(longest)}  ${clip(message, beside)}`
    })
    return `${lines.join('\n')}\n`
  }
  const rule = all.find((entry) => entry.code === code)
  if (!rule) {
    const codes = all.map((entry) => entry.code)
    throw new UsageError(
      translate({ en: `unknown rule "${code}"`, es: `regla desconocida: «${code}»` }) +
        suggestion(translate, code, codes, translate({ en: '; see cuadra rules', es: '; vea cuadra rules' })),
    )
  }
  if (view.json) return asJson(rule)
  const paragraph = (text: string) => wrap(text, Math.min(96, width) - 4).map((line) => `    ${line}`)
  const address = codeAddress(rule.code, locale)
  const lines = [
    `${colors.bold(rule.code)}  ${paint(rule.severity).trimEnd()}  ${colors.dim(`${rule.source}, ${rule.origin}`)}`,
    ...paragraph(rule.message[locale]),
    ...paragraph(rule.fix[locale]).map(colors.cyan),
    ...paragraph(cite(rule.law, locale)).map(colors.dim),
    ...rule.reads.map((path) => `    ${colors.dim(translate({ en: 'reads', es: 'lee' }))} ${path}`),
    ...(address === undefined ? [] : [`    ${address}`]),
  ]
  return `${lines.join('\n')}\n`
}
