/**
 * Cancelled invoices whose cancellation record is missing: messages, and the incidents of `GET /verifactu/incidents`.
 */
import type { Locale, Text } from '#core/invoice/index.ts'
import { GAPS } from '../../generated/texts/verifactu.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import { type MissingCancellation, missingCancellations } from '../../store/missing-records.ts'
import type { Rows } from '../../store/store.ts'

/** Returns a text that states what is missing and why. */
export const missingRecordText = ({ reason }: Pick<MissingCancellation, 'reason'>): Text => GAPS[reason].what

/** Returns the instruction for generating the missing record. Commands are enclosed in backticks. */
export function instructionFor(
  { companyId }: Pick<Rows, 'companyId'>,
  { reason, invoice_id }: MissingCancellation,
): Text {
  const command = `\`cuadra-admin verifactu correct --company ${companyId} --invoice ${invoice_id}\``
  const textIn = (locale: Locale): string => GAPS[reason].fix[locale].replace('{command}', () => command)
  return { en: textIn('en'), es: textIn('es') }
}

const messageOf = (db: Rows, missing: MissingCancellation): Text => {
  const [what, fix] = [missingRecordText(missing), instructionFor(db, missing)]
  return { en: `${what.en} ${fix.en}`, es: `${what.es} ${fix.es}` }
}

/** Returns what is missing of a cancelled invoice and how to generate it; undefined if nothing is missing. */
export async function missingRecordOfInvoiceText(db: Rows, row: InvoiceRow): Promise<Text | undefined> {
  const [missing] = row.cancellation_gap === null ? [] : await missingCancellations(db, row.invoice_id)
  return missing && messageOf(db, missing)
}

/** Returns the missing cancellation records as incidents, latest first. */
export async function missingIncidents(db: Rows, locale: Locale, limit: number) {
  return (await missingCancellations(db)).slice(0, limit).map((missing) => ({
    submission_id: missing.invoice_id,
    num_serie: missing.number,
    estado_registro: 'missing',
    codigo_error: `cancellation_${missing.reason}`,
    descripcion_error: messageOf(db, missing)[locale],
    submitted_at: null,
  }))
}
