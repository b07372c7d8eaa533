/** Samples and official schemas of the formats, from the reference folder, which a public clone lacks. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { schemaOf, type Validate } from '../official-schema.ts'
import { shared } from '../shared.ts'

const folder = fileURLToPath(shared('reference/formats/'))

/** Expected content of a sample. */
export interface Expected {
  readonly format: string
  readonly supplier_tax_id: string
  readonly customer_tax_id: string
  readonly series: string | null
  readonly number: string
  readonly issue_date: string
  readonly currency: string
  readonly total_base: string
  readonly total_tax: string
  readonly total_withheld: string
  readonly total: string
  readonly total_payable: string
  readonly lines: number
  readonly signed: boolean
}

export interface Sample {
  readonly file: string
  readonly note: string
  readonly invoices: readonly Expected[]
}

export const hasReference = existsSync(`${folder}samples/expected.json`)

const all: readonly Sample[] = hasReference
  ? JSON.parse(readFileSync(`${folder}samples/expected.json`, 'utf8')).valid
  : []

export const samplesOf = (format: string): readonly Sample[] =>
  all.filter(({ file }) => file.startsWith(`${format}/`))

export const sample = (file: string): Uint8Array => new Uint8Array(readFileSync(`${folder}samples/${file}`))

/** Returns a validator of an official Facturae schema, or null without the reference folder. */
export const facturaeSchema = (version: '3_2' | '3_2_1' | '3_2_2'): Validate | null =>
  hasReference ? schemaOf(`${folder}xsd/facturae/`, `Facturaev${version}.xsd`) : null
