/** The tax table and the totals beside it. */
import type { SumView } from '#view/index.ts'
import {
  type Box,
  baselineOf,
  blankBox,
  boxWithOffsets,
  type PlacedBox,
  rectangle,
  type StructureElement,
  stack,
  structureElement,
  textBox,
} from './box.ts'
import { type LayoutContext, labelBox, labelLine, lineWidth, styleOf } from './layout-context.ts'
import { type TextStyle, textWidth } from './measure.ts'
import { type FilledTable, type Fitted, filledTable, fittedTable, tableBox } from './pdf-table.ts'

const GAP = 14

const KINDS = { normal: 'body', total: 'total', pay: 'pay' } as const

/** Maximum share of the row for the amount to pay. A longer amount gets a smaller font size. */
const MAX_PAY_SHARE = 0.62

/** Returns the styles of a label and its amount, in a row of `width`. */
function sumStyles(
  context: LayoutContext,
  { weight, value }: SumView,
  width: number,
): { label: TextStyle; amount: TextStyle } {
  if (weight !== 'pay') {
    const style = styleOf(context, KINDS[weight], weight === 'normal' ? 'ink' : 'accent', true)
    return { label: style, amount: style }
  }
  const color = context.design.pay === 'band' ? 'paper' : 'accent'
  const amount = styleOf(context, 'pay', color, true)
  const by = Math.min(1, (width * MAX_PAY_SHARE) / textWidth(value, amount))
  return {
    label: styleOf(context, 'total', color, true),
    amount: { ...amount, size: amount.size * by, leading: amount.leading * by },
  }
}

/** Returns the sums. If no sum is marked as the amount to pay, marks the invoice total. */
function sumsOf({ view: { sums } }: LayoutContext): readonly SumView[] {
  const payable = sums.some(({ weight }) => weight === 'pay') ? 'pay' : 'total'
  return sums.map((sum) => (sum.weight === payable ? { ...sum, weight: 'pay' } : sum))
}

/** Returns the background and the horizontal rules of a total. */
function ground(
  { design, palette }: LayoutContext,
  weight: SumView['weight'],
  width: number,
  height: number,
): PlacedBox[] {
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

/** Distance of a label from the top of its row, so that label and amount have the same baseline. */
const lowered = (label: TextStyle, amount: TextStyle): number =>
  Math.max(0, baselineOf(amount) - baselineOf(label))

function sumRow(
  context: LayoutContext,
  sum: SumView,
  width: number,
  table: StructureElement,
  inLine: boolean,
): Box {
  const { design } = context
  const { weight } = sum
  const inset = design.table.inset
  const inner = width - 2 * inset
  const styles = sumStyles(context, sum, inner)
  const row = structureElement(table, 'TR')
  const head = structureElement(row, 'TH', { scope: 'Row' })
  const cell = structureElement(row, 'TD')
  const figure = Math.min(textWidth(sum.value, styles.amount), inner * 0.8)
  const label = (inLine ? labelLine : labelBox)(context, sum.label, styles.label, inner - figure - GAP, {
    part: head,
  })
  const value = textBox(sum.value, styles.amount, figure, { part: cell, align: 'end' })
  const padding = weight === 'normal' ? design.table.padding * 0.45 : design.table.padding
  const top = lowered(styles.label, styles.amount)
  const height = Math.max(top + label.height, value.height) + 2 * padding
  return boxWithOffsets(width, height, [
    ...ground(context, weight, width, height),
    { box: label, x: inset, y: padding + top },
    { box: value, x: inset + inner - figure, y: padding },
  ])
}

/** Returns the width of a total with its label in one line. */
const sumWidth = (context: LayoutContext, sum: SumView): number => {
  const { inset } = context.design.table
  const { label, amount } = sumStyles(context, sum, context.width * MAX_SHARE - 2 * inset)
  return lineWidth(context, sum.label, label) + GAP + textWidth(sum.value, amount) + 2 * inset
}

/** Returns each total with its label; the amount to pay is the largest text of the page. */
export function sumsBoxes(context: LayoutContext, width: number): Box[] {
  const table = structureElement(context.document, 'Table')
  const sums = sumsOf(context)
  // The translations are beside all labels or below all of them.
  const inLine = sums.every((sum) => sumWidth(context, sum) <= width)
  return sums.map((sum) => sumRow(context, sum, width, table, inLine))
}

/** Maximum share of the page width for the totals. */
const MAX_SHARE = 0.5

/** Returns the width in which every total fits in one line, limited to 40 to 50 % of the page width. */
export function sumsWidth(context: LayoutContext): number {
  const { width } = context
  const wanted = Math.max(0, ...sumsOf(context).map((sum) => sumWidth(context, sum)))
  return Math.min(width * MAX_SHARE, Math.max(width * 0.4, wanted))
}

export interface Breakdown extends FilledTable {
  readonly label: Box
}

/** Returns the tax table, `narrow` if readable at that width, otherwise `wide`; null if the invoice has no taxes. */
export function breakdownOf(context: LayoutContext, narrow: number, wide: number): Breakdown | null {
  const { breakdown } = context.view
  if (!breakdown || breakdown.rows.length === 0) return null
  const { columns, rows } = breakdown
  const flexible = Math.max(
    0,
    columns.findIndex(({ align }) => align === 'start'),
  )
  const at = (width: number): Fitted => fittedTable(context, { columns, rows, width, flexible, dense: true })
  const beside = at(narrow)
  const found = beside.isReadable ? beside : at(wide)
  const of = structureElement(context.document, 'P')
  const style = styleOf(context, 'label', 'accent')
  const label = labelLine(context, breakdown.label, style, found.content.width, { part: of })
  return { label, ...filledTable(context, found) }
}

const BELOW_LABEL = 3

export const breakdownBox = (breakdown: Breakdown): Box =>
  stack([breakdown.label, blankBox(BELOW_LABEL), tableBox(breakdown)])
