/**
 * Finds the changed field of a tampered record. The hash only proves a change, so candidates for the original value
 * come from redundant data. The next record repeats number, date and hash, and the breakdown repeats the totals. There
 * are few invoice types, and the timestamp is between those of the previous and the next record. The candidate that
 * gives the stored hash is the original value.
 */
import { timestampOf, toImporte } from '../../fiscal/literals.ts'
import { spanishTimestamp } from '../../fiscal/timestamp.ts'
import { recordHash, type Sha256 } from '../model/hash.ts'
import type { RecordKind } from '../model/verifactu-record-types.ts'

/** Sums of a breakdown in cents. */
export interface Sums {
  readonly tax: number
  readonly total: number
  /** True if a regime key allows the totals to differ from the sums of the breakdown. */
  readonly loose: boolean
}

/** The hashed values of a record. */
export interface HashedRecord {
  readonly kind: RecordKind
  /** Values in hash order, unchanged. */
  readonly values: readonly string[]
  /** Hash that the record carries. */
  readonly stored: string
  /** Hash computed from its values. */
  readonly computed: string
  /** Sums of the breakdown. Undefined for cancellations and events, or if an amount is unreadable. */
  readonly sums: Sums | undefined
}

export interface Neighbours {
  /** Hash of the previous record. */
  readonly previousHash: string | undefined
  readonly previousTimestamp: string | undefined
  readonly previousValues: readonly string[] | undefined
  /**
   * Values with which the next record identifies its previous record: issuer, number, date, hash; for events type,
   * timestamp, hash.
   */
  readonly next: readonly string[] | null | undefined
  readonly nextTimestamp: string | undefined
}

/** Maximum number of hashes that an audit computes to find changed timestamps. */
export const SEARCH_BUDGET = 200_000

export interface Budget {
  left: number
}

interface Suspect {
  readonly field: string
  /** The value with which the record has its stored hash; null if the hash itself was changed. */
  readonly original: string | null
}

const INVOICE_TYPES = ['F1', 'F2', 'F3', 'R1', 'R2', 'R3', 'R4', 'R5']
const EVENT_TYPES = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '90']

/** First hashed values of an event. The previous event has the same values. */
const EVENT_OWNER = [
  'SistemaInformatico/NIF',
  'SistemaInformatico/IDOtro/ID',
  'SistemaInformatico/IdSistemaInformatico',
  'SistemaInformatico/Version',
  'SistemaInformatico/NumeroInstalacion',
  'ObligadoEmision/NIF',
]

/** Returns the forms in which systems write an amount. */
const literalsOf = (cents: number): string[] => {
  const full = toImporte(cents)
  const short = full.replace(/0$/, '')
  return [...new Set([full, short, short.replace(/\.0?$/, ''), `+${full}`])]
}

interface Field {
  readonly name: string
  readonly index: number
  /** Possible original values; undefined if the previous or next record does not have the value. */
  readonly candidates: readonly (string | undefined)[]
}

type Guesses = (around: Neighbours, record: HashedRecord) => Field[]

/** Fields of the invoice's identity. The next record repeats them, and the previous record has the same issuer. */
const invoiceIdentity = ({ next, previousValues }: Neighbours, suffix: '' | 'Anulada'): Field[] =>
  ['IDEmisorFactura', 'NumSerieFactura', 'FechaExpedicionFactura'].map((name, index) => ({
    name: `IDFactura/${name}${suffix}`,
    index,
    candidates: [next?.[index], previousValues?.[index]],
  }))

const linkedHash = (name: string, index: number, { previousHash }: Neighbours): Field => ({
  name: `Encadenamiento/${name}`,
  index,
  candidates: [previousHash, ''],
})

/** The fields whose original value can be derived from other data, with their candidates. */
const GUESSES: Readonly<Record<RecordKind, Guesses>> = {
  alta: (around, { sums }) => [
    ...invoiceIdentity(around, ''),
    linkedHash('RegistroAnterior/Huella', 6, around),
    { name: 'TipoFactura', index: 3, candidates: INVOICE_TYPES },
    ...(sums
      ? [
          { name: 'CuotaTotal', index: 4, candidates: literalsOf(sums.tax) },
          { name: 'ImporteTotal', index: 5, candidates: literalsOf(sums.total) },
        ]
      : []),
  ],
  anulacion: (around) => [
    ...invoiceIdentity(around, 'Anulada'),
    linkedHash('RegistroAnterior/Huella', 3, around),
  ],
  evento: (around) => [
    ...EVENT_OWNER.map((name, index) => ({ name, index, candidates: [around.previousValues?.[index]] })),
    { name: 'TipoEvento', index: 6, candidates: [around.next?.[0], ...EVENT_TYPES] },
    { name: 'FechaHoraHusoGenEvento', index: 8, candidates: [around.next?.[1]] },
    linkedHash('EventoAnterior/HuellaEvento', 7, around),
  ],
}

const LAST = { alta: 7, anulacion: 4, evento: 8 } as const

/**
 * Tries every second between the previous and the next record, with the UTC offsets of Madrid and the Canary Islands.
 */
function findTimestamp(
  record: HashedRecord,
  around: Neighbours,
  gives: (index: number, value: string) => boolean,
  budget: Budget,
): string | null {
  const index = LAST[record.kind]
  const from = timestampOf(around.previousTimestamp) ?? Number.NaN
  const to = timestampOf(around.nextTimestamp) ?? Number.NaN
  for (let instant = from; instant <= to; instant += 1000) {
    for (const zone of ['Europe/Madrid', 'Atlantic/Canary'] as const) {
      if (budget.left-- <= 0) return null
      const timestamp = spanishTimestamp(instant, zone)
      if (gives(index, timestamp)) return timestamp
    }
  }
  return null
}

/** Returns the changed field, or `null` if it cannot be determined. */
export function changedFieldOf(
  record: HashedRecord,
  around: Neighbours,
  hash: Sha256,
  budget: Budget,
): Suspect | null {
  const own = record.kind === 'evento' ? 'HuellaEvento' : 'Huella'
  if (around.next?.at(-1) === record.computed) return { field: own, original: null }
  if (record.stored.toUpperCase() === record.computed) return { field: own, original: record.computed }
  const gives = (index: number, value: string): boolean => {
    const changed = [...record.values]
    changed[index] = value
    return recordHash(record.kind, changed, hash) === record.stored
  }
  for (const { name, index, candidates } of GUESSES[record.kind](around, record))
    for (const value of candidates)
      if (value !== undefined && gives(index, value)) return { field: name, original: value }
  const timestamp = findTimestamp(record, around, gives, budget)
  const field = record.kind === 'evento' ? 'FechaHoraHusoGenEvento' : 'FechaHoraHusoGenRegistro'
  return timestamp === null ? null : { field, original: timestamp }
}
