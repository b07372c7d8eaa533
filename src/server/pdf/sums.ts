/** What the invoice comes to: taxes in a table, and the sums beside it. */
import type { SumView } from '../../view/model.ts'
import { type Box, part, placed, rectangle, space, stack, textBox } from './box.ts'
import { textWidth } from './measure.ts'
import { labelBox, labelLine, labelWidth, type Setting, styleOf } from './setting.ts'
import { type Row, rowOf, type Table, tableBox, tableOf } from './table.ts'

const GAP = 14

function sumRow(setting: Setting, sum: SumView, width: number, table: ReturnType<typeof part>): Box {
  const { design, palette } = setting
  const { weight } = sum
  const kind = { normal: 'body', total: 'total', pay: 'pay' } as const
  const ground = weight === 'pay' ? design.pay : null
  const color = ground === 'band' ? 'paper' : weight === 'pay' || weight === 'total' ? 'accent' : 'ink'
  const style = styleOf(setting, kind[weight], color, true)
  const row = part(table, 'TR')
  const head = part(row, 'TH', { scope: 'Row' })
  const cell = part(row, 'TD')
  const inset = design.table.inset
  const inner = width - 2 * inset
  const figure = Math.min(textWidth(sum.value, style), inner * 0.6)
  const label = labelLine(setting, sum.label, style, inner - figure - GAP, { part: head })
  const value = textBox(sum.value, style, figure, { part: cell, align: 'end' })
  const padding = weight === 'normal' ? design.table.padding * 0.45 : design.table.padding
  const height = Math.max(label.height, value.height) + 2 * padding
  const rules =
    ground === 'band' || ground === 'tint'
      ? [{ box: rectangle(width, height, ground === 'band' ? palette.accent : palette.tint), x: 0, y: 0 }]
      : weight === 'normal'
        ? []
        : [{ box: rectangle(width, 0.8, palette.accent), x: 0, y: 0 }]
  const end =
    ground === 'rules' ? [{ box: rectangle(width, 0.8, palette.accent), x: 0, y: height - 0.8 }] : []
  return placed(width, height, [
    ...rules,
    ...end,
    { box: label, x: inset, y: padding },
    { box: value, x: inset + inner - figure, y: padding },
  ])
}

/** Each sum with its label, the total and what is to be paid standing out. */
export function sumsBoxes(setting: Setting, width: number): Box[] {
  const table = part(setting.document, 'Table')
  return setting.view.sums.map((sum) => sumRow(setting, sum, width, table))
}

/** The width in which every sum stands in one line, between bounds. */
export function sumsWidth(setting: Setting): number {
  const { view, width, design } = setting
  const wanted = view.sums.map((sum) => {
    const style = styleOf(setting, sum.weight === 'normal' ? 'body' : sum.weight, 'ink', true)
    return labelWidth(setting, sum.label, style) + textWidth(sum.value, style)
  })
  const most = Math.max(0, ...wanted) + GAP + 2 * design.table.inset
  return Math.min(width * 0.5, Math.max(width * 0.4, most))
}

export interface Breakdown {
  readonly label: Box
  readonly table: Table
  readonly rows: readonly Row[]
}

/** The taxes; null where the invoice has no table of them. */
export function breakdownOf(setting: Setting, width: number): Breakdown | null {
  const { breakdown } = setting.view
  if (!breakdown || breakdown.rows.length === 0) return null
  const of = part(setting.document, 'P')
  const label = labelLine(setting, breakdown.label, styleOf(setting, 'label', 'accent'), width, { part: of })
  const flexible = Math.max(
    0,
    breakdown.columns.findIndex(({ align }) => align === 'start'),
  )
  const { columns, rows } = breakdown
  const table = tableOf(setting, { columns, rows, width, flexible, dense: true })
  return { label, table, rows: rows.map((cells, index) => rowOf(setting, table, cells, index)) }
}

const BELOW_LABEL = 3

export const breakdownBox = ({ label, table, rows }: Breakdown): Box =>
  stack([label, space(BELOW_LABEL), tableBox(table, rows)])

/** The least width in which the taxes have every text in one line. */
export function breakdownWidth(setting: Setting): number {
  const { breakdown } = setting.view
  if (!breakdown) return 0
  const body = styleOf(setting, 'body', 'ink', true)
  const label = styleOf(setting, 'label')
  const columns = breakdown.columns.map((column, index) =>
    Math.max(
      labelWidth(setting, column.label, label) * 0.75,
      ...breakdown.rows.map((cells) => textWidth(cells[index] ?? '', body)),
    ),
  )
  return columns.reduce((sum, each) => sum + each + 12, 2 * setting.design.table.inset)
}

export { labelBox }
