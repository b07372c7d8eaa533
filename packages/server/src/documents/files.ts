/** The interface for storing attached files. A folder or an object store can implement it. */
import type { Readable } from 'node:stream'

export interface Files {
  /** Writes a file durably. If this fails, it rejects, and may leave a partial file. */
  readonly write: (key: string, content: Readable) => Promise<void>
  /** Opens a file. Rejects if it does not exist. */
  readonly read: (key: string) => Promise<Readable>
  /** Removes a file if it exists. */
  readonly remove: (key: string) => Promise<void>
  /** Lists the keys of all files of a company, to find files without an attachment. */
  readonly list: (companyId: string) => AsyncIterable<string>
}
