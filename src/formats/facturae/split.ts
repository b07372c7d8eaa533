/** Splits a file of several invoices into files with one invoice. */
import type { Tree } from '../model/index.ts'
import { BATCH_TOTALS } from './facturae-sums.ts'
import { invoicesOf } from './read-facturae.ts'

/**
 * Returns each invoice with the header and parties of the file. Drops the signature, because it covers the whole file.
 */
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
