/** The content extracted from a file, before it is interpreted. */

export type FileKind = 'pdf' | 'jpeg' | 'png' | 'tiff'

/** A word with its box, in points of 1/72 inch from the top left corner of the upright page. */
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
  /** The words, joined by spaces. */
  readonly text: string
}

export interface Page {
  readonly width: number
  readonly height: number
  /** From top to bottom. */
  readonly rows: readonly Row[]
  /** Texts printed at an angle, such as a watermark. */
  readonly marks?: readonly string[]
  /** Origin of the words: the text layer of the file, or recognised from pixels. */
  readonly source: 'text' | 'ocr'
}

export interface FileContent {
  readonly kind: FileKind
  readonly pages: readonly Page[]
  /** Invoice embedded in a PDF (Factur-X, ZUGFeRD, Facturae, UBL), as attached. */
  readonly xml: { readonly name: string; readonly bytes: Uint8Array } | null
  /** Contents of the QR codes on the pages, in the order in which they were found. */
  readonly codes: readonly string[]
}

/** The reason why a file is refused. The API maps it to an error code and a message. */
export type UnreadableReason =
  | 'empty'
  | 'too_large'
  | 'unknown_type'
  | 'too_many_pages'
  | 'too_many_pixels'
  | 'encrypted'
  | 'broken'
  | 'out_of_time'
  | 'out_of_memory'

/** The reason why no file can be read now, whatever its content. */
export type UnavailableReason =
  /** Too many files are waiting. */
  | 'busy'
  /** The client disconnected while its file was waiting. */
  | 'left'
  | 'closing'
  /** The libraries are not installed, or do not start. */
  | 'not_installed'

export type Reading =
  | { readonly material: FileContent }
  | { readonly unreadable: UnreadableReason }
  | { readonly unavailable: UnavailableReason }
