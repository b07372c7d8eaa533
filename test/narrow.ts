/** Narrows values of unknown or wide types, and fails where they are something else. */
import type { AddressInfo } from 'node:net'

/** Returns the port of a listening server. */
export function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error(`No port: ${address}`)
  return address.port
}

/** Returns the message of a caught error. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) throw new Error('not an Error', { cause: error })
  return error.message
}
