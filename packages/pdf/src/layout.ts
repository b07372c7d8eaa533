/** Lays out the whole invoice on pages, in the same order for every design. */
import { required } from '#core/errors/index.ts'
import type { InvoiceView, Label, LineColumn, TextsView } from '#view/index.ts'
import {
  type Box,
  blankBox,
  boxWithOffsets,
  type Item,
  linesBox,
  rectangle,
  type StructureElement,
  stack,
  structureElement,
} from './box.ts'
import { type Design, PAGE } from './designs.ts'
import { putDetails } from './details.ts'
import { type CarriedSubtotals, createFlow, type Flow, NO_SUBTOTALS, putTable, putText } from './flow.ts'
import { headBox } from './head.ts'
import { type LayoutContext, labelLine, styleOf } from './layout-context.ts'
import { naturalWidth, wrapText } from './measure.ts'
import { putPayment } from './pdf-payment.ts'
import { breakdownBox, breakdownOf, sumsBoxes, sumsWidth } from './pdf-sums.ts'
import { type Content, type FilledTable, filledTable, fittedTable, type Table } from './pdf-table.ts'

/** Space above and below the text of a subtotal carried forward. */
const CARRY_PADDING = 3

function carryOf(context: LayoutContext, table: Table): CarriedSubtotals {
  const { lines } = context.view
  if (lines.rows.every(({ running }) => running === '')) return NO_SUBTOTALS
  const style = styleOf(context, 'strong', 'soft', true)
  const inset = context.design.table.inset
  const right = table.width - inset
  const row = (label: Label, running: string): Box => {
    const amount = required(wrapText(running, style, table.width * 0.6)[0])
    const text = labelLine(context, label, style, right - amount.width - 16 - inset, { align: 'end' })
    return boxWithOffsets(table.width, text.height + 2 * CARRY_PADDING, [
      { box: text, x: inset, y: CARRY_PADDING },
      { box: linesBox([amount], style, amount.width), x: right - amount.width, y: CARRY_PADDING },
    ])
  }
  const box = (label: Label, rows: number): Box | null => {
    const running = lines.rows[rows - 1]?.running
    return running ? row(label, running) : null
  }
  const longest = lines.rows.reduce(
    (most, { running }) => (running.length > most.length ? running : most),
    '',
  )
  return {
    height: Math.max(row(lines.carriedForward, longest).height, row(lines.broughtForward, longest).height),
    forward: (rows) => box(lines.carriedForward, rows),
    brought: (rows) => {
      const brought = box(lines.broughtForward, rows)
      if (!brought) return null
      const rule = rectangle(table.width, 0.4, context.palette.line)
      return boxWithOffsets(table.width, brought.height, [
        { box: brought, x: 0, y: 0 },
        { box: rule, x: 0, y: brought.height - 0.4 },
      ])
    },
  }
}

/** Returns the content of the table of lines. */
function contentOf(
  { view, width }: LayoutContext,
  columns: InvoiceView['lines']['columns'],
  notes: NonNullable<Content['notes']>,
): Content {
  const keys = columns.map(({ key }): LineColumn => key)
  const rows = view.lines.rows.map(({ cells }) => keys.map((key) => cells[key] ?? ''))
  return { columns, rows, width, notes, flexible: Math.max(0, keys.indexOf('description')) }
}

/**
 * Returns the lines of the invoice as a table, or null. If figures need the width of the column of references, the
 * references are printed below the descriptions.
 */
function linesOf(context: LayoutContext): FilledTable | null {
  const { columns, rows } = context.view.lines
  if (rows.length === 0 || columns.length === 0) return null
  const notes = rows.map((row) => row.notes)
  const found = fittedTable(context, contentOf(context, columns, notes))
  const reference = columns.find(({ key }) => key === 'reference')
  const others = columns.filter((column) => column !== reference)
  if (!reference || others.length === 0 || found.isReadable) return filledTable(context, found)
  const below = rows.map(({ cells, notes: own }) =>
    cells.reference ? [`${reference.label.text}: ${cells.reference}`, ...own] : own,
  )
  return filledTable(context, fittedTable(context, contentOf(context, others, below)))
}

/** A label and the text lines below it. */
interface Note {
  readonly label: Box
  readonly lines: readonly Box[]
}

function noteOf(context: LayoutContext, texts: TextsView, width: number): Note {
  const style = styleOf(context, 'small', 'soft', true)
  const label = labelLine(context, texts.label, styleOf(context, 'label', 'accent'), width, {
    part: structureElement(context.document, 'H2'),
  })
  const lines = texts.texts.flatMap((text) => {
    const of = structureElement(context.document, 'P')
    return wrapText(text, style, width).map((line) => linesBox([line], style, width, { part: of }))
  })
  return { label: stack([label, blankBox(1)]), lines }
}

const notesOf = ({ view }: LayoutContext): TextsView[] =>
  [view.mentions, view.notes].filter((texts) => texts !== null).filter(({ texts }) => texts.length > 0)

/** Share of the width at which running text is still easy to read. */
const READABLE_SHARE = 0.88

/** Gap between smaller items, as a share of the gap between parts of the page. */
const CLOSE_GAP = 0.7

/** Returns the box to the left of the totals, with the taxes and as many notes as fit, and the remaining notes. */
function leftOfSums(
  context: LayoutContext,
  width: number,
  height: number,
  taxes: Box | null,
): { box: Box; rest: TextsView[] } {
  const gap = context.design.gap * CLOSE_GAP
  const rest = notesOf(context)
  let box = stack(taxes ? [taxes] : [])
  while (rest.length > 0) {
    const before = context.document.children.length
    const { label, lines } = noteOf(context, required(rest[0]), width)
    const longer = stack([box, stack([label, ...lines])], gap)
    if (longer.height > height) {
      // The note does not fit here, so its parts are removed from the document structure.
      context.document.children.length = before
      break
    }
    box = longer
    rest.shift()
  }
  return { box, rest }
}

/** Prints lines, taxes and totals. Returns the notes still to print. */
function putSums(flow: Flow, context: LayoutContext): TextsView[] {
  const { width, design } = context
  const lines = linesOf(context)
  const sums = sumsWidth(context)
  const left = width - sums
  const beside = left - design.gutter * 1.4
  const breakdown = breakdownOf(context, beside, width)
  const narrow = breakdown?.table.width === beside
  const taxes = breakdown && breakdownBox(breakdown)
  const rows = sumsBoxes(context, sums)
  const total = stack(rows)
  const { box, rest } = leftOfSums(context, beside, total.height, narrow ? taxes : null)
  const under = boxWithOffsets(width, Math.max(box.height, total.height), [
    { box, x: 0, y: 0 },
    { box: total, x: left, y: 0 },
  ])
  const gap = design.gap * CLOSE_GAP
  const closing = taxes && !narrow ? stack([taxes, under], gap) : under
  if (lines) {
    const carry = carryOf(context, lines.table)
    putTable(flow, lines, { carry, gap: design.gap, closing: gap + closing.height })
  }
  if (closing.height <= flow.full) {
    flow.put(closing, gap)
    return rest
  }
  if (breakdown) {
    flow.put(breakdown.label, gap)
    putTable(flow, breakdown, { gap: 3, closing: gap + total.height })
  }
  for (const [index, row] of rows.entries())
    flow.put(boxWithOffsets(width, row.height, [{ box: row, x: left, y: 0 }]), index === 0 ? gap : 0)
  return notesOf(context)
}

function putNotes(flow: Flow, context: LayoutContext, notes: readonly TextsView[]): void {
  for (const texts of notes) {
    const { label, lines } = noteOf(context, texts, context.width * READABLE_SHARE)
    putText(flow, label, lines, context.design.gap * 0.8)
  }
}

/** Maximum number of text lines in the footer. A longer footer is printed once, at the end. */
const MAX_FOOT_LINES = 6

/** Returns the footer of every page and its height. */
function footOf(context: LayoutContext): {
  height: number
  rest: readonly Box[]
  at: (page: number, pages: number) => readonly Item[]
} {
  const { view, width, design, palette } = context
  const style = styleOf(context, 'small', 'faint', true)
  const counter = (page: number, pages: number): string =>
    [view.pageOf.text, view.pageOf.second ?? '']
      .filter(Boolean)
      .join(' · ')
      .replaceAll('{page}', String(page))
      .replaceAll('{pages}', String(pages))
  const right = naturalWidth(counter(888, 888), style).whole
  const left = Math.max(width * 0.4, width - right - design.gutter)
  const all = view.foot.flatMap((text) => wrapText(text, style, left))
  const lines = all.length <= MAX_FOOT_LINES ? all : []
  const counted = (page: number, pages: number) =>
    wrapText(counter(page, pages), style, width - left).slice(0, MAX_FOOT_LINES)
  const height = Math.max(1, lines.length, counted(888, 888).length) * style.leading + 6
  const rest = lines.length === all.length ? [] : all.map((line) => linesBox([line], style, left))
  return {
    height,
    rest,
    at: (page, pages) => {
      const y = PAGE.height - design.margin.bottom - height
      const x = design.margin.side
      const number = linesBox(counted(page, pages), style, width, { align: 'end' })
      return [
        ...rectangle(width, 0.4, palette.line).at(x, y),
        ...linesBox(lines, style, left).at(x, y + 6),
        ...number.at(x, y + 6),
      ]
    },
  }
}

const DEGREES = 52
const RADIANS = (DEGREES * Math.PI) / 180

/** Returns the watermark: large, diagonal, behind everything else. */
function watermark(context: LayoutContext): Item[] {
  const { view, design, palette } = context
  if (view.watermark === null) return []
  const unit = {
    ...styleOf(context, 'title', 'ghost'),
    family: design.family,
    weight: 'strong' as const,
    size: 1,
  }
  const line = required(wrapText(view.watermark, unit, 1e6)[0])
  // At most 124 points, and small enough for the text to fit on the diagonal of the page.
  const size = Math.min(124, 660 / line.width)
  const length = line.width * size
  const x = PAGE.width / 2 - (Math.cos(RADIANS) * length) / 2 + Math.sin(RADIANS) * size * 0.34
  const y = PAGE.height / 2 + (Math.sin(RADIANS) * length) / 2 + Math.cos(RADIANS) * size * 0.34
  return [
    {
      kind: 'text',
      part: null,
      x,
      y,
      text: line.text,
      style: { ...unit, size, color: palette.ghost },
      turned: DEGREES,
    },
  ]
}

interface Tightness {
  /** Factor for the space between parts and in tables. */
  readonly space: number
  /** Factor for the font size of running text; titles keep their size. */
  readonly type: number
}

/** Text styles that become smaller. The texts of the tax QR use `body`, so they keep the size of the invoice text. */
const RUNNING = ['name', 'body', 'strong', 'label', 'small', 'total', 'pay'] as const

function tightened(design: Design, { space: by, type }: Tightness): Design {
  const smaller = RUNNING.map((kind) => {
    const { size, leading, ...rest } = design.type[kind]
    return [kind, { ...rest, size: size * type, leading: leading * type }] as const
  })
  return {
    ...design,
    margin: { ...design.margin, top: design.margin.top * by, bottom: design.margin.bottom * by },
    gap: design.gap * by,
    type: { ...design.type, ...Object.fromEntries(smaller) },
    table: { ...design.table, padding: design.table.padding * by },
  }
}

/** Tighter spacings, to try in this order if the last page is nearly empty. */
const TIGHTER: readonly Tightness[] = [
  { space: 0.75, type: 1 },
  { space: 0.5, type: 1 },
  { space: 0.5, type: 0.93 },
]
/** Maximum number of invoice lines for which the layout first tries full spacing. */
const MAX_SPACED_LINES = 40
/** Maximum number of pages for which the layout tries tighter spacing to save a page. */
const MAX_TIGHTENED_PAGES = 12
/**
 * The last page is nearly empty if the height of its content, minus the unused height of the other pages, is less than
 * this share of a page.
 */
const LONELY = 0.4

interface Layout {
  readonly pages: Item[][]
  readonly isLonely: boolean
  /** The parts of the document structure that the layout added. */
  readonly parts: StructureElement['children']
}

function layOutWith(context: LayoutContext): Layout {
  const { design, palette, document } = context
  const before = document.children.length
  const foot = footOf(context)
  const flow = createFlow(context, {
    top: design.margin.top,
    bottom: design.margin.bottom + foot.height + design.gap * 0.5,
  })
  flow.put(headBox(context))
  const notes = putSums(flow, context)
  putDetails(flow, context)
  putPayment(flow, context)
  putNotes(flow, context, notes)
  for (const line of foot.rest) flow.put(line)
  const edge = design.edge === 0 ? [] : rectangle(PAGE.width, design.edge, palette.accent).at(0, 0)
  const pages = flow.pages.map((items, index) => [
    ...watermark(context),
    ...edge,
    ...items,
    ...foot.at(index + 1, flow.pages.length),
  ])
  const lastPage = flow.full - flow.remaining()
  const isLonely = pages.length > 1 && lastPage - flow.unused() < flow.full * LONELY
  return { pages, isLonely, parts: document.children.splice(before) }
}

/**
 * Returns the items of each page, from back to front. If the last page is nearly empty, uses less space, provided that
 * this saves a page.
 */
export function layOut(context: LayoutContext): Item[][] {
  const isLong = context.view.lines.rows.length > MAX_SPACED_LINES
  const [first, ...tighter] = isLong ? TIGHTER.slice(1) : [{ space: 1, type: 1 }, ...TIGHTER]
  const at = (by: Tightness): Layout => layOutWith({ ...context, design: tightened(context.design, by) })
  let best = at(required(first))
  if (best.isLonely && best.pages.length <= MAX_TIGHTENED_PAGES)
    for (const by of tighter) {
      const other = at(by)
      if (other.pages.length >= best.pages.length) continue
      best = other
      break
    }
  context.document.children.push(...best.parts)
  return best.pages
}
