/**
 * Matches the entries of the client's breakdown with the computed groups (calculation page, section 4). Exact keys are
 * matched first; an absent regime key means 01, and an entry without consumption fields matches the group without them.
 * The remaining entries are matched with groups that they do not contradict, so that the bases agree as well as
 * possible. The order of entries and lines has no effect.
 */
import { compatibleWith, type TaxKey, type TaxOutput, taxKeyOf, taxKeyText } from '#core/invoice/index.ts'
import { GENERAL_REGIME, NON_TAXABLE, TAXED, treatmentOf } from '#core/invoice/terms.ts'
import { type Minor, toleranceOf, toMinor } from '#core/money/index.ts'
import { FORBIDDEN, leastCostAssignment } from './assignment.ts'
import type { Matching, TaxGroup } from './calculation-model.ts'

/** Maximum number of entries and groups of one rate that are compared in all combinations, to limit the time. */
const MAX_WEIGHED = 64
/** Maximum number of groups of the same rate with which an entry is compared. */
const MAX_CANDIDATES = 256

/** Returns the tax key that the entry states. If it states no treatment, its other fields imply it. */
function keyOf(entry: TaxOutput): TaxKey {
  const treatment = treatmentOf(entry)
  const rate = treatment === undefined || treatment === TAXED ? entry.tax_rate : 0
  return taxKeyOf({ ...entry, tax_treatment_code: treatment }, rate)
}

/** Returns the key of the group that the entry states if absent fields have their default values. */
const exactKey = (key: TaxKey): string =>
  taxKeyText({
    ...key,
    treatment: key.treatment ?? TAXED,
    regimeKey: key.regimeKey ?? GENERAL_REGIME,
    reason: key.reason ?? (key.treatment === NON_TAXABLE ? 'LOCATION_RULES' : undefined),
  })

/** Compares texts by code unit. The order of equal texts does not matter: their entries or groups are equivalent. */
export const byText = (a: string, b: string): number => (a < b ? -1 : 1)

/**
 * Returns the cost of matching an entry with a group. The distance beyond the tolerance weighs more than the distance
 * itself. Both are capped, so that sums stay exact.
 */
const costOf = (distance: Minor, tolerance: Minor): number =>
  Math.min(Math.max(0, distance - tolerance), 1e9) * 1000 + Math.min(distance, 999)

/** Assigns entries to groups, and holds the assignments made so far. */
class Matcher {
  readonly byGroup: number[][]
  readonly orphans: number[] = []
  readonly bases: readonly Minor[]
  /**
   * Keys of the entries, and their exact keys. They are computed once, because each is compared with hundreds of
   * groups.
   */
  private readonly keys: readonly TaxKey[]
  private readonly exact: readonly string[]
  /** Texts of the keys, as the entries state them. */
  private readonly stated: readonly string[]
  /** For each group, its base minus the bases of the entries assigned to it. */
  readonly rest: Minor[]
  /** The groups of each rate. */
  private readonly byRate = new Map<number, (TaxKey & { readonly groupIndex: number })[]>()
  private readonly fitting = new Map<string, readonly number[]>()

  constructor(
    entries: readonly TaxOutput[],
    readonly groups: readonly TaxGroup[],
    decimals: number,
  ) {
    this.keys = entries.map(keyOf)
    this.exact = this.keys.map(exactKey)
    this.stated = this.keys.map(taxKeyText)
    this.byGroup = groups.map(() => [])
    this.bases = entries.map((entry) => toMinor(entry.taxable_base, decimals))
    this.rest = groups.map((group) => group.base)
  }

  put(entry: number, group: number): void {
    this.byGroup[group]!.push(entry)
    this.rest[group]! -= this.bases[entry]!
  }

  /**
   * Assigns each entry to the group with the same exact key. Returns the unmatched entries and the surplus entries of
   * the groups.
   */
  matchExactKeys(): { unmatched: number[]; surplus: number[] } {
    const groupIndexes = new Map(
      this.groups.map((group, groupIndex) => [taxKeyText(group), groupIndex] as const),
    )
    const unmatched: number[] = []
    this.exact.forEach((key, index) => {
      const groupIndex = groupIndexes.get(key)
      if (groupIndex === undefined) unmatched.push(index)
      else this.put(index, groupIndex)
    })
    return { unmatched, surplus: this.byGroup.flatMap((_, groupIndex) => this.surplusOf(groupIndex)) }
  }

  /**
   * If several entries do not add up to their group, returns all of them except the one with the nearest base: they may
   * belong to other groups. Among equally near entries, the one that fits the fewest groups is not returned.
   */
  private surplusOf(groupIndex: number): number[] {
    const taken = this.byGroup[groupIndex]!
    const { base } = this.groups[groupIndex]!
    if (taken.length < 2 || Math.abs(this.rest[groupIndex]!) <= toleranceOf(this.groups[groupIndex]!))
      return []
    const away = (index: number) => Math.abs(this.bases[index]! - base)
    const fits = (index: number) => this.candidates(index).length
    const [nearest] = [...taken].sort((a, b) => away(a) - away(b) || fits(a) - fits(b) || this.compare(a, b))
    return taken.filter((index) => index !== nearest)
  }

  /** Returns the groups that the entry does not contradict. Entries with the same key share one list. */
  candidates(index: number): readonly number[] {
    if (this.byRate.size === 0)
      this.groups.forEach((group, groupIndex) => {
        const one = { ...group, groupIndex, consumptionRate: group.first.consumption_tax_rate }
        const known = this.byRate.get(group.rate)
        if (!known) this.byRate.set(group.rate, [one])
        else if (known.length < MAX_CANDIDATES) known.push(one)
      })
    const key = this.keys[index]!
    const text = this.stated[index]!
    const known = this.fitting.get(text)
    if (known) return known
    const alike = this.byRate.get(key.rate)
    const groupIndexes = alike?.filter(compatibleWith(key)).map(({ groupIndex }) => groupIndex) ?? []
    this.fitting.set(text, groupIndexes)
    return groupIndexes
  }

  /** Assigns to each entry the nearest group without entries. Returns the entries without a group. */
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
        (groupIndex) =>
          this.byGroup[groupIndex]!.length === 0 &&
          (!near || this.distance(index, groupIndex) <= toleranceOf(this.groups[groupIndex]!)),
      )
    for (const alike of byRate.values()) {
      const free = alike.length <= MAX_WEIGHED ? alike.map(freeFor) : null
      const groupIndexes = [...new Set(free?.flat())].sort((a, b) =>
        byText(taxKeyText(this.groups[a]!), taxKeyText(this.groups[b]!)),
      )
      const found = free && groupIndexes.length <= MAX_WEIGHED && this.best(alike, free, groupIndexes)
      alike.forEach((index, at) => {
        // Above `MAX_WEIGHED`, each entry gets the nearest group without entries.
        const groupIndex = found ? found[at]! : this.closest(index, freeFor(index))
        if (groupIndex < 0) left.push(index)
        else this.put(index, groupIndex)
      })
    }
    return left
  }

  private best(
    alike: readonly number[],
    free: readonly number[][],
    groupIndexes: readonly number[],
  ): number[] {
    if (groupIndexes.length === 0) return alike.map(() => -1)
    const costs = alike.map((index, at) => {
      const allowed = new Set(free[at])
      return groupIndexes.map((groupIndex) =>
        allowed.has(groupIndex)
          ? costOf(this.distance(index, groupIndex), toleranceOf(this.groups[groupIndex]!))
          : FORBIDDEN,
      )
    })
    return leastCostAssignment(costs).map((column) => (column < 0 ? -1 : groupIndexes[column]!))
  }

  /**
   * Adds each entry to the group whose remaining base is nearest. An entry that contradicts every group is an orphan.
   */
  join(indexes: readonly number[]): void {
    for (const index of this.sorted(indexes)) {
      const groupIndex = this.closest(index, this.candidates(index))
      if (groupIndex < 0) this.orphans.push(index)
      else this.put(index, groupIndex)
    }
  }

  private distance(index: number, groupIndex: number): Minor {
    return Math.abs(this.rest[groupIndex]! - this.bases[index]!)
  }

  private closest(index: number, groupIndexes: readonly number[]): number {
    return groupIndexes.reduce(
      (best, groupIndex) =>
        best < 0 || this.distance(index, groupIndex) < this.distance(index, best) ? groupIndex : best,
      -1,
    )
  }

  /** Compares entries by size, largest first, so that the order in which they were sent does not matter. */
  private compare(a: number, b: number): number {
    const { bases, stated } = this
    const size = Math.abs(bases[b]!) - Math.abs(bases[a]!)
    return size || bases[b]! - bases[a]! || byText(stated[a]!, stated[b]!)
  }

  private sorted(indexes: readonly number[]): number[] {
    return [...indexes].sort((a, b) => this.compare(a, b))
  }

  /** Removes entries from their groups. Returns the previous group of each entry. */
  release(indexes: readonly number[]): Map<number, number> {
    const previous = new Map<number, number>()
    const leaving = new Set(indexes)
    this.byGroup.forEach((taken, groupIndex) => {
      if (!taken.some((index) => leaving.has(index))) return
      for (const index of taken) if (leaving.has(index)) previous.set(index, groupIndex)
      this.byGroup[groupIndex] = taken.filter((index) => !leaving.has(index))
      this.rest[groupIndex] = this.groups[groupIndex]!.base
      for (const index of this.byGroup[groupIndex]!) this.rest[groupIndex]! -= this.bases[index]!
    })
    return previous
  }
}

/** Matches the entries with the groups, whose bases must include document discounts and surcharges. */
export function matchEntries(
  entries: readonly TaxOutput[],
  groups: readonly TaxGroup[],
  decimals: number,
): Matching {
  const matcher = new Matcher(entries, groups, decimals)
  const { unmatched, surplus } = matcher.matchExactKeys()
  const previous = matcher.release(surplus)
  // A surplus entry moves to another group only if their bases agree within tolerance. Otherwise it returns to its
  // previous group.
  for (const index of matcher.pair(surplus, true)) matcher.put(index, previous.get(index)!)
  matcher.join(matcher.pair(unmatched, false))
  const { byGroup } = matcher
  for (const taken of byGroup) taken.sort((a, b) => a - b)
  return {
    byGroup,
    orphans: matcher.orphans,
    split: byGroup.map(
      (taken, groupIndex) =>
        taken.length > 1 && Math.abs(matcher.rest[groupIndex]!) <= toleranceOf(groups[groupIndex]!),
    ),
  }
}
