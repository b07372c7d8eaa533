/** The head of the first page, in the grid of the design: parties, facts, title and tax QR. */
import type { Fact, PartyView } from '../view/model.ts'
import {
  type Align,
  type Box,
  type Item,
  part,
  placed,
  rectangle,
  space,
  stack,
  textBox,
  wordBox,
} from './box.ts'
import type { Area, HeadColumn, HeadRow } from './designs.ts'
import { textWidth } from './measure.ts'
import { taxQr } from './qr.ts'
import { labelBox, labelLine, labelWidth, type Setting, styleOf } from './setting.ts'

/** Builds an area for a width; null if the invoice has nothing for it. */
type Maker = (setting: Setting, width: number, align: Align) => Box | null

const AFTER_LABEL = 1.5

/** Returns the status of an invoice that is not in force, as text: the watermark is only decoration. */
function stateBox(setting: Setting, state: string): Box {
  const style = styleOf(setting, 'label', 'paper')
  const text = wordBox(state, style, part(setting.document, 'P'))
  const width = text.width + 10
  const height = style.leading + 4
  return placed(width, height, [
    { box: rectangle(width, height, setting.palette.accent), x: 0, y: 0 },
    { box: text, x: 5, y: 2 },
  ])
}

const beside = (box: Box, width: number, align: Align): Box =>
  placed(width, box.height, [{ box, x: align === 'end' ? Math.max(0, width - box.width) : 0, y: 0 }])

function titleBox(setting: Setting, width: number, align: Align): Box {
  const { view, design } = setting
  const { color, numberBelow } = design.title
  const h1 = part(setting.document, 'H1')
  const style = styleOf(setting, 'title', color)
  const number = styleOf(setting, 'number', 'ink', true)
  const state =
    view.watermark === null ? [] : [space(3), beside(stateBox(setting, view.watermark), width, align)]
  const second = view.title.second
    ? [textBox(view.title.second, styleOf(setting, 'body', 'faint'), width, { part: h1, align })]
    : []
  const title = { ...view.title, second: undefined }
  const whole = textWidth(title.text, style)
  const gap = style.size * 0.42
  if (!numberBelow && view.number !== '' && whole + gap + textWidth(view.number, number) <= width) {
    const together = whole + gap + textWidth(view.number, number)
    const left = align === 'end' ? width - together : 0
    // Title and number share the baseline of the title.
    const line: Box = {
      width,
      height: style.leading,
      at: (x, y): Item[] => {
        const base = y + style.leading / 2 + style.size * 0.34
        const common = { kind: 'text', part: h1, y: base } as const
        return [
          { ...common, x: x + left, text: title.text, style },
          { ...common, x: x + left + whole + gap, text: view.number, style: number },
        ]
      },
    }
    return stack([line, ...second, ...state])
  }
  const below = view.number === '' ? [] : [textBox(view.number, number, width, { part: h1, align })]
  return stack([textBox(title.text, style, width, { part: h1, align }), ...second, ...below, ...state])
}

/** Returns the facts that the title does not state. */
const factsOf = ({ view }: Setting): readonly Fact[] =>
  view.facts.filter(({ value }) => value !== '' && value !== view.number)

/** Returns a box for each fact: label in one column, value in another. */
export function factRows(
  setting: Setting,
  facts: readonly Fact[],
  width: number,
  align: Align = 'start',
): Box[] {
  const label = styleOf(setting, 'small', 'soft')
  const value = styleOf(setting, 'body', 'ink', true)
  const gap = 10
  const wanted = Math.max(...facts.map((fact) => labelWidth(setting, fact.label, label)))
  const labels = Math.min(wanted, (width - gap) * 0.52)
  return facts.map((fact) => {
    const of = part(setting.document, 'P')
    const left = labelBox(setting, fact.label, { ...label, leading: value.leading }, labels, { part: of })
    const right = textBox(fact.value, value, width - labels - gap, { part: of, align })
    return placed(width, Math.max(left.height, right.height), [
      { box: left, x: 0, y: 0 },
      { box: right, x: labels + gap, y: 0 },
    ])
  })
}

/** Returns the facts as one box. */
const factTable = (setting: Setting, facts: readonly Fact[], width: number, align: Align = 'start'): Box =>
  stack(factRows(setting, facts, width, align), 1)

/** Returns a fact with its label above. */
function factCell(setting: Setting, fact: Fact, width: number): Box {
  const of = part(setting.document, 'P')
  return stack(
    [
      labelBox(setting, fact.label, styleOf(setting, 'small', 'soft'), width, { part: of }),
      textBox(fact.value, styleOf(setting, 'strong', 'ink', true), width, { part: of }),
    ],
    0.5,
  )
}

const MOST_IN_A_STRIP = 5

/** Returns facts side by side on a tinted background. */
function factStrip(setting: Setting, width: number): Box | null {
  const facts = factsOf(setting)
  if (facts.length === 0) return null
  const inset = setting.design.table.inset
  const rows = Math.ceil(facts.length / MOST_IN_A_STRIP)
  const across = Math.max(3, Math.ceil(facts.length / rows))
  const gutter = setting.design.gutter * 0.7
  const cell = (width - 2 * inset - gutter * (across - 1)) / across
  const lines: Box[] = []
  for (let start = 0; start < facts.length; start += across) {
    const cells = facts.slice(start, start + across).map((fact) => factCell(setting, fact, cell))
    lines.push(
      placed(
        width - 2 * inset,
        Math.max(...cells.map(({ height }) => height)),
        cells.map((box, index) => ({ box, x: index * (cell + gutter), y: 0 })),
      ),
    )
  }
  const content = stack(lines, 7)
  const padding = inset * 0.9
  const height = content.height + 2 * padding
  return placed(width, height, [
    { box: rectangle(width, height, setting.palette.tint), x: 0, y: 0 },
    { box: content, x: inset, y: padding },
  ])
}

function partyBox(setting: Setting, party: PartyView, width: number): Box {
  const of = part(setting.document, 'P')
  const label = styleOf(setting, 'label', 'accent')
  const body = styleOf(setting, 'body')
  return stack([
    labelLine(setting, party.role, { ...label, leading: body.leading }, width, { part: of }),
    space(AFTER_LABEL),
    textBox(party.name, styleOf(setting, 'name'), width, { part: of }),
    ...party.lines.map((line) => textBox(line, body, width, { part: of })),
  ])
}

function logoBox(setting: Setting): Box | null {
  const { logo, view } = setting
  if (!logo) return null
  const { width: most, height: highest } = setting.design.logo
  const scale = Math.min(most / logo.width, highest / logo.height)
  const width = logo.width * scale
  const height = logo.height * scale
  const figure = part(setting.document, 'Figure', { alt: view.supplier.name })
  return { width, height, at: (x, y) => [{ kind: 'image', part: figure, x, y, width, height }] }
}

function correctedBox(setting: Setting, width: number): Box | null {
  const { corrected } = setting.view
  if (!corrected) return null
  const of = part(setting.document, 'P')
  return stack([
    labelLine(setting, corrected.label, styleOf(setting, 'label', 'accent'), width, { part: of }),
    space(AFTER_LABEL),
    factTable(setting, corrected.facts, width),
  ])
}

const AREAS: Readonly<Record<Area, Maker>> = {
  logo: logoBox,
  title: titleBox,
  facts: (setting, width, align) => {
    const facts = factsOf(setting)
    return facts.length === 0 ? null : factTable(setting, facts, width, align)
  },
  factList: (setting, width) => {
    const facts = factsOf(setting)
    return facts.length === 0
      ? null
      : stack(
          facts.map((fact) => factCell(setting, fact, width)),
          2.5,
        )
  },
  factStrip: (setting, width) => factStrip(setting, width),
  supplier: (setting, width) => partyBox(setting, setting.view.supplier, width),
  customer: (setting, width) =>
    setting.view.customer === null ? null : partyBox(setting, setting.view.customer, width),
  corrected: correctedBox,
  qr: (setting) => (setting.view.qr === null ? null : taxQr(setting, setting.view.qr)),
}

/** Whether an area has content. */
const stands = (setting: Setting, area: Area): boolean => {
  const { view } = setting
  if (area === 'logo') return setting.logo !== null
  if (area === 'customer') return view.customer !== null
  if (area === 'corrected') return view.corrected !== null
  if (area === 'qr') return view.qr !== null
  if (area === 'facts' || area === 'factList' || area === 'factStrip') return factsOf(setting).length > 0
  return true
}

function columnBox(setting: Setting, column: HeadColumn, width: number): Box {
  const { align = 'start', share } = column
  const boxes = column.areas.flatMap((area) => {
    const box = AREAS[area](setting, width, align)
    if (!box) return []
    return [align === 'end' && area === 'logo' && share !== 'fit' ? beside(box, width, 'end') : box]
  })
  return stack(boxes, setting.design.gap * 0.5)
}

function rowBox(setting: Setting, row: HeadRow): Box | null {
  const { width, design, palette } = setting
  const columns = row.columns.filter(({ areas }) => areas.some((area) => stands(setting, area)))
  if (columns.length === 0) return null
  const gutters = design.gutter * (columns.length - 1)
  const fitting = new Map(
    columns
      .filter(({ share }) => share === 'fit')
      .map((column) => [column, columnBox(setting, column, width)]),
  )
  const fixed = [...fitting.values()].reduce((sum, box) => sum + box.width, 0)
  const shares = columns.reduce((sum, { share }) => sum + (share === 'fit' ? 0 : share), 0)
  const each = (width - gutters - fixed) / Math.max(1, shares)
  let x = 0
  const boxes = columns.map((column) => {
    const fit = fitting.get(column)
    const wide = fit ? fit.width : each * (column.share as number)
    const box = fit ?? columnBox(setting, column, wide)
    const at = { box, x, y: 0 }
    x += wide + design.gutter
    return at
  })
  const content = placed(width, Math.max(...boxes.map(({ box }) => box.height)), boxes)
  if (!row.rule) return content
  const rule = rectangle(
    width,
    row.rule === 'strong' ? 0.9 : 0.4,
    row.rule === 'strong' ? palette.accent : palette.line,
  )
  return stack([rule, space(design.gap * 0.55), content])
}

/** Returns the description of the invoice, or null. */
function aboutBox(setting: Setting): Box | null {
  const { view, width } = setting
  if (view.about === '') return null
  return textBox(view.about, styleOf(setting, 'body'), Math.min(width, 420), {
    part: part(setting.document, 'P'),
  })
}

/** Returns everything above the lines on the first page. */
export function headBox(setting: Setting): Box {
  const rows = setting.design.head.map((row) => rowBox(setting, row))
  return stack(
    [...rows, aboutBox(setting)].filter((box) => box !== null),
    setting.design.gap * 0.75,
  )
}
