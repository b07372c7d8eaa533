/** Routes of received invoices. */
import { created, noContent, ok } from '../../service/access/http-response.ts'
import { listInvoices } from '../../service/invoice/lists.ts'
import { RECEIVED_STATUSES } from '../../service/invoice/statuses.ts'
import { etagHeaderOf } from '../../service/invoice/version.ts'
import { importReceived, MAX_XML_BYTES } from '../../service/received/import-xml.ts'
import { deleteReceived, revalidateReceived, saveReceived } from '../../service/received/received.ts'
import { asReceived, receivedInput, validateReceived } from '../../service/received/validate-received.ts'
import { oneOf, uuid } from '../../shapes/builders.ts'
import { FILTERS, PAGE, READ_FORMAT, SUPPLIER_FILTERS } from '../../shapes/parameter-shapes.ts'
import { InvoicePage, RecognitionResult, SavedValidateResult, SaveResult } from '../../shapes/schemas.ts'
import { type Route, route } from '../request/route.ts'
import { invoiceBody, RECEIVED, readingRoutes, validation } from './shared.ts'

export const RECEIVED_ROUTES: readonly Route[] = [
  route('put /received-invoices', {
    summary: 'Register or update a received invoice',
    scope: 'received:write',
    query: { invoice_id: { schema: uuid, description: 'Id of the received invoice to update.' } },
    body: invoiceBody('ReceivedInvoice'),
    responses: { 201: SaveResult },
    errors: [
      'unsupported_schema_version',
      'inferred_fields_not_allowed',
      'missing_required_fields',
      'schema_validation_failed',
      'recipient_tax_id_required',
      'recipient_tax_id_mismatch',
      'exchange_rate_not_available',
      'future_issue_date',
      'future_receipt_date',
      'invoice_not_found',
      'invoice_update_not_allowed',
      'received_invoice_fiscally_locked',
    ],
    validate: (call) => validateReceived(call.store, call, asReceived(call.body)),
    versioned: true,
    write: async (call, tx, validated) => {
      const saved = await saveReceived(tx, call, call.body, validated(), call.query.invoice_id)
      return created(saved, `/received-invoices/${saved.id}`, await etagHeaderOf(tx, saved.id))
    },
  }),
  route('post /received-invoices/import', {
    summary: 'Register the XML of a supplier',
    scope: 'received:write',
    query: READ_FORMAT,
    body: { kind: 'xml', maxBytes: MAX_XML_BYTES },
    responses: { 201: SaveResult },
    errors: [
      'empty_body',
      'unsupported_invoice_source_transform',
      'invoice_xml_invalid',
      'missing_required_fields',
      'schema_validation_failed',
      'recipient_tax_id_required',
      'recipient_tax_id_mismatch',
      'exchange_rate_not_available',
      'future_issue_date',
      'future_receipt_date',
      'received_invoice_fiscally_locked',
    ],
    idempotency: true,
    handle: (call) => importReceived(call, call.query.format, call.body),
  }),
  route('post /received-invoices/recognize', {
    summary: 'Recognise a PDF or an image',
    scope: 'received:write',
    body: { kind: 'multipart' },
    responses: { 200: RecognitionResult },
    errors: [
      'feature_outside_plan',
      'quota_exceeded',
      'recognition_file_invalid',
      'recognition_already_done',
      'recognition_in_progress',
      'recognition_disabled',
    ],
    idempotency: true,
    handle: async (call) => {
      // Loaded when the first file arrives, because compiling its many patterns would delay every start.
      const { recognize } = await import('../../service/received/recognize.ts')
      return recognize(call, call)
    },
  }),
  route('get /received-invoices', {
    summary: 'List received invoices',
    scope: 'invoices:read',
    query: {
      status: {
        schema: oneOf(...RECEIVED_STATUSES),
        description: 'Status of the invoices, `received` or `draft`. Default: all.',
      },
      ...FILTERS,
      ...SUPPLIER_FILTERS,
      ...PAGE,
    },
    responses: { 200: InvoicePage },
    handle: async (call) =>
      ok(
        await listInvoices(call, {
          direction: 'received',
          status: call.query.status,
          newestFirst: true,
          query: call.query,
        }),
      ),
  }),
  validation(RECEIVED, 'ReceivedInvoice', 'received', true, receivedInput),
  ...readingRoutes(RECEIVED, true),
  route('post /received-invoices/{invoice_id}/validate', {
    summary: 'Validate a saved received invoice again',
    scope: 'invoices:read',
    responses: { 200: SavedValidateResult },
    versioned: true,
    write: async (call, tx) => {
      const result = await revalidateReceived(tx, call, call.params.invoice_id)
      return { ...ok(result), headers: await etagHeaderOf(tx, result.id) }
    },
  }),
  route('delete /received-invoices/{invoice_id}', {
    summary: 'Delete a received invoice',
    scope: 'received:write',
    responses: { 204: null },
    errors: ['invoice_delete_not_allowed'],
    versioned: true,
    write: async (call, tx) => {
      await deleteReceived(tx, call, call.params.invoice_id)
      return noContent
    },
  }),
]
