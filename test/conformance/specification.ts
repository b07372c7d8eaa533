/** Lists of the specification, written from its text, to compare the server with. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Scope } from 'cuadra-server/service/access/call.ts'
import { shared } from '../shared.ts'

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

/** Every route of the specification. */
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

/** Routes that this server adds to the specification. */
export const ADDED: readonly SpecifiedRoute[] = of('compliance:read', 'get /verifactu/chain')

/**
 * Every row of the specification's table of states, as `From | Trigger | To`, with the names that tests pass to
 * `transition(...)` when they cover it. A row may have several.
 */
export const STATE_TABLE: Readonly<Record<string, readonly string[]>> = {
  'none | PUT /drafts | draft': ['none -> PUT /drafts -> draft'],
  'draft | POST /issued-invoices/{id}/issue | issued': ['draft -> issue -> issued'],
  'draft | issue | draft': ['draft -> issue -> draft'],
  'none | POST /issued-invoices/import | issued': ['none -> import -> issued'],
  'issued (imported) | import of same number | issued (or sent if it already was)': [
    'issued -> import -> issued',
    'sent -> import -> sent',
  ],
  'issued or sent | POST /issued-invoices/{id}/cancel | cancelled': [
    'issued -> cancel -> cancelled',
    'sent -> cancel -> cancelled',
  ],
  'any other | cancel | unchanged': ['any other -> cancel -> unchanged'],
  'none | PUT /received-invoices or XML import | received': [
    'none -> PUT /received-invoices -> received',
    'none -> XML import -> received',
  ],
  'none | PUT /received-invoices | draft': ['none -> PUT /received-invoices -> draft'],
  'issued | e-mail send | sent': ['issued -> e-mail send -> sent'],
  // Only the application queues drafts, which is the administrator here. Tests cover what requests meet then.
  'queued | - | -': [
    'draft -> queue -> queued',
    'queued -> issue -> unchanged',
    'queued -> unqueue -> draft',
  ],
}

/** The states of `regime_state` in the specification, covered by requests and by the administrator. */
export const REGIME_ROWS: readonly string[] = [
  'regime: no_activado -> habilitado',
  'regime: pendiente_mandato -> habilitado',
  'regime: habilitado -> suspendido',
  'regime: suspendido -> habilitado',
  'regime: habilitado -> revocado',
  'regime: revocado -> habilitado',
]

export const STATE_ROWS: readonly string[] = [...Object.values(STATE_TABLE).flat(), ...REGIME_ROWS]

/** Codes of the specification's section "Compliance". A request provokes each, without exception. */
export const COMPLIANCE_CODES: readonly string[] = [
  'verifactu_xml_not_found',
  'sii_submission_not_found',
  'verifactu_not_applicable_foral',
  'active_verifactu_certificate_or_delegation_required',
  'verifactu_sif_not_applicable',
  'verifactu_aeat_query_error',
  'verifactu_sif_emit_error',
]

const TEXT = fileURLToPath(shared('spec/invoicing-service-api.md'))

/** Returns a table of a section of the specification by its cells; null if the text is not available. */
export function tableOf(section: string): string[][] | null {
  if (!existsSync(TEXT)) return null
  const [, after = ''] = readFileSync(TEXT, 'utf8').split(`${section}\n`)
  const [inside = ''] = after.split(/\n#{2,3} /)
  return inside
    .split('\n')
    .filter((line) => /^\| (?!-)/.test(line))
    .slice(1)
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.replaceAll('`', '').trim()),
    )
}
