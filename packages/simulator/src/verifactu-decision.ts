/**
 * Decides on a record (AEAT web service description 1.0.3). Checks come in this order: rejections because of its
 * content, conflicts with the stored invoice, acceptance with errors.
 */
import type { ValidationItem } from '#core/invoice/index.ts'
import type { FiscalRecord } from '#records/verifactu/index.ts'
import { codeOf, decision, descriptionOf } from './simulated-codes.ts'
import { type Candidate, errorOf, type RequestContext } from './simulated-submission.ts'
import type { InvoiceRow } from './simulator-database.ts'
import { CORRECT, type Decision } from './simulator-types.ts'
import { bodyOf, identityOf, type RecordIdentity } from './verifactu-record.ts'

/** The stored record, in the form in which the response to a duplicate describes it. */
export interface Duplicate {
  readonly IdPeticionRegistroDuplicado: string
  readonly EstadoRegistroDuplicado: 'Correcta' | 'AceptadaConErrores' | 'Anulada'
  readonly CodigoErrorRegistro?: string
  readonly DescripcionErrorRegistro?: string
}

/** Returns the id of a request, padded to the length that the schema requires. */
export const requestId = (submission: number): string => String(submission).padStart(20, '0')

export const duplicateOf = ({ state, code, description, submission }: InvoiceRow): Duplicate => ({
  IdPeticionRegistroDuplicado: requestId(submission),
  EstadoRegistroDuplicado: state,
  ...errorOf({ code, description }),
})

const rejected = (code: number): Decision => decision('Incorrecto', code, descriptionOf('verifactu', code))

/** The decision on a duplicate. The response describes the stored record. */
export const DUPLICATED = rejected(3000)
const NO_RECORD = rejected(3002)

/** Whether a record states that the authority has no record of the invoice. */
const assumesNoRecord = ({ operation, marks }: RecordIdentity): boolean =>
  operation === 'Alta'
    ? marks.Subsanacion !== 'S' || marks.RechazoPrevio === 'X'
    : marks.SinRegistroPrevio === 'S'

/** Returns the rejection of a record that conflicts with the stored invoice (tables 7.1 and 7.2). */
function decideByStored(identity: RecordIdentity, stored: InvoiceRow | undefined): Decision | null {
  if (assumesNoRecord(identity)) return stored ? DUPLICATED : null
  return stored ? null : NO_RECORD
}

const withEffect = (items: readonly ValidationItem[], effect: string): ValidationItem | undefined =>
  items.find(({ extra }) => extra?.effect === effect)

/** Whether an item rejects a record sent at the authority's request. Only schema violations and wrong identities do. */
const rejectsOnRequest = ({ path, extra }: ValidationItem): boolean =>
  extra?.violation !== undefined || /NIF|IDOtro|IDEmisor/.test(path)

/** Returns the decision that follows from the content of the record. */
function decideByChecks(items: readonly ValidationItem[], onRequest: boolean): Decision {
  const rejecting = items.filter(({ extra }) => extra?.effect === 'rejects-record')
  const rejects = onRequest ? rejecting.find(rejectsOnRequest) : rejecting[0]
  if (rejects) return decision('Incorrecto', codeOf(rejects), rejects.message)
  const noted = rejecting[0] ?? withEffect(items, 'accepted-with-errors')
  return noted ? decision('AceptadoConErrores', codeOf(noted), noted.message) : CORRECT
}

/** Error code of a record that is marked as the first of its chain, although the chain has records. */
const NOT_THE_FIRST = 2007

/** Decides on a record by its content, the stored invoice, and the active faults. */
export function decide(
  { database, environment }: RequestContext,
  service: 'verifactu' | 'request',
  /** Validation items of the record. */
  items: readonly ValidationItem[],
  { record, stored, chain, forced }: Candidate<FiscalRecord>,
): Decision {
  if (forced?.state === 'Incorrecto') return forced
  const own = decideByChecks(items, service === 'request')
  if (own.state === 'Incorrecto') return own
  const conflict = service === 'verifactu' ? decideByStored(identityOf(record), stored) : null
  if (conflict) return conflict
  if (forced) return forced
  if (own.state !== 'Correcto') return own
  const isFirst = bodyOf(record).Encadenamiento.PrimerRegistro === 'S'
  return isFirst && chain !== null && database.hasChain(environment, service, chain)
    ? decision('AceptadoConErrores', NOT_THE_FIRST, descriptionOf('verifactu', NOT_THE_FIRST))
    : CORRECT
}
