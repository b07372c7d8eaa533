/** A file of several invoices as files of one. */
import type { Tree } from '../model/index.ts'
import { invoicesOf } from './read.ts'
import { BATCH_TOTALS } from './sums.ts'

/** Each invoice with the header and the parties of the file; a signature was of the whole file, and is left out. */
export function splitFacturae({ Signature: _, ...tree }: Tree): Tree[] {
  const header = tree.FileHeader as Tree
  return invoicesOf(tree).map((invoice) => {
    const totals = invoice.need('InvoiceTotals')
    const amounts = BATCH_TOTALS.map(([name, total]) => [name, { TotalAmount: totals.tree[total] }])
    const batch = {
      ...(header.Batch as Tree),
      InvoicesCount: '1',
      ...Object.fromEntries(amounts),
      InvoiceCurrencyCode: invoice.need('InvoiceIssueData').tree.InvoiceCurrencyCode,
    }
    return {
      ...tree,
      FileHeader: { ...header, Modality: 'I', Batch: batch },
      Invoices: { Invoice: [invoice.tree] },
    }
  })
}
