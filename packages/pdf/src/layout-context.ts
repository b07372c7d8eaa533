/** A view with its design: text styles and document structure. */
import { required } from '#core/errors/index.ts'
import type { InvoiceView, Label } from '#view/index.ts'
import { type Align, type Box, linesBox, type StructureElement, stack, textBox } from './box.ts'
import { type ColorName, type Design, PAGE, type Palette } from './designs.ts'
import { type TextStyle, textWidth, wrapText } from './measure.ts'
import { inOneLine } from './runs.ts'

export interface Logo {
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

export interface LayoutContext {
  readonly view: InvoiceView
  readonly design: Design
  readonly palette: Palette
  readonly logo: Logo | null
  readonly document: StructureElement
  /** Width of the page inside its margins. */
  readonly width: number
}

export const printableWidthOf = (design: Design): number => PAGE.width - 2 * design.margin.side

/**
 * Returns a text style. `figures` gives all digits the same width. Use it for texts with amounts, because programs that
 * extract text read kerned proportional digits, as in `117,50`, as two texts.
 */
export function styleOf(
  { design, palette }: LayoutContext,
  kind: keyof Design['type'],
  color: ColorName = 'ink',
  figures = false,
): TextStyle {
  return { family: design.family, figures, ...design.type[kind], color: palette[color] }
}

/** Space between a label and its translation on the same line. */
const BETWEEN = 5

/** Returns the style of texts in the second language: smaller and lighter. */
const secondStyle = ({ design, palette }: LayoutContext, style: TextStyle): TextStyle => ({
  ...style,
  size: Math.min(style.size, design.type.small.size) * 0.92,
  weight: 'regular',
  color: style.color === palette.paper ? style.color : palette.faint,
})

/** Returns the width of a label with its translation on a separate line: the width of the wider text. */
export function labelWidth(context: LayoutContext, { text, second = '' }: Label, style: TextStyle): number {
  return Math.max(
    textWidth(inOneLine(text), style),
    textWidth(inOneLine(second), secondStyle(context, style)),
  )
}

/** Returns a label with its translation into the second language below. */
export function labelBox(
  context: LayoutContext,
  { text, second }: Label,
  style: TextStyle,
  width: number,
  options: { part?: StructureElement | null; align?: Align } = {},
): Box {
  const first = textBox(text, style, width, options)
  if (!second) return first
  const below = secondStyle(context, style)
  return stack([first, textBox(second, { ...below, leading: below.size * 1.3 }, width, options)])
}

/** Returns a label with its translation on the same line if it fits, otherwise below. */
export function labelLine(
  context: LayoutContext,
  label: Label,
  style: TextStyle,
  width: number,
  options: { part?: StructureElement | null; align?: Align } = {},
): Box {
  const { text, second } = label
  if (!second) return textBox(text, style, width, options)
  const below = { ...secondStyle(context, style), leading: style.leading }
  const [first, ...more] = wrapText(text, style, width)
  const [other, ...others] = wrapText(second, below, width)
  const together = required(first).width + BETWEEN + required(other).width
  if (more.length > 0 || others.length > 0 || together > width)
    return labelBox(context, label, style, width, options)
  const left = { start: 0, middle: (width - together) / 2, end: width - together }[options.align ?? 'start']
  const one = linesBox([required(first)], style, required(first).width, { part: options.part ?? null })
  const two = linesBox([required(other)], below, required(other).width, { part: options.part ?? null })
  return {
    width,
    height: style.leading,
    at: (x, y) => [...one.at(x + left, y), ...two.at(x + left + required(first).width + BETWEEN, y)],
  }
}

/** Returns the width of a label with both languages in one line. */
export function lineWidth(context: LayoutContext, { text, second }: Label, style: TextStyle): number {
  const first = textWidth(inOneLine(text), style)
  return second ? first + BETWEEN + textWidth(inOneLine(second), secondStyle(context, style)) : first
}
