import { setTimeout as sleep } from 'node:timers/promises'

export interface Patience {
  /** The limit, 30 seconds by default. */
  readonly seconds?: number
  /** Time between two checks. */
  readonly everyMs?: number
}

/**
 * Waits until a condition holds, and returns its value. Throws after the limit, and names what it waited for, such as
 * `the invoice is accepted`.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  what: string,
  { seconds = 30, everyMs = 10 }: Patience = {},
): Promise<NonNullable<T>> {
  const limit = Date.now() + seconds * 1000
  for (;;) {
    const value = await condition()
    if (value) return value
    if (Date.now() > limit) throw new Error(`Not within ${seconds} s: ${what}`)
    await sleep(everyMs)
  }
}

/** Starts a server on the port of an earlier one, once no other process of the machine uses it. */
export const startAgain = <T>(start: () => Promise<T>): Promise<NonNullable<T>> =>
  until(
    () =>
      start().catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null
        throw error
      }),
    'the port of the earlier server is free',
  )
