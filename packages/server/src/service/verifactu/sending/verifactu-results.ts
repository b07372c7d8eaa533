/** Interprets the result of each record of a message, as stated in a response or found by a query. */
import {
  authorityCode,
  type Respuesta,
  readResponse,
  readVerifactu,
  recordXml,
} from '#records/verifactu/index.ts'
import type { Rows } from '../../../store/store.ts'
import type { MatchedEntry, QueryResult } from '../../transmission/channel.ts'
import type { Refusal } from '../../transmission/transmission-types.ts'
import { recordOf } from '../stored-text.ts'
import type { AuthorityRecord, EntryResult, Verifactu } from './verifactu-queue-types.ts'
import { invoiceIdentityOf, type PendingRecord } from './verifactu-records.ts'

type Outcome = EntryResult['outcome']

export const STATUS_LITERALS = {
  accepted: 'Correcto',
  accepted_with_errors: 'AceptadoConErrores',
  rejected: 'Incorrecto',
} as const

/** Returns the outcome that corresponds to a status of the authority; null for an unknown status. */
export const outcomeOf = (state: string): Outcome | null =>
  state === 'accepted' || state === 'accepted_with_errors' || state === 'rejected' ? state : null

/** Returns the identity with which response lines refer to a record: number, date and operation. */
export const identityOf = (
  named: Pick<PendingRecord, 'num_serie' | 'fecha_expedicion'>,
  operation: PendingRecord['tipo'],
): string => `${operation} ${invoiceIdentityOf(named)}`

/**
 * Returns the outcome of a record from the authority's record of its invoice. Returns null if the hash shows that the
 * authority does not have this record. `later` are later records of the same invoice: if the authority has one of them,
 * it has accepted this record before.
 */
function outcomeIn(
  { huella }: PendingRecord,
  authorityRecord: AuthorityRecord | undefined,
  later: readonly PendingRecord[] = [],
): 'accepted' | 'accepted_with_errors' | null {
  if (!authorityRecord) return null
  if (authorityRecord.huella === huella)
    return authorityRecord.state === 'accepted_with_errors' ? authorityRecord.state : 'accepted'
  return later.some((one) => one.huella === authorityRecord.huella) ? 'accepted' : null
}

/**
 * Returns the outcome of a duplicate if an earlier message delivered this record; otherwise null. If the query result
 * contains a hash, it must be that of this record. Without a hash, a record that was sent before counts as delivered,
 * and its outcome is the status that the response states for the stored record.
 */
function earlierOutcome(
  { entry, line }: MatchedEntry<Verifactu>,
  asked: QueryResult<Verifactu> | null,
  sentBefore: ReadonlySet<string>,
): Outcome | null {
  const authorityRecord = asked?.ok ? asked.authorityRecords.get(entry.key) : undefined
  if (asked?.ok && authorityRecord?.huella !== null) return outcomeIn(entry, authorityRecord)
  return sentBefore.has(entry.key)
    ? outcomeOf(line.duplicate_state ?? authorityRecord?.state ?? 'unknown')
    : null
}

export function interpretLine(
  matched: MatchedEntry<Verifactu>,
  asked: QueryResult<Verifactu> | null,
  sentBefore: ReadonlySet<string>,
): EntryResult {
  const { entry, line } = matched
  const earlier = line.isDuplicate ? earlierOutcome(matched, asked, sentBefore) : null
  if (earlier !== null && earlier !== 'rejected')
    // The record was accepted, although the response to the second delivery says otherwise.
    return {
      entry,
      outcome: earlier,
      literal: STATUS_LITERALS[earlier],
      code: null,
      description: null,
      next_step: earlier === 'accepted' ? 'none' : 'correct',
      next_options: null,
    }
  const outcome = line.isDuplicate ? 'rejected' : (outcomeOf(line.state) ?? 'rejected')
  return {
    entry,
    outcome,
    literal: STATUS_LITERALS[outcome],
    code: line.code === null ? null : String(line.code),
    description: line.description,
    next_step: line.next,
    next_options: line.options && JSON.stringify(line.options),
  }
}

/** Whether a record was accepted with errors that require no correction. */
const isHarmless = (code: number | null): boolean =>
  code !== null && authorityCode(code)?.needs_subsanacion === false

export const interpretAuthorityRecords = (
  entries: readonly PendingRecord[],
  all: ReadonlyMap<string, AuthorityRecord>,
): readonly EntryResult[] =>
  entries.flatMap((entry, index): EntryResult[] => {
    const authorityRecord = all.get(entry.key)
    const later = entries.slice(index + 1).filter(({ invoice_id }) => invoice_id === entry.invoice_id)
    const outcome = outcomeIn(entry, authorityRecord, later)
    if (!outcome || !authorityRecord) return []
    // The authority returns only the last record of the invoice. The error code of another record does not apply to
    // this one.
    const isOwn = authorityRecord.huella === entry.huella
    return [
      {
        entry,
        outcome,
        literal: STATUS_LITERALS[outcome],
        code: isOwn && authorityRecord.code !== null ? String(authorityRecord.code) : null,
        description: isOwn ? authorityRecord.description : null,
        next_step: outcome === 'accepted' || (isOwn && isHarmless(authorityRecord.code)) ? 'none' : 'correct',
        next_options: null,
      },
    ]
  })

function marksIn(record: string) {
  try {
    const { RegistroAlta, RegistroAnulacion } = JSON.parse(record)
    const { Subsanacion, RechazoPrevio, SinRegistroPrevio } = RegistroAlta ?? RegistroAnulacion ?? {}
    return {
      ...(Subsanacion ? { Subsanacion } : {}),
      ...(RechazoPrevio ? { RechazoPrevio } : {}),
      ...(SinRegistroPrevio ? { SinRegistroPrevio } : {}),
    }
  } catch {
    return {}
  }
}

/** Returns the result, in the form of a response line, of a record that made the authority reject a message. */
export async function rejectedResultOf(
  db: Rows,
  entry: PendingRecord,
  { code, reason }: Refusal,
): Promise<EntryResult> {
  const { record } = await db
    .find('verifactu_records', { sequence: entry.sequence, environment: entry.environment })
    .select('record')
    .executeTakeFirstOrThrow()
  const IDFactura = {
    IDEmisorFactura: '',
    NumSerieFactura: entry.num_serie,
    FechaExpedicionFactura: entry.fecha_expedicion,
  }
  const [line] = readResponse({
    EstadoEnvio: 'Incorrecto',
    RespuestaLinea: [
      {
        IDFactura,
        Operacion: { TipoOperacion: entry.tipo === 'alta' ? 'Alta' : 'Anulacion', ...marksIn(record) },
        EstadoRegistro: 'Incorrecto',
        CodigoErrorRegistro: String(code ?? ''),
      },
    ],
  } as unknown as Respuesta).lines
  return {
    entry,
    outcome: 'rejected',
    literal: STATUS_LITERALS.rejected,
    code: code === null ? null : String(code),
    description: reason.es,
    next_step: line?.next ?? 'fix_and_register',
    next_options: line?.options ? JSON.stringify(line.options) : null,
  }
}

/** Whether the XML of a record conforms to the official schema. */
export function isSchemaValid(xml: string | null): boolean {
  if (xml === null) return false
  const { document, items } = readVerifactu(xml)
  const record = recordOf(document)
  if (items.length > 0 || record === null || 'RegistroEvento' in record) return false
  try {
    recordXml(record)
    return true
  } catch {
    return false
  }
}
