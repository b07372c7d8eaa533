/** The specification's own lists, written down from its text: what is there is held against them. */
import type { Scope } from '../../src/server/service/access/call.ts'

export interface SpecifiedRoute {
  readonly method: 'get' | 'put' | 'post' | 'delete'
  readonly path: string
  /** By the table of scopes (section "Authentication", 3 and 4); null: any key. */
  readonly scope: Scope | null
}

const of = (scope: Scope | null, ...lines: readonly string[]): SpecifiedRoute[] =>
  lines.map((line) => {
    const [method, path] = line.split(' ') as [SpecifiedRoute['method'], string]
    return { method, path, scope }
  })

/** Every route of the specification. One that this server does not have yet is really absent: a test says so. */
export const SPECIFIED: readonly SpecifiedRoute[] = [
  ...of(null, 'get /health', 'get /company', 'get /companies', 'get /catalogs/{name}'),
  ...of(
    'invoices:read',
    'get /drafts',
    'get /drafts/{invoice_id}',
    'get /drafts/{invoice_id}/canonical',
    'get /drafts/{invoice_id}/events',
    'get /drafts/{invoice_id}/documents',
    'get /drafts/{invoice_id}/documents/{doc_id}',
    'post /drafts/validate',
    'post /drafts/{invoice_id}/validate',
    'get /issued-invoices',
    'get /issued-invoices/{invoice_id}',
    'get /issued-invoices/{invoice_id}/canonical',
    'get /issued-invoices/{invoice_id}/events',
    'get /issued-invoices/{invoice_id}/documents',
    'get /issued-invoices/{invoice_id}/documents/{doc_id}',
    'get /issued-invoices/{invoice_id}/pdf',
    'get /issued-invoices/{invoice_id}/export',
    'post /issued-invoices/validate',
    'get /received-invoices',
    'get /received-invoices/{invoice_id}',
    'get /received-invoices/{invoice_id}/canonical',
    'get /received-invoices/{invoice_id}/events',
    'get /received-invoices/{invoice_id}/documents',
    'get /received-invoices/{invoice_id}/documents/{doc_id}',
    'get /received-invoices/{invoice_id}/pdf',
    'post /received-invoices/validate',
    'post /received-invoices/{invoice_id}/validate',
  ),
  ...of(
    'invoices:write',
    'put /drafts',
    'post /drafts/batch',
    'delete /drafts/{invoice_id}',
    'post /drafts/{invoice_id}/documents',
    'delete /drafts/{invoice_id}/documents/{doc_id}',
    'post /issued-invoices/{invoice_id}/documents',
    'delete /issued-invoices/{invoice_id}/documents/{doc_id}',
    'post /issued-invoices/{invoice_id}/corrective',
  ),
  ...of(
    'invoices:issue',
    'post /issued-invoices/{invoice_id}/issue',
    'post /issued-invoices/import',
    'post /issued-invoices/import/batch',
    'post /issued-invoices/{invoice_id}/cancel',
    'post /issued-invoices/{invoice_id}/send',
    'delete /issued-invoices/{invoice_id}',
  ),
  ...of(
    'received:write',
    'put /received-invoices',
    'post /received-invoices/import',
    'post /received-invoices/recognize',
    'delete /received-invoices/{invoice_id}',
    'post /received-invoices/{invoice_id}/documents',
    'delete /received-invoices/{invoice_id}/documents/{doc_id}',
  ),
  ...of(
    'compliance:read',
    'get /verifactu/config',
    'get /invoices/{invoice_id}/verifactu/records',
    'get /invoices/{invoice_id}/verifactu/xml',
    'get /verifactu/submissions',
    'get /verifactu/aeat-records',
    'get /verifactu/incidents',
    'get /verifactu/sif',
    'get /sii/config',
    'get /sii/pending',
    'get /sii/deadlines',
    'get /sii/submissions',
    'get /sii/submissions/{submission_id}',
    'get /invoices/{invoice_id}/sii/status',
    'get /certificates',
  ),
  ...of('*', 'put /verifactu/config', 'post /verifactu/sif', 'put /sii/config'),
]

/** Every row of the specification's table of states that can be walked here, as tests name it in `transition(...)`. */
export const STATE_ROWS: readonly string[] = [
  'none -> PUT /drafts -> draft',
  'draft -> issue -> issued',
  'draft -> issue -> draft',
  'none -> import -> issued',
  'issued -> import -> issued',
  'sent -> import -> sent',
  'issued -> cancel -> cancelled',
  'sent -> cancel -> cancelled',
  'any other -> cancel -> unchanged',
  'issued -> e-mail send -> sent',
  'none -> PUT /received-invoices -> received',
  'none -> PUT /received-invoices -> draft',
  'none -> XML import -> received',
]
