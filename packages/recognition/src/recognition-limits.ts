/** Limits of one file. */

/** Maximum size in bytes, checked before the file is decoded. */
export const MAX_BYTES = 10 * 1024 * 1024
/** Maximum number of pages of a PDF or a TIFF. */
export const MAX_PAGES = 8
/** Maximum number of pixels of a picture. A4 at 900 dots per inch has 78 million, a phone's photo 12 to 50 million. */
export const MAX_PIXELS = 80_000_000
/**
 * Maximum times in milliseconds: for the text of a file, for its pixels, and until its answer, which includes waiting,
 * the start of a process and a second, finer reading. Reading the text of eight pages takes a second, reading their
 * pixels half a minute on a busy machine.
 */
export const MAX_TIMES_MS = { text: 15_000, pixels: 45_000, answer: 90_000 }
