/** The code for opening and downloading files, loaded on first use. */
export { DownloadDialog } from './download.tsx'
export { Notice, textOf } from './notice.tsx'
