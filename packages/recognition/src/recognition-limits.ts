/** Maximum size of a file in bytes, checked before the file is decoded. */

export const MAX_BYTES = 10 * 1024 * 1024
/** Maximum number of pages of a PDF or a TIFF. */
export const MAX_PAGES = 8
/** Maximum number of pixels of a picture. A4 at 900 dots per inch has 78 million, a phone's photo 12 to 50 million. */
export const MAX_PIXELS = 80_000_000
