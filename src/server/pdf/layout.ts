/** The whole invoice on its pages: one layout for every design. */
import type { Label, LineColumn, TextsView } from '../../view/model.ts'
import { type Box, type Item, linesBox, part, placed, rectangle, space, stack } from './box.ts'
import { PAGE } from './designs.ts'
import { type Carry, createFlow, type Flow, NO_CARRY, putTable, putText } from './flow.ts'
import { headBox } from './head.ts'
import { broken, naturalWidth, textWidth } from './measure.ts'
import { putPayment } from './payment.ts'
import { labelLine, type Setting, styleOf } from './setting.ts'
import { breakdownBox, breakdownOf, breakdownWidth, sumsBoxes, sumsWidth } from './sums.ts'
import { type Row, rowOf, type Table, tableOf } from './table.ts'

/** The room that a row of the sum carried over takes above and below its text. */
const CARRY_PADDING = 3

function carryOf(setting: Setting, table: Table): Carry {
  const { lines } = setting.view
  if (lines.rows.every(({ running }) => running === '')) return NO_CARRY
  const style = styleOf(setting, 'strong', 'soft', true)
  const height = style.leading + 2 * CARRY_PADDING
  const inset = setting.design.table.inset
  const box = (label: Label, rows: number): Box | null => {
    const running = lines.rows[rows - 1]?.running
    if (!running) return null
    const amount = textWidth(running, style)
    const right = table.width - inset
    const words = labelLine(setting, label, style, right - amount - 16 - inset, { align: 'end' })
    return placed(table.width, height, [
      { box: words, x: inset, y: CARRY_PADDING },
      {
        box: linesBox([{ text: running, width: amount }], style, amount),
        x: right - amount,
        y: CARRY_PADDING,
      },
    ])
  }
  return {
    height,
    forward: (rows) => box(lines.carriedForward, rows),
    brought: (rows) => {
      const brought = box(lines.broughtForward, rows)
      const rule = rectangle(table.width, 0.4, setting.palette.line)
      return (
        brought &&
        placed(table.width, height, [
          { box: brought, x: 0, y: 0 },
          { box: rule, x: 0, y: height - 0.4 },
        ])
      )
    },
  }
}

/** The lines of the invoice as a table. */
function linesOf(setting: Setting): { table: Table; rows: Row[] } | null {
  const { lines } = setting.view
  if (lines.rows.length === 0 || lines.columns.length === 0) return null
  const keys = lines.columns.map(({ key }): LineColumn => key)
  const flexible = Math.max(0, keys.indexOf('description'))
  const texts = lines.rows.map(({ cells }) => keys.map((key) => cells[key] ?? ''))
  const table = tableOf(setting, { columns: lines.columns, rows: texts, width: setting.width, flexible })
  const rows = texts.map((cells, index) =>
    rowOf(setting, table, cells, index, { notes: lines.rows[index]!.notes, below: flexible }),
  )
  return { table, rows }
}

/** Taxes and sums: beside each other where there is room, each by itself where not. */
function putClosing(flow: Flow, setting: Setting, lines: ReturnType<typeof linesOf>): void {
  const { width, design } = setting
  const sums = sumsWidth(setting)
  const gutter = design.gutter * 1.4
  const narrow = breakdownWidth(setting) <= width - sums - gutter
  const breakdown = breakdownOf(setting, narrow ? width - sums - gutter : width)
  const rows = sumsBoxes(setting, sums)
  const total = stack(rows)
  const left = width - sums
  const taxes = breakdown && breakdownBox(breakdown)
  const right = (box: Box): Box => placed(width, box.height, [{ box, x: left, y: 0 }])
  const closing =
    taxes && narrow
      ? placed(width, Math.max(taxes.height, total.height), [
          { box: taxes, x: 0, y: 0 },
          { box: total, x: left, y: 0 },
        ])
      : stack(taxes ? [taxes, space(design.gap * 0.6), right(total)] : [right(total)])
  const gap = design.gap * 0.7
  if (lines) {
    const carry = carryOf(setting, lines.table)
    putTable(flow, lines.table, lines.rows, { carry, gap: design.gap, closing: gap + closing.height })
  }
  if (closing.height <= flow.full) {
    flow.put(closing, gap)
    return
  }
  if (breakdown) {
    flow.put(breakdown.label, gap)
    putTable(flow, breakdown.table, breakdown.rows, { gap: 3, closing: gap + total.height })
  }
  for (const box of total.height <= flow.full ? [total] : rows) flow.put(right(box), box === total ? gap : 0)
}

/** Lines of running text are no longer than can be read. */
const READABLE = 0.88

function putTexts(flow: Flow, setting: Setting, texts: TextsView | null): void {
  if (!texts || texts.texts.length === 0) return
  const width = setting.width * READABLE
  const style = styleOf(setting, 'small', 'soft')
  const label = labelLine(setting, texts.label, styleOf(setting, 'label', 'accent'), width, {
    part: part(setting.document, 'H2'),
  })
  const lines = texts.texts.flatMap((text) => {
    const of = part(setting.document, 'P')
    return broken(text, style, width).map((line) => linesBox([line], style, width, { part: of }))
  })
  putText(flow, stack([label, space(1)]), lines, setting.design.gap * 0.8)
}

/** The foot of every page, and how high it is. */
function footOf(setting: Setting): { height: number; at: (page: number, pages: number) => readonly Item[] } {
  const { view, width, design, palette } = setting
  const style = styleOf(setting, 'small', 'faint', true)
  const counter = (page: number, pages: number): string =>
    [view.pageOf.text, view.pageOf.second ?? '']
      .filter(Boolean)
      .join(' · ')
      .replaceAll('{page}', String(page))
      .replaceAll('{pages}', String(pages))
  const right = naturalWidth(counter(888, 888), style).whole
  const left = Math.max(width * 0.4, width - right - design.gutter)
  const lines = view.foot.flatMap((text) => broken(text, style, left))
  const height = Math.max(1, lines.length) * style.leading + 6
  return {
    height,
    at: (page, pages) => {
      const y = PAGE.height - design.margin.bottom - height
      const x = design.margin.side
      const number = linesBox(broken(counter(page, pages), style, width - left), style, width, {
        align: 'end',
      })
      return [
        ...rectangle(width, 0.4, palette.line).at(x, y),
        ...linesBox(lines, style, left).at(x, y + 6),
        ...number.at(x, y + 6),
      ]
    },
  }
}

const DEGREES = 52
const TURN = (DEGREES * Math.PI) / 180

/** Large, across the page, behind everything. */
function watermark(setting: Setting): Item[] {
  const { view, design, palette } = setting
  if (view.watermark === null) return []
  const unit = {
    ...styleOf(setting, 'title', 'ghost'),
    family: design.family,
    weight: 'strong' as const,
    size: 1,
  }
  const [line] = broken(view.watermark, unit, 1e6)
  // As long as the page allows, letters of its height included.
  const size = Math.min(124, 660 / line!.width)
  const length = line!.width * size
  const x = PAGE.width / 2 - (Math.cos(TURN) * length) / 2 + Math.sin(TURN) * size * 0.34
  const y = PAGE.height / 2 + (Math.sin(TURN) * length) / 2 + Math.cos(TURN) * size * 0.34
  return [
    {
      kind: 'text',
      part: null,
      x,
      y,
      text: line!.text,
      style: { ...unit, size, color: palette.ghost },
      turned: DEGREES,
    },
  ]
}

/** What is drawn on each page, from the back to the front. */
export function layOut(setting: Setting): Item[][] {
  const { design, palette } = setting
  const foot = footOf(setting)
  const flow = createFlow(setting, {
    top: design.margin.top,
    bottom: design.margin.bottom + foot.height + design.gap * 0.5,
  })
  flow.put(headBox(setting))
  putClosing(flow, setting, linesOf(setting))
  putPayment(flow, setting)
  putTexts(flow, setting, setting.view.mentions)
  putTexts(flow, setting, setting.view.notes)
  const edge = design.edge === 0 ? [] : rectangle(PAGE.width, design.edge, palette.accent).at(0, 0)
  return flow.pages.map((items, index) => [
    ...watermark(setting),
    ...edge,
    ...items,
    ...foot.at(index + 1, flow.pages.length),
  ])
}
