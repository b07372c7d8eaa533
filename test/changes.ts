/**
 * Documents with one change each: a field removed, added or with another value. A file lists, for each code, which
 * changes add it and which remove it, with documents in which they do and in which they do not.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { ALL } from './size.ts'

export interface Change {
  readonly path: string
  /** What is done to the field, such as `removed`, `= "07"` or `+ 0.01`. */
  readonly what: string
  /** The new value; undefined removes the field. */
  readonly value: unknown
}

const UNCHANGED: Change = { path: 'document', what: 'unchanged', value: undefined }

export interface Outcome {
  readonly codes: ReadonlySet<string>
  /** Whether errors prevented further checks, so that missing codes mean nothing. */
  readonly isBlocked: boolean
}

/** A document that changes are made in. */
export interface Changeable<T extends Outcome = Outcome> {
  readonly name: string
  readonly document: object
  readonly outcomeOf: (document: any) => T
}

type Alternative = readonly [what: string, value: unknown]

/** Other values of fields, by name; fields to add, by the name of their parent. */
export interface Alternatives {
  readonly valuesOf: (name: string, value: unknown) => readonly Alternative[]
  readonly additions: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>
}

export const equalTo = (values: readonly unknown[]): Alternative[] =>
  values.map((value) => [`= ${JSON.stringify(value)}`, value])

/** Yields the changes of every field of a document. Names with a slash are left alone. */
function* changesOf(node: object, alternatives: Alternatives, path = '', parent = ''): Generator<Change> {
  for (const [name, value] of Object.entries(node)) {
    const at = `${path}/${name}`
    if (value === null || name.includes('/')) continue
    if (typeof value === 'object') {
      if (!Array.isArray(node)) yield { path: at, what: 'removed', value: undefined }
      yield* changesOf(value, alternatives, at, Array.isArray(node) ? parent : name)
    } else {
      yield { path: at, what: 'removed', value: undefined }
      for (const [what, other] of alternatives.valuesOf(name, value))
        if (other !== value) yield { path: at, what, value: other }
    }
  }
  if (Array.isArray(node)) return
  for (const [name, values] of Object.entries(alternatives.additions[parent] ?? {}))
    if (!(name in node))
      for (const [what, value] of equalTo(values)) yield { path: `${path}/${name}`, what, value }
}

/** Returns a copy of a document with a change. */
function changed(document: object, { path, value }: Change): object {
  const copy = structuredClone(document)
  const names = path.slice(1).split('/')
  const last = names.pop() ?? ''
  const parent = names.reduce<any>((node, name) => node[name], copy)
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return copy
}

/** A change at any index of a list. */
const kindOf = ({ path, what }: Change): string => `${path.replace(/\/\d+(?=\/|$)/g, '/*')} ${what}`

/** A code that changes of a field add (`+`) or remove (`-`) in some documents. */
interface Effect {
  readonly code: string
  readonly sign: '+' | '-'
  readonly pattern: string
}

/** Changes that have an effect in a document or, with `isNot`, do not have it. */
interface Group {
  readonly isNot: boolean
  readonly whats: readonly string[]
  readonly name: string
}

/** A line of a file: fields whose changes have an effect in the same documents. */
interface Line {
  readonly code: string
  readonly sign: '+' | '-'
  readonly patterns: readonly string[]
  readonly groups: readonly Group[]
}

// --------------------------------------------------------------------------------------------- text of a file

const HEADER = `Changes of one field that add (+) or remove (-) a code, each with a document in which they do. "not" and "none"
name a document in which the same changes do not. Removing a field stands for removing its parents too.
Written by UPDATE_GOLDEN=1.
`

/** Returns paths as text. Fields of one parent share it: `/a/{b,c}`. */
function pathsText(patterns: readonly string[]): string {
  const byParent = new Map<string, string[]>()
  for (const pattern of [...patterns].sort()) {
    const at = pattern.lastIndexOf('/') + 1
    const parent = pattern.slice(0, at)
    byParent.set(parent, [...(byParent.get(parent) ?? []), pattern.slice(at)])
  }
  return [...byParent]
    .map(([parent, names]) => `${parent}${names.length === 1 ? names[0] : `{${names.join(',')}}`}`)
    .join(' ')
}

const pathsOf = (text: string): string[] =>
  text.split(' ').flatMap((path) => {
    const [, parent = path, names = ''] = /^(.*)\{(.*)\}$/.exec(path) ?? []
    return names.split(',').map((name) => `${parent}${name}`)
  })

const allWhats = (groups: readonly Group[]): string[] =>
  groups.flatMap(({ isNot, whats }) => (isNot ? [] : whats)).sort()

function textOf({ sign, patterns, groups }: Line): string {
  const all = allWhats(groups).join(' | ')
  const texts = groups.map(({ isNot, whats, name }) => {
    const what = whats.join(' | ')
    return `${isNot ? (what === all ? 'none' : `not ${what}`) : what} in ${name}`
  })
  return `${sign} ${pathsText(patterns)}: ${texts.join('; ')}`
}

/** Returns the texts of the lines of each code. */
const sectionsOf = (lines: readonly Line[]): Map<string, string[]> => {
  const sections = new Map<string, string[]>()
  for (const line of lines) sections.set(line.code, [...(sections.get(line.code) ?? []), textOf(line)])
  return new Map(
    [...sections].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, texts]) => [code, texts.sort()]),
  )
}

const textsOf = (sections: ReadonlyMap<string, readonly string[]>): string[] =>
  [...sections].flatMap(([code, texts]) => [`# ${code}`, ...texts])

function readText(text: string): Line[] {
  const [, rows = ''] = text.split('\n\n')
  let code = ''
  return rows
    .trimEnd()
    .split('\n')
    .flatMap((row): Line[] => {
      if (row.startsWith('# ')) code = row.slice(2)
      const [, sign, paths = '', rest = ''] = /^([+-]) (.*?): (.*)$/.exec(row) ?? []
      if (sign === undefined) return []
      const groups: Group[] = []
      for (const group of rest.split('; ')) {
        const [, not, what = '', name = ''] = /^(not )?(.*) in (.*)$/.exec(group) ?? []
        const isNot = not !== undefined || what === 'none'
        groups.push({ isNot, whats: what === 'none' ? allWhats(groups) : what.split(' | '), name })
      }
      return [{ code, sign: sign as '+' | '-', patterns: pathsOf(paths), groups }]
    })
}

// ------------------------------------------------------------------------------------------- what changes do

/** What a kind of change does in a document: the codes that it adds and removes at any of its paths. */
class Tried {
  readonly added = new Set<string>()
  readonly removed = new Set<string>()
  isBlocked = true

  constructor(readonly own: Outcome) {}

  note({ codes, isBlocked }: Outcome): void {
    for (const code of codes) if (!this.own.codes.has(code)) this.added.add(code)
    // Whatever a blocked document lacks, no change has removed it.
    if (isBlocked || this.own.isBlocked) return
    this.isBlocked = false
    for (const code of this.own.codes) if (!codes.has(code)) this.removed.add(code)
  }

  has({ code, sign }: Omit<Effect, 'pattern'>): boolean {
    return (sign === '+' ? this.added : this.removed).has(code)
  }

  /** Whether it could have the effect, but does not. */
  lacks(effect: Omit<Effect, 'pattern'>): boolean {
    return !this.has(effect) && !this.isBlocked && this.own.codes.has(effect.code) === (effect.sign === '-')
  }

  *effects(pattern: string): Generator<Effect> {
    for (const code of this.added) yield { code, sign: '+', pattern }
    for (const code of this.removed) yield { code, sign: '-', pattern }
  }
}

export type Visit<T extends Outcome> = (one: {
  name: string
  change: Change
  document: any
  outcome: T
}) => void

/** The kinds of changes, with what they do in each document. */
class Survey<T extends Outcome> {
  readonly kinds = new Map<string, Map<string, Tried>>()

  /** Tries all changes, or some of each kind in some of the documents. */
  constructor(
    documents: readonly Changeable<T>[],
    alternatives: Alternatives,
    isWhole: boolean,
    visit: Visit<T>,
  ) {
    const counts = new Map<string, number>()
    for (const [index, { name, document, outcomeOf }] of documents.entries()) {
      const own = outcomeOf(document)
      visit({ name, change: UNCHANGED, document, outcome: own })
      if (!isWhole && index % 8 > 0) continue
      for (const change of changesOf(document, alternatives)) {
        const kind = kindOf(change)
        const count = counts.get(kind) ?? 0
        counts.set(kind, count + 1)
        // Kinds begin at different changes, to meet other documents.
        if (!isWhole && count > 0 && (count + kind.length) % 10 > 0) continue
        const copy = changed(document, change)
        const outcome = outcomeOf(copy)
        this.tried(kind, name, own).note(outcome)
        visit({ name, change, document: copy, outcome })
      }
    }
  }

  private tried(kind: string, name: string, own: Outcome): Tried {
    const names = this.kinds.get(kind) ?? new Map<string, Tried>()
    this.kinds.set(kind, names)
    const found = names.get(name) ?? new Tried(own)
    names.set(name, found)
    return found
  }

  /** Returns the lines of all effects. Documents of the old lines are preferred, so that lines change rarely. */
  lines(old: readonly Line[]): Line[] {
    const before = new Map(
      old.flatMap(({ patterns, groups, ...effect }) =>
        patterns.map((pattern) => [keyOf({ ...effect, pattern }), groups] as const),
      ),
    )
    const merged = new Map<string, { line: Line; before: readonly Group[] }>()
    for (const { effect, whats } of this.effects()) {
      const { pattern, ...code } = effect
      const groups = before.get(keyOf(effect)) ?? []
      const cases = whats.map((what) => this.casesOf(what, [pattern], (tried) => tried.has(effect)))
      const found = cover(whats, cases, groups, false)
      const key = textOf({ ...code, patterns: [], groups: found }) + effect.code
      const { line } = merged.get(key) ?? { line: { ...code, patterns: [], groups: found } }
      merged.set(key, { line: { ...line, patterns: [...line.patterns, pattern] }, before: groups })
    }
    return [...merged.values()].map(({ line, before }) => {
      const whats = allWhats(line.groups)
      const cases = whats.map((what) => this.casesOf(what, line.patterns, (tried) => tried.lacks(line)))
      return { ...line, groups: [...line.groups, ...cover(whats, cases, before, true).slice(0, 1)] }
    })
  }

  /** Returns the effects, with the changes that have them. */
  private effects(): { effect: Effect; whats: string[] }[] {
    const found = new Map<string, { effect: Effect; whats: Set<string> }>()
    for (const [kind, names] of this.kinds) {
      const [, pattern = '', what = ''] = /^(\S+) (.*)$/.exec(kind) ?? []
      for (const tried of names.values())
        for (const effect of tried.effects(pattern)) {
          const entry = found.get(keyOf(effect)) ?? { effect, whats: new Set() }
          found.set(keyOf(effect), entry)
          entry.whats.add(what)
        }
    }
    // Removing a field stands for removing its parents.
    for (const { effect } of [...found.values()]) {
      const names = effect.pattern.split('/')
      while (names.pop() !== undefined)
        found
          .get(keyOf({ ...effect, pattern: names.join('/') }))
          ?.whats.delete(found.get(keyOf(effect))?.whats.has('removed') ? 'removed' : '')
    }
    return [...found.values()]
      .filter(({ whats }) => whats.size > 0)
      .map(({ effect, whats }) => ({ effect, whats: [...whats].sort() }))
  }

  /** Returns the documents in which a change of each of the fields passes a test. */
  private casesOf(what: string, patterns: readonly string[], passes: (tried: Tried) => boolean): string[] {
    const [first = new Map<string, Tried>(), ...rest] = patterns.map((pattern) =>
      this.kinds.get(`${pattern} ${what}`),
    )
    return [...first]
      .filter(([name, tried]) =>
        [tried, ...rest.map((names) => names?.get(name))].every((one) => one && passes(one)),
      )
      .map(([name]) => name)
  }
}

const keyOf = ({ code, sign, pattern }: Effect): string => `${code} ${sign} ${pattern}`

/** Returns as few documents as possible that cover all changes, from the documents of each change. */
function cover(
  whats: readonly string[],
  cases: readonly (readonly string[])[],
  before: readonly Group[],
  isNot: boolean,
): Group[] {
  const whatsOf = new Map<string, string[]>()
  for (const [index, names] of cases.entries())
    for (const name of names) whatsOf.set(name, [...(whatsOf.get(name) ?? []), required(whats[index])])
  const preferred = before.filter((group) => group.isNot === isNot).map(({ name }) => name)
  const rank = (name: string) => (preferred.includes(name) ? preferred.indexOf(name) : preferred.length)
  const size = (name: string) => whatsOf.get(name)?.length ?? 0
  const order = [...whatsOf.keys()].sort((a, b) => rank(a) - rank(b) || size(b) - size(a) || (a < b ? -1 : 1))
  const groups: Group[] = []
  const covered = new Set<string>()
  for (const name of order) {
    const own = whatsOf.get(name)?.filter((what) => !covered.has(what)) ?? []
    if (own.length === 0) continue
    for (const what of own) covered.add(what)
    groups.push({ isNot, whats: own.sort(), name })
  }
  return groups
}

// --------------------------------------------------------------------------------------------------- tests

/** Returns a line as it is now: what no longer has the effect is listed with `not`, and vice versa. */
function lineNow(line: Line, triedOf: (kind: string, name: string) => Tried | undefined): Line[] {
  const nowOf = (pattern: string) =>
    line.groups.flatMap(({ isNot, whats, name }): Group[] => {
      const stays = (what: string) => {
        const tried = triedOf(`${pattern} ${what}`, name)
        return tried !== undefined && (isNot ? tried.lacks(line) : tried.has(line))
      }
      const [same, other] = [whats.filter(stays), whats.filter((what) => !stays(what))]
      return [
        ...(same.length > 0 ? [{ isNot, whats: same, name }] : []),
        ...(other.length > 0 ? [{ isNot: !isNot, whats: other, name }] : []),
      ]
    })
  const text = (groups: readonly Group[]) => textOf({ ...line, groups })
  const changes = line.patterns.filter((pattern) => text(nowOf(pattern)) !== text(line.groups))
  const same = line.patterns.filter((pattern) => !changes.includes(pattern))
  return [
    ...(same.length > 0 ? [{ ...line, patterns: same }] : []),
    ...changes.map((pattern) => ({ ...line, patterns: [pattern], groups: nowOf(pattern) })),
  ]
}

/** Tries only the changes and documents that a file names. */
function trier(documents: readonly Changeable[], alternatives: Alternatives) {
  const byName = new Map(documents.map((one) => [one.name, one]))
  const changes = new Map<string, { own: Outcome; kinds: Map<string, Change[]> }>()
  const found = new Map<string, Tried>()
  const changesIn = ({ name, document, outcomeOf }: Changeable) => {
    const known = changes.get(name)
    if (known) return known
    const kinds = new Map<string, Change[]>()
    for (const change of changesOf(document, alternatives)) {
      const kind = kindOf(change)
      kinds.set(kind, [...(kinds.get(kind) ?? []), change])
    }
    const entry = { own: outcomeOf(document), kinds }
    changes.set(name, entry)
    return entry
  }
  return (kind: string, name: string): Tried | undefined => {
    const one = byName.get(name)
    if (!one) return undefined
    const key = `${name} ${kind}`
    const known = found.get(key)
    if (known) return known
    const { own, kinds } = changesIn(one)
    const tried = new Tried(own)
    for (const change of kinds.get(kind) ?? []) tried.note(one.outcomeOf(changed(one.document, change)))
    found.set(key, tried)
    return tried
  }
}

/**
 * Declares a test for each code of a file, and one that no other change adds or removes a code. In the sample, these
 * compare what the file names, and some other changes. With `UPDATE_GOLDEN=1`, writes the file first. Returns a function
 * that makes sure that all changes of this run have been visited.
 */
export function testChanges<T extends Outcome>(
  file: URL,
  documents: readonly Changeable<T>[],
  alternatives: Alternatives,
  visit: Visit<T> = () => undefined,
): () => void {
  const isUpdate = process.env.UPDATE_GOLDEN === '1'
  let known: Survey<T> | undefined
  const survey = () => {
    known ??= new Survey(documents, alternatives, isUpdate || ALL, visit)
    return known
  }
  const listed = () => readText(readFileSync(file, 'utf8'))
  if (isUpdate)
    writeFileSync(file, `${HEADER}\n${textsOf(sectionsOf(survey().lines(listed()))).join('\n')}\n`)
  const lines = listed()
  const tried = trier(documents, alternatives)
  const named = new Set(
    lines.flatMap(({ patterns, groups, ...effect }) =>
      patterns.flatMap((pattern) =>
        allWhats(groups).map((what) => `${keyOf({ ...effect, pattern })} ${what}`),
      ),
    ),
  )
  /** Whether the change is listed, or the same change of a part of the field. */
  const isNamed = (effect: Effect, what: string) =>
    named.has(`${keyOf(effect)} ${what}`) ||
    (what === 'removed' &&
      [...named].some((one) => one.startsWith(`${keyOf(effect)}/`) && one.endsWith(' removed')))
  it('no change adds or removes a code that is not listed', () => {
    const found = survey()
      .lines([])
      .flatMap(({ patterns, groups, ...effect }) =>
        patterns.map((pattern) => ({
          ...effect,
          patterns: [pattern],
          groups: groups
            .map((group) => ({
              ...group,
              whats: group.whats.filter((what) => !group.isNot && !isNamed({ ...effect, pattern }, what)),
            }))
            .filter(({ whats }) => whats.length > 0),
        })),
      )
      .filter(({ groups }) => groups.length > 0)
    expect(textsOf(sectionsOf(found))).toEqual([])
  })
  for (const [code, texts] of sectionsOf(lines))
    it(`the changes that add and remove ${code}`, () => {
      const own = lines.filter((line) => line.code === code).flatMap((line) => lineNow(line, tried))
      expect(sectionsOf(own).get(code)).toEqual(texts)
    })
  return () => void survey()
}
