/**
 * Statements that set the stage for the one after them, and answer nothing: they are sent, and not waited for.
 * PostgreSQL gets both in one go. Where one of them fails, so does whatever follows it until the transaction is undone.
 */

const AHEAD = /^(?:begin$|release savepoint |set local |savepoint )/
const ANSWER = { command: '', rowCount: null, rows: [], fields: [] }

const ignore = (): void => {}

/** The statements of one connection. */
export class Ahead {
  /** Fails where one of those that were not waited for did. */
  #sent: Promise<unknown> = Promise.resolve()

  /** Answers what `send` will, or at once where the statement is one of those. */
  async query(text: string, send: () => Promise<unknown>): Promise<unknown> {
    if (text === 'rollback') this.#sent = Promise.resolve()
    // Of what has failed nothing is kept, and its COMMIT would be answered as one that was done.
    if (text === 'commit') await this.#sent
    const before = this.#sent
    const answer = send()
    answer.catch(ignore)
    if (AHEAD.test(text)) {
      // The first failure is the cause of those after it.
      this.#sent = before.then(() => answer)
      this.#sent.catch(ignore)
      return ANSWER
    }
    await before
    return answer
  }
}
