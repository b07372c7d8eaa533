/**
 * What is known of a document that the schema refuses. The rules then report the problems that the client must correct
 * in addition to the schema errors.
 */
import { type CanonicalInvoice, type Finding, oneLineMembers } from '#core/invoice/index.ts'
import { suggestedPointer } from '#core/invoice/near.ts'
import { escapeSegment, valueAt } from '#core/invoice/pointer.ts'
import { FILLED_FROM } from '../normalise/index.ts'

export interface KnownPart {
  /** The document without what the schema refuses, completed so that it can be normalised. All quantities are 0. */
  readonly document: CanonicalInvoice
  /**
   * Whether a finding can rely on all values that match a path. `*` in the path is any name or index; in the finding's
   * block, only those of the block. An absent member that is itself the finding must not have been sent under an unknown
   * name; other absent members must not if the unknown name may mean anything.
   */
  readonly isKnown: (path: string, finding: string, block: string) => boolean
}

/** The totals are never known, because nothing is calculated. */
export const TOTALS = '/invoice/totals'
const BREAKDOWN = ['/invoice/taxes_outputs', '/invoice/taxes_withheld']

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

const isMisnamed = ({ code }: Finding): boolean => code === 'schema.additional_properties'

const namesIn = (extra: Finding['extra'], member: string) => extra?.[member] as readonly string[] | undefined

/**
 * Returns the paths of the members that a schema error leaves unknown: missing, with a wrong value, or meant by an
 * unknown name.
 */
function unknownPaths(finding: Finding): readonly string[] {
  const { code, path, extra } = finding
  if (isMisnamed(finding))
    return (namesIn(extra, 'similar') ?? []).flatMap((name) => suggestedPointer(path, name) ?? [])
  // A member that is not allowed must be removed; everything else stays as it is.
  if (code.endsWith('_not_allowed')) return []
  return namesIn(extra, 'choices')?.map((name) => `${path}/${name}`) ?? [path]
}

/** Returns a copy without undefined members and without the paths in `left`. One-line texts are trimmed. */
function copyWithout(value: unknown, left: ReadonlySet<string>, path = '', name = ''): unknown {
  if (typeof value === 'string') return oneLineMembers.has(name) ? value.trim() : value
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([member, each]): [string, unknown] => {
    const at = `${path}/${escapeSegment(member)}`
    return [member, left.has(at) ? undefined : copyWithout(each, left, at, member)]
  })
  // A refused entry keeps its place in the list.
  return Array.isArray(value)
    ? entries.map(([, each]) => each ?? {})
    : Object.fromEntries(entries.filter(([, each]) => each !== undefined))
}

/**
 * Adds what the normalisation and the calculation need. It is not known, so that the rules report nothing about it. A
 * line may then have both prices; the price with tax counts.
 */
const completed = ({ meta = {}, invoice }: Record<'meta' | 'invoice', object>) => {
  const { lines = [], ...blocks } = invoice as Record<string, object[]>
  const lineOf = (line: object) => ({ unit_price_without_tax: 0, ...line, quantity: 0 })
  const completedInvoice = {
    supplier: {},
    header: {},
    issue_data: {},
    totals: {},
    ...blocks,
    lines: lines.map(lineOf),
  }
  return { meta, invoice: completedInvoice } as unknown as CanonicalInvoice
}

const ANY = '*'

/** Whether one of two paths contains the other. `*` in the first one is any name. */
const overlap = (names: readonly string[], other: readonly string[]): boolean =>
  other.every((name, at) => at >= names.length || names[at] === name || names[at] === ANY)

/** Returns the names of a path. If the path may be within the block, its first names are those of the block. */
const namesWithin = (path: string, block: string): readonly string[] => {
  const names = path.split('/')
  const within = block.split('/')
  return overlap(names, within) ? [...within.slice(0, names.length), ...names.slice(within.length)] : names
}

/**
 * Returns the known part of a document with these schema errors, which must be all of them; null if nothing is known.
 */
export function knownPartOf(document: unknown, findings: readonly Finding[]): KnownPart | null {
  const breakdown = BREAKDOWN.filter((path) => valueAt(document, path) !== undefined)
  const unknown = [TOTALS, ...breakdown, ...findings.flatMap(unknownPaths)]
  if (unknown.includes('') || unknown.includes('/invoice')) return null
  const removed = findings.filter(({ extra }) => !extra?.choices).map(({ path }) => path)
  const { meta, invoice } = document as CanonicalInvoice
  const copy = copyWithout({ meta, invoice }, new Set([...unknown, ...removed])) as typeof document & object

  const split = (paths: readonly string[]) => [...new Set(paths)].map((path) => path.split('/'))
  const unknownNames = split(unknown)
  const misnamed = findings.filter(isMisnamed)
  /** Objects that may have further members, under unknown names. */
  const open = split(misnamed.map(({ path }) => parentOf(path)))
  /** Those whose unknown names have no known meaning. */
  const unclear = split(misnamed.filter(({ extra }) => !extra?.similar).map(({ path }) => parentOf(path)))

  /** Whether a present value is correct, and an absent one cannot have been sent under an unknown name. */
  const isCertain = (names: readonly string[], objects: typeof open): boolean =>
    !unknownNames.some((one) => overlap(names, one)) &&
    !objects.some(
      (one) =>
        overlap(names, one) &&
        (one.length >= names.length || valueAt(copy, [...one, names[one.length]].join('/')) === undefined),
    )
  const isKnown: KnownPart['isKnown'] = (path, finding, block) => {
    const isCertainIn = (pattern: string): boolean => {
      const names = namesWithin(pattern, block)
      return isCertain(names, names.join('/') === finding ? open : unclear)
    }
    const isSent = valueAt(copy, namesWithin(path, block).join('/')) !== undefined
    return [path, ...(isSent ? [] : (FILLED_FROM[path] ?? []))].every(isCertainIn)
  }
  return { document: completed(copy as Record<'meta' | 'invoice', object>), isKnown }
}
