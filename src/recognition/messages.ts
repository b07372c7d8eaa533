/** Messages between the server and the reading process. */
import type { Reading } from './material.ts'

/** What is read of a file: its text, or all including its pixels. */
export type Need = 'text' | 'pixels'

export interface Order {
  readonly bytes: Uint8Array
  /** With `text`, a file that cannot be read without its pixels is returned unread. */
  readonly need: Need
  /** Reads pixels at a higher resolution, which is slower and helps with some poor print. */
  readonly isFine: boolean
}

/** Result of an order. `needs` returns a file unread. */
export type OrderResult = Reading | { readonly needs: 'pixels' }

/** `ready` is sent once, when all libraries are loaded; then one reading for each order. */
export type Report = { readonly ready: true } | OrderResult
