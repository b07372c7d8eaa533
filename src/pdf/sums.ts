/** The tax table and the totals beside it. */
import type { SumView } from '../view/model.ts'
import { type Box, type Part, type Placed, part, placed, rectangle, space, stack, textBox } from './box.ts'
import { type LayoutContext, labelBox, labelLine, lineWidth, styleOf } from './layout-context.ts'
import { type TextStyle, textWidth } from './measure.ts'
import { type Content, type FilledTable, filledTable, fits, tableBox } from './table.ts'

const GAP = 14

const KINDS = { normal: 'body', total: 'total', pay: 'pay' } as const

function sumStyle(context: LayoutContext, weight: SumView['weight']): TextStyle {
  const color =
    weight === 'normal' ? 'ink' : weight === 'pay' && context.design.pay === 'band' ? 'paper' : 'accent'
  return styleOf(context, KINDS[weight], color, true)
}

/** Returns background and rules of a total. */
function ground(
  { design, palette }: LayoutContext,
  weight: SumView['weight'],
  width: number,
  height: number,
): Placed[] {
  if (weight === 'normal') return []
  const rule = rectangle(width, 0.8, palette.accent)
  if (weight === 'total') return [{ box: rule, x: 0, y: 0 }]
  if (design.pay === 'rules')
    return [
      { box: rule, x: 0, y: 0 },
      { box: rule, x: 0, y: height - 0.8 },
    ]
  const color = design.pay === 'band' ? palette.accent : palette.tint
  return [{ box: rectangle(width, height, color), x: 0, y: 0 }]
}

function sumRow(context: LayoutContext, sum: SumView, width: number, table: Part, inLine: boolean): Box {
  const { design } = context
  const { weight } = sum
  const style = sumStyle(context, weight)
  const row = part(table, 'TR')
  const head = part(row, 'TH', { scope: 'Row' })
  const cell = part(row, 'TD')
  const inset = design.table.inset
  const inner = width - 2 * inset
  const figure = Math.min(textWidth(sum.value, style), inner * 0.8)
  const label = (inLine ? labelLine : labelBox)(context, sum.label, style, inner - figure - GAP, {
    part: head,
  })
  const value = textBox(sum.value, style, figure, { part: cell, align: 'end' })
  const padding = weight === 'normal' ? design.table.padding * 0.45 : design.table.padding
  const height = Math.max(label.height, value.height) + 2 * padding
  return placed(width, height, [
    ...ground(context, weight, width, height),
    { box: label, x: inset, y: padding },
    { box: value, x: inset + inner - figure, y: padding },
  ])
}

/** Returns the width of a total with its label in one line. */
const sumWidth = (context: LayoutContext, { label, value, weight }: SumView): number => {
  const style = sumStyle(context, weight)
  return lineWidth(context, label, style) + GAP + textWidth(value, style) + 2 * context.design.table.inset
}

/** Returns each total with its label; the invoice total and the amount payable stand out. */
export function sumsBoxes(context: LayoutContext, width: number): Box[] {
  const table = part(context.document, 'Table')
  const { sums } = context.view
  // The second language is beside all labels or below all of them.
  const inLine = sums.every((sum) => sumWidth(context, sum) <= width)
  return sums.map((sum) => sumRow(context, sum, width, table, inLine))
}

/** Returns the width in which every total fits in one line, but within limits. */
export function sumsWidth(context: LayoutContext): number {
  const { view, width } = context
  const wanted = Math.max(0, ...view.sums.map((sum) => sumWidth(context, sum)))
  return Math.min(width * 0.5, Math.max(width * 0.4, wanted))
}

export interface Breakdown extends FilledTable {
  readonly label: Box
}

/** Returns the content of the tax table, or null if the invoice has none. */
function breakdownContent({ view: { breakdown } }: LayoutContext, width: number): Content | null {
  if (!breakdown || breakdown.rows.length === 0) return null
  const { columns, rows } = breakdown
  const flexible = Math.max(
    0,
    columns.findIndex(({ align }) => align === 'start'),
  )
  return { columns, rows, width, flexible, dense: true }
}

/** Whether the tax table has no broken figures in a width. */
export function breakdownFits(context: LayoutContext, width: number): boolean {
  const content = breakdownContent(context, width)
  return content === null || fits(context, content)
}

/** Returns the tax table, or null if the invoice has none. */
export function breakdownOf(context: LayoutContext, width: number): Breakdown | null {
  const content = breakdownContent(context, width)
  const { breakdown } = context.view
  if (!content || !breakdown) return null
  const of = part(context.document, 'P')
  const label = labelLine(context, breakdown.label, styleOf(context, 'label', 'accent'), width, { part: of })
  return { label, ...filledTable(context, content) }
}

const BELOW_LABEL = 3

export const breakdownBox = (breakdown: Breakdown): Box =>
  stack([breakdown.label, space(BELOW_LABEL), tableBox(breakdown)])
