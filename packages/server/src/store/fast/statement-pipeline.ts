/**
 * Matches statements that return no rows and only prepare the next statement. They are sent without waiting for their
 * result, so that PostgreSQL receives both statements together. If such a statement fails, all later statements fail
 * until the transaction is rolled back.
 */

const SENT_AHEAD = /^(?:begin$|release savepoint |set local |savepoint )/
const PENDING_RESULT = { command: '', rowCount: null, rows: [], fields: [] }

const ignore = (): void => {}

/** Sends the statements of one connection. */
export class StatementPipeline {
  /** `onError` receives the errors of all statements. */
  constructor(readonly onError: (error: unknown) => void = () => {}) {}

  /** Rejects if a statement that was sent ahead has failed. */
  #sent: Promise<unknown> = Promise.resolve()

  /** Returns the result of `send`. If the statement is sent ahead, returns an empty result immediately. */
  async query(text: string, send: () => Promise<unknown>): Promise<unknown> {
    if (text === 'rollback') this.#sent = Promise.resolve()
    // PostgreSQL reports no error for the COMMIT of a failed transaction, so an earlier failure must be thrown here.
    if (text === 'commit') await this.#sent
    const before = this.#sent
    const result = send()
    result.catch(this.onError)
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
