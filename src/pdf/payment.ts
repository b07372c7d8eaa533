/** Prints terms of payment, instalments, and a QR code of a bank transfer. */
import { required } from '../errors/index.ts'
import { type Box, part, placed, space, stack, textBox } from './box.ts'
import { type Flow, putTable } from './flow.ts'
import { transferQr } from './qr.ts'
import { labelLine, type Setting, styleOf } from './setting.ts'
import { type Filled, filledTable, tableBox } from './table.ts'

function instalmentsOf(setting: Setting, width: number): Filled | null {
  const { columns, instalments } = required(setting.view.payment)
  if (instalments.length === 0) return null
  const texts = instalments.map(({ due, method, account, amount }) => [due, method, account, amount])
  // Empty columns are omitted.
  const kept = [0, 1, 2, 3].filter((index) => texts.some((row) => row[index] !== ''))
  const rows = texts.map((row) => kept.map((index) => required(row[index])))
  const flexible = Math.max(0, kept.indexOf(2), kept.indexOf(1))
  const named = kept.map((index) => required(columns[index]))
  return filledTable(setting, { columns: named, rows, width, flexible, dense: true })
}

/** Prints the payment section, without a page break if a page can hold it. */
export function putPayment(flow: Flow, setting: Setting): void {
  const { view, width, design } = setting
  if (!view.payment) return
  const { label, terms, transfer } = view.payment
  const head = labelLine(setting, label, styleOf(setting, 'label', 'accent'), width, {
    part: part(setting.document, 'P'),
  })
  const small = styleOf(setting, 'body')
  const code = transfer && transferQr(setting, transfer)
  const left = code ? width - code.width - design.gutter : width
  const words = terms === '' ? null : textBox(terms, small, left, { part: part(setting.document, 'P') })
  const instalments = instalmentsOf(setting, left)
  const beside = (boxes: readonly Box[]): Box => {
    const content = stack(boxes)
    if (!code) return content
    return placed(width, Math.max(content.height, code.height), [
      { box: content, x: 0, y: 0 },
      { box: code, x: width - code.width, y: 0 },
    ])
  }
  const opening = [head, space(2), ...(words ? [words] : [])]
  const table = instalments ? [space(4), tableBox(instalments)] : []
  const all = beside([...opening, ...table])
  if (!instalments || all.height <= flow.full) flow.put(all, design.gap)
  else {
    flow.put(beside(opening), design.gap)
    putTable(flow, instalments, { gap: 4 })
  }
}
