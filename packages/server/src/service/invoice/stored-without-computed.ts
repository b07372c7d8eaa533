/** Returns a stored invoice in the form that a client could send. */
import type { Operation, Options } from '#core/invoice/index.ts'
import { canonicalIn, type InvoiceRow, isDraftKind, type StoredDocument } from '../../store/invoices.ts'
import { type Call, clientOf } from '../access/call.ts'

/** Returns the operation that saved the invoice. */
function operationOf(row: InvoiceRow): Operation {
  if (row.direction === 'received') return 'received'
  if (isDraftKind(row)) return 'draft'
  return row.imported === 1 ? 'import' : 'issue'
}

/** Returns the document of an invoice as JSON, without the values that the engine computed. */
export function storedWithoutComputed(
  call: Call,
  row: InvoiceRow,
  document: StoredDocument & { readonly canonical: string },
): Promise<string> {
  const { exchange_rate, exchange_rate_date } =
    canonicalIn(document).invoice.issue_data.invoice_currency ?? {}
  const options: Options = {
    operation: operationOf(row),
    totals: 'check',
    company: call.company.data,
    today: call.app.clock.today(),
    exchange_rate: exchange_rate && exchange_rate_date ? { exchange_rate, exchange_rate_date } : null,
  }
  const { sent, canonical } = document
  const stored = { sent, canonical, isDraft: isDraftKind(row), options }
  return call.app.work.withoutComputed(stored, clientOf(call))
}
