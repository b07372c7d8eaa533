/** SII: configuration, deadlines, what was sent, and how far an invoice is. */

import { ok } from '../../service/call.ts'
import {
  changeSiiConfig,
  pendingOf,
  type SiiChanges,
  siiConfig,
  siiStatusOf,
  siiSubmission,
  siiSubmissionsOf,
} from '../../service/sii.ts'
import { CLEAN } from '../parameters.ts'
import type { ReadingRoute, Route } from '../route.ts'
import { ref, shapes } from '../schemas.ts'
import { idOf, limitOf, OFFSET } from './shared.ts'

/** The same list under two addresses, of different length (specification, "Limits"). */
const pending = (path: string, summary: string, otherwise: number): ReadingRoute => ({
  method: 'get',
  path,
  group: 'Compliance',
  summary,
  scope: 'compliance:read',
  query: { limit: limitOf(1000, otherwise) },
  answers: { 200: ref('SiiPending') },
  handle: async (call) => ok(await pendingOf(call)),
})

export const SII_ROUTES: readonly Route[] = [
  {
    method: 'get',
    path: '/sii/config',
    group: 'Compliance',
    summary: 'Whether and how the company reports through the SII',
    scope: 'compliance:read',
    answers: { 200: ref('SiiConfig') },
    handle: async (call) => ok(await siiConfig(call.app.store.read, call)),
  },
  {
    method: 'put',
    path: '/sii/config',
    group: 'Compliance',
    summary: 'Change what is sent automatically, and with which certificate',
    scope: '*',
    body: { kind: 'json', schema: ref('SiiConfigRequest'), required: true },
    answers: { 200: ref('SiiConfig') },
    write: async (call, tx) => ok(await changeSiiConfig(tx, call, call.body as SiiChanges)),
  },
  pending('/sii/pending', 'What is still to be sent, nearest deadline first', 500),
  pending('/sii/deadlines', 'The next deadlines', 200),
  {
    method: 'get',
    path: '/sii/submissions',
    group: 'Compliance',
    summary: 'Submissions to the SII, newest first',
    scope: 'compliance:read',
    query: {
      limit: limitOf(200, 50),
      offset: OFFSET,
      global_status: {
        schema: { type: 'string', minLength: 1, maxLength: 60, pattern: CLEAN },
        description: 'Exact.',
      },
      book_type: { schema: shapes.oneOf('ISSUED', 'RECEIVED'), description: 'One of the books.' },
      date_from: { schema: shapes.date, description: 'Sent on this day in Madrid or later.' },
      date_to: { schema: shapes.date, description: 'Sent on this day in Madrid or before.' },
    },
    answers: { 200: ref('SiiSubmissionPage') },
    handle: async (call) => ok(await siiSubmissionsOf(call)),
  },
  {
    method: 'get',
    path: '/sii/submissions/{submission_id}',
    group: 'Compliance',
    summary: 'A submission with what became of each invoice',
    scope: 'compliance:read',
    answers: { 200: ref('SiiSubmissionDetail') },
    errors: ['sii_submission_not_found'],
    unknownId: 'sii_submission_not_found',
    handle: async (call) => ok(await siiSubmission(call, call.params.submission_id ?? '')),
  },
  {
    method: 'get',
    path: '/invoices/{invoice_id}/sii/status',
    group: 'Compliance',
    summary: 'How far an invoice is, per book',
    scope: 'compliance:read',
    answers: { 200: shapes.listOf(ref('SiiStatus')) },
    handle: async (call) => ok(await siiStatusOf(call, idOf(call))),
  },
]
