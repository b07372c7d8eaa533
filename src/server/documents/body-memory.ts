/** Limits the memory of all bodies and responses that are handled at the same time. Companies have shares of it. */
import { Shares } from '../../turns/shares.ts'
import { LARGE_BODY_BYTES, MAX_BATCH_BYTES } from '../environment/limits.ts'
import { unavailable } from '../errors/unavailable.ts'

const FIRST_BYTES = 16 * 1024

/** The memory of one request: of its body, then of its response. */
export interface Held {
  /** Sets its size. Throws `service_unavailable` if the company has no memory left. */
  readonly resize: (bytes: number) => void
  /** Adds what ends when the request is handled, or its memory released. */
  readonly add: (end: () => void) => void
  /** Ends what was added. A client that reads its response slowly holds only memory. */
  readonly end: () => void
  readonly release: () => void
}

/**
 * Returns a function that begins to hold memory for a body of a company. Small bodies share memory of their own, so large
 * bodies never refuse them.
 */
export function createBodyMemory(largest = MAX_BATCH_BYTES): (company: string) => Held {
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
 * Returns a function that copies the chunks of a body of up to `most` bytes into one buffer, and returns the bytes so
 * far. If each byte arrived as a chunk, a list of chunks would take a hundred times the size.
 */
export function createCollector(held: Held, most: number): (chunk: Buffer) => Buffer {
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
