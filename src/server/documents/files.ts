/** The interface to attached files, which a folder or an object store can implement. */
import type { Readable } from 'node:stream'

export interface Files {
  /** Writes a file durably. Rejects, and may leave a partial file, if that fails. */
  readonly write: (key: string, content: Readable) => Promise<void>
  /** Opens a file. Rejects if it does not exist. */
  readonly read: (key: string) => Promise<Readable>
  /** Removes a file, if it exists. */
  readonly remove: (key: string) => Promise<void>
  /** Lists the keys of all files of a company, for the search for orphans. */
  readonly list: (companyId: string) => AsyncIterable<string>
}
