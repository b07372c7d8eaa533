/** Descriptions of the operations and their groups in the OpenAPI document. */
import { OF_INVOICE, DESCRIPTIONS as OF_ONE } from '../generated/texts/http.ts'

export { TAGS } from '../generated/texts/http.ts'

/** Parts of paths, with the group of the operations whose path contains this part. The first matching part applies. */
const GROUPS: readonly (readonly [part: string, group: string])[] = [
  ['/documents', 'Attachments'],
  ['/verifactu', 'VeriFactu'],
  ['/sii', 'SII'],
  ['/drafts', 'Drafts'],
  ['/issued-invoices', 'Issued'],
  ['/received-invoices', 'Received'],
  ['/catalogs', 'Catalogs'],
  ['/compan', 'Company'],
  ['/certificates', 'Certificates'],
]

/** Returns the group of an operation. */
export const operationTag = (path: string): string =>
  GROUPS.find(([part]) => path.includes(part))?.[1] ?? 'Health'

const ofInvoice = (prefix: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(OF_INVOICE).map(([operation, text]) => [operation.replace(' ', ` ${prefix}`), text]),
  )

/** Descriptions by method and path. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...ofInvoice('/drafts'),
  ...ofInvoice('/issued-invoices'),
  ...ofInvoice('/received-invoices'),
  ...OF_ONE,
}
