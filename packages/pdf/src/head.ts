/** The head of the first page, in the grid of the design: parties, facts, title and tax QR. */
import type { Fact, PartyView } from '#view/index.ts'
import {
  type Align,
  type Box,
  baselineOf,
  blankBox,
  boxWithOffsets,
  type Item,
  rectangle,
  stack,
  structureElement,
  textBox,
  wordBox,
} from './box.ts'
import type { Area, HeadColumn, HeadRow } from './designs.ts'
import { type LayoutContext, labelBox, labelLine, labelWidth, styleOf } from './layout-context.ts'
import { textWidth } from './measure.ts'
import { taxQr } from './pdf-qr.ts'

/** Builds an area for a width; returns null if the invoice has no content for the area. */
type AreaBuilder = (context: LayoutContext, width: number, align: Align) => Box | null

const AFTER_LABEL = 1.5

/** Returns the status of a draft or cancelled invoice as text, since the watermark is only decoration. */
function stateBox(context: LayoutContext, state: string): Box {
  const style = styleOf(context, 'label', 'paper')
  const text = wordBox(state, style, structureElement(context.document, 'P'))
  const width = text.width + 10
  const height = style.leading + 4
  return boxWithOffsets(width, height, [
    { box: rectangle(width, height, context.palette.accent), x: 0, y: 0 },
    { box: text, x: 5, y: 2 },
  ])
}

const beside = (box: Box, width: number, align: Align): Box =>
  boxWithOffsets(width, box.height, [{ box, x: align === 'end' ? Math.max(0, width - box.width) : 0, y: 0 }])

function titleBox(context: LayoutContext, width: number, align: Align): Box {
  const { view, design } = context
  const { color, numberBelow } = design.title
  const h1 = structureElement(context.document, 'H1')
  const style = styleOf(context, 'title', color)
  const number = styleOf(context, 'number', 'ink', true)
  const state =
    view.watermark === null ? [] : [blankBox(3), beside(stateBox(context, view.watermark), width, align)]
  const second = view.title.second
    ? [textBox(view.title.second, styleOf(context, 'body', 'faint'), width, { part: h1, align })]
    : []
  const title = { ...view.title, second: undefined }
  const whole = textWidth(title.text, style)
  const gap = style.size * 0.42
  const labelled = [view.numberLabel, view.number].filter(Boolean).join('\u00a0')
  const together = whole + gap + textWidth(labelled, number)
  if (!numberBelow && view.number !== '' && together <= width) {
    const left = align === 'end' ? width - together : 0
    // The number is on the baseline of the title.
    const line: Box = {
      width,
      height: style.leading,
      at: (x, y): Item[] => {
        const common = { kind: 'text', part: h1, y: y + baselineOf(style) } as const
        return [
          { ...common, x: x + left, text: title.text, style },
          { ...common, x: x + left + whole + gap, text: labelled, style: number },
        ]
      },
    }
    return stack([line, ...second, ...state])
  }
  const below = view.number === '' ? [] : [textBox(labelled, number, width, { part: h1, align })]
  return stack([textBox(title.text, style, width, { part: h1, align }), ...second, ...below, ...state])
}

/** Returns the facts that have a value, except the number, which is beside the title. */
const factsOf = ({ view }: LayoutContext): readonly Fact[] =>
  view.facts.filter(({ value }) => value !== '' && value !== view.number)

/** Returns a box for each fact: label in one column, value in another. */
export function factRows(
  context: LayoutContext,
  facts: readonly Fact[],
  width: number,
  align: Align = 'start',
): Box[] {
  const label = styleOf(context, 'small', 'soft', true)
  const value = styleOf(context, 'body', 'ink', true)
  const gap = 10
  const wanted = Math.max(...facts.map((fact) => labelWidth(context, fact.label, label)))
  const values = Math.max(...facts.map((fact) => textWidth(fact.value, value)))
  const labels = Math.min(wanted, Math.max((width - gap) * 0.52, width - gap - values))
  return facts.map((fact) => {
    const of = structureElement(context.document, 'P')
    const left = labelBox(context, fact.label, { ...label, leading: value.leading }, labels, { part: of })
    const right = textBox(fact.value, value, width - labels - gap, { part: of, align })
    return boxWithOffsets(width, Math.max(left.height, right.height), [
      { box: left, x: 0, y: 0 },
      { box: right, x: labels + gap, y: 0 },
    ])
  })
}

/** Returns the facts as one box. */
const factTable = (
  context: LayoutContext,
  facts: readonly Fact[],
  width: number,
  align: Align = 'start',
): Box => stack(factRows(context, facts, width, align), 1)

/** Returns a fact with its label above. */
function factCell(context: LayoutContext, fact: Fact, width: number): Box {
  const of = structureElement(context.document, 'P')
  return stack(
    [
      labelBox(context, fact.label, styleOf(context, 'small', 'soft'), width, { part: of }),
      textBox(fact.value, styleOf(context, 'strong', 'ink', true), width, { part: of }),
    ],
    0.5,
  )
}

const MAX_IN_STRIP = 5

/** Returns facts side by side on a tinted background. */
function factStrip(context: LayoutContext, width: number): Box | null {
  const facts = factsOf(context)
  if (facts.length === 0) return null
  const inset = context.design.table.inset
  const rows = Math.ceil(facts.length / MAX_IN_STRIP)
  const across = Math.max(3, Math.ceil(facts.length / rows))
  const gutter = context.design.gutter * 0.7
  const cell = (width - 2 * inset - gutter * (across - 1)) / across
  const lines: Box[] = []
  for (let start = 0; start < facts.length; start += across) {
    const cells = facts.slice(start, start + across).map((fact) => factCell(context, fact, cell))
    lines.push(
      boxWithOffsets(
        width - 2 * inset,
        Math.max(...cells.map(({ height }) => height)),
        cells.map((box, index) => ({ box, x: index * (cell + gutter), y: 0 })),
      ),
    )
  }
  const content = stack(lines, 7)
  const padding = inset * 0.9
  const height = content.height + 2 * padding
  return boxWithOffsets(width, height, [
    { box: rectangle(width, height, context.palette.tint), x: 0, y: 0 },
    { box: content, x: inset, y: padding },
  ])
}

function partyBox(context: LayoutContext, party: PartyView, width: number): Box {
  const of = structureElement(context.document, 'P')
  const label = styleOf(context, 'label', 'accent')
  const body = styleOf(context, 'body')
  return stack([
    labelLine(context, party.role, { ...label, leading: body.leading }, width, { part: of }),
    blankBox(AFTER_LABEL),
    textBox(party.name, styleOf(context, 'name'), width, { part: of }),
    ...party.lines.map((line) => textBox(line, body, width, { part: of })),
  ])
}

function logoBox(context: LayoutContext): Box | null {
  const { logo, view } = context
  if (!logo) return null
  const { width: most, height: highest } = context.design.logo
  const scale = Math.min(most / logo.width, highest / logo.height)
  const width = logo.width * scale
  const height = logo.height * scale
  const figure = structureElement(context.document, 'Figure', { alt: view.supplier.name })
  return { width, height, at: (x, y) => [{ kind: 'image', part: figure, x, y, width, height }] }
}

function correctedBox(context: LayoutContext, width: number): Box | null {
  const { corrected } = context.view
  if (!corrected) return null
  const of = structureElement(context.document, 'P')
  return stack([
    labelLine(context, corrected.label, styleOf(context, 'label', 'accent'), width, { part: of }),
    blankBox(AFTER_LABEL),
    factTable(context, corrected.facts, width),
  ])
}

const AREAS: Readonly<Record<Area, AreaBuilder>> = {
  logo: logoBox,
  title: titleBox,
  facts: (context, width, align) => {
    const facts = factsOf(context)
    return facts.length === 0 ? null : factTable(context, facts, width, align)
  },
  factList: (context, width) => {
    const facts = factsOf(context)
    return facts.length === 0
      ? null
      : stack(
          facts.map((fact) => factCell(context, fact, width)),
          2.5,
        )
  },
  factStrip: (context, width) => factStrip(context, width),
  supplier: (context, width) => partyBox(context, context.view.supplier, width),
  customer: (context, width) =>
    context.view.customer === null ? null : partyBox(context, context.view.customer, width),
  corrected: correctedBox,
  qr: (context) => (context.view.qr === null ? null : taxQr(context, context.view.qr)),
}

/** Whether an area has content. */
const hasContent = (context: LayoutContext, area: Area): boolean => {
  const { view } = context
  if (area === 'logo') return context.logo !== null
  if (area === 'customer') return view.customer !== null
  if (area === 'corrected') return view.corrected !== null
  if (area === 'qr') return view.qr !== null
  if (area === 'facts' || area === 'factList' || area === 'factStrip') return factsOf(context).length > 0
  return true
}

function columnBox(context: LayoutContext, column: HeadColumn, width: number): Box {
  const { align = 'start', share } = column
  const boxes = column.areas.flatMap((area) => {
    const box = AREAS[area](context, width, align)
    if (!box) return []
    return [align === 'end' && area === 'logo' && share !== 'fit' ? beside(box, width, 'end') : box]
  })
  return stack(boxes, context.design.gap * 0.5)
}

function rowBox(context: LayoutContext, row: HeadRow): Box | null {
  const { width, design, palette } = context
  const columns = row.columns.filter(({ areas }) => areas.some((area) => hasContent(context, area)))
  if (columns.length === 0) return null
  const gutters = design.gutter * (columns.length - 1)
  const fitting = new Map(
    columns
      .filter(({ share }) => share === 'fit')
      .map((column) => [column, columnBox(context, column, width)]),
  )
  const fixed = [...fitting.values()].reduce((sum, box) => sum + box.width, 0)
  const shares = columns.reduce((sum, { share }) => sum + (share === 'fit' ? 0 : share), 0)
  const each = (width - gutters - fixed) / Math.max(1, shares)
  let x = 0
  const boxes = columns.map((column) => {
    const fit = fitting.get(column)
    const wide = fit ? fit.width : each * (column.share as number)
    const box = fit ?? columnBox(context, column, wide)
    const at = { box, x, y: 0 }
    x += wide + design.gutter
    return at
  })
  const content = boxWithOffsets(width, Math.max(...boxes.map(({ box }) => box.height)), boxes)
  if (!row.rule) return content
  const rule = rectangle(
    width,
    row.rule === 'strong' ? 0.9 : 0.4,
    row.rule === 'strong' ? palette.accent : palette.line,
  )
  return stack([rule, blankBox(design.gap * 0.55), content])
}

/** Returns the description of the invoice, or null. */
function aboutBox(context: LayoutContext): Box | null {
  const { view, width } = context
  if (view.about === '') return null
  return textBox(view.about, styleOf(context, 'body', 'ink', true), Math.min(width, 420), {
    part: structureElement(context.document, 'P'),
  })
}

/** Returns everything above the lines on the first page. */
export function headBox(context: LayoutContext): Box {
  const rows = context.design.head.map((row) => rowBox(context, row))
  return stack(
    [...rows, aboutBox(context)].filter((box) => box !== null),
    context.design.gap * 0.75,
  )
}
