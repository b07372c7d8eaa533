/**
 * Divides the connections of a pool among companies. If the database node of one company does not respond, that
 * company's requests keep their connections until they time out. The limit leaves connections for other companies.
 */
import type { ConnectionProvider } from 'kysely'

/** Milliseconds that a request waits for a connection; the same as in the pool itself. */
export const CONNECTION_TIMEOUT_MS = 10_000

interface Waiting {
  readonly companyId: string
  readonly begin: () => void
}

export class Shares {
  readonly #held = new Map<string, number>()
  #free: number
  /** Requests that wait for a connection, in order of arrival. */
  readonly #waiting = new Set<Waiting>()

  constructor(
    size: number,
    readonly timeout = CONNECTION_TIMEOUT_MS,
  ) {
    this.#free = size
  }

  /**
   * Returns whether a company may take one more connection: it must hold fewer than are free. One company alone gets
   * half of the pool, two companies a third each. Some connections therefore stay free for another company.
   */
  #mayTake(companyId: string): boolean {
    const held = this.#held.get(companyId) ?? 0
    return held < this.#free
  }

  #take(companyId: string): void {
    this.#free -= 1
    this.#held.set(companyId, (this.#held.get(companyId) ?? 0) + 1)
  }

  #giveBack(companyId: string): void {
    this.#free += 1
    const held = (this.#held.get(companyId) ?? 1) - 1
    if (held > 0) this.#held.set(companyId, held)
    else this.#held.delete(companyId)
    for (const one of this.#waiting) if (this.#mayTake(one.companyId)) one.begin()
  }

  #wait(companyId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(waiting)
      }
      const waiting: Waiting = {
        companyId,
        begin: () => {
          leave()
          this.#take(companyId)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        leave()
        reject(
          new Error('timeout exceeded when trying to connect: this company has its share of the connections'),
        )
      }, this.timeout)
      this.#waiting.add(waiting)
    })
  }

  /** Returns a connection provider for the statements of one company. */
  of(companyId: string, provider: ConnectionProvider): ConnectionProvider {
    return {
      provideConnection: async (consumer) => {
        if (this.#mayTake(companyId)) this.#take(companyId)
        else await this.#wait(companyId)
        try {
          return await provider.provideConnection(consumer)
        } finally {
          this.#giveBack(companyId)
        }
      },
    }
  }
}
