/**
 * A request for every declared route, so that tests over all routes include new ones automatically. A route with a JSON
 * body needs an entry here; a missing one is reported.
 */
import type { Route } from 'cuadra-server/http/request/route.ts'
import { type Document, draft, imported, nextRef, received, receivedXml } from './invoices.ts'
import { INVOICE_PAPER, paperForm, RECOGNIZE } from './paper.ts'

/** An id that does not exist. */
export const SOME_ID = '00000000-0000-4000-8000-000000000000'

export interface Requested {
  /** Values of path parameters by name; by default `SOME_ID`. */
  readonly params?: Readonly<Record<string, string>>
  /** The company that sends the request. */
  readonly taxId?: string
  /** `external_ref` and number for documents. */
  readonly ref?: string
  readonly number?: string
}

const element = ({ schema_version, meta, invoice }: Document) => ({ schema_version, meta, invoice })

/** The format of XML routes. */
const FORMAT = 'ubl_2_1'

/** Valid bodies by route. */
const BODIES: Readonly<Record<string, (asked: Required<Omit<Requested, 'params'>>) => unknown>> = {
  'put /drafts': ({ ref }) => draft({ ref }),
  'post /drafts/batch': ({ ref }) => ({ invoices: [element(draft({ ref }))] }),
  'post /drafts/validate': () => draft(),
  'post /issued-invoices/{invoice_id}/issue': () => ({}),
  'post /issued-invoices/import': ({ taxId, number, ref }) => imported({ taxId, number, ref }),
  'post /issued-invoices/import/batch': ({ taxId, number, ref }) => ({
    invoices: [element(imported({ taxId, number, ref }))],
  }),
  'post /issued-invoices/{invoice_id}/corrective': () => ({
    correction_type: 'S',
    reason_code: '01',
    series_code: 'R',
    external_ref: nextRef(),
  }),
  'post /issued-invoices/{invoice_id}/send': () => ({ to: ['cliente@pruebas.example'] }),
  'post /issued-invoices/validate': () => draft(),
  'put /received-invoices': ({ taxId, number }) => received({ taxId, number }),
  'post /received-invoices/import': ({ taxId, number }) => receivedXml({ taxId, number }, FORMAT),
  'post /received-invoices/validate': ({ taxId, number }) => received({ taxId, number }),
  'put /verifactu/config': () => ({ mode: 'no_verifactu', sandbox: true }),
  'post /verifactu/sif': () => ({ tipo_evento: '01' }),
  'put /sii/config': () => ({ auto_submit: null, certificate_id: null }),
}

/** Values of path parameters that are not ids. */
const NAMES: Readonly<Record<string, string>> = { name: 'countries' }

function bodyFor({ method, path, body }: Route, asked: Requested): unknown {
  if (!body) return undefined
  if (body.kind === 'multipart') {
    if (path === RECOGNIZE) return paperForm(INVOICE_PAPER)
    const form = new FormData()
    form.append('file', new Blob(['content'], { type: 'text/plain' }), 'note.txt')
    return form
  }
  const make = BODIES[`${method} ${path}`]
  if (!make)
    throw new Error(`test/conformance/requests.ts has no body for ${method} ${path}: add one to BODIES`)
  const { taxId = 'B12345674', ref = nextRef(), number = nextRef('N') } = asked
  return make({ taxId, ref, number })
}

/** Returns method, path with its required query, body and headers of a request that passes the checks of the route. */
export function requestFor(
  route: Route,
  asked: Requested = {},
): { method: string; path: string; body?: unknown; headers?: Record<string, string> } {
  const path = route.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => asked.params?.[name] ?? NAMES[name] ?? SOME_ID,
  )
  const body = bodyFor(route, asked)
  return {
    method: route.method.toUpperCase(),
    path: route.query?.format
      ? `${path}?format=${FORMAT}`
      : route.query?.period
        ? `${path}?period=2026-11`
        : path,
    ...(body === undefined ? {} : { body }),
    ...(route.body?.kind === 'xml' ? { headers: { 'Content-Type': 'application/xml' } } : {}),
  }
}
