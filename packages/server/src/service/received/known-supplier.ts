/** Reads earlier invoices of a supplier, as evidence for recognition. Only invoices of the same company are used. */
import type { KnownSupplier } from 'cuadra-recognition/fields/index.ts'
import { unchangedCanonical } from '../../store/invoices.ts'
import type { CompanyStore } from '../../store/store.ts'

/** Maximum number of the supplier's latest invoices to read. */
const LATEST = 20
/** Minimum number of invoices from which to infer whether the supplier withholds tax. */
const ENOUGH = 2

/** Returns the known data of a supplier; undefined if the company has no valid invoice from this supplier. */
export async function knownSupplier(
  store: CompanyStore,
  taxId: string | undefined,
): Promise<KnownSupplier | undefined> {
  if (!taxId) return undefined
  const rows = await store
    .find('invoices', { direction: 'received', supplier_tax_id: taxId, status: 'received' })
    .select(['invoice_id', 'number', 'issue_year'])
    .orderBy('created_at', 'desc')
    .orderBy('invoice_id', 'desc')
    .limit(LATEST)
    .execute()
  if (rows.length === 0) return undefined
  const documents = await store
    .select('invoice_documents')
    .select(['invoice_id', 'canonical', 'canonical_digest'])
    .where(
      'invoice_id',
      'in',
      rows.map(({ invoice_id }) => invoice_id),
    )
    .execute()
  const byId = new Map(documents.map((row) => [row.invoice_id, unchangedCanonical(row)]))
  const invoices = rows.flatMap(({ invoice_id }) => byId.get(invoice_id)?.invoice ?? [])
  const [latest] = invoices
  if (!latest) return undefined
  const withheld = invoices.filter(({ totals }) => (totals.total_taxes_withheld ?? 0) !== 0).length
  const accounts = invoices.flatMap(({ payment_details = [] }) =>
    payment_details.flatMap(({ iban_account_to_be_credited: iban }) => iban ?? []),
  )
  const isMixed = invoices.length < ENOUGH || (withheld > 0 && withheld < invoices.length)
  return {
    tax_id: taxId,
    name: latest.supplier.name ?? '',
    invoices: rows.map(({ number, issue_year }) => ({
      number: number ?? '',
      year: String(issue_year ?? ''),
    })),
    accounts: [...new Set(accounts)],
    withholds: isMixed ? undefined : withheld > 0,
  }
}
