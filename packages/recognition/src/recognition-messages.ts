/** Messages between the server and the reading process. */
import type { Reading } from './material.ts'

/** The depth of reading: only the text of a file, or also its pixels. */
export type ReadingDepth = 'text' | 'pixels'

export interface ReadingRequest {
  readonly bytes: Uint8Array
  /** With `text`, a file that can only be read from its pixels is not read, and the result has `needs`. */
  readonly need: ReadingDepth
  /** Whether to read pixels at a higher resolution, which is slower and helps with some poor print. */
  readonly isFine: boolean
}

/** Result of an order. `needs` means that the file was not read because its pixels are needed. */
export type ReadingResult = Reading | { readonly needs: 'pixels' }

/** The child process sends `ready` once, when all libraries are loaded, and then one result for each order. */
export type ChildMessage = { readonly ready: true } | ReadingResult
