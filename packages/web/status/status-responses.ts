/** The fields of API responses that the page uses. See `/openapi.json`. */

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly total: number
}

export interface Company {
  readonly id: string
  readonly legal_name: string
  readonly tax_id: string
}

export interface VerifactuConfig {
  readonly configured: boolean
  readonly applicable: boolean
  readonly mode: 'verifactu' | 'no_verifactu' | null
  readonly regime_state: string
  readonly sandbox: boolean | null
  readonly updated_at: string | null
  readonly active_certificate: Omit<Certificate, 'valid_to'> | null
}

/** Fields of a record in every list. */
export interface RecordFacts {
  readonly tipo: 'alta' | 'anulacion'
  readonly estado: string
  readonly huella: string
  readonly huella_anterior: string | null
  readonly aeat_csv: string | null
  readonly ts_gen: string
}

export interface VerifactuRecord extends RecordFacts {
  readonly qr_url: string | null
}

export interface ChainRecord extends RecordFacts {
  readonly sequence: number
  readonly num_serie: string
}

export interface SubmissionLine {
  readonly num_serie: string
  readonly estado_registro: string
  readonly codigo_error: string | null
  readonly descripcion_error: string | null
}

export interface Submission {
  readonly id: string
  readonly record_count: number
  readonly estado_envio: string
  readonly aeat_csv: string | null
  readonly error_code: string | null
  readonly error_message: string | null
  readonly lineas: readonly SubmissionLine[]
  readonly submitted_at: string | null
}

export interface Incident extends SubmissionLine {
  readonly submitted_at: string | null
}

export interface InvoiceNeedingAttention extends Omit<Incident, 'estado_registro'> {
  readonly estado: string
  readonly instruction: string
}

export interface Chain {
  readonly records: number
  readonly last_hash: string | null
  readonly latest: readonly ChainRecord[]
  readonly waiting: {
    readonly records: number
    readonly since: string | null
    readonly next_attempt_at: string | null
    readonly reason: string | null
  }
  readonly attention: readonly InvoiceNeedingAttention[]
}

export interface SifEvent {
  readonly tipo_evento: string
  readonly huella_evento: string
  readonly created_at: string
}

export interface AeatRecords {
  readonly indicador_paginacion: string
  readonly records: readonly (SubmissionLine & {
    readonly fecha_expedicion: string
    readonly importe_total: number | null
  })[]
}

export interface Certificate {
  readonly name: string
  readonly fingerprint: string
  readonly valid_to: string
}

export interface SiiConfig {
  readonly enrollment_status: string
  readonly auto_submit: boolean | null
  readonly environment: string
  readonly enrollment_periods: readonly { readonly start_date: string; readonly end_date: string | null }[]
}

interface BookEntry {
  readonly book_type: 'ISSUED' | 'RECEIVED'
}

interface SiiError {
  readonly error_code: string | null
  readonly error_description: string | null
}

export interface SiiDue extends BookEntry {
  readonly invoice_public_id: string
  readonly deadline: string
  readonly days_remaining: number
}

export interface SiiSubmission extends BookEntry, SiiError {
  readonly public_id: string
  readonly operation_type: string
  readonly global_status: string
  readonly submitted_at: string | null
  readonly csv: string | null
  readonly record_count: number
}

export interface SiiSubmissionDetail {
  readonly items: readonly (SiiError & { readonly invoice_number: string; readonly item_status: string })[]
}

export interface SiiStatus extends BookEntry, SiiError {
  readonly status: string
  readonly deadline: string
}

export interface Invoice {
  readonly id: string
  readonly number: string | null
  readonly issue_date: string | null
  readonly customer_name: string | null
  readonly total: number
  readonly currency: string
  readonly updated_at: string
}
