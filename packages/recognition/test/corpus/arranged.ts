/** Places a sketch on pages, with configurable positions of labels, parties and totals. */
import { required } from '#core/errors/index.ts'
import { Paper, type Sheet } from './sheet.ts'
import type { Row, Sketch } from './sketch.ts'

export interface Arrangement {
  readonly labels?: 'beside' | 'above' | 'below' | 'dots' | 'far'
  readonly totals?: 'right' | 'left' | 'band'
  readonly supplier?: 'left' | 'right'
  readonly size?: number
  /** Distance between the lines of the table, in points. */
  readonly step?: number
}

const LEFT = 48
const RIGHT = 548
const BOTTOM = 760

function facts(
  paper: Paper,
  rows: readonly Row[],
  from: number,
  { labels = 'beside', size = 10 }: Arrangement,
) {
  if (labels === 'above' || labels === 'below') {
    const width = (RIGHT - LEFT) / Math.max(3, rows.length)
    rows.forEach(([label, value], at) => {
      const [first, second] = labels === 'above' ? [label, value] : [value, label]
      paper.print(LEFT + at * width, from, first, size - 1, labels === 'below')
      paper.print(LEFT + at * width, from + 14, second, size - 1, labels === 'above')
    })
    return from + 34
  }
  rows.forEach(([label, value], at) => {
    const y = from + at * (size + 5)
    if (labels === 'beside') paper.print(LEFT, y, `${label}: ${value}`, size)
    else {
      paper.print(LEFT, y, labels === 'dots' ? label.padEnd(34, '.') : label, size)
      paper.print(labels === 'dots' ? 290 : 190, y, value, size)
    }
  })
  return from + rows.length * (size + 5) + 12
}

function totals(
  paper: Paper,
  rows: readonly Row[],
  from: number,
  { totals: place = 'right', size = 10 }: Arrangement,
) {
  if (place === 'band') {
    const width = (RIGHT - LEFT) / rows.length
    rows.forEach(([label, value], at) => {
      paper.printRight(
        LEFT + (at + 1) * width - 4,
        from,
        label,
        Math.min(size - 2, 110 / rows.length / 3 + 2),
      )
      paper.printRight(LEFT + (at + 1) * width - 4, from + 15, value, size - 1, at === rows.length - 1)
    })
    return from + 30
  }
  const [left, right] = place === 'left' ? [LEFT, 270] : [330, RIGHT]
  rows.forEach(([label, value], at) => {
    const isLast = at === rows.length - 1
    paper.print(left, from + at * (size + 6), label, isLast ? size + 1 : size, isLast)
    paper.printRight(right, from + at * (size + 6), value, isLast ? size + 1 : size, isLast)
  })
  return from + rows.length * (size + 6)
}

function party(paper: Paper, x: number, y: number, texts: readonly string[], size: number) {
  texts.forEach((text, at) => {
    paper.print(x, y + at * (size + 3), text, size, at === 0)
  })
}

/** Right edges of the table columns, by number of columns. */
const EDGES: Readonly<Record<number, readonly number[]>> = {
  4: [0, 380, 465, RIGHT],
  5: [0, 350, 425, 475, RIGHT],
}

export function arranged(sketch: Sketch, arrangement: Arrangement = {}): Sheet {
  const { supplier = 'left', size = 10, step = size + 8 } = arrangement
  const pages = [new Paper()]
  let paper = required(pages[0])
  const [own, other] = supplier === 'left' ? [LEFT, 320] : [320, LEFT]
  party(paper, own, 60, sketch.supplier, size)
  paper.print(LEFT, 150, sketch.title, size + 8, true)
  if (sketch.code) paper.code(supplier === 'left' ? 450 : 160, 30, 92)
  if (sketch.customer.length > 0) {
    paper.print(other, 150, sketch.customerLabel, size - 2)
    party(paper, other === LEFT ? 320 : other, 166, sketch.customer, size)
  }
  let y = facts(paper, sketch.facts, 240, arrangement)
  const edges = EDGES[sketch.head.length] ?? []
  const row = (cells: readonly string[], isHead: boolean) =>
    cells.forEach((cell, at) => {
      if (at === 0) paper.print(LEFT, y, cell, size - 1, isHead)
      else paper.printRight(edges[at] ?? RIGHT, y, cell, size - 1, isHead)
    })
  const turn = (needed: number) => {
    if (y + needed <= BOTTOM) return
    paper = new Paper()
    pages.push(paper)
    y = 60
  }
  y += 6
  row(sketch.head, true)
  paper.rule(LEFT, y + 5, RIGHT - LEFT)
  for (const cells of sketch.rows) {
    y += step
    turn(step)
    row(cells, false)
  }
  y += 34
  turn(sketch.totals.length * (size + 6) + 20)
  y = totals(paper, sketch.totals, y, arrangement) + 24
  for (const note of sketch.notes) {
    turn(14)
    paper.print(LEFT, y, note, size - 1)
    y += 14
  }
  sketch.small.forEach((text, at) => {
    paper.print(LEFT, 800 + at * 9, text, 6.5)
  })
  if (pages.length > 1)
    pages.forEach((page, at) => {
      page.printRight(RIGHT, 825, `${at + 1}/${pages.length}`, 8)
    })
  return { width: 595, height: 842, pages }
}
