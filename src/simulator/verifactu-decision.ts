/**
 * What becomes of a record: its own mistakes first, then whether it goes together with what is stored of its invoice
 * (web service description 1.0.3; reference 7.1 and 7.2), at last what is only noted.
 */
import type { ValidationItem } from '../invoice/index.ts'
import type { FiscalRecord } from '../verifactu/index.ts'
import { codeOf, verdict, wordsOf } from './codes.ts'
import type { InvoiceKey, InvoiceRow, SimulatorDatabase } from './database.ts'
import { CORRECT, type Environment, type Verdict } from './types.ts'
import {
  altaOf,
  bodyOf,
  chainOf,
  identityOf,
  monthOf,
  periodOf,
  type RecordIdentity,
} from './verifactu-record.ts'

/** What the answer says of the record that was there before. */
export interface Duplicate {
  readonly IdPeticionRegistroDuplicado: string
  readonly EstadoRegistroDuplicado: 'Correcta' | 'AceptadaConErrores' | 'Anulada'
  readonly CodigoErrorRegistro?: string
  readonly DescripcionErrorRegistro?: string
}

export interface Judged {
  readonly verdict: Verdict
  readonly duplicate: Duplicate | null
}

/** Number of a request: as long as the schema has room for. */
export const requestId = (submission: number): string => String(submission).padStart(20, '0')

const duplicateOf = ({ state, code, description, submission }: InvoiceRow): Duplicate => ({
  IdPeticionRegistroDuplicado: requestId(submission),
  EstadoRegistroDuplicado: state,
  ...(code === null ? {} : { CodigoErrorRegistro: String(code) }),
  ...(description === null ? {} : { DescripcionErrorRegistro: description }),
})

const rejected = (code: number): Verdict => verdict('Incorrecto', code, wordsOf('verifactu', code))

const DUPLICATE = 3000
const NO_RECORD = 3002

/** Whether a record presumes that the authority has none of its invoice. */
const presumesNone = ({ operation, marks }: RecordIdentity): boolean =>
  operation === 'Alta'
    ? marks.Subsanacion !== 'S' || marks.RechazoPrevio === 'X'
    : marks.SinRegistroPrevio === 'S'

/** Tables 7.1 and 7.2: the refusal of a record that does not go together with what is stored. */
function againstStored(identity: RecordIdentity, stored: InvoiceRow | undefined): Judged | null {
  if (presumesNone(identity))
    return stored ? { verdict: rejected(DUPLICATE), duplicate: duplicateOf(stored) } : null
  return stored ? null : { verdict: rejected(NO_RECORD), duplicate: null }
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

export interface Decision {
  readonly database: SimulatorDatabase
  readonly record: FiscalRecord
  readonly position: number
  readonly submission: number
  readonly environment: Environment
  readonly service: 'verifactu' | 'request'
  readonly taxpayer: string
  /** What the engine's checks say of the record. */
  readonly items: readonly ValidationItem[]
  /** What a fault makes of it. */
  readonly forced: Verdict | null
}

function judge(
  decision: Decision,
  identity: RecordIdentity,
  stored: InvoiceRow | undefined,
  chain: string,
): Judged {
  const { database, record, environment, service, items, forced } = decision
  const plain = (own: Verdict): Judged => ({ verdict: own, duplicate: null })
  if (forced?.state === 'Incorrecto') return plain(forced)
  const own = onItsOwn(items, service === 'request')
  if (own.state === 'Incorrecto') return plain(own)
  const against = service === 'verifactu' ? againstStored(identity, stored) : null
  if (against) return against
  if (forced) return plain(forced)
  if (own.state !== 'Correcto') return plain(own)
  const isFirst = bodyOf(record).Encadenamiento.PrimerRegistro === 'S'
  if (isFirst && database.hasChain(environment, service, chain))
    return plain(verdict('AceptadoConErrores', NOT_THE_FIRST, wordsOf('verifactu', NOT_THE_FIRST)))
  return plain(CORRECT)
}

/** Judges a record, stores it with its verdict, and brings the state of its invoice up to date. */
export function decide(decision: Decision): Judged {
  const { database, record, position, submission, environment, service, taxpayer } = decision
  const identity = identityOf(record)
  const key: InvoiceKey = {
    environment,
    service,
    book: '',
    taxpayer,
    issuer: identity.issuer,
    // Blanks at the ends do not count.
    number: identity.number.trim(),
    issue_date: identity.issue_date,
  }
  const stored = database.invoice(key)
  const chain = chainOf(taxpayer, record)
  const judged = judge(decision, identity, stored, chain)
  const { state, code, description } = judged.verdict
  const id = database.insertRecord({
    ...key,
    submission,
    position,
    operation: identity.operation,
    state,
    code,
    description,
    hash: bodyOf(record).Huella,
    chain,
    value: JSON.stringify(record),
  })
  if (state === 'Incorrecto') return judged
  const alta = altaOf(record)
  const row = {
    ...key,
    state: alta ? (state === 'Correcto' ? 'Correcta' : 'AceptadaConErrores') : 'Anulada',
    code,
    description,
    record: id,
    registration: alta ? id : (stored?.registration ?? null),
    submission,
    period: alta ? periodOf(alta) : (stored?.period ?? monthOf(identity.issue_date)),
    modified: (stored?.modified ?? -1) + 1,
  } as const
  if (stored) database.updateInvoice({ ...row, id: stored.id })
  else database.insertInvoice(row)
  return judged
}
