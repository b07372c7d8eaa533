/**
 * Sends statements without waiting for them if they only prepare the next one and return no rows. PostgreSQL receives
 * both at once. If one fails, every later statement fails until the transaction is rolled back.
 */

const SENT_AHEAD = /^(?:begin$|release savepoint |set local |savepoint )/
const PENDING_RESULT = { command: '', rowCount: null, rows: [], fields: [] }

const ignore = (): void => {}

/** The statements of one connection. */
export class StatementPipeline {
  /** Rejects if a statement failed that was not waited for. */
  #sent: Promise<unknown> = Promise.resolve()

  /** Returns the result of `send`, or an empty one at once for a statement that is sent ahead. */
  async query(text: string, send: () => Promise<unknown>): Promise<unknown> {
    if (text === 'rollback') this.#sent = Promise.resolve()
    // PostgreSQL answers the COMMIT of a failed transaction as if it were done, so the failure must surface first.
    if (text === 'commit') await this.#sent
    const before = this.#sent
    const result = send()
    result.catch(ignore)
    if (SENT_AHEAD.test(text)) {
      // Keeps the first failure, which caused the later ones.
      this.#sent = before.then(() => result)
      this.#sent.catch(ignore)
      return PENDING_RESULT
    }
    await before
    return result
  }
}
