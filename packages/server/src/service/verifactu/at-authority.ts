/** Determines which record the tax authority has of an invoice, from its responses to the invoice's records. */
import type { NextOptions, NextStep } from '#records/verifactu/index.ts'
import type { App } from '../../app/app.ts'
import { isAtAuthority } from '../../store/missing-records.ts'
import type { CompanyRow, Rows } from '../../store/store.ts'
import { fromJson } from '../../store/stored-json.ts'
import type { Environment } from '../../store/tables.ts'
import { firstSequenceForAuthority } from './company-chains.ts'

type RecordRow = CompanyRow<'verifactu_records'>

/**
 * `form`: the record was created with the authority's own form. `unclear`: the response omits the status of the record.
 * `other`: the authority has accepted no record of this invoice, and has one of another system with the same number.
 */
export type RecordAtAuthority = 'nothing' | 'registration' | 'cancellation' | 'form' | 'unclear' | 'other'

/** The step that the response to a record requires. */
export interface ResponseAdvice {
  readonly next: NextStep
  readonly options: NextOptions | null
  /** Code and description in parentheses; empty if there is no code. */
  readonly remark: string
}

/** Returns the next step after the response to a record. */
export async function adviceOn(
  db: Rows,
  { submission_id, sequence }: Pick<RecordRow, 'submission_id' | 'sequence'>,
): Promise<ResponseAdvice> {
  const line = await db
    .find('verifactu_submission_lines', { submission_id: submission_id ?? '', sequence })
    .select(['next_step', 'next_options', 'codigo_error', 'descripcion_error'])
    .orderBy('line', 'desc')
    .limit(1)
    .executeTakeFirst()
  const code = line?.codigo_error ?? null
  return {
    next: line?.next_step ?? 'none',
    options: line?.next_options ? fromJson(line.next_options) : null,
    remark: code === null ? '' : ` (${code}: ${line?.descripcion_error ?? ''})`,
  }
}

/** Returns the records of an invoice in an environment, latest first. */
export const recordsOfInvoice = (
  db: Rows,
  environment: Environment,
  invoiceId: string,
): Promise<readonly RecordRow[]> =>
  db
    .find('verifactu_records', { invoice_id: invoiceId, environment })
    .selectAll()
    .orderBy('sequence', 'desc')
    .execute()

/** Whether a record is in a mode whose records are sent. */
export const isInSendingMode = ({ estado }: Pick<RecordRow, 'estado'>): boolean =>
  estado !== 'registered' && estado !== 'signature_pending'

/** Returns which record the authority has according to a rejection; null if the rejection does not show it. */
function revealed({ next, options }: ResponseAdvice): RecordAtAuthority | null {
  switch (next) {
    case 'adopt':
      return 'registration'
    case 'revive':
    case 'done':
      return 'cancellation'
    case 'use_form':
      return 'form'
    case 'query':
      return 'unclear'
    default:
      if (!options) return null
      return options.never_registered || options.correction === 'never_registered'
        ? 'nothing'
        : 'registration'
  }
}

/**
 * Returns which record the tax authority has, or will have, of an invoice. `records` are the records of the invoice,
 * latest first. The latest sent record with a conclusive response determines the result.
 */
export async function recordAtAuthority(
  db: Rows,
  app: Pick<App, 'config' | 'system'>,
  records: readonly Pick<RecordRow, 'environment' | 'tipo' | 'estado' | 'submission_id' | 'sequence'>[],
): Promise<RecordAtAuthority> {
  const first = records[0] ? await firstSequenceForAuthority(db, app, records[0].environment) : 0
  const sent = records.filter((record) => record.sequence >= first && isInSendingMode(record))
  const isOurs = sent.some((one) => one.tipo === 'alta' && isAtAuthority(one))
  for (const record of sent) {
    if (record.estado !== 'rejected') return record.tipo === 'alta' ? 'registration' : 'cancellation'
    const found = revealed(await adviceOn(db, record))
    if (found !== null) return found === 'nothing' || isOurs ? found : 'other'
  }
  return 'nothing'
}
