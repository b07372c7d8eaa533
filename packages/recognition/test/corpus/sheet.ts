/** A document as positioned marks, for PDF libraries that place each text. */

import type { Whole } from './truth.ts'

export interface TextMark {
  readonly text: string
  readonly x: number
  /** Position of the baseline, measured from the top. */
  readonly y: number
  readonly size: number
  readonly bold: boolean
  readonly align: 'left' | 'right'
}

export interface RuleMark {
  readonly x: number
  readonly y: number
  readonly width: number
}

export interface CodeMark {
  readonly x: number
  readonly y: number
  readonly side: number
}

export interface SheetPage {
  readonly texts: readonly TextMark[]
  readonly rules: readonly RuleMark[]
  readonly codes: readonly CodeMark[]
}

/** Pages of marks, with lengths in points. */
export interface Sheet {
  readonly width: number
  readonly height: number
  readonly pages: readonly SheetPage[]
}

/** Collects the marks of a page. */
export class Paper {
  readonly texts: TextMark[] = []
  readonly rules: RuleMark[] = []
  readonly codes: CodeMark[] = []

  print(x: number, y: number, text: string, size = 10, bold = false): void {
    this.texts.push({ text, x, y, size, bold, align: 'left' })
  }

  /** Prints text right-aligned at `x`. */
  printRight(x: number, y: number, text: string, size = 10, bold = false): void {
    this.texts.push({ text, x, y, size, bold, align: 'right' })
  }

  /** Prints texts below each other, and returns the position below the last one. */
  stack(x: number, y: number, size: number, texts: readonly string[], step = size + 3): number {
    texts.forEach((text, at) => {
      this.print(x, y + at * step, text, size)
    })
    return y + texts.length * step
  }

  /** Prints a row of texts. The first `left` texts start at their positions, the others end there. */
  row(
    y: number,
    places: readonly number[],
    texts: readonly string[],
    size = 9,
    left = 1,
    bold = false,
  ): void {
    texts.forEach((text, at) => {
      if (at < left) this.print(places[at] ?? 0, y, text, size, bold)
      else this.printRight(places[at] ?? 0, y, text, size, bold)
    })
  }

  /** Prints rows below each other, `step` apart. */
  rows(
    y: number,
    step: number,
    places: readonly number[],
    rows: readonly (readonly string[])[],
    size = 9,
    left = 1,
  ): void {
    rows.forEach((texts, at) => {
      this.row(y + at * step, places, texts, size, left)
    })
  }

  rule(x: number, y: number, width: number): void {
    this.rules.push({ x, y, width })
  }

  code(x: number, y: number, side = 95): void {
    this.codes.push({ x, y, side })
  }
}

export const a4 = (...pages: readonly Paper[]): Sheet => ({ width: 595, height: 842, pages })

/** Makes the layout of an invoice of a single page. */
export const onePage =
  (draw: (paper: Paper, truth: Whole) => void) =>
  (truth: Whole): Sheet => {
    const paper = new Paper()
    draw(paper, truth)
    return a4(paper)
  }
