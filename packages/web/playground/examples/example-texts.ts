/** Texts of the examples, unchanged from their files. */
import { blankInvoiceText } from './blank-example.ts'

const FILES = import.meta.glob<string>(
  ['../../../../examples/*.json', '../../../../examples/wrong/everything-wrong.json'],
  { query: '?raw', import: 'default', eager: true },
)
const nameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1, -'.json'.length)

export const TEXTS: Readonly<Record<string, string>> = {
  blank: blankInvoiceText,
  ...Object.fromEntries(Object.entries(FILES).map(([file, text]) => [nameOf(file), text])),
}
