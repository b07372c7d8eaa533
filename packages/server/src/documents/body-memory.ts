/** Limits the memory of all request bodies and responses handled at the same time. Each company has a share of it. */
import { Shares } from '#core/turns/index.ts'
import { LARGE_BODY_BYTES, MAX_BATCH_BYTES } from '../environment/server-limits.ts'
import { unavailable } from '../errors/unavailable.ts'

const FIRST_BYTES = 16 * 1024

/** The memory that is reserved for one request: first for its body, then for its response. */
export interface MemoryReservation {
  /** Sets the number of reserved bytes. Throws `service_unavailable` if they exceed the company's share. */
  readonly resize: (bytes: number) => void
  /** Registers a function that `end` or `release` will call. */
  readonly add: (end: () => void) => void
  /** Calls the registered functions, but keeps the memory reserved, because the client may read its response slowly. */
  readonly end: () => void
  readonly release: () => void
}

/**
 * Returns a function that creates the memory reservation for a request of a company. Small bodies have a separate
 * memory budget, so that they are never refused because of large bodies.
 */
export function createBodyMemory(largest = MAX_BATCH_BYTES): (company: string) => MemoryReservation {
  const large = new Shares(4 * largest)
  const small = new Shares(largest)
  return (company) => {
    let shares = small
    let held = 0
    const ends: (() => void)[] = []
    const giveBack = () => {
      shares.giveBack(company, held)
      held = 0
    }
    const end = () => {
      for (const one of ends.splice(0)) one()
    }
    return {
      resize: (bytes) => {
        const next = bytes > LARGE_BODY_BYTES ? large : small
        if (!next.take(company, next === shares ? bytes - held : bytes)) throw unavailable('busy')
        if (next !== shares) giveBack()
        shares = next
        held = bytes
      },
      add: (one) => void ends.push(one),
      end,
      release: () => {
        giveBack()
        end()
      },
    }
  }
}

/**
 * Returns a function that appends each chunk to one buffer and returns all bytes received so far. The body may have up
 * to `most` bytes. A list of one-byte chunks would take a hundred times the memory.
 */
export function createCollector(held: MemoryReservation, most: number): (chunk: Buffer) => Buffer {
  let bytes = Buffer.alloc(0)
  let length = 0
  return (chunk) => {
    const needed = length + chunk.length
    if (needed > bytes.length) {
      const size = Math.min(most, Math.max(needed, 2 * bytes.length, FIRST_BYTES))
      held.resize(size)
      const larger = Buffer.allocUnsafe(size)
      bytes.copy(larger, 0, 0, length)
      bytes = larger
    }
    chunk.copy(bytes, length)
    length = needed
    return bytes.subarray(0, length)
  }
}
