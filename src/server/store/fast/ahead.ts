/**
 * Sends statements without waiting for them if they only prepare the next one and return no rows. PostgreSQL receives
 * both at once. If one fails, every later statement fails until the transaction is rolled back.
 */

const AHEAD = /^(?:begin$|release savepoint |set local |savepoint )/
const ANSWER = { command: '', rowCount: null, rows: [], fields: [] }

const ignore = (): void => {}

/** The statements of one connection. */
export class Ahead {
  /** Rejects if a statement failed that was not waited for. */
  #sent: Promise<unknown> = Promise.resolve()

  /** Returns the result of `send`, or an empty one at once for a statement that is sent ahead. */
  async query(text: string, send: () => Promise<unknown>): Promise<unknown> {
    if (text === 'rollback') this.#sent = Promise.resolve()
    // PostgreSQL answers the COMMIT of a failed transaction as if it were done, so the failure must surface first.
    if (text === 'commit') await this.#sent
    const before = this.#sent
    const answer = send()
    answer.catch(ignore)
    if (AHEAD.test(text)) {
      // Keeps the first failure, which caused the later ones.
      this.#sent = before.then(() => answer)
      this.#sent.catch(ignore)
      return ANSWER
    }
    await before
    return answer
  }
}
