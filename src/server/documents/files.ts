/** The port behind which attached files are: a folder here, an object store where there is one. */
import type { Readable } from 'node:stream'

export interface Files {
  /** Writes a file so that it survives a power failure once the promise resolves. Rejects, and leaves a part, when it cannot. */
  readonly write: (key: string, content: Readable) => Promise<void>
  /** The bytes of a file. Rejects when it is not there. */
  readonly read: (key: string) => Promise<Readable>
  /** Removes a file; one that is not there is no mistake. */
  readonly remove: (key: string) => Promise<void>
  /** Keys of all files of a company: for the audit that looks for orphans. */
  readonly list: (companyId: string) => AsyncIterable<string>
}
