/** What is read out of a file before anybody asks what it means. */

export type FileKind = 'pdf' | 'jpeg' | 'png' | 'tiff'

/** A word with its place, in points of 1/72 inch from the upper left corner of its upright page. */
export interface Word {
  readonly text: string
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Words on one line of print, from left to right. */
export interface Row {
  readonly words: readonly Word[]
  /** Joined by spaces. */
  readonly text: string
}

export interface Page {
  readonly width: number
  readonly height: number
  /** From top to bottom. */
  readonly rows: readonly Row[]
  /** Where the words come from: the file says them, or they were guessed from pixels. */
  readonly source: 'text' | 'ocr'
}

export interface Material {
  readonly kind: FileKind
  readonly pages: readonly Page[]
  /** An invoice inside a PDF (Factur-X, ZUGFeRD, Facturae, UBL), as it was attached. */
  readonly xml: { readonly name: string; readonly bytes: Uint8Array } | null
  /** What the QR codes on the pages say, in the order in which they were found. */
  readonly codes: readonly string[]
}

/** Why a file is not read: `reason` goes to the client, in words of the table of refusals. */
export type Unreadable =
  | 'empty'
  | 'too_large'
  | 'unknown_type'
  | 'too_many_pages'
  | 'too_many_pixels'
  | 'encrypted'
  | 'broken'
  | 'out_of_time'
  | 'out_of_memory'

/** Why no file is read now: the file is not to blame. */
export type Unavailable =
  /** Too many wait already. */
  | 'busy'
  | 'closing'
  /** The libraries are not there, or do not start. */
  | 'not_installed'

export type Reading =
  | { readonly material: Material }
  | { readonly unreadable: Unreadable }
  | { readonly unavailable: Unavailable }
