/**
 * What becomes of a record: its own mistakes first, then whether it goes together with what is stored of its invoice
 * (web service description 1.0.3; reference 7.1 and 7.2), at last what is only noted.
 */
import type { ValidationItem } from '../invoice/index.ts'
import type { FiscalRecord } from '../verifactu/index.ts'
import { codeOf, descriptionOf, verdict } from './codes.ts'
import type { InvoiceRow } from './database.ts'
import { errorOf, type Handling, type Judging } from './submission.ts'
import { CORRECT, type Verdict } from './types.ts'
import { bodyOf, identityOf, type RecordIdentity } from './verifactu-record.ts'

/** What the answer says of the record that was there before. */
export interface Duplicate {
  readonly IdPeticionRegistroDuplicado: string
  readonly EstadoRegistroDuplicado: 'Correcta' | 'AceptadaConErrores' | 'Anulada'
  readonly CodigoErrorRegistro?: string
  readonly DescripcionErrorRegistro?: string
}

/** Number of a request: as long as the schema has room for. */
export const requestId = (submission: number): string => String(submission).padStart(20, '0')

export const duplicateOf = ({ state, code, description, submission }: InvoiceRow): Duplicate => ({
  IdPeticionRegistroDuplicado: requestId(submission),
  EstadoRegistroDuplicado: state,
  ...errorOf({ code, description }),
})

const rejected = (code: number): Verdict => verdict('Incorrecto', code, descriptionOf('verifactu', code))

/** Of a record whose invoice is stored already: the answer repeats what is stored. */
export const DUPLICATED = rejected(3000)
const NO_RECORD = rejected(3002)

/** Whether a record presumes that the authority has none of its invoice. */
const presumesNone = ({ operation, marks }: RecordIdentity): boolean =>
  operation === 'Alta'
    ? marks.Subsanacion !== 'S' || marks.RechazoPrevio === 'X'
    : marks.SinRegistroPrevio === 'S'

/** Tables 7.1 and 7.2: the refusal of a record that does not go together with what is stored. */
function againstStored(identity: RecordIdentity, stored: InvoiceRow | undefined): Verdict | null {
  if (presumesNone(identity)) return stored ? DUPLICATED : null
  return stored ? null : NO_RECORD
}

const ofEffect = (items: readonly ValidationItem[], effect: string): ValidationItem | undefined =>
  items.find(({ extra }) => extra?.effect === effect)

/** In the answer to a request only what the schema refuses, or who somebody is, rejects a record. */
const rejectsOnRequest = ({ path, extra }: ValidationItem): boolean =>
  extra?.violation !== undefined || /NIF|IDOtro|IDEmisor/.test(path)

/** What the record's own mistakes make of it. */
function onItsOwn(items: readonly ValidationItem[], onRequest: boolean): Verdict {
  const rejecting = items.filter(({ extra }) => extra?.effect === 'rejects-record')
  const rejects = onRequest ? rejecting.find(rejectsOnRequest) : rejecting[0]
  if (rejects) return verdict('Incorrecto', codeOf(rejects), rejects.message)
  const noted = rejecting[0] ?? ofEffect(items, 'accepted-with-errors')
  return noted ? verdict('AceptadoConErrores', codeOf(noted), noted.message) : CORRECT
}

/** A chain that has records begins anew. */
const NOT_THE_FIRST = 2007

/** What becomes of a record by its own mistakes, what is stored and what a fault makes of it. */
export function judge(
  { database, environment }: Handling,
  service: 'verifactu' | 'request',
  /** What the engine's checks say of the record. */
  items: readonly ValidationItem[],
  { record, stored, chain, forced }: Judging<FiscalRecord>,
): Verdict {
  if (forced?.state === 'Incorrecto') return forced
  const own = onItsOwn(items, service === 'request')
  if (own.state === 'Incorrecto') return own
  const against = service === 'verifactu' ? againstStored(identityOf(record), stored) : null
  if (against) return against
  if (forced) return forced
  if (own.state !== 'Correcto') return own
  const isFirst = bodyOf(record).Encadenamiento.PrimerRegistro === 'S'
  return isFirst && chain !== null && database.hasChain(environment, service, chain)
    ? verdict('AceptadoConErrores', NOT_THE_FIRST, descriptionOf('verifactu', NOT_THE_FIRST))
    : CORRECT
}
