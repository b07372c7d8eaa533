/** The golden invoices as issued: with number, date and addresses. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type CanonicalInvoice, type Options, validate } from '#engine/index.ts'

const ROOT = fileURLToPath(new URL('../cases/', import.meta.url))
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

/** Documents of any shape. */
type Loose = any

export interface Golden {
  readonly name: string
  readonly input: Loose
  readonly options: Options
}

export const GOLDEN: readonly Golden[] = readdirSync(ROOT)
  .filter((name) => existsSync(`${ROOT}${name}/input.json`))
  .sort()
  .map((name) => ({
    name,
    input: read(`${ROOT}${name}/input.json`),
    options: existsSync(`${ROOT}${name}/options.json`) ? read(`${ROOT}${name}/options.json`) : {},
  }))

const AT_HOME = {
  address: 'Calle Inventada, 7',
  post_code: '28013',
  town: 'Madrid',
  country_subdivision: { name: 'Madrid' },
}
const ABROAD = { address: 'Rue Inventée 7', post_code: '75001', town: 'Paris' }

function completeParty(party: Loose): void {
  const home = (party.country_code ?? 'ES') === 'ES'
  const sent = party.company?.address ?? party.person?.address
  const address = { ...(home ? AT_HOME : ABROAD), ...sent }
  party.tax_id ??= home ? 'B77777779' : 'FR40303265045'
  if (party.person_type_code === 'F')
    party.person = { first_name: 'Ana', first_surname: 'Inventada', ...party.person, address }
  else party.company = { ...party.company, address }
}

/** Adds what an export requires and many drafts lack. */
function completed(input: Loose): Loose {
  const document = structuredClone(input)
  const { invoice } = document
  invoice.header.invoice_number ??= `${invoice.header.invoice_series_code ?? ''}-0001`
  invoice.issue_data.issue_date ??= '2026-03-16'
  invoice.supplier.tax_id ??= 'B12345674'
  invoice.customer ??= { name: 'Cliente Inventado, S.L.', tax_id: 'B77777779', person_type_code: 'J' }
  completeParty(invoice.supplier)
  completeParty(invoice.customer)
  return document
}

export interface Issued {
  readonly name: string
  readonly data: CanonicalInvoice
  readonly operation: 'received' | 'import'
  readonly isValid: boolean
}

/** Returns every golden invoice that the engine can calculate once it is complete. */
export function issuedGoldens(): Issued[] {
  return GOLDEN.flatMap(({ name, input, options }) => {
    if (!input?.invoice?.supplier || !input.invoice.header || !input.invoice.issue_data) return []
    const received = options.operation === 'received' || input.meta?.direction === 'received'
    const operation = received ? 'received' : 'import'
    const { data, is_valid: isValid } = validate(completed(input), { ...options, operation })
    return data === null ? [] : [{ name, data, operation, isValid }]
  })
}
