/** Prints terms of payment, instalments, and a QR code of a bank transfer. */
import { required } from '#core/errors/index.ts'
import { type Box, blankBox, boxWithOffsets, stack, structureElement, textBox } from './box.ts'
import { type Flow, putTable } from './flow.ts'
import { type LayoutContext, labelLine, styleOf } from './layout-context.ts'
import { transferQr } from './pdf-qr.ts'
import { type FilledTable, filledTable, fittedTable, tableBox } from './pdf-table.ts'

function instalmentsOf(context: LayoutContext, width: number): FilledTable | null {
  const { columns, instalments } = required(context.view.payment)
  if (instalments.length === 0) return null
  const texts = instalments.map(({ due, method, account, amount }) => [due, method, account, amount])
  // Columns without any text are omitted.
  const kept = [0, 1, 2, 3].filter((index) => texts.some((row) => row[index] !== ''))
  const rows = texts.map((row) => kept.map((index) => required(row[index])))
  const flexible = Math.max(0, kept.indexOf(2), kept.indexOf(1))
  const named = kept.map((index) => required(columns[index]))
  return filledTable(context, fittedTable(context, { columns: named, rows, width, flexible, dense: true }))
}

/** Returns the codes of several transfers in a row. */
function codesRow(context: LayoutContext, codes: readonly Box[]): Box {
  const { width, design } = context
  const step = (width + design.gutter) / Math.max(codes.length, 4)
  return boxWithOffsets(
    width,
    Math.max(...codes.map(({ height }) => height)),
    codes.map((box, index) => ({ box, x: step * index, y: 0 })),
  )
}

/** Prints the payment section, without a page break if a page can hold it. */
export function putPayment(flow: Flow, context: LayoutContext): void {
  const { view, width, design, document } = context
  if (!view.payment) return
  const { label, terms, link, transfers } = view.payment
  const head = labelLine(context, label, styleOf(context, 'label', 'accent'), width, {
    part: structureElement(document, 'P'),
  })
  const body = styleOf(context, 'body', 'ink', true)
  const isOne = transfers.length === 1
  const codes = transfers.map((code) => transferQr(context, code, isOne ? 'end' : 'start'))
  const [code] = isOne ? codes : []
  const left = code ? width - code.width - design.gutter : width
  const text = (content: string): Box =>
    textBox(content, body, left, { part: structureElement(document, 'P') })
  const instalments = instalmentsOf(context, left)
  const beside = (boxes: readonly Box[]): Box => {
    const content = stack(boxes)
    if (!code) return content
    return boxWithOffsets(width, Math.max(content.height, code.height), [
      { box: content, x: 0, y: 0 },
      { box: code, x: width - code.width, y: 0 },
    ])
  }
  const opening = [
    head,
    blankBox(2),
    ...(terms === '' ? [] : [text(terms)]),
    ...(link ? [text(`${link.label.text}: ${link.url}`)] : []),
  ]
  const table = instalments ? [blankBox(4), tableBox(instalments)] : []
  const all = beside([...opening, ...table])
  if (!instalments || all.height <= flow.full) flow.put(all, design.gap)
  else {
    flow.put(beside(opening), design.gap)
    putTable(flow, instalments, { gap: 4 })
  }
  if (codes.length > 1) flow.put(codesRow(context, codes), design.gap * 0.5)
}
