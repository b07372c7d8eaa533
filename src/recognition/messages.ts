/** Messages between the server and the reading process. */
import type { Reading } from './material.ts'

export interface Order {
  readonly bytes: Uint8Array
}

/** `ready` is sent once, when all libraries are loaded; then one reading for each order. */
export type Report = { readonly ready: true } | Reading
