/** Routes of the SII: configuration, deadlines, submissions, and the status of an invoice. */
import { ok } from '../../service/access/http-response.ts'
import {
  changeSiiConfig,
  pendingOf,
  siiConfig,
  siiStatusOf,
  siiSubmission,
  siiSubmissionsOf,
} from '../../service/sii/sii.ts'
import { listOf } from '../../shapes/builders.ts'
import { limitParameter, OFFSET, SII_FILTERS } from '../../shapes/parameter-shapes.ts'
import {
  SiiConfig,
  SiiConfigRequest,
  SiiPending,
  SiiStatus,
  SiiSubmissionDetail,
  SiiSubmissionPage,
} from '../../shapes/schemas.ts'
import { type Route, route } from '../request/route.ts'

/** Declares the list of pending records. It has two paths with different limits (API specification, "Limits"). */
const pending = (path: `/${string}`, summary: string, otherwise: number): Route =>
  route(`get ${path}`, {
    summary,
    scope: 'compliance:read',
    query: { limit: limitParameter(1000, otherwise) },
    responses: { 200: SiiPending },
    handle: async (call) => ok(await pendingOf(call, call.query.limit)),
  })

export const SII_ROUTES: readonly Route[] = [
  route('get /sii/config', {
    summary: 'Get the configuration of the SII',
    scope: 'compliance:read',
    responses: { 200: SiiConfig },
    handle: async (call) => ok(await siiConfig(call.store, call)),
  }),
  route('put /sii/config', {
    summary: 'Change the configuration of the SII',
    scope: '*',
    body: { kind: 'json', schema: SiiConfigRequest, required: true },
    responses: { 200: SiiConfig },
    write: async (call, tx) => ok(await changeSiiConfig(tx, call, call.body)),
  }),
  pending('/sii/pending', 'List pending records', 500),
  pending('/sii/deadlines', 'List the next deadlines', 200),
  route('get /sii/submissions', {
    summary: 'List submissions to the SII',
    scope: 'compliance:read',
    query: { limit: limitParameter(200, 50), offset: OFFSET, ...SII_FILTERS },
    responses: { 200: SiiSubmissionPage },
    handle: async (call) => ok(await siiSubmissionsOf(call, call.query)),
  }),
  route('get /sii/submissions/{submission_id}', {
    summary: 'Get a submission to the SII',
    scope: 'compliance:read',
    responses: { 200: SiiSubmissionDetail },
    errors: ['sii_submission_not_found'],
    unknownId: 'sii_submission_not_found',
    handle: async (call) => ok(await siiSubmission(call, call.params.submission_id)),
  }),
  route('get /invoices/{invoice_id}/sii/status', {
    summary: 'Get the SII status of an invoice',
    scope: 'compliance:read',
    responses: { 200: listOf(SiiStatus) },
    handle: async (call) => ok(await siiStatusOf(call, call.params.invoice_id)),
  }),
]
