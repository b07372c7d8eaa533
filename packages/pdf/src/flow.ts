/** Lays out boxes one below the other, over as many pages as needed. */
import { required } from '#core/errors/index.ts'
import { type Box, boxWithOffsets, type Item, linesBox, rectangle, stack } from './box.ts'
import { PAGE } from './designs.ts'
import { type LayoutContext, styleOf } from './layout-context.ts'
import { textWidth, wrapText } from './measure.ts'
import { type FilledTable, type Row, type Table, wholeRowBox } from './pdf-table.ts'

export interface Flow {
  readonly pages: readonly Item[][]
  /** Remaining height of the current page, and full height of an empty page. */
  readonly remaining: () => number
  readonly full: number
  /** Total unused height of the pages before the current one. */
  readonly unused: () => number
  /** Whether the current page is still empty. */
  readonly isEmpty: () => boolean
  /**
   * Places a box below the previous box, or on the next page if it does not fit. Omits the gap at the top of a page.
   */
  readonly put: (box: Box, gap?: number) => void
  readonly nextPage: () => void
}

/** Heights of the areas at the top and bottom of a page in which the flow prints nothing. */
export interface PageMargins {
  readonly top: number
  readonly bottom: number
}

/** Returns the heading of continuation pages: the supplier, and the title and number of the invoice. */
export function continuationHeading(context: LayoutContext): Box {
  const { view, width, palette, design } = context
  const style = styleOf(context, 'small', 'soft', true)
  const right = [view.title.text, view.number].filter(Boolean).join(' ')
  const most = Math.min(textWidth(right, style), width * 0.5)
  const number = required(wrapText(right, style, most)[0])
  const name = required(wrapText(view.supplier.name, style, width - most - design.gutter)[0])
  const height = style.leading + 4
  return boxWithOffsets(width, height, [
    { box: linesBox([name], style, width), x: 0, y: 0 },
    { box: linesBox([number], style, width, { align: 'end' }), x: 0, y: 0 },
    { box: rectangle(width, 0.4, palette.line), x: 0, y: height },
  ])
}

export function createFlow(context: LayoutContext, frame: PageMargins): Flow {
  const { design } = context
  const pages: Item[][] = [[]]
  const left = design.margin.side
  const heading = continuationHeading(context)
  const top = frame.top + heading.height + design.gap * 0.6
  const bottom = PAGE.height - frame.bottom
  let y = frame.top
  let isEmpty = true
  let unused = 0
  const nextPage = (): void => {
    unused += bottom - y
    pages.push([...heading.at(left, frame.top)])
    y = top
    isEmpty = true
  }
  const remaining = (): number => bottom - y
  /** Splits a box taller than a page over several pages, without cutting its items. */
  const putTall = (box: Box): void => {
    const low = (item: Item): number =>
      item.kind === 'text'
        ? item.y + item.style.size * 0.3
        : item.y + (item.kind === 'modules' ? item.side : item.height)
    let passed = 0
    // Rectangles are omitted, because they are only decoration and would be cut at the end of the page.
    const items = box.at(left, 0).filter(({ kind }) => kind !== 'rectangle')
    for (const item of [...items].sort((one, other) => low(one) - low(other))) {
      while (low(item) - passed > bottom - y) {
        passed = low(item) - (item.kind === 'text' ? item.style.leading : low(item) - item.y)
        nextPage()
      }
      required(pages.at(-1)).push({
        ...item,
        y: y + Math.max(item.kind === 'text' ? item.style.size : 0, item.y - passed),
      })
    }

    y = bottom
    isEmpty = false
  }
  const put = (box: Box, gap = 0): void => {
    if (!isEmpty && gap + box.height > remaining()) nextPage()
    if (box.height > remaining()) {
      putTall(box)
      return
    }
    if (!isEmpty) y += gap
    required(pages.at(-1)).push(...box.at(left, y))
    y += box.height
    isEmpty = false
  }
  return { pages, remaining, full: bottom - top, unused: () => unused, isEmpty: () => isEmpty, put, nextPage }
}

/**
 * The subtotals of a table that continues on another page, after a number of rows. `forward` returns the subtotal for
 * the bottom of a page, `brought` the subtotal for the top of the next page.
 */
export interface CarriedSubtotals {
  readonly height: number
  readonly forward: (rows: number) => Box | null
  readonly brought: (rows: number) => Box | null
}

export const NO_SUBTOTALS: CarriedSubtotals = { height: 0, forward: () => null, brought: () => null }

/** Prints a row taller than a page in slices. */
function putSliced(flow: Flow, table: Table, row: Row, reserved: number, labels: boolean): void {
  let from = 0
  while (from < row.lines) {
    let to = from + 1
    while (to < row.lines && row.heightOf(from, to + 1) <= flow.remaining() - reserved) to++
    flow.put(row.slice(from, to))
    from = to
    if (from === row.lines) return
    flow.nextPage()
    if (labels) flow.put(table.head(true))
  }
}

/**
 * Prints a table over pages. Repeats the labels on each page, and splits a row only if it is taller than a page.
 * `closing` is the height of the content that follows the table. At least one row is on the same page as that content.
 */
export function putTable(
  flow: Flow,
  { table, rows }: FilledTable,
  {
    carry = NO_SUBTOTALS,
    gap = 0,
    closing = 0,
  }: { carry?: CarriedSubtotals; gap?: number; closing?: number } = {},
): void {
  // Column labels taller than a third of the page are not repeated.
  const repeatsLabels = table.head(true).height < flow.full / 3
  const label = repeatsLabels ? table.head(true).height : 0
  const longest = flow.full - label - carry.height
  let begun = false
  let open = false
  const fits = ({ height }: Row, index: number): boolean => {
    const last = height + closing <= longest ? closing : 0
    const after = index < rows.length - 1 ? carry.height : last
    const before = open ? 0 : label + (begun ? carry.height : gap)
    return before + height + after <= flow.remaining()
  }
  /** Ends the page before a row, unless some lines of the row still fit on the page. */
  const close = ({ height }: Row, index: number): void => {
    const forward = open ? carry.forward(index) : null
    if (forward) flow.put(forward)
    // A row taller than a page begins on this page if some of its lines fit.
    const tall = height > longest && flow.remaining() > flow.full / 3
    if (tall && !forward) return
    flow.nextPage()
    open = false
  }
  const begin = (index: number): void => {
    if (repeatsLabels || !begun) flow.put(table.head(begun), gap)
    const brought = begun ? carry.brought(index) : null
    if (brought) flow.put(brought)
    open = true
    begun = true
  }
  rows.forEach((row, index) => {
    if (!fits(row, index) && !flow.isEmpty()) close(row, index)
    if (!open) begin(index)
    if (row.height > flow.remaining()) putSliced(flow, table, row, carry.height, repeatsLabels)
    else flow.put(wholeRowBox(row))
  })
}

/** Prints text lines below a label. Keeps the label with the first two lines, and the last two lines together. */
export function putText(flow: Flow, label: Box, lines: readonly Box[], gap: number): void {
  const first = lines.length <= 3 ? lines.length : 2
  flow.put(stack([label, ...lines.slice(0, first)]), gap)
  lines.slice(first).forEach((line, index, rest) => {
    // Starts a new page if the last two lines do not both fit.
    if (index === rest.length - 2 && line.height * 2 > flow.remaining()) flow.nextPage()
    flow.put(line)
  })
}
