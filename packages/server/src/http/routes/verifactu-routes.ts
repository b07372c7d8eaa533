/** Routes of VeriFactu: configuration, records, submissions, and event records of systems in non-VERI*FACTU mode. */
import { attachmentDisposition } from '../../documents/header-value.ts'
import { ok } from '../../service/access/http-response.ts'
import { incidentsOf, recordsOf, registrationXml, submissionsOf } from '../../service/verifactu/queries.ts'
import { emitEvent, listEvents } from '../../service/verifactu/requested-events.ts'
import { aeatRecords } from '../../service/verifactu/sending/aeat-records.ts'
import { chainReport } from '../../service/verifactu/sending/chain-report.ts'
import { activateVerifactu, verifactuConfig } from '../../service/verifactu/verifactu-config.ts'
import { listOf } from '../../shapes/builders.ts'
import { limitParameter, MONTH, OFFSET } from '../../shapes/parameter-shapes.ts'
import {
  AeatRecords,
  SifEvent,
  SifEventRequest,
  VerifactuActivation,
  VerifactuChain,
  VerifactuConfig,
  VerifactuConfigRequest,
  VerifactuIncidents,
  VerifactuRecord,
  VerifactuSubmissionPage,
} from '../../shapes/schemas.ts'
import { type Route, route } from '../request/route.ts'

export const VERIFACTU_ROUTES: readonly Route[] = [
  route('get /verifactu/config', {
    summary: 'Get the configuration of VeriFactu',
    scope: 'compliance:read',
    responses: { 200: VerifactuConfig },
    handle: async (call) => ok(await verifactuConfig(call)),
  }),
  route('put /verifactu/config', {
    summary: 'Activate VeriFactu',
    scope: '*',
    body: { kind: 'json', schema: VerifactuConfigRequest, required: false },
    responses: { 200: VerifactuActivation },
    errors: [
      'verifactu_not_applicable_foral',
      'feature_outside_plan',
      'active_verifactu_certificate_or_delegation_required',
    ],
    write: async (call, tx) => ok(await activateVerifactu(tx, call, call.body)),
  }),
  route('get /invoices/{invoice_id}/verifactu/records', {
    summary: 'List the VeriFactu records of an invoice',
    scope: 'compliance:read',
    responses: { 200: listOf(VerifactuRecord) },
    handle: async (call) => ok(await recordsOf(call, call.params.invoice_id)),
  }),
  route('get /invoices/{invoice_id}/verifactu/xml', {
    summary: 'XML of the VeriFactu record of an invoice',
    scope: 'compliance:read',
    responses: { 200: 'application/xml' },
    errors: ['verifactu_xml_not_found'],
    handle: async (call) => {
      const { xml, fileName } = await registrationXml(call, call.params.invoice_id)
      const headers = {
        'Content-Type': 'application/xml',
        'Content-Disposition': attachmentDisposition(fileName),
      }
      return { status: 200, text: xml, headers }
    },
  }),
  route('get /verifactu/submissions', {
    summary: 'List VeriFactu submissions',
    scope: 'compliance:read',
    query: { limit: limitParameter(200, 50), offset: OFFSET },
    responses: { 200: VerifactuSubmissionPage },
    handle: async (call) => ok(await submissionsOf(call, call.query)),
  }),
  route('get /verifactu/incidents', {
    summary: 'List VeriFactu incidents',
    scope: 'compliance:read',
    query: {
      limit: {
        ...limitParameter(500, 200),
        description: 'Number of recent submissions to search, 1 to 500.',
      },
    },
    responses: { 200: VerifactuIncidents },
    handle: async (call) => ok(await incidentsOf(call, call.query.limit)),
  }),
  route('get /verifactu/chain', {
    summary: 'Get the end of the chain and waiting records',
    scope: 'compliance:read',
    query: { limit: limitParameter(100, 12) },
    responses: { 200: VerifactuChain },
    handle: async (call) => ok(await chainReport(call, call.query.limit)),
  }),
  route('get /verifactu/aeat-records', {
    summary: 'List the records at the tax authority',
    scope: 'compliance:read',
    query: MONTH,
    responses: { 200: AeatRecords },
    errors: ['verifactu_aeat_query_error'],
    handle: async (call) => ok(await aeatRecords(call, call.query.period)),
  }),
  route('post /verifactu/sif', {
    summary: 'Record an event of the invoicing system',
    scope: '*',
    body: { kind: 'json', schema: SifEventRequest, required: true },
    responses: { 201: SifEvent },
    errors: ['verifactu_sif_not_applicable', 'verifactu_sif_emit_error', 'verifactu_other_producer'],
    idempotency: true,
    write: async (call, tx) => ({
      status: 201 as const,
      json: await emitEvent(tx, call, call.body.tipo_evento),
    }),
  }),
  route('get /verifactu/sif', {
    summary: 'List events of the invoicing system',
    scope: 'compliance:read',
    query: { limit: limitParameter(200, 50) },
    responses: { 200: listOf(SifEvent) },
    handle: async (call) => ok(await listEvents(call, call.query.limit)),
  }),
]
