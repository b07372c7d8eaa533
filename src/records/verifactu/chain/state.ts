/** Audits one chain record by record: each record against the previous one. */
import { required } from '#core/errors/index.ts'
import type { Extra } from '#core/invoice/index.ts'
import { fromImporte, toImporte } from '../../fiscal/literals.ts'
import { HASH_FIELDS, type Sha256 } from '../model/hash.ts'
import {
  type Entry,
  EVENT_LINK_FIELDS,
  identityOf,
  LINK_FIELDS,
  nameOf,
  nameOfLink,
  nameParts,
} from './chain-entry.ts'
import type { ChainCode } from './chain-items.ts'
import { Memory, MIN_REMEMBERED_RECORDS, type Remembered } from './chain-memory.ts'
import { type Budget, changedFieldOf } from './suspects.ts'

/** Tolerance of a system's clock: one minute (Orden HAC/1177/2024 art. 7). */
export const CLOCK_TOLERANCE_MS = 60_000

interface Awaited {
  readonly entry: Entry
  readonly link: readonly string[]
  /** Name of the record before `entry` in the input. */
  readonly before: string
}

export type Report = (code: ChainCode, entry: Entry, path: string, extra?: Extra) => void

const rememberedOf = (entry: Entry): Remembered => ({
  at: entry.at,
  name: nameOf(entry),
  stored: entry.stored,
})

/** Returns the NIF of the issuer of an invoice, or of the producer of the system for events. */
const issuerOf = (entry: Entry): string => required(entry.values[0])

const isIntact = (entry: Entry): boolean => entry.computed === entry.stored

const isLinkedTo = (entry: Entry, before: Entry): boolean => entry.link?.at(-1) === before.stored

const ownHash = (entry: Entry): string => (entry.kind === 'evento' ? 'HuellaEvento' : 'Huella')

/** One chain, of invoices or of events. */
export class Chain {
  count = 0
  /** The last record added. */
  previous: Entry | undefined
  readonly #report: Report
  readonly #hash: Sha256
  readonly #budget: Budget
  readonly #after: readonly string[] | undefined
  /** Latest instant that is not treated as future. */
  readonly #latest: number
  readonly #now: string | undefined
  readonly #memory = new Memory()
  /**
   * Records whose link names a record not yet received, by the hash in the link. Each is a gap unless that record
   * follows.
   */
  readonly #awaited = new Map<string, Awaited>()
  /** Hashes of records known to be out of order. Records linked to them are not reported again. */
  readonly #outOfOrder = new Set<string>()
  /** The last record and its predecessor. The last record is checked for tampering when its successor is known. */
  #pending: { entry: Entry; before: Entry | undefined } | undefined

  constructor(
    report: Report,
    now: string | undefined,
    latest: number,
    hash: Sha256,
    budget: Budget,
    after: readonly string[] | undefined,
  ) {
    this.#report = report
    this.#hash = hash
    this.#budget = budget
    this.#after = after
    this.#latest = latest
    this.#now = now
  }

  /** Checks and adds a record. Skips a repetition of a remembered record. */
  add(entry: Entry): void {
    const before = this.previous
    if (this.#isRepeated(entry)) return
    this.#checkPending(entry)
    if (entry.link === undefined) this.#report('chain.no_link', entry, '/Encadenamiento')
    else if (entry.link === null) {
      if (before || this.#after)
        this.#report(
          'chain.first_again',
          entry,
          `/Encadenamiento/${entry.kind === 'evento' ? 'PrimerEvento' : 'PrimerRegistro'}`,
          { count: this.count || 1 },
        )
    } else this.#checkLink(entry, entry.link, before)
    this.#checkTimestamp(entry, before)
    this.#checkBreakdown(entry)
    this.#checkNumber(entry, before)
    this.#remember(entry)
    this.#pending = { entry, before }
    this.previous = entry
    this.count++
  }

  end(): void {
    this.#checkPending(undefined)
    for (const waited of this.#awaited.values()) this.#reportGap(waited)
    this.#awaited.clear()
  }

  /** Reports tampering with the pending record. Needs its successor, which repeats values of the record. */
  #checkPending(next: Entry | undefined): void {
    const pending = this.#pending
    this.#pending = undefined
    if (!pending || isIntact(pending.entry)) return
    const { entry, before } = pending
    const suspect = changedFieldOf(
      entry,
      {
        previousHash: before?.stored ?? this.#after?.at(-1),
        previousTimestamp: before?.timestamp,
        previousValues: before?.values,
        next: next?.link,
        nextTimestamp: next?.timestamp,
      },
      this.#hash,
      this.#budget,
    )
    const fields = suspect ? [suspect.field] : [...new Set(HASH_FIELDS[entry.kind])]
    const at = suspect ? `/${suspect.field}` : ''
    this.#report('chain.tampered', entry, at, {
      fields,
      certain: suspect !== null,
      ...(suspect?.original === null || suspect === null ? {} : { original: suspect.original }),
      expected: entry.computed,
      received: entry.stored,
    })
  }

  #checkLink(entry: Entry, link: readonly string[], before: Entry | undefined): void {
    const hash = required(link.at(-1))
    const expected = before ? identityOf(before) : this.#after
    const found = this.#memory.find(hash)
    const waiting = this.#awaited.get(hash)
    const other = waiting ? rememberedOf(waiting.entry) : this.#memory.followerOf(found)
    if (other) {
      // Both branches of the fork may continue. Records that follow the other branch are not reported again.
      this.#markOutOfOrder(other.stored)
      const extra = { other: other.name, other_record: other.at }
      this.#report('chain.fork', entry, this.#linkPath(entry), extra)
      return
    }
    if (!expected) {
      this.#report('chain.wrong_first', entry, this.#linkPath(entry), { missing: nameOfLink(link) })
      return
    }
    this.#memory.follow(found, this.#memory.last + 1)
    if (link.every((value, i) => value === expected[i])) return
    if (this.#sameRecord(entry, link, expected, before, found)) return
    if (found < 0) {
      this.#await(entry, link, before)
      return
    }
    if (this.#awaited.has(entry.stored) || this.#outOfOrder.has(hash)) return
    this.#markOutOfOrder(entry.stored)
    const earlier = this.#memory.recall(found)
    this.#report('chain.order', entry, this.#linkPath(entry), {
      other: earlier.name,
      other_record: earlier.at,
    })
  }

  /**
   * Whether the link names the previous record, although one value differs because one of the two records was changed.
   */
  #sameRecord(
    entry: Entry,
    link: readonly string[],
    expected: readonly string[],
    before: Entry | undefined,
    found: number,
  ): boolean {
    const [received, stored] = [required(link.at(-1)), required(expected.at(-1))]
    const sameHash = received === stored
    const same = link.filter((value, i) => value === expected[i]).length
    // A link with the hash of a remembered record names that record, even if its other values fit the previous record:
    // a registration and its cancellation have the same number.
    if (!sameHash && (found >= 0 || same < link.length - 1)) return false
    const changedBefore = before?.computed !== before?.stored
    if (!sameHash) {
      // The record's own hash covers the hash of its link. If that hash is valid, the previous record was replaced.
      // Otherwise this record was changed, or the previous record has a wrong hash; both cases are reported elsewhere.
      const witness = isIntact(entry) && before && !changedBefore
      if (witness)
        this.#report('chain.replaced', before, `/${ownHash(before)}`, {
          by: nameOf(entry),
          expected: received,
          received: stored,
        })
      else if (!before) this.#await(entry, link, before)
      return true
    }
    // The previous record is reported as tampered, with the field that its successor repeats.
    if (changedBefore) return true
    const fields = entry.kind === 'evento' ? EVENT_LINK_FIELDS : LINK_FIELDS
    const i = link.findIndex((value, at) => value !== expected[at])
    const extra = { field: required(fields[i]), received: required(link[i]), expected: required(expected[i]) }
    this.#report('chain.link_differs', entry, `${this.#linkPath(entry)}/${fields[i]}`, extra)
    return true
  }

  /** Waits for the record that a link names. If more than `MIN_REMEMBERED_RECORDS` are awaited, reports the oldest as a gap. */
  #await(entry: Entry, link: readonly string[], before: Entry | undefined): void {
    const front = before ? nameOf(before) : nameOfLink(required(this.#after))
    this.#awaited.set(required(link.at(-1)), { entry, link, before: front })
    if (this.#awaited.size <= MIN_REMEMBERED_RECORDS) return
    const [oldest, waited] = this.#awaited.entries().next().value as [string, Awaited]
    this.#awaited.delete(oldest)
    this.#reportGap(waited)
  }

  #markOutOfOrder(hash: string): void {
    if (this.#outOfOrder.size >= MIN_REMEMBERED_RECORDS) this.#outOfOrder.clear()
    this.#outOfOrder.add(hash)
  }

  #linkPath(entry: Entry): string {
    return `/Encadenamiento/${entry.kind === 'evento' ? 'EventoAnterior' : 'RegistroAnterior'}`
  }

  #reportGap({ entry, link, before }: Awaited): void {
    this.#report('chain.gap', entry, this.#linkPath(entry), {
      missing: nameOfLink(link),
      missing_hash: required(link.at(-1)),
      before,
    })
  }

  /** Whether an unchanged record occurs again, as in overlapping exports. */
  #isRepeated(entry: Entry): boolean {
    if (!isIntact(entry)) return false
    const sequence = this.#memory.find(entry.stored)
    if (sequence < 0 && this.#after?.at(-1) !== entry.stored) return false
    const other_record = sequence < 0 ? null : this.#memory.recall(sequence).at
    this.#report('chain.given_twice', entry, '', { other_record })
    return true
  }

  /**
   * Reports a reused invoice number. A number must never be reused, not even after a cancellation (code 3000). Records
   * out of order are not checked.
   */
  #checkNumber(entry: Entry, before: Entry | undefined): void {
    if (entry.kind !== 'alta' || entry.corrects || !before || !isLinkedTo(entry, before)) return
    const [number, date] = nameParts(entry)
    const earlier = this.#memory.named(issuerOf(entry), number, date)
    if (!earlier) return
    for (const waiting of this.#awaited.values()) if (waiting.entry.stored === earlier.stored) return
    this.#report('chain.number_reused', entry, '/IDFactura/NumSerieFactura', { other_record: earlier.at })
  }

  #checkTimestamp(entry: Entry, before: Entry | undefined): void {
    const { instant } = entry
    const path = entry.kind === 'evento' ? '/FechaHoraHusoGenEvento' : '/FechaHoraHusoGenRegistro'
    if (instant === undefined) {
      this.#report('chain.timestamp', entry, path, { received: entry.timestamp })
      return
    }
    const whole = before && isIntact(before) && isIntact(entry) && isLinkedTo(entry, before)
    if (whole && instant < Number(before.instant))
      this.#report('chain.clock_backwards', entry, path, {
        received: entry.timestamp,
        expected: before.timestamp,
      })
    if (instant > this.#latest)
      this.#report('chain.clock_ahead', entry, path, {
        received: entry.timestamp,
        expected: required(this.#now),
      })
  }

  #checkBreakdown(entry: Entry): void {
    const { sums } = entry
    // Records with a wrong hash are already reported as tampered.
    if (!sums || sums.loose || !isIntact(entry)) return
    const differs = (field: string, received: string, sum: number): void => {
      const cents = fromImporte(received)
      if (cents !== undefined && cents !== sum)
        this.#report('chain.breakdown_differs', entry, `/${field}`, {
          field,
          received,
          expected: toImporte(sum),
        })
    }
    differs('CuotaTotal', required(entry.values[4]), sums.tax)
    differs('ImporteTotal', required(entry.values[5]), sums.total)
  }

  #remember(entry: Entry): void {
    const [first, second] = nameParts(entry)
    const sequence = this.#memory.add(entry.at, issuerOf(entry), first, second, entry.stored)
    const awaited = this.#awaited.get(entry.stored)
    if (!awaited) return
    this.#awaited.delete(entry.stored)
    this.#memory.follow(sequence, this.#memory.find(awaited.entry.stored))
    this.#markOutOfOrder(awaited.entry.stored)
    this.#markOutOfOrder(entry.stored)
    const extra = { other: nameOf(entry), other_record: entry.at }
    this.#report('chain.order', awaited.entry, this.#linkPath(awaited.entry), extra)
  }
}
