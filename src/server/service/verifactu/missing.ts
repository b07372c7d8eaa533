/** Cancelled invoices that lack a cancellation record: messages, and the incidents of `GET /verifactu/incidents`. */
import type { Locale, Text } from '../../../invoice/index.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import { type MissingCancellation, missingCancellations } from '../../store/missing-records.ts'
import type { Rows } from '../../store/store.ts'
import type { OpenGap } from '../../store/tables.ts'

/** The reason and the instruction of each gap. `{command}` is the command that makes the record. */
const GAPS: Readonly<Record<OpenGap, { readonly what: Text; readonly fix: Text }>> = {
  no_period: {
    what: {
      en: 'It was cancelled while no VeriFactu period was open, so its cancellation has no record.',
      es: 'Se anuló sin ningún periodo de VeriFactu abierto, así que su anulación no tiene registro.',
    },
    fix: {
      en: 'Open a period with `cuadra-admin verifactu period open` unless one is open, then run {command}.',
      es: 'Abra un periodo con `cuadra-admin verifactu period open` si no hay ninguno abierto y ejecute {command}.',
    },
  },
  no_certificate: {
    what: {
      en: 'It was cancelled without a valid certificate to sign the record, so its cancellation has no record.',
      es: 'Se anuló sin un certificado vigente con el que firmar el registro, así que su anulación no tiene registro.',
    },
    fix: {
      en: 'Add a valid certificate with `cuadra-admin certificate add`, then run {command}.',
      es: 'Añada un certificado vigente con `cuadra-admin certificate add` y ejecute {command}.',
    },
  },
  not_signed: {
    what: {
      en: 'Its cancellation record could not be signed, so its cancellation has no record.',
      es: 'Su registro de anulación no pudo firmarse, así que su anulación no tiene registro.',
    },
    fix: {
      en: 'Fix the certificate, as the finding `certificate` of `cuadra-admin doctor` states, or add another with `cuadra-admin certificate add`; then run {command}.',
      es: 'Corrija el certificado, como indica el aviso `certificate` de `cuadra-admin doctor`, o añada otro con `cuadra-admin certificate add`; después ejecute {command}.',
    },
  },
  other_system: {
    what: {
      en: 'It was cancelled while CUADRA_DECLARATION was of another producer than its chain, so its cancellation has no record.',
      es: 'Se anuló mientras CUADRA_DECLARATION era de otro productor que el de su cadena, así que su anulación no tiene registro.',
    },
    fix: {
      en: 'Restore CUADRA_DECLARATION, or begin a chain with `cuadra-admin verifactu begin-chain`, as the finding `system` of `cuadra-admin doctor` states; then run {command}.',
      es: 'Restablezca CUADRA_DECLARATION o empiece una cadena con `cuadra-admin verifactu begin-chain`, como indica el aviso `system` de `cuadra-admin doctor`; después ejecute {command}.',
    },
  },
  not_generated: {
    what: {
      en: 'Its cancellation record could not be generated.',
      es: 'Su registro de anulación no pudo generarse.',
    },
    fix: {
      en: 'Run {command}: it generates the record, or states what prevents it.',
      es: 'Ejecute {command}: genera el registro o indica qué lo impide.',
    },
  },
  other_environment: {
    what: {
      en: 'It was cancelled while the other environment (test or production) was in use, so its cancellation has no record.',
      es: 'Se anuló mientras se usaba el otro entorno (pruebas o producción), así que su anulación no tiene registro.',
    },
    fix: { en: 'Run {command}.', es: 'Ejecute {command}.' },
  },
  not_sent: {
    what: {
      en: 'It was cancelled without VERI*FACTU, so the tax authority did not receive the cancellation and has the invoice as valid.',
      es: 'Se anuló sin VERI*FACTU: la AEAT no recibió la anulación y tiene la factura como válida.',
    },
    fix: {
      en: 'To send a cancellation, run {command}.',
      es: 'Para enviar una anulación, ejecute {command}.',
    },
  },
}

/** Returns what is missing and why. */
export const whatIsMissing = ({ reason }: Pick<MissingCancellation, 'reason'>): Text => GAPS[reason].what

/** Returns the instruction that makes the missing record. Commands are enclosed in backticks. */
export function instructionFor(
  { companyId }: Pick<Rows, 'companyId'>,
  { reason, invoice_id }: MissingCancellation,
): Text {
  const command = `\`cuadra-admin verifactu correct --company ${companyId} --invoice ${invoice_id}\``
  const textIn = (locale: Locale): string => GAPS[reason].fix[locale].replace('{command}', () => command)
  return { en: textIn('en'), es: textIn('es') }
}

const messageOf = (db: Rows, missing: MissingCancellation): Text => {
  const [what, fix] = [whatIsMissing(missing), instructionFor(db, missing)]
  return { en: `${what.en} ${fix.en}`, es: `${what.es} ${fix.es}` }
}

/** Returns what a cancelled invoice lacks and how to add it; undefined if it lacks nothing or is not cancelled. */
export async function missingText(db: Rows, row: InvoiceRow): Promise<Text | undefined> {
  const [missing] = row.cancellation_gap === null ? [] : await missingCancellations(db, row.invoice_id)
  return missing && messageOf(db, missing)
}

/** Returns the missing cancellations as incidents, latest first. */
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
