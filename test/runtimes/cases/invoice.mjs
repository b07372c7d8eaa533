/** The text of an invoice that is right, to be wrapped and broken. */
import { readFileSync } from 'node:fs'

export const INVOICE = readFileSync(
  new URL('../../../examples/01-services-irpf.json', import.meta.url),
  'utf8',
)
