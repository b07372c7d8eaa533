/**
 * The fast path of an audit, for a registration that is intact, adds up, and follows the previous record. All other
 * records go through the full audit, even if only a text has a trailing blank.
 */
import { required } from '../../errors/index.ts'
import { fromImporte, timestampOf } from '../../fiscal/literals.ts'
import { hashMatches, plainAltaText, type Sha256, trimmed } from '../model/hash.ts'
import type { FiscalRecord, RegistroAlta } from '../model/types.ts'
import { type Entry, sumsOf } from './entry.ts'

/** Whether a value is a text without leading and trailing blanks. */
const isPlain = (value: unknown): value is string => typeof value === 'string' && trimmed(value) === value

/** Whether the breakdown matches the totals, or is exempt from matching. */
function addsUp(record: RegistroAlta): boolean {
  const sums = sumsOf(record)
  return (
    sums !== undefined &&
    (sums.loose ||
      (sums.tax === fromImporte(record.CuotaTotal) && sums.total === fromImporte(record.ImporteTotal)))
  )
}

/** Recognises the ordinary records of a chain quickly. */
export class FastPath {
  readonly #hash: Sha256
  /** Latest instant that is not treated as future. */
  readonly #latest: number
  #owner: readonly string[] = []
  #number = ''
  #date = ''
  #last = ''
  /** Instant of the last record; not a number if the next record requires a full audit. */
  #instant = Number.NaN

  constructor(hash: Sha256, latest: number) {
    this.#hash = hash
    this.#latest = latest
  }

  /** Restarts after a record that went through the full audit. `owner` is the owner of the chain. */
  restart(last: Entry, owner: readonly string[]): void {
    this.#owner = owner
    this.#number = required(last.values[1])
    this.#date = required(last.values[2])
    this.#last = last.stored
    this.#instant = (last.computed === last.stored ? last.instant : undefined) ?? Number.NaN
  }

  /** Whether the record is an intact registration that follows the last record. If so, it becomes the last record. */
  follows(record: FiscalRecord): record is { readonly RegistroAlta: RegistroAlta } {
    // The input may not be a record at all: the full audit reports it.
    const alta = (record as { readonly RegistroAlta?: RegistroAlta } | null | undefined)?.RegistroAlta
    const id = alta?.IDFactura
    const link = alta?.Encadenamiento?.RegistroAnterior
    const system = alta?.SistemaInformatico
    if (!id || !link || !system || !this.#isNext(link) || !this.#isOwn(id, system)) return false
    const instant = timestampOf(alta.FechaHoraHusoGenRegistro) ?? Number.NaN
    if (!this.#isInTime(instant) || !this.#isIntact(alta) || !addsUp(alta)) return false
    this.#number = id.NumSerieFactura
    this.#date = id.FechaExpedicionFactura
    this.#last = alta.Huella
    this.#instant = instant
    return true
  }

  #isNext(link: NonNullable<RegistroAlta['Encadenamiento']['RegistroAnterior']>): boolean {
    return (
      link.Huella === this.#last &&
      link.NumSerieFactura === this.#number &&
      link.FechaExpedicionFactura === this.#date &&
      link.IDEmisorFactura === this.#owner[0]
    )
  }

  #isOwn(id: RegistroAlta['IDFactura'], system: RegistroAlta['SistemaInformatico']): boolean {
    const owner = this.#owner
    return (
      id.IDEmisorFactura === owner[0] &&
      system.NIF === owner[1] &&
      system.IdSistemaInformatico === owner[2] &&
      system.NumeroInstalacion === owner[3]
    )
  }

  #isInTime(instant: number): boolean {
    return instant >= this.#instant && instant <= this.#latest
  }

  /** Whether the record, which follows the last record, has its own hash. */
  #isIntact(alta: RegistroAlta): boolean {
    const { IDEmisorFactura: issuer, NumSerieFactura: number, FechaExpedicionFactura: date } = alta.IDFactura
    const { TipoFactura: type, CuotaTotal: tax, ImporteTotal: total, Huella: own } = alta
    const timestamp = alta.FechaHoraHusoGenRegistro
    return (
      [number, date, type, tax, total, own].every(isPlain) &&
      hashMatches(
        plainAltaText(issuer, number, date, type, tax, total, this.#last, timestamp),
        own,
        this.#hash,
      )
    )
  }
}
