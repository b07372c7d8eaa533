/** Schemas of the compliance routes; `schemas.ts` takes them in and hands over what they are built with. */
import type { Schema } from './route.ts'
import type { ref as refType, shapes as shapesType } from './schemas.ts'

const MODES = ['verifactu', 'no_verifactu'] as const
const ENVIRONMENTS = ['test', 'production'] as const
const BOOKS = ['ISSUED', 'RECEIVED'] as const

export function complianceSchemas(
  { nullable, text, flag, integer, date, stamp, uuid, listOf, oneOf, object, page }: typeof shapesType,
  ref: typeof refType,
): Readonly<Record<string, Schema>> {
  const maybeText = nullable(text)
  const maybeStamp = nullable(stamp)
  const mode = oneOf(...MODES)
  const environment = oneOf(...ENVIRONMENTS)
  const book = oneOf(...BOOKS)
  const hash: Schema = { type: 'string', pattern: '^[0-9A-F]{64}$' }
  const moment: Schema = {
    type: 'string',
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}[+-]\\d{2}:\\d{2}$',
    description: 'As the record has it, with its zone: the hash is made of it.',
  }
  return {
    VerifactuConfig: object({
      configured: flag,
      applicable: { ...flag, description: 'False where the fiscal domicile has a tax authority of its own.' },
      mode: nullable(mode),
      regime_state: oneOf('no_activado', 'pendiente_mandato', 'habilitado', 'suspendido', 'revocado'),
      operated_by_partner: flag,
      sandbox: nullable(flag),
      updated_at: maybeStamp,
      active_certificate: nullable(object({ name: text, fingerprint: text })),
    }),
    VerifactuConfigRequest: object(
      {
        mode: { ...mode, default: 'no_verifactu' },
        sandbox: { ...flag, default: true, description: 'True: the test environment of the tax authority.' },
      },
      ['mode', 'sandbox'],
    ),
    VerifactuActivation: object({
      configured: flag,
      enabled: flag,
      mode,
      sandbox: flag,
      certificate_id: nullable(integer),
      certificate_name: maybeText,
    }),
    VerifactuRecord: object({
      tipo: oneOf('alta', 'anulacion'),
      mode,
      environment,
      estado: { ...text, examples: ['pending', 'accepted', 'registered', 'signature_pending'] },
      huella: hash,
      huella_anterior: { ...nullable(hash), description: 'Null on the first record of the chain.' },
      qr_url: maybeText,
      aeat_csv: maybeText,
      ts_gen: moment,
      submitted_at: maybeStamp,
      created_at: stamp,
      updated_at: stamp,
      has_xml_enviado: { ...flag, description: 'Whether the record was sent: its XML is what was sent.' },
      has_xml_respuesta: flag,
    }),
    VerifactuSubmission: object({
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
    }),
    VerifactuSubmissionPage: page('VerifactuSubmission'),
    VerifactuIncidents: object({
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
    }),
    SifEvent: object({
      tipo_evento: text,
      mode,
      environment,
      fecha_hora_huso_gen_evento: moment,
      huella_evento: hash,
      huella_evento_anterior: { ...nullable(hash), description: 'Null on the first event of the chain.' },
      created_at: stamp,
    }),
    SifEventRequest: object({
      tipo_evento: { ...oneOf('01', '02'), description: '01 start, 02 end of working without VERI*FACTU.' },
    }),
    Certificate: object({
      id: integer,
      name: text,
      fingerprint: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'SHA-256.' },
      purpose: oneOf('verifactu', 'general'),
      valid_from: stamp,
      valid_to: stamp,
    }),
    SiiConfig: object({
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
    }),
    SiiConfigRequest: object(
      {
        auto_submit: nullable(flag),
        certificate_id: {
          ...nullable({ ...integer, minimum: 1 }),
          description: 'One of `GET /certificates`.',
        },
      },
      ['auto_submit', 'certificate_id'],
    ),
    SiiPending: object({
      items: listOf(
        object({
          invoice_public_id: uuid,
          invoice_id: integer,
          book_type: book,
          deadline: date,
          days_remaining: { ...integer, description: 'From today in Madrid; negative when overdue.' },
        }),
      ),
      total: { ...integer, description: 'Items in this answer.' },
    }),
    SiiSubmission: object({
      public_id: uuid,
      book_type: book,
      operation_type: text,
      global_status: text,
      submitted_at: maybeStamp,
      csv: maybeText,
      record_count: integer,
      error_code: maybeText,
      error_description: maybeText,
    }),
    SiiSubmissionPage: page('SiiSubmission'),
    SiiSubmissionDetail: object({
      submission: ref('SiiSubmission'),
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
    }),
    SiiStatus: object({
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
    }),
  }
}
