/** Prints blocks of facts below the totals: what a total consists of, and the amounts in euros. */
import { part, space, stack } from './box.ts'
import { type Flow, putText } from './flow.ts'
import { factRows } from './head.ts'
import { labelLine, type Setting, styleOf } from './setting.ts'

/** Share of the page width at which a label and its amount are still easy to read together. */
const READABLE = 0.62

export function putDetails(flow: Flow, setting: Setting): void {
  const width = setting.width * READABLE
  for (const { label, facts } of setting.view.details) {
    const title = labelLine(setting, label, styleOf(setting, 'label', 'accent'), width, {
      part: part(setting.document, 'H2'),
    })
    putText(flow, stack([title, space(1)]), factRows(setting, facts, width, 'end'), setting.design.gap * 0.8)
  }
}
