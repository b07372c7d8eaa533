/** Loads everything that the page shows, in one round of calls to the API. */

import type { Call, CallResult } from './status-call.ts'
import type {
  Certificate,
  Chain,
  Company,
  Incident,
  Invoice,
  Page,
  SifEvent,
  SiiConfig,
  SiiDue,
  SiiSubmission,
  Submission,
  VerifactuConfig,
  VerifactuRecord,
} from './status-responses.ts'

/** An invoice with its records, oldest first. */
export interface InvoiceRecords {
  readonly invoice: Invoice
  readonly records: readonly VerifactuRecord[]
}

/** The responses of one round of API calls, made at each refresh. */
export type Round = Awaited<ReturnType<StatusLoader['round']>>

/** Maximum number of records of the chain to load, and of invoices to load for incidents and deadlines. */
const CHAIN_RECORDS = 30
const MAX_LOOKUPS = 12

type Settled<Promises> = { readonly [Name in keyof Promises]: Awaited<Promises[Name]> }

/** Awaits the promises of an object. */
async function allOf<Promises extends object>(promises: Promises): Promise<Settled<Promises>> {
  const settled = Object.entries(promises).map(async ([name, promise]) => [name, await promise] as const)
  return Object.fromEntries(await Promise.all(settled)) as Settled<Promises>
}

/** Loads the data of the status page at each refresh, and caches data that no longer changes. */
export class StatusLoader {
  readonly #call: Call
  #company: CallResult<Company> | undefined
  readonly #recorded = new Map<string, InvoiceRecords>()
  readonly #numbers = new Map<string, string>()

  constructor(call: Call) {
    this.#call = call
  }

  /** Returns an invoice with its records. Accepted records are cached until the invoice changes. */
  async #recordsOf(invoice: Invoice): Promise<CallResult<InvoiceRecords>> {
    const known = this.#recorded.get(invoice.id)
    if (known?.invoice.updated_at === invoice.updated_at && known.records.at(-1)?.estado === 'accepted')
      return { ok: true, value: known }
    const called = await this.#call<readonly VerifactuRecord[]>(`/invoices/${invoice.id}/verifactu/records`)
    if (!called.ok) return called
    const value = { invoice, records: called.value }
    this.#recorded.set(invoice.id, value)
    return { ok: true, value }
  }

  /** Returns the invoice with this number, and its records. */
  async find(number: string): Promise<CallResult<InvoiceRecords | null>> {
    const found = await this.#call<Page<Invoice>>(
      `/issued-invoices?limit=1&number=${encodeURIComponent(number)}`,
    )
    if (!found.ok) return found
    const [invoice] = found.value.items
    return invoice ? this.#recordsOf(invoice) : { ok: true, value: null }
  }

  async #affected(incidents: CallResult<Page<Incident>>): Promise<ReadonlyMap<string, InvoiceRecords>> {
    const affected = new Map<string, InvoiceRecords>()
    if (!incidents.ok) return affected
    const numbers = [...new Set(incidents.value.items.map(({ num_serie }) => num_serie))].slice(
      0,
      MAX_LOOKUPS,
    )
    await Promise.all(
      numbers
        .filter((number) => number !== '')
        .map(async (number) => {
          const found = await this.find(number)
          if (found.ok && found.value) affected.set(number, found.value)
        }),
    )
    return affected
  }

  async #named(due: CallResult<Page<SiiDue>>): Promise<ReadonlyMap<string, string>> {
    const items = due.ok ? due.value.items.slice(0, MAX_LOOKUPS) : []
    await Promise.all(
      items
        .filter(({ invoice_public_id: id }) => !this.#numbers.has(id))
        .map(async ({ invoice_public_id: id, book_type }) => {
          const kind = book_type === 'ISSUED' ? 'issued' : 'received'
          const found = await this.#call<Invoice>(`/${kind}-invoices/${id}`)
          if (found.ok && found.value.number) this.#numbers.set(id, found.value.number)
        }),
    )
    return this.#numbers
  }

  async round() {
    const call = this.#call
    if (!this.#company?.ok) this.#company = await call<Company>('/company')
    const responses = await allOf({
      verifactu: call<VerifactuConfig>('/verifactu/config'),
      submissions: call<Page<Submission>>('/verifactu/submissions?limit=10'),
      incidents: call<Page<Incident>>('/verifactu/incidents?limit=100'),
      certificates: call<readonly Certificate[]>('/certificates'),
      sii: call<SiiConfig>('/sii/config'),
      due: call<Page<SiiDue>>('/sii/deadlines?limit=200'),
      siiSubmissions: call<Page<SiiSubmission>>('/sii/submissions?limit=10'),
      chain: call<Chain>(`/verifactu/chain?limit=${CHAIN_RECORDS}`),
    })
    const isNoVerifactu = responses.verifactu.ok && responses.verifactu.value.mode === 'no_verifactu'
    const further = await allOf({
      events: isNoVerifactu ? call<readonly SifEvent[]>('/verifactu/sif?limit=10') : null,
      /** Invoices with incidents, by number. */
      affected: this.#affected(responses.incidents),
      /** Numbers of the invoices that are due, by id. */
      numbers: this.#named(responses.due),
    })
    return { company: this.#company, ...responses, ...further, at: Date.now() }
  }
}

/** Returns the active certificate from the list of certificates. */
export function activeCertificate({ verifactu, certificates }: Round): Certificate | undefined {
  const active = verifactu.ok ? verifactu.value.active_certificate : null
  const known = certificates.ok ? certificates.value : []
  return known.find(({ fingerprint }) => fingerprint === active?.fingerprint)
}

/** Returns the most serious failure of a round of API calls, such as an invalid key or the rate limit. */
export function roundFailure(round: Round) {
  const all = [round.company, round.verifactu, round.submissions, round.incidents, round.sii, round.chain]
  const refusals = all.flatMap((one) => (one.ok ? [] : [one.failure]))
  return (
    refusals.find(({ status }) => status === 401) ??
    refusals.find(({ status, code }) => status === 402 || code === 'ip_forbidden') ??
    refusals.find(({ status }) => status === 429) ??
    refusals.find(({ status }) => status === 0 || status >= 500)
  )
}
