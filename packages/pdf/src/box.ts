/**
 * The content of a page: items with positions, and the boxes from which the layout is composed.
 *
 * Lengths are in points. Positions are measured from the top left corner of the page.
 */
import { type TextLine, type TextStyle, textWidth, wrapText } from './measure.ts'

/** A part of the tagged structure, which assistive technology reads; null for decoration. */
export interface StructureElement {
  readonly type: 'Document' | 'H1' | 'H2' | 'P' | 'Table' | 'TR' | 'TH' | 'TD' | 'Figure'
  readonly children: StructureElement[]
  readonly scope?: 'Column' | 'Row'
  /** Text that describes a picture. */
  readonly alt?: string
}

export interface TextItem {
  readonly kind: 'text'
  readonly part: StructureElement | null
  readonly x: number
  /** Position of the baseline. */
  readonly y: number
  readonly text: string
  readonly style: TextStyle
  /** Rotation in degrees, counterclockwise around the start of the text. */
  readonly turned?: number
}

export interface RectangleItem {
  readonly kind: 'rectangle'
  readonly part: null
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly color: string
}

/** The dark modules of a QR code. */
export interface ModulesItem {
  readonly kind: 'modules'
  readonly part: StructureElement
  readonly x: number
  readonly y: number
  readonly side: number
  readonly modules: readonly (readonly boolean[])[]
}

export interface ImageItem {
  readonly kind: 'image'
  readonly part: StructureElement
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export type Item = TextItem | RectangleItem | ModulesItem | ImageItem

/** A block of content with a fixed size that can be placed at any position. */
export interface Box {
  readonly width: number
  readonly height: number
  readonly at: (x: number, y: number) => readonly Item[]
}

export type Align = 'start' | 'end' | 'middle'

export const structureElement = (
  parent: StructureElement,
  type: StructureElement['type'],
  more: Pick<StructureElement, 'scope' | 'alt'> = {},
): StructureElement => {
  const made: StructureElement = { type, children: [], ...more }
  parent.children.push(made)
  return made
}

/** Offset of the baseline that centres letters vertically in a text line, as a share of the font size. */
const BASE_LINE = 0.34

/** Distance of the baseline from the top of its text line. */
export const baselineOf = ({ size, leading }: TextStyle): number => leading / 2 + size * BASE_LINE

/** Returns a box of text lines that is `width` points wide. */
export function linesBox(
  lines: readonly TextLine[],
  style: TextStyle,
  width: number,
  { part: of = null, align = 'start' }: { part?: StructureElement | null; align?: Align } = {},
): Box {
  const left = { start: 0, end: 1, middle: 0.5 }[align]
  return {
    width,
    height: lines.length * style.leading,
    at: (x, y) =>
      lines.flatMap((line, index): Item[] =>
        line.text === ''
          ? []
          : [
              {
                kind: 'text',
                part: of,
                x: x + (width - line.width) * left,
                y: y + index * style.leading + baselineOf(style),
                text: line.text,
                style,
              },
            ],
      ),
  }
}

export const textBox = (
  text: string,
  style: TextStyle,
  width: number,
  options: { part?: StructureElement | null; align?: Align } = {},
): Box => linesBox(wrapText(text, style, width), style, width, options)

/** Returns a box of a single line, as wide as its text. */
export const wordBox = (text: string, style: TextStyle, of: StructureElement | null = null): Box => {
  const width = textWidth(text, style)
  return linesBox([{ text, width }], style, width, { part: of })
}

export const blankBox = (height: number): Box => ({ width: 0, height, at: () => [] })

/** Stacks boxes vertically. */
export function stack(boxes: readonly Box[], gap = 0): Box {
  const filled = boxes.filter(({ height }) => height > 0)
  const height = filled.reduce((sum, box) => sum + box.height, 0) + gap * Math.max(0, filled.length - 1)
  return {
    width: Math.max(0, ...filled.map(({ width }) => width)),
    height,
    at: (x, y) => {
      let top = y
      return filled.flatMap((box) => {
        const items = box.at(x, top)
        top += box.height + gap
        return items
      })
    },
  }
}

export interface PlacedBox {
  readonly box: Box
  readonly x: number
  readonly y: number
}

/** Returns a box with each of `boxes` at its offset; they may overlap. */
export function boxWithOffsets(width: number, height: number, boxes: readonly PlacedBox[]): Box {
  return {
    width,
    height,
    at: (x, y) => boxes.flatMap(({ box, ...offset }) => box.at(x + offset.x, y + offset.y)),
  }
}

export const rectangle = (width: number, height: number, color: string): Box => ({
  width,
  height,
  at: (x, y) => [{ kind: 'rectangle', part: null, x, y, width, height, color }],
})
