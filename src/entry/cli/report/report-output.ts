/** Writes the parts of a report in order, with separators, and waits for slow readers. */
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { Operation } from '#engine/index.ts'
import type { Progress } from './progress.ts'
import type { Frame, Tally } from './reporter.ts'

/** Totals of a text that is not part of a report. */
const NOT_COUNTED: Tally = { documents: 0, invalid: 0, operations: {} }

export class Output<Reporting extends Frame = Frame> {
  documents = 0
  invalid = 0
  readonly operations: Partial<Record<Operation, number>> = {}
  #started = false

  constructor(
    readonly stream: Writable,
    readonly reporter: Reporting,
    readonly progress: Progress,
  ) {}

  async #write(text: string | Uint8Array): Promise<void> {
    if (text.length === 0) return
    this.progress.hide()
    if (!this.stream.write(text)) await once(this.stream, 'drain')
  }

  begin(): Promise<void> {
    return this.#write(this.reporter.begin ?? '')
  }

  /** Appends the text of one or more parts, which are already joined. */
  async append(text: string | Uint8Array, tally: Tally = NOT_COUNTED): Promise<void> {
    this.documents += tally.documents
    this.invalid += tally.invalid
    for (const [operation, count] of Object.entries(tally.operations) as [Operation, number][])
      this.operations[operation] = (this.operations[operation] ?? 0) + count
    if (text.length === 0) return
    const separator = this.#started ? (this.reporter.separator ?? '') : ''
    await this.#write(typeof text === 'string' ? separator + text : text)
    this.#started = true
  }

  end(): Promise<void> {
    return this.#write(this.reporter.end?.(this) ?? '')
  }
}
