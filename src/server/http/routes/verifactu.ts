/** VeriFactu: configuration, records, what was sent, and the events of a system that does not send. */

import { attachmentNamed } from '../../documents/header-value.ts'
import { created, ok } from '../../service/call.ts'
import { emitEvent, listEvents } from '../../service/sif-events.ts'
import { activateVerifactu, verifactuConfig, type WantedConfig } from '../../service/verifactu-config.ts'
import { incidentsOf, recordsOf, registrationXml, submissionsOf } from '../../service/verifactu-queries.ts'
import type { Route } from '../route.ts'
import { ref, shapes } from '../schemas.ts'
import { idOf, limitOf, OFFSET } from './shared.ts'

export const VERIFACTU_ROUTES: readonly Route[] = [
  {
    method: 'get',
    path: '/verifactu/config',
    group: 'Compliance',
    summary: 'Whether and how the company keeps VeriFactu records',
    scope: 'compliance:read',
    answers: { 200: ref('VerifactuConfig') },
    handle: async (call) => ok(await verifactuConfig(call)),
  },
  {
    method: 'put',
    path: '/verifactu/config',
    group: 'Compliance',
    summary: 'Open a period from today, where none is open',
    scope: '*',
    body: { kind: 'json', schema: ref('VerifactuConfigRequest'), required: false },
    answers: { 200: ref('VerifactuActivation') },
    errors: [
      'verifactu_not_applicable_foral',
      'feature_outside_plan',
      'active_verifactu_certificate_or_delegation_required',
    ],
    write: async (call, tx) => ok(await activateVerifactu(tx, call, (call.body ?? {}) as WantedConfig)),
  },
  {
    method: 'get',
    path: '/invoices/{invoice_id}/verifactu/records',
    group: 'Compliance',
    summary: 'Records of an invoice, oldest first',
    scope: 'compliance:read',
    answers: { 200: shapes.listOf(ref('VerifactuRecord')) },
    handle: async (call) => ok(await recordsOf(call, idOf(call))),
  },
  {
    method: 'get',
    path: '/invoices/{invoice_id}/verifactu/xml',
    group: 'Compliance',
    summary: 'XML of its latest registration record, as it was sent',
    scope: 'compliance:read',
    answers: { 200: 'application/xml' },
    errors: ['verifactu_xml_not_found'],
    handle: async (call) => {
      const { xml, fileName } = await registrationXml(call, idOf(call))
      const headers = {
        'Content-Type': 'application/xml',
        'Content-Disposition': attachmentNamed(fileName),
      }
      return { status: 200, text: xml, headers }
    },
  },
  {
    method: 'get',
    path: '/verifactu/submissions',
    group: 'Compliance',
    summary: 'Submissions to the tax authority, newest first',
    scope: 'compliance:read',
    query: { limit: limitOf(200, 50), offset: OFFSET },
    answers: { 200: ref('VerifactuSubmissionPage') },
    handle: async (call) => ok(await submissionsOf(call)),
  },
  {
    method: 'get',
    path: '/verifactu/incidents',
    group: 'Compliance',
    summary: 'Records that were not accepted as they were, in the latest submissions',
    scope: 'compliance:read',
    query: {
      limit: { ...limitOf(500, 200), description: 'So many recent submissions are looked at, 1 to 500.' },
    },
    answers: { 200: ref('VerifactuIncidents') },
    handle: async (call) => ok(await incidentsOf(call)),
  },
  {
    method: 'post',
    path: '/verifactu/sif',
    group: 'Compliance',
    summary: 'Record the start or the end of working without VERI*FACTU',
    scope: '*',
    body: { kind: 'json', schema: ref('SifEventRequest'), required: true },
    answers: { 201: ref('SifEvent') },
    errors: ['verifactu_sif_not_applicable', 'verifactu_sif_emit_error'],
    idempotent: true,
    write: async (call, tx) => {
      const { tipo_evento } = call.body as { tipo_evento: '01' | '02' }
      return created(await emitEvent(tx, call, tipo_evento))
    },
  },
  {
    method: 'get',
    path: '/verifactu/sif',
    group: 'Compliance',
    summary: 'Events of the invoicing system, newest first',
    scope: 'compliance:read',
    query: { limit: limitOf(200, 50) },
    answers: { 200: shapes.listOf(ref('SifEvent')) },
    handle: async (call) => ok(await listEvents(call)),
  },
]
