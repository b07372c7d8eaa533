/**
 * The ordinary step of an audit: a registration that is whole, adds up, and follows the record before. It is told
 * apart with little work; everything else, even a blank at the end of a text, is for the full audit.
 */
import { fromImporte, momentOf } from '../../fiscal/literals.ts'
import { hashTextOf, type Sha256 } from '../model/hash.ts'
import type { FiscalRecord, RegistroAlta } from '../model/types.ts'
import { type Entry, sumsOf } from './entry.ts'

const isText = (value: unknown): value is string => typeof value === 'string'

/** True where every value of the hash is a text. */
const isHashable = ({
  IDFactura: id,
  TipoFactura,
  CuotaTotal,
  ImporteTotal,
  Huella,
}: RegistroAlta): boolean =>
  isText(id.NumSerieFactura) &&
  isText(id.FechaExpedicionFactura) &&
  isText(TipoFactura) &&
  isText(CuotaTotal) &&
  isText(ImporteTotal) &&
  isText(Huella)

function addsUp(record: RegistroAlta): boolean {
  const sums = sumsOf(record)
  return (
    sums.loose ||
    (sums.tax !== undefined &&
      sums.tax === fromImporte(record.CuotaTotal) &&
      sums.total === fromImporte(record.ImporteTotal))
  )
}

export class Straight {
  readonly #hash: Sha256
  /** Latest moment that is not of the future. */
  readonly #latest: number
  /** False after a record on which the next one cannot be judged alone. */
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

  /** Begins again behind a record of the full audit; `null` where it was not whole. */
  restart(entry: Entry | null, owner: readonly string[]): void {
    this.#ready = entry?.instant !== undefined
    if (!entry || entry.instant === undefined) return
    this.#owner = owner
    this.#number = entry.values[1]!
    this.#date = entry.values[2]!
    this.#last = entry.stored
    this.#instant = entry.instant
  }

  /** True for a whole registration that follows the last one; it is then the last one. */
  follows(record: FiscalRecord): record is { readonly RegistroAlta: RegistroAlta } {
    // What is no record at all may stand here too: the full audit reports it.
    if (!this.#ready || typeof record !== 'object' || record === null || !('RegistroAlta' in record))
      return false
    const alta = record.RegistroAlta
    const id = alta?.IDFactura
    const link = alta?.Encadenamiento?.RegistroAnterior
    if (!id || !link || !this.#isNext(link) || !this.#isOwn(alta) || !isHashable(alta)) return false
    const instant = momentOf(alta.FechaHoraHusoGenRegistro)
    if (instant === undefined || instant < this.#instant || instant > this.#latest || !addsUp(alta))
      return false
    const hash = this.#hash(hashTextOf(record))
    if (hash !== alta.Huella && hash.toUpperCase() !== alta.Huella) return false
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

  #isOwn({ IDFactura: id, SistemaInformatico: system }: RegistroAlta): boolean {
    const owner = this.#owner
    return (
      id.IDEmisorFactura === owner[0] &&
      system?.NIF === owner[1] &&
      system.IdSistemaInformatico === owner[2] &&
      system.NumeroInstalacion === owner[3]
    )
  }
}
