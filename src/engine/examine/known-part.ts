/**
 * What is known of a document that the schema refuses. The rules then report the problems that the client must correct
 * in addition to the schema errors.
 */
import type { CanonicalInvoice, Finding } from '#core/invoice/index.ts'
import { escapeSegment, valueAt } from '#core/invoice/pointer.ts'
import { oneLineMembers } from '#core/invoice/shape.ts'
import { COMPUTED_TOTALS } from '#core/invoice/terms.ts'
import { FILLED_FROM } from '../normalise/index.ts'

export interface KnownPart {
  /** The document without what the schema refuses, completed so that it can be normalised. All quantities are 0. */
  readonly document: CanonicalInvoice
  /** Whether all values are known that match a path; `*` in the path is any name or index, within the block if given. */
  readonly isKnown: (path: string, block?: string) => boolean
}

/** The totals are never known, because nothing is calculated. */
export const TOTALS = '/invoice/totals'

/** Findings about a member that the client must remove. Everything else stays as it is. */
const REMOVED = ['inferred_fields_not_allowed', 'invoice_number_not_allowed', 'issue_date_not_allowed']

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
    return (namesIn(extra, 'similar') ?? []).map((name) => {
      const isOfOtherBlock = /[.[]/.test(name) && !/^(company|person)/.test(name)
      return `${isOfOtherBlock ? '/invoice' : parentOf(path)}/${name.replace(/\[.*/, '').replaceAll('.', '/')}`
    })
  if (REMOVED.includes(code)) return []
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

const ZERO_TOTALS = Object.fromEntries(COMPUTED_TOTALS.map((name) => [name, 0]))

/** Adds what the normalisation and the calculation need. It is not known, so that the rules report nothing about it. */
const completed = ({ meta = {}, invoice }: Record<'meta' | 'invoice', object>) => {
  const { lines = [], taxes_outputs, ...blocks } = invoice as Record<string, object[]>
  return {
    meta,
    invoice: {
      ...Object.fromEntries(['supplier', 'header', 'issue_data'].map((name) => [name, {}])),
      ...blocks,
      lines: lines.map((line) => ({
        ...('unit_price_with_tax' in line ? {} : { unit_price_without_tax: 0 }),
        ...line,
        quantity: 0,
      })),
      taxes_outputs: taxes_outputs?.map((entry) => ({
        taxable_base: 0,
        tax_rate: 0,
        tax_amount: 0,
        ...entry,
      })),
      taxes_withheld: undefined,
      totals: ZERO_TOTALS,
    },
  } as unknown as CanonicalInvoice
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
  const unknown = [TOTALS, ...findings.flatMap(unknownPaths)]
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
  const isKnown = (path: string, block = ''): boolean => {
    const names = namesWithin(path, block)
    if (!isCertain(names, open)) return false
    const sources = FILLED_FROM[path] ?? []
    return (
      valueAt(copy, names.join('/')) !== undefined ||
      sources.every((source) => isCertain(namesWithin(source, block), unclear))
    )
  }
  return { document: completed(copy as Record<'meta' | 'invoice', object>), isKnown }
}
