/**
 * The fast path of an audit, for a registration that is intact, adds up, and follows the previous record. All other
 * records go through the full audit, even if only a text has a trailing blank.
 */
import { required } from '../../errors/index.ts'
import { fromImporte, timestampOf } from '../../fiscal/literals.ts'
import { hashMatches, plainAltaText, type Sha256 } from '../model/hash.ts'
import type { FiscalRecord, RegistroAlta } from '../model/types.ts'
import { type Entry, isLoose } from './entry.ts'

const SPACE = 32

/** Whether a text is not empty and has no leading or trailing blanks. */
const isPlain = (value: unknown): value is string =>
  typeof value === 'string' && value.charCodeAt(0) > SPACE && value.charCodeAt(value.length - 1) > SPACE

/** Whether the breakdown matches the totals, or is exempt from matching. */
function addsUp(record: RegistroAlta): boolean {
  const lines: unknown = record.Desglose?.DetalleDesglose
  if (!Array.isArray(lines)) return false
  let tax = 0
  let total = 0
  for (const line of lines as RegistroAlta['Desglose']['DetalleDesglose']) {
    if (!line) return false
    if (isLoose(line.ClaveRegimen)) return true
    const { CuotaRecargoEquivalencia: surcharge } = line
    const charged = fromImporte(line.CuotaRepercutida) ?? 0
    const own = surcharge === undefined ? charged : charged + (fromImporte(surcharge) ?? 0)
    tax += own
    total += (fromImporte(line.BaseImponibleOimporteNoSujeto) ?? Number.NaN) + own
  }
  return tax === fromImporte(record.CuotaTotal) && total === fromImporte(record.ImporteTotal)
}

/** Recognises the ordinary records of a chain quickly. */
export class FastPath {
  readonly #hash: Sha256
  /** Latest instant that is not treated as future. */
  readonly #latest: number
  /** False after a record that requires a full audit of the next record. */
  #ready = false
  #owner: readonly string[] = []
  #number = ''
  #date = ''
  #last = ''
  #instant = 0

  constructor(hash: Sha256, latest: number) {
    this.#hash = hash
    this.#latest = latest
  }

  /** Restarts after a record that went through the full audit; `entry` is null if that record was not intact. */
  restart(entry: Entry | null, owner: readonly string[]): void {
    this.#ready = entry?.instant !== undefined
    if (!entry || entry.instant === undefined) return
    this.#owner = owner
    this.#number = required(entry.values[1])
    this.#date = required(entry.values[2])
    this.#last = entry.stored
    this.#instant = entry.instant
  }

  /** Whether the record is an intact registration that follows the last record. If so, it becomes the last record. */
  follows(record: FiscalRecord): record is { readonly RegistroAlta: RegistroAlta } {
    // The input may not be a record at all: the full audit reports it.
    if (!this.#ready || typeof record !== 'object' || record === null || !('RegistroAlta' in record))
      return false
    const alta = record.RegistroAlta
    const id = alta?.IDFactura
    const link = alta?.Encadenamiento?.RegistroAnterior
    if (!id || !link || !this.#isNext(link) || !this.#isOwn(id, alta.SistemaInformatico)) return false
    const { NumSerieFactura: number, FechaExpedicionFactura: date } = id
    const { TipoFactura: type, CuotaTotal: tax, ImporteTotal: total, Huella: own } = alta
    if (
      !isPlain(number) ||
      !isPlain(date) ||
      !isPlain(type) ||
      !isPlain(tax) ||
      !isPlain(total) ||
      !isPlain(own)
    )
      return false
    const timestamp = alta.FechaHoraHusoGenRegistro
    const instant = timestampOf(timestamp)
    if (instant === undefined || instant < this.#instant || instant > this.#latest || !addsUp(alta))
      return false
    const text = plainAltaText(
      required(this.#owner[0]),
      number,
      date,
      type,
      tax,
      total,
      this.#last,
      timestamp,
    )
    if (!hashMatches(text, own, this.#hash)) return false
    this.#number = number
    this.#date = date
    this.#last = own
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

  #isOwn(id: RegistroAlta['IDFactura'], system: RegistroAlta['SistemaInformatico'] | undefined): boolean {
    const owner = this.#owner
    return (
      id.IDEmisorFactura === owner[0] &&
      system?.NIF === owner[1] &&
      system?.IdSistemaInformatico === owner[2] &&
      system?.NumeroInstalacion === owner[3]
    )
  }
}
