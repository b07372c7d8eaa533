/** What the server and the process that reads say to each other. */
import type { Reading } from './material.ts'

export interface Order {
  readonly bytes: Uint8Array
}

/** `ready` comes once, when all libraries are loaded; then one reading for each order. */
export type Report = { readonly ready: true } | Reading
