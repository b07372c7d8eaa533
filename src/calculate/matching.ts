/**
 * Which computed group an entry of the client's breakdown stands for (calculation page, section 4). What an entry
 * says exactly comes first: an absent regime key is 01, an absent consumption member is the group without it.
 * What is left is given to the groups that it does not contradict, so that the bases agree as well as they can.
 * The order of entries and of lines decides nothing.
 */
import {
  compatibleWith,
  GENERAL_REGIME,
  NON_TAXABLE,
  TAXED,
  type TaxKey,
  type TaxOutput,
  taxKeyOf,
  taxKeyText,
  treatmentNamed,
} from '../invoice/index.ts'
import { type Minor, toMinor } from '../money/index.ts'
import { assign, FORBIDDEN } from './assignment.ts'
import type { Matching, TaxGroup } from './model.ts'

/** Entries and groups of one rate are weighed all against all up to this many: the time stays bounded. */
const MAX_WEIGHED = 64
/** An entry is held against at most so many groups of its rate. */
const MAX_CANDIDATES = 256

/** One cent per line of the group, at least one. */
export const toleranceOf = (group: TaxGroup): Minor => Math.max(1, group.lines.length)

/** What the entry says of its group; of the treatment also what its companions let one conclude. */
function keyOf(entry: TaxOutput): TaxKey {
  const treatment = treatmentNamed(entry)
  const rate = treatment === undefined || treatment === TAXED ? entry.tax_rate : 0
  return taxKeyOf({ ...entry, tax_treatment_code: treatment }, rate)
}

/** The key of the group that the entry names when what it leaves out is taken literally. */
const exactKey = (key: TaxKey): string =>
  taxKeyText({
    ...key,
    treatment: key.treatment ?? TAXED,
    regimeKey: key.regimeKey ?? GENERAL_REGIME,
    reason: key.reason ?? (key.treatment === NON_TAXABLE ? 'LOCATION_RULES' : undefined),
  })

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Distance beyond the tolerance first, then the distance itself; capped, so that sums stay exact. */
const costOf = (distance: Minor, tolerance: Minor): number =>
  Math.min(Math.max(0, distance - tolerance), 1e9) * 1000 + Math.min(distance, 999)

/** What is being matched, and how far that has come. */
class Matcher {
  readonly byGroup: number[][]
  readonly orphans: number[] = []
  readonly bases: readonly Minor[]
  /** Of each entry, and what it names exactly. Made once: each is compared with hundreds of groups. */
  private readonly keys: readonly TaxKey[]
  private readonly exact: readonly string[]
  /** What of each group's base its entries have not covered yet. */
  readonly rest: Minor[]
  /** The groups that entries of a rate are compared with. */
  private readonly byRate = new Map<number, (TaxKey & { readonly place: number })[]>()
  private readonly fitting = new Map<string, readonly number[]>()

  constructor(
    entries: readonly TaxOutput[],
    readonly groups: readonly TaxGroup[],
    decimals: number,
  ) {
    this.keys = entries.map(keyOf)
    this.exact = this.keys.map(exactKey)
    this.byGroup = groups.map(() => [])
    this.bases = entries.map((entry) => toMinor(entry.taxable_base, decimals))
    this.rest = groups.map((group) => group.base)
  }

  put(entry: number, group: number): void {
    this.byGroup[group]!.push(entry)
    this.rest[group]! -= this.bases[entry]!
  }

  /** Entries whose key is that of a group; answers the others, and those that their group has too many of. */
  exactly(): { loose: number[]; surplus: number[] } {
    const places = new Map(this.groups.map((group, place) => [taxKeyText(group), place] as const))
    const loose: number[] = []
    this.exact.forEach((key, index) => {
      const place = places.get(key)
      if (place === undefined) loose.push(index)
      else this.put(index, place)
    })
    return { loose, surplus: this.byGroup.flatMap((_, place) => this.surplusOf(place)) }
  }

  /** Entries that do not add up to their group may mean another one: all but the nearest are looked at again. */
  private surplusOf(place: number): number[] {
    const taken = this.byGroup[place]!
    const { base } = this.groups[place]!
    if (taken.length < 2 || Math.abs(this.rest[place]!) <= toleranceOf(this.groups[place]!)) return []
    const away = (index: number) => Math.abs(this.bases[index]! - base)
    const nearest = taken.reduce((best, index) => (away(index) < away(best) ? index : best))
    return taken.filter((index) => index !== nearest)
  }

  /** Places of the groups that the entry does not contradict: the same list for entries that say the same. */
  candidates(index: number): readonly number[] {
    if (this.byRate.size === 0)
      this.groups.forEach((group, place) => {
        const one = { ...group, place, consumptionRate: group.first.consumption_tax_rate }
        const known = this.byRate.get(group.rate)
        if (!known) this.byRate.set(group.rate, [one])
        else if (known.length < MAX_CANDIDATES) known.push(one)
      })
    const key = this.keys[index]!
    const text = taxKeyText(key)
    const known = this.fitting.get(text)
    if (known) return known
    const alike = this.byRate.get(key.rate) ?? []
    const places = alike.filter(compatibleWith(key)).map(({ place }) => place)
    this.fitting.set(text, places)
    return places
  }

  /** Gives each of these the nearest group that has no entry yet; answers those that get none. */
  pair(indexes: readonly number[], near: boolean): number[] {
    const left: number[] = []
    const byRate = new Map<number, number[]>()
    for (const index of this.sorted(indexes)) {
      const { rate } = this.keys[index]!
      const known = byRate.get(rate)
      if (known) known.push(index)
      else byRate.set(rate, [index])
    }
    const freeFor = (index: number) =>
      this.candidates(index).filter(
        (place) =>
          this.byGroup[place]!.length === 0 &&
          (!near || this.distance(index, place) <= toleranceOf(this.groups[place]!)),
      )
    for (const alike of byRate.values()) {
      const free = alike.length <= MAX_WEIGHED ? alike.map(freeFor) : null
      const places = [...new Set(free?.flat())].sort((a, b) =>
        byText(taxKeyText(this.groups[a]!), taxKeyText(this.groups[b]!)),
      )
      const found = free && places.length <= MAX_WEIGHED && this.best(alike, free, places)
      alike.forEach((index, at) => {
        // For more than anyone sends: each takes the nearest that is left.
        const place = found ? found[at]! : this.closest(index, freeFor(index))
        if (place < 0) left.push(index)
        else this.put(index, place)
      })
    }
    return left
  }

  private best(alike: readonly number[], free: readonly number[][], places: readonly number[]): number[] {
    if (places.length === 0) return alike.map(() => -1)
    const costs = alike.map((index, at) => {
      const allowed = new Set(free[at])
      return places.map((place) =>
        allowed.has(place)
          ? costOf(this.distance(index, place), toleranceOf(this.groups[place]!))
          : FORBIDDEN,
      )
    })
    return assign(costs).map((column) => (column < 0 ? -1 : places[column]!))
  }

  /** Each joins the group whose uncovered base is nearest; what contradicts every group is an orphan. */
  join(indexes: readonly number[]): void {
    for (const index of this.sorted(indexes)) {
      const place = this.closest(index, this.candidates(index))
      if (place < 0) this.orphans.push(index)
      else this.put(index, place)
    }
  }

  private distance(index: number, place: number): Minor {
    return Math.abs(this.rest[place]! - this.bases[index]!)
  }

  private closest(index: number, places: readonly number[]): number {
    return places.reduce(
      (best, place) => (best < 0 || this.distance(index, place) < this.distance(index, best) ? place : best),
      -1,
    )
  }

  /** The largest first, whatever order they were sent in. */
  private sorted(indexes: readonly number[]): number[] {
    const size = (index: number) => Math.abs(this.bases[index]!)
    const { exact } = this
    return [...indexes].sort((a, b) => size(b) - size(a) || byText(exact[a]!, exact[b]!) || a - b)
  }

  /** Takes entries out of their group. */
  release(indexes: readonly number[]): Map<number, number> {
    const home = new Map<number, number>()
    if (indexes.length === 0) return home
    const leaving = new Set(indexes)
    this.byGroup.forEach((taken, place) => {
      if (!taken.some((index) => leaving.has(index))) return
      for (const index of taken) if (leaving.has(index)) home.set(index, place)
      this.byGroup[place] = taken.filter((index) => !leaving.has(index))
      this.rest[place] = this.groups[place]!.base
      for (const index of this.byGroup[place]!) this.rest[place]! -= this.bases[index]!
    })
    return home
  }
}

/** Groups must have their final bases: those after document discounts and surcharges. */
export function matchEntries(
  entries: readonly TaxOutput[],
  groups: readonly TaxGroup[],
  decimals: number,
): Matching {
  const matcher = new Matcher(entries, groups, decimals)
  const { loose, surplus } = matcher.exactly()
  if (loose.length + surplus.length > 0) {
    const home = matcher.release(surplus)
    // What has left its group goes elsewhere only where it agrees to the cent; else it stays what it says it is.
    for (const index of matcher.pair(surplus, true)) matcher.put(index, home.get(index)!)
    matcher.join(matcher.pair(loose, false))
  }
  const { byGroup } = matcher
  for (const taken of byGroup) taken.sort((a, b) => a - b)
  return {
    byGroup,
    orphans: matcher.orphans.sort((a, b) => a - b),
    split: byGroup.map(
      (taken, place) => taken.length > 1 && Math.abs(matcher.rest[place]!) <= toleranceOf(groups[place]!),
    ),
  }
}
