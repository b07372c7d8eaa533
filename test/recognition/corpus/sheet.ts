/** A document as positioned marks, for PDF libraries that place each text. */

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

  rule(x: number, y: number, width: number): void {
    this.rules.push({ x, y, width })
  }

  code(x: number, y: number, side = 95): void {
    this.codes.push({ x, y, side })
  }
}
