/** What is loaded once somebody brings a file or wants one: the formats with their shapes, and what shows them. */
export { DownloadDialog } from './download.tsx'
export { Notice, textOf } from './notice.tsx'
