export { ioReason } from './io-reason.ts'
export { printable } from './printable.ts'
export { type Align, table } from './terminal-table.ts'
