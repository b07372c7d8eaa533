/**
 * Divides the connections of a pool among companies. If the database node of one company does not respond, that
 * company's requests keep their connections until they time out. The limit leaves connections for other companies.
 */
import type { ConnectionProvider } from 'kysely'
import { Shares } from '#core/turns/index.ts'

/** Milliseconds that a request waits for a connection; the same as in the pool itself. */
export const CONNECTION_TIMEOUT_MS = 10_000

interface Waiting {
  readonly companyId: string
  readonly begin: () => void
}

export class ConnectionShares {
  readonly #shares: Shares
  /** Requests that wait for a connection, in order of arrival. */
  readonly #waiting = new Set<Waiting>()

  constructor(
    size: number,
    readonly timeout = CONNECTION_TIMEOUT_MS,
  ) {
    this.#shares = new Shares(size)
  }

  #giveBack(companyId: string): void {
    this.#shares.giveBack(companyId, 1)
    for (const one of this.#waiting) if (this.#shares.take(one.companyId, 1)) one.begin()
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
        if (!this.#shares.take(companyId, 1)) await this.#wait(companyId)
        try {
          return await provider.provideConnection(consumer)
        } finally {
          this.#giveBack(companyId)
        }
      },
    }
  }
}
