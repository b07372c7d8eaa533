/** Pieces that routes of several groups are declared with. */

import type { Operation, Options } from '../../../invoice/index.ts'
import { linesOf, MAX_EXPLAINED_LINES } from '../../../request/limits.ts'
import { ApiError, invalidRequest } from '../../errors/api-error.ts'
import { type Call, ok, type Scope } from '../../service/call.ts'
import { eventsOf } from '../../service/events.ts'
import { requireVersion, type Told, tellSent, validateResult } from '../../service/judge.ts'
import { requireInvoice } from '../../service/require-invoice.ts'
import { singleSummary } from '../../service/summary.ts'
import { documentOf, type InvoiceRow } from '../../store/invoices.ts'
import { CLEAN } from '../parameters.ts'
import type { Parameter, ReadingRoute, Schema } from '../route.ts'
import { ref, shapes } from '../schemas.ts'

const between = (minimum: number, maximum: number, otherwise?: number): Schema => ({
  type: 'integer',
  minimum,
  maximum,
  ...(otherwise === undefined ? {} : { default: otherwise }),
})

export const limitOf = (most: number, otherwise: number): Parameter => ({
  schema: between(1, most, otherwise),
  description: `At most this many, 1 to ${most}.`,
})

export const OFFSET: Parameter = {
  schema: between(0, 2_000_000_000, 0),
  description: 'So many are left out at the start.',
}

const text = (description: string, maxLength = 200): Parameter => ({
  schema: { type: 'string', minLength: 1, maxLength, pattern: CLEAN },
  description,
})
const date = (description: string): Parameter => ({ schema: shapes.date, description })

/** Filters of the three lists of invoices. */
export const FILTERS = {
  series: text('Series of the document, also on drafts. Exact.', 60),
  number: text('Number, with its series. Exact.', 60),
  external_ref: text('`meta.external_ref`. Exact.', 60),
  issue_date_from: date('Issued on this day or later.'),
  issue_date_to: date('Issued on this day or before.'),
} satisfies Record<string, Parameter>

export const CUSTOMER = {
  customer_tax_id: text('Tax id of the customer, with or without country and separators.', 60),
}
export const SUPPLIER = {
  supplier_tax_id: text('Tax id of the supplier, with or without country and separators.', 60),
}

export const PAGE = { limit: limitOf(500, 50), offset: OFFSET }

const EXPLAIN: Parameter = {
  schema: { type: 'boolean' },
  description: `Adds \`explanation\`: the reason for every computed amount, of at most ${MAX_EXPLAINED_LINES} lines.`,
}

export const invoiceBody = (name: string) =>
  ({ kind: 'json', schema: ref(name), required: true, judgedByEngine: true }) as const

type IsKind = (row: InvoiceRow) => boolean

/** The id that a path names; the router has looked at its form. */
export const idOf = ({ params }: Call): string => params.invoice_id ?? ''

interface Judging {
  readonly document: unknown
  readonly options: Options
  readonly complete?: (told: Told) => Told
}

/** `POST .../validate` without saving: everything stands inside of `errors` (http-contract, order of checks). */
export function validation(
  path: string,
  group: ReadingRoute['group'],
  schema: string,
  operation: Operation,
  withCompany: boolean,
  /** What is judged, where it is not the body as it was sent, and what the verdict lacks. */
  inputOf: (call: Call) => Promise<Judging> = async ({ body }) => ({ document: body, options: {} }),
): ReadingRoute {
  return {
    method: 'post',
    path,
    group,
    summary: 'Validate an invoice without saving it',
    scope: 'invoices:read',
    query: { explain: EXPLAIN },
    body: invoiceBody(schema),
    answers: { 200: ref('ValidateResult') },
    errors: ['unsupported_schema_version'],
    handle: async (call) => {
      const input = await inputOf(call)
      const explain = call.query.explain === true
      const lines = linesOf(input.document)
      if (explain && lines > MAX_EXPLAINED_LINES)
        throw invalidRequest(
          `the invoice has ${lines} lines, and explain=true takes at most ${MAX_EXPLAINED_LINES}: leave explain out`,
          `la factura tiene ${lines} líneas, y explain=true admite ${MAX_EXPLAINED_LINES} como máximo: no envíe explain`,
          { lines, max_lines: MAX_EXPLAINED_LINES },
        )
      const options = { ...input.options, company: withCompany ? call.company.data : null, explain }
      const judged = await tellSent(call, input.document, operation, options)
      const told = input.complete?.(judged) ?? judged
      requireVersion(told)
      return { status: 200, pieces: validateResult(told), headers: { 'Content-Type': 'application/json' } }
    },
  }
}

/** `GET {prefix}/{invoice_id}`, `/canonical` and `/events`, alike for every kind of invoice. */
export function readingRoutes(
  prefix: string,
  group: ReadingRoute['group'],
  isKind: IsKind,
  scope: Scope = 'invoices:read',
): ReadingRoute[] {
  const one = `${prefix}/{invoice_id}`
  const find = (call: Call) => requireInvoice(call.app.store.read, call.company.id, idOf(call), isKind)
  return [
    {
      method: 'get',
      path: one,
      group,
      summary: 'An invoice',
      scope,
      answers: { 200: ref('InvoiceSummary') },
      handle: async (call) => ok(await singleSummary(call.app.store.read, call.company.id, await find(call))),
    },
    {
      method: 'get',
      path: `${one}/canonical`,
      group,
      summary: 'Its canonical document, with computed fields',
      scope,
      answers: { 200: { type: 'object' } },
      errors: ['canonical_not_available'],
      handle: async (call) => {
        const row = await find(call)
        const { canonical } = await documentOf(call.app.store.read, call.company.id, row.invoice_id)
        if (canonical === null) throw new ApiError('canonical_not_available')
        return { status: 200, text: canonical, headers: { 'Content-Type': 'application/json' } }
      },
    },
    {
      method: 'get',
      path: `${one}/events`,
      group,
      summary: 'Its history, oldest first',
      scope,
      answers: { 200: shapes.listOf(ref('InvoiceEvent')) },
      handle: async (call) => {
        const row = await find(call)
        return ok(await eventsOf(call.app.store.read, call.company.id, row.invoice_id))
      },
    },
  ]
}
