/** Declarations used by several groups of routes. */
import type { Finding, Operation, Options } from '#core/invoice/index.ts'
import { isKnown, lineCountOf, MAX_EXPLAINED_LINES } from '#entry/web/index.ts'
import { ApiError, invalidRequest } from '../../errors/api-error.ts'
import type { Call } from '../../service/access/call.ts'
import { ok } from '../../service/access/http-response.ts'
import { historyOf } from '../../service/invoice/events.ts'
import { singleSummary } from '../../service/invoice/invoice-summary.ts'
import { readDocument } from '../../service/invoice/read-document.ts'
import { requireInvoice } from '../../service/invoice/require-invoice.ts'
import { storedWithoutComputed } from '../../service/invoice/stored-without-computed.ts'
import {
  requireSchemaVersion,
  validateResult,
  validateSentAsJson,
} from '../../service/invoice/validate-sent.ts'
import { etagHeaderOf } from '../../service/invoice/version.ts'
import { flag } from '../../shapes/builders.ts'
import { OPTIONAL_PAGE } from '../../shapes/parameter-shapes.ts'
import {
  CanonicalInvoice,
  InvoiceHistory,
  InvoiceSummary,
  named,
  ValidateResult,
} from '../../shapes/schemas.ts'
import { type InvoiceRow, isDraftKind, isIssuedKind, isReceivedKind } from '../../store/invoices.ts'
import { type Route, type RouteCall, route } from '../request/route.ts'

const EXPLAIN = {
  schema: flag,
  description: `Adds \`explanation\`, with the calculation of every computed amount. Available for invoices of at most ${MAX_EXPLAINED_LINES} lines.`,
}

const COMPUTED = {
  schema: flag,
  description:
    'With `false`, returns the document as a client could send it: without computed amounts, added instalments and added literals. The three required totals stay; a draft has neither number nor date. Default: `true`.',
}

export const invoiceBody = (name: string) =>
  ({ kind: 'json', schema: named(name), required: true, validatedByEngine: true }) as const

/** A kind of invoice: the prefix of its paths, its name in summaries of operations, and the check for its rows. */
export interface InvoiceResource {
  readonly prefix: `/${string}`
  readonly nameWithArticle: string
  readonly isKind: (row: InvoiceRow) => boolean
}

export const DRAFTS: InvoiceResource = { prefix: '/drafts', nameWithArticle: 'a draft', isKind: isDraftKind }
export const ISSUED: InvoiceResource = {
  prefix: '/issued-invoices',
  nameWithArticle: 'an issued invoice',
  isKind: isIssuedKind,
}
export const RECEIVED: InvoiceResource = {
  prefix: '/received-invoices',
  nameWithArticle: 'a received invoice',
  isKind: isReceivedKind,
}

interface ValidationInput {
  readonly document: unknown
  readonly options: Options
  readonly known?: readonly Finding[]
}

/** Declares `POST .../validate`, which saves nothing. Its status is 200 even if the document has problems. */
export function validation(
  { prefix, nameWithArticle }: InvoiceResource,
  schema: string,
  operation: Operation,
  withCompany: boolean,
  /** Returns the document to validate, which may differ from the body, and the server's own findings about it. */
  inputOf: (call: Call, sent: unknown) => Promise<ValidationInput> = async (_, document) => ({
    document,
    options: {},
  }),
): Route {
  return route(`post ${prefix}/validate`, {
    summary: `Validate ${operation === 'issue' ? 'an invoice to issue' : nameWithArticle} without saving it`,
    scope: 'invoices:read',
    query: { explain: EXPLAIN },
    body: invoiceBody(schema),
    responses: { 200: ValidateResult },
    errors: ['unsupported_schema_version'],
    handle: async (call) => {
      const input = await inputOf(call, call.body)
      const explain = call.query.explain === true
      const lines = lineCountOf(input.document)
      if (explain && lines > MAX_EXPLAINED_LINES)
        throw invalidRequest(
          `the invoice has ${lines} lines; explain=true accepts at most ${MAX_EXPLAINED_LINES}: omit explain`,
          `la factura tiene ${lines} líneas; explain=true admite ${MAX_EXPLAINED_LINES} como máximo: no envíe explain`,
          { lines, max_lines: MAX_EXPLAINED_LINES },
        )
      const options = { ...input.options, company: withCompany ? call.company.data : null, explain }
      const result = await validateSentAsJson(call, input.document, operation, options, input.known)
      requireSchemaVersion(result)
      return { status: 200, pieces: validateResult(result), headers: { 'Content-Type': 'application/json' } }
    },
  })
}

/** Declares `GET {prefix}/{invoice_id}`, `/canonical` and `/events` for a kind of invoice. */
export function readingRoutes(
  { prefix, nameWithArticle, isKind }: InvoiceResource,
  isVersioned: boolean,
): Route[] {
  const scope = 'invoices:read'
  const versioned = isVersioned ? ({ versioned: true } as const) : {}
  const path = `${prefix}/{invoice_id}` as const
  const find = (call: RouteCall<{ readonly invoice_id: string }>) =>
    requireInvoice(call.store, call.params.invoice_id, isKind)
  return [
    route(`get ${path}`, {
      summary: `Get ${nameWithArticle}`,
      scope,
      responses: { 200: InvoiceSummary },
      ...versioned,
      handle: async (call) => {
        // The version is read before the row. Otherwise the tag could be that of a version later than the returned one.
        const headers = isVersioned ? await etagHeaderOf(call.store, call.params.invoice_id) : {}
        return { ...ok(await singleSummary(call.store, await find(call))), headers }
      },
    }),
    route(`get ${path}/canonical`, {
      summary: `Canonical document of ${nameWithArticle}`,
      scope,
      query: { computed: COMPUTED },
      responses: { 200: CanonicalInvoice, 304: null },
      errors: ['canonical_not_available'],
      ...versioned,
      handle: async (call) => {
        const row = await find(call)
        const { ETag } = await etagHeaderOf(call.store, row.invoice_id)
        const headers = { ETag, 'Cache-Control': 'private, no-cache' }
        if (isKnown(call.incoming.headers['if-none-match'] ?? null, ETag)) return { status: 304, headers }
        const { canonical, ...document } = await readDocument(call, row.invoice_id)
        if (canonical === null) throw new ApiError('canonical_not_available')
        const isBare = call.query.computed === false
        const text = isBare ? await storedWithoutComputed(call, row, { ...document, canonical }) : canonical
        return { status: 200, text, headers: { ...headers, 'Content-Type': 'application/json' } }
      },
    }),
    route(`get ${path}/events`, {
      summary: `History of ${nameWithArticle}`,
      scope,
      query: OPTIONAL_PAGE,
      responses: { 200: InvoiceHistory },
      handle: async (call) => {
        const row = await find(call)
        return ok(await historyOf(call.store, row.invoice_id, call.query))
      },
    }),
  ]
}
