/** The valid golden invoices and examples, normalised, with number and date as a service assigns them. */
import { readdirSync, readFileSync } from 'node:fs'
import { sum, toMinor, toNumber } from '#core/money/index.ts'
import { type CanonicalInvoice, type Options, validate } from '#engine/index.ts'

const folder = new URL('../cases/', import.meta.url)
const examples = new URL('../../examples/', import.meta.url)

const read = <Content>(path: URL): Content => JSON.parse(readFileSync(path, 'utf8'))
function optional<Content extends object>(path: URL): Content | undefined {
  try {
    return read(path)
  } catch {
    return undefined
  }
}

const numbered = (data: CanonicalInvoice, at: number): CanonicalInvoice => {
  const copy = structuredClone(data)
  copy.invoice.header.invoice_number = `G-${at + 1}`
  copy.invoice.issue_data.issue_date ??= '2027-06-30'
  return copy
}

export interface GoldenInvoice {
  readonly name: string
  readonly invoice: CanonicalInvoice
}

export interface GoldenInput {
  readonly name: string
  readonly input: unknown
  readonly options: Options
}

/** The documents of every golden case, its near miss, and every example. */
export function goldenInputs(): GoldenInput[] {
  const found: GoldenInput[] = []
  const add = (name: string, input: unknown, options: Options = {}) => found.push({ name, input, options })
  for (const name of readdirSync(folder).sort()) {
    add(name, read(new URL(`${name}/input.json`, folder)), optional(new URL(`${name}/options.json`, folder)))
    const near = optional<GoldenInput>(new URL(`${name}/near-miss.json`, folder))
    if (near) add(`${name} (near miss)`, near.input, near.options)
  }
  for (const name of readdirSync(examples).filter((file) => file.endsWith('.json')))
    add(name, read(new URL(name, examples)))
  return found
}

/** The inputs that validate without errors. */
export function goldenInvoices(): GoldenInvoice[] {
  const found: GoldenInvoice[] = []
  for (const { name, input, options } of goldenInputs()) {
    const { data, is_valid } = validate(input, options)
    if (is_valid && data) found.push({ name, invoice: numbered(data, found.length) })
  }
  return found
}

/** Returns the tax that the breakdown of an invoice adds up to. */
export const taxOf = ({ taxes_outputs = [] }: CanonicalInvoice['invoice']): number =>
  toNumber(sum(taxes_outputs.map(({ tax_amount }) => toMinor(tax_amount))))
