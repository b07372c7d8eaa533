/** What a file may be, before anybody looks into it. */

export const MAX_BYTES = 10 * 1024 * 1024
/** Of a PDF or a TIFF. */
export const MAX_PAGES = 8
/** Of one picture: a sheet of A4 at 900 dots per inch has 78 million, a telephone's photograph 12 to 50 million. */
export const MAX_PIXELS = 80_000_000
