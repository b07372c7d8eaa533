/** Shapes of the compliance routes. */

import {
  date,
  flag,
  integer,
  listOf,
  nullable,
  number,
  object,
  oneOf,
  optional,
  page,
  type Static,
  stamp,
  text,
  textOf,
  uuid,
} from './builders.ts'
import { component, componentOf } from './components.ts'

const maybeText = nullable(text)
const maybeStamp = nullable(stamp)
const mode = oneOf('verifactu', 'no_verifactu')
const environment = oneOf('test', 'production')
const book = oneOf('ISSUED', 'RECEIVED')
const hash = textOf({ pattern: '^[0-9A-F]{64}$' })
const timestamp = textOf({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}[+-]\\d{2}:\\d{2}$',
  description: 'Timestamp as in the record, with its time zone, because the hash depends on it.',
})

export const VerifactuConfig = component('VerifactuConfig', {
  configured: flag,
  applicable: { ...flag, description: 'False if the fiscal domicile has its own tax authority.' },
  mode: nullable(mode),
  regime_state: oneOf('no_activado', 'pendiente_mandato', 'habilitado', 'suspendido', 'revocado'),
  operated_by_partner: flag,
  sandbox: nullable(flag),
  updated_at: maybeStamp,
  active_certificate: nullable(object({ name: text, fingerprint: text })),
})
export const VerifactuConfigRequest = component('VerifactuConfigRequest', {
  mode: optional({ ...mode, default: 'no_verifactu' }),
  sandbox: optional({
    ...flag,
    default: true,
    description: 'True selects the test environment of the tax authority.',
  }),
})
export const VerifactuActivation = component('VerifactuActivation', {
  configured: flag,
  enabled: flag,
  mode,
  sandbox: flag,
  certificate_id: nullable(integer),
  certificate_name: maybeText,
})
export const VerifactuRecord = component('VerifactuRecord', {
  tipo: oneOf('alta', 'anulacion'),
  mode,
  environment,
  estado: {
    ...text,
    examples: ['pending', 'accepted', 'accepted_with_errors', 'rejected', 'registered', 'signature_pending'],
  },
  huella: hash,
  huella_anterior: { ...nullable(hash), description: 'Null for the first record of the chain.' },
  qr_url: maybeText,
  aeat_csv: maybeText,
  ts_gen: timestamp,
  submitted_at: maybeStamp,
  created_at: stamp,
  updated_at: stamp,
  has_xml_enviado: {
    ...flag,
    description: 'Whether the record was submitted, so that its XML is available.',
  },
  has_xml_respuesta: flag,
})
export const VerifactuSubmission = component('VerifactuSubmission', {
  id: uuid,
  environment,
  submission_type: text,
  ref_requerimiento: maybeText,
  record_count: integer,
  estado_envio: text,
  aeat_csv: maybeText,
  error_code: maybeText,
  error_message: maybeText,
  lineas: listOf(
    object({
      num_serie: text,
      fecha_expedicion: text,
      estado_registro: text,
      codigo_error: maybeText,
      descripcion_error: maybeText,
    }),
  ),
  submitted_at: maybeStamp,
  created_at: stamp,
})
export const VerifactuSubmissionPage = componentOf('VerifactuSubmissionPage', page(VerifactuSubmission))
export const VerifactuIncidents = component('VerifactuIncidents', {
  items: listOf(
    object({
      submission_id: uuid,
      num_serie: text,
      estado_registro: text,
      codigo_error: maybeText,
      descripcion_error: maybeText,
      submitted_at: maybeStamp,
    }),
  ),
  total: integer,
})
export const VerifactuChain = component('VerifactuChain', {
  environment: { ...nullable(environment), description: 'Null if VeriFactu was never active.' },
  records: { ...integer, description: 'Number of records in the chain.' },
  last_hash: nullable(hash),
  latest: {
    ...listOf(
      object({
        sequence: integer,
        invoice_id: uuid,
        num_serie: text,
        tipo: oneOf('alta', 'anulacion'),
        estado: text,
        huella: hash,
        huella_anterior: nullable(hash),
        aeat_csv: maybeText,
        ts_gen: timestamp,
      }),
    ),
    description: 'The end of the chain, latest record first.',
  },
  waiting: object({
    records: { ...integer, description: 'Number of records waiting to be sent.' },
    since: { ...maybeStamp, description: 'Creation time of the oldest waiting record.' },
    next_attempt_at: {
      ...maybeStamp,
      description: 'Earliest time of the next message; null if it can be sent now or no record waits.',
    },
    reason_code: maybeText,
    reason: { ...maybeText, description: 'Why the records wait, in the language of the request.' },
  }),
  attention: {
    ...listOf(
      object({
        invoice_id: uuid,
        num_serie: text,
        sequence: integer,
        tipo: oneOf('alta', 'anulacion'),
        estado: text,
        codigo_error: maybeText,
        descripcion_error: maybeText,
        submitted_at: maybeStamp,
        instruction: {
          ...text,
          description: 'Instruction to solve the problem. Commands are enclosed in backticks.',
        },
      }),
    ),
    description:
      'One entry for each cancelled invoice without a cancellation record (`estado` is `missing`), and for each invoice whose last record was rejected, or accepted with errors that need action.',
  },
})
export const AeatRecords = component('AeatRecords', {
  periodo: text,
  resultado_consulta: { ...text, examples: ['ConDatos', 'SinDatos'] },
  indicador_paginacion: { ...text, description: '`S` if the tax authority has further pages.' },
  clave_paginacion: nullable(object({ num_serie: text, fecha_expedicion: text })),
  records: listOf(
    object({
      num_serie: text,
      fecha_expedicion: text,
      estado_registro: { ...text, examples: ['Correcto', 'AceptadoConErrores', 'Anulado'] },
      codigo_error: maybeText,
      descripcion_error: maybeText,
      tipo_factura: maybeText,
      importe_total: nullable(number),
    }),
  ),
})
export const SifEvent = component('SifEvent', {
  tipo_evento: text,
  mode,
  environment,
  fecha_hora_huso_gen_evento: timestamp,
  huella_evento: hash,
  huella_evento_anterior: { ...nullable(hash), description: 'Null for the first event of the chain.' },
  created_at: stamp,
})
export const SifEventRequest = component('SifEventRequest', {
  tipo_evento: {
    ...oneOf('01', '02'),
    description: '`01`: start, `02`: end of operation without VERI*FACTU.',
  },
})
export const Certificate = component('Certificate', {
  id: integer,
  name: text,
  fingerprint: textOf({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the certificate.' }),
  purpose: oneOf('verifactu', 'general'),
  valid_from: stamp,
  valid_to: stamp,
})
export const SiiConfig = component('SiiConfig', {
  enrollment_status: oneOf('not_applicable', 'mandatory', 'voluntary_opted_in', 'ceased'),
  tax_authority: oneOf('aeat', 'atc'),
  auto_submit: nullable(flag),
  certificate_id: nullable(integer),
  environment,
  enrollment_periods: listOf(
    object({
      id: integer,
      enrollment_status: oneOf('mandatory', 'voluntary_opted_in', 'ceased'),
      environment,
      start_date: date,
      end_date: nullable(date),
      notes: maybeText,
    }),
  ),
  updated_at: maybeStamp,
})
export const SiiConfigRequest = component('SiiConfigRequest', {
  auto_submit: optional(nullable(flag)),
  certificate_id: optional({
    ...nullable({ ...integer, minimum: 1 }),
    description: 'The `id` of a certificate from `GET /certificates`.',
  }),
})
export const SiiPending = component('SiiPending', {
  items: listOf(
    object({
      invoice_public_id: uuid,
      invoice_id: integer,
      book_type: book,
      deadline: date,
      days_remaining: { ...integer, description: 'Days from today in Madrid; negative if overdue.' },
      error_code: optional({
        ...text,
        description: 'Code of the problem that prevents sending. Absent if there is no problem.',
      }),
      error_description: optional(maybeText),
    }),
  ),
  total: { ...integer, description: 'Number of items in this response.' },
})
export const SiiSubmission = component('SiiSubmission', {
  public_id: uuid,
  book_type: book,
  operation_type: text,
  global_status: text,
  submitted_at: maybeStamp,
  csv: maybeText,
  record_count: integer,
  error_code: maybeText,
  error_description: maybeText,
})
export const SiiSubmissionPage = componentOf('SiiSubmissionPage', page(SiiSubmission))
export const SiiSubmissionDetail = component('SiiSubmissionDetail', {
  submission: SiiSubmission,
  items: listOf(
    object({
      invoice_public_id: uuid,
      invoice_number: text,
      item_status: text,
      error_code: maybeText,
      error_description: maybeText,
      aeat_record_state: maybeText,
    }),
  ),
})
export const SiiStatus = component('SiiStatus', {
  invoice_id: integer,
  book_type: book,
  tax_authority: oneOf('aeat', 'atc'),
  status: text,
  deadline: date,
  submitted_at: maybeStamp,
  accepted_at: maybeStamp,
  error_code: maybeText,
  error_description: maybeText,
  last_submission_id: nullable(integer),
})

export type VerifactuConfig = Static<typeof VerifactuConfig>
export type VerifactuConfigRequest = Static<typeof VerifactuConfigRequest>
export type VerifactuActivation = Static<typeof VerifactuActivation>
export type VerifactuRecord = Static<typeof VerifactuRecord>
export type VerifactuSubmissionPage = Static<typeof VerifactuSubmissionPage>
export type VerifactuIncidents = Static<typeof VerifactuIncidents>
export type VerifactuChain = Static<typeof VerifactuChain>
export type AeatRecords = Static<typeof AeatRecords>
export type SifEvent = Static<typeof SifEvent>
export type SifEventRequest = Static<typeof SifEventRequest>
export type Certificate = Static<typeof Certificate>
export type SiiConfig = Static<typeof SiiConfig>
export type SiiConfigRequest = Static<typeof SiiConfigRequest>
export type SiiPending = Static<typeof SiiPending>
export type SiiSubmissionPage = Static<typeof SiiSubmissionPage>
export type SiiSubmissionDetail = Static<typeof SiiSubmissionDetail>
export type SiiStatus = Static<typeof SiiStatus>
