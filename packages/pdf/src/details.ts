/** Prints blocks of labels and values below the totals: the entries of a total, and the amounts in euros. */
import { blankBox, stack, structureElement } from './box.ts'
import { type Flow, putText } from './flow.ts'
import { factRows } from './head.ts'
import { type LayoutContext, labelLine, styleOf } from './layout-context.ts'

/** Share of the page width at which a label and its amount are still easy to read together. */
const READABLE_SHARE = 0.62

export function putDetails(flow: Flow, context: LayoutContext): void {
  const width = context.width * READABLE_SHARE
  for (const { label, facts } of context.view.details) {
    const title = labelLine(context, label, styleOf(context, 'label', 'accent'), width, {
      part: structureElement(context.document, 'H2'),
    })
    putText(
      flow,
      stack([title, blankBox(1)]),
      factRows(context, facts, width, 'end'),
      context.design.gap * 0.8,
    )
  }
}
