/** Boxes below each other over as many pages as it takes. */
import { required } from '../errors/index.ts'
import { type Box, type Item, linesBox, placed, rectangle, stack } from './box.ts'
import { PAGE } from './designs.ts'
import { broken, textWidth } from './measure.ts'
import { type Setting, styleOf } from './setting.ts'
import { type Filled, type Row, type Table, whole } from './table.ts'

export interface Flow {
  readonly pages: readonly Item[][]
  /** Height that is left on this page, and that of a page on which nothing stands yet. */
  readonly room: () => number
  readonly full: number
  /** Nothing stands on this page yet. */
  readonly fresh: () => boolean
  /** Puts a box below the last one, on the next page where there is no room; a gap at the head of a page is left out. */
  readonly put: (box: Box, gap?: number) => void
  readonly turn: () => void
}

/** From the edges of the page, where nothing is printed that belongs to the flow. */
export interface Frame {
  readonly top: number
  readonly bottom: number
}

/** What stands at the head of the pages after the first: whose invoice it is, and which. */
export function continuation(setting: Setting): Box {
  const { view, width, palette, design } = setting
  const style = styleOf(setting, 'small', 'soft', true)
  const right = [view.title.text, view.number].filter(Boolean).join(' ')
  const most = Math.min(textWidth(right, style), width * 0.5)
  const number = required(broken(right, style, most)[0])
  const name = required(broken(view.supplier.name, style, width - most - design.gutter)[0])
  const height = style.leading + 4
  return placed(width, height, [
    { box: linesBox([name], style, width), x: 0, y: 0 },
    { box: linesBox([number], style, width, { align: 'end' }), x: 0, y: 0 },
    { box: rectangle(width, 0.4, palette.line), x: 0, y: height },
  ])
}

export function createFlow(setting: Setting, frame: Frame): Flow {
  const { design } = setting
  const pages: Item[][] = [[]]
  const left = design.margin.side
  const again = continuation(setting)
  const top = frame.top + again.height + design.gap * 0.6
  const bottom = PAGE.height - frame.bottom
  let y = frame.top
  let fresh = true
  const turn = (): void => {
    pages.push([...again.at(left, frame.top)])
    y = top
    fresh = true
  }
  const room = (): number => bottom - y
  /** A box that no page holds, over as many as it takes: what stands in it is handed to the page on which it falls. */
  const putTall = (box: Box): void => {
    const low = (item: Item): number =>
      item.kind === 'text'
        ? item.y + item.style.size * 0.3
        : item.y + (item.kind === 'modules' ? item.side : item.height)
    let passed = 0
    // Grounds and rules would have to be cut, and mean nothing.
    const items = box.at(left, 0).filter(({ kind }) => kind !== 'rectangle')
    for (const item of [...items].sort((one, other) => low(one) - low(other))) {
      while (low(item) - passed > bottom - y) {
        passed = low(item) - (item.kind === 'text' ? item.style.leading : low(item) - item.y)
        turn()
      }
      required(pages.at(-1)).push({
        ...item,
        y: y + Math.max(item.kind === 'text' ? item.style.size : 0, item.y - passed),
      })
    }

    y = bottom
    fresh = false
  }
  const put = (box: Box, gap = 0): void => {
    if (!fresh && gap + box.height > room()) turn()
    if (box.height > room()) {
      putTall(box)
      return
    }
    if (!fresh) y += gap
    required(pages.at(-1)).push(...box.at(left, y))
    y += box.height
    fresh = false
  }
  return { pages, room, full: bottom - top, fresh: () => fresh, put, turn }
}

/** Rows that are carried over: what stands at the foot of a page after so many rows, and at the head of the next. */
export interface Carry {
  readonly height: number
  readonly forward: (rows: number) => Box | null
  readonly brought: (rows: number) => Box | null
}

export const NO_CARRY: Carry = { height: 0, forward: () => null, brought: () => null }

/** A row that is taller than a page, in as many pieces as it takes. */
function putSliced(flow: Flow, table: Table, row: Row, reserved: number, labels: boolean): void {
  let from = 0
  while (from < row.lines) {
    let to = from + 1
    while (to < row.lines && row.slice(from, to + 1).height <= flow.room() - reserved) to++
    flow.put(row.slice(from, to))
    from = to
    if (from === row.lines) return
    flow.turn()
    if (labels) flow.put(table.head(true))
  }
}

/**
 * A table over pages: its labels again at the head of each, and a row whole wherever a page can hold it. `closing` is
 * what must not stand on a page without at least one row.
 */
export function putTable(
  flow: Flow,
  { table, rows }: Filled,
  { carry = NO_CARRY, gap = 0, closing = 0 }: { carry?: Carry; gap?: number; closing?: number } = {},
): void {
  // Labels that take the page from the rows are not said twice.
  const again = table.head(true).height < flow.full / 3
  const label = again ? table.head(true).height : 0
  const longest = flow.full - label - carry.height
  let begun = false
  let open = false
  const hasRoom = ({ height }: Row, index: number): boolean => {
    const last = height + closing <= longest ? closing : 0
    const after = index < rows.length - 1 ? carry.height : last
    const before = open ? 0 : label + (begun ? carry.height : gap)
    return before + height + after <= flow.room()
  }
  /** Goes on to the next page, unless the row begins where it is. */
  const close = ({ height }: Row, index: number): void => {
    const forward = open ? carry.forward(index) : null
    if (forward) flow.put(forward)
    // A row that no page holds begins where it is, if a few lines of it have room.
    const tall = height > longest && flow.room() > flow.full / 3
    if (tall && !forward) return
    flow.turn()
    open = false
  }
  const begin = (index: number): void => {
    if (again || !begun) flow.put(table.head(begun), gap)
    const brought = begun ? carry.brought(index) : null
    if (brought) flow.put(brought)
    open = true
    begun = true
  }
  rows.forEach((row, index) => {
    if (!hasRoom(row, index) && !flow.fresh()) close(row, index)
    if (!open) begin(index)
    if (row.height > flow.room()) putSliced(flow, table, row, carry.height, again)
    else flow.put(whole(row))
  })
}

/** Lines of text below a label, which stays with the first two of them; no line is left alone. */
export function putText(flow: Flow, label: Box, lines: readonly Box[], gap: number): void {
  const first = lines.length <= 3 ? lines.length : 2
  flow.put(stack([label, ...lines.slice(0, first)]), gap)
  lines.slice(first).forEach((line, index, rest) => {
    // The last two stay together.
    if (index === rest.length - 2 && line.height * 2 > flow.room()) flow.turn()
    flow.put(line)
  })
}
