/**
 * Documents with one change each: a field removed, added or with another value. A list of them is a text with a line
 * for each change: its path and value, the codes that it adds to those of the document and removes, and a digest of the
 * whole result.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { required } from '../src/errors/index.ts'

interface Change {
  readonly path: string
  /** The new value; undefined removes the field. */
  readonly value: unknown
}

/** What a document gives: its codes, and everything that the digest stands for. */
export interface Outcome {
  readonly codes: ReadonlySet<string>
  readonly whole: unknown
}

/** A document that changes are made in. */
export interface Changeable {
  readonly name: string
  readonly document: object
  readonly outcomeOf: (document: any) => Outcome
}

interface ChangedCase {
  readonly name: string
  readonly lines: readonly string[]
}

/** Other values of fields, by name; fields to add, by the name of their parent. */
export interface Alternatives {
  readonly valuesOf: (name: string, value: unknown) => readonly unknown[]
  readonly additions: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>
}

/** Yields the changes of every field of a document. Names with a slash are left alone. */
function* changesOf(node: object, alternatives: Alternatives, path = '', parent = ''): Generator<Change> {
  for (const [name, value] of Object.entries(node)) {
    const at = `${path}/${name}`
    if (value === null || name.includes('/')) continue
    if (typeof value === 'object') {
      if (!Array.isArray(node)) yield { path: at, value: undefined }
      yield* changesOf(value, alternatives, at, Array.isArray(node) ? parent : name)
    } else
      for (const other of [undefined, ...alternatives.valuesOf(name, value)])
        if (other !== value) yield { path: at, value: other }
  }
  if (Array.isArray(node)) return
  for (const [name, values] of Object.entries(alternatives.additions[parent] ?? {}))
    if (!(name in node)) for (const value of values) yield { path: `${path}/${name}`, value }
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

/** Returns the codes that a change adds to those of its document, and those that it removes. */
function effectOf(own: Outcome, { codes }: Outcome): string {
  const added = [...codes].filter((code) => !own.codes.has(code)).map((code) => `+${code}`)
  const removed = [...own.codes].filter((code) => !codes.has(code)).map((code) => `-${code}`)
  return [...added, ...removed].sort().join(' ') || 'same codes'
}

const digestOf = ({ whole }: Outcome): string =>
  createHash('sha256').update(JSON.stringify(whole)).digest('hex').slice(0, 8)

/** Returns the line of a change: `path = value: codes added and removed [digest]`. */
function lineOf({ path, value }: Change, own: Outcome, outcome: Outcome): string {
  const what = value === undefined ? 'removed' : `= ${JSON.stringify(value)}`
  return `${path} ${what}: ${effectOf(own, outcome)} [${digestOf(outcome)}]`
}

const changeOf = (line: string): Change => {
  const [, path = '', value] = /^(\S+) (?:removed|= (.*?)): /.exec(line) ?? []
  return { path, value: value === undefined ? undefined : JSON.parse(value) }
}

/** Returns the lines of a case as they are now. */
function linesNow({ document, outcomeOf }: Changeable, lines: readonly string[]): string[] {
  const own = outcomeOf(document)
  return lines.map((line) => {
    const change = changeOf(line)
    return lineOf(change, own, outcomeOf(changed(document, change)))
  })
}

/** Changes of one field, of one kind and with the same codes, that are kept. */
const MOST_ALIKE = 4

/** Chooses changes that do not repeat each other. */
function chooseChanges(documents: readonly Changeable[], alternatives: Alternatives): ChangedCase[] {
  const alike = new Map<string, number>()
  return documents.flatMap(({ name, document, outcomeOf }) => {
    const own = outcomeOf(document)
    const lines: string[] = []
    for (const change of changesOf(document, alternatives)) {
      const outcome = outcomeOf(changed(document, change))
      const kind = typeof change.value === 'number' ? 'number' : JSON.stringify(change.value)
      // Errors that prevent further checks remove all other codes.
      const added = [...outcome.codes].filter((code) => !own.codes.has(code)).sort()
      const key = `${change.path.replace(/\/\d+/g, '/*')} ${kind} ${added}`
      const count = alike.get(key) ?? 0
      alike.set(key, count + 1)
      if (count < MOST_ALIKE) lines.push(lineOf(change, own, outcome))
    }
    return lines.length > 0 ? [{ name, lines }] : []
  })
}

const writeCases = (cases: readonly ChangedCase[]): string =>
  cases.map(({ name, lines }) => `# ${name}\n${lines.map((line) => `${line}\n`).join('')}`).join('\n')

const readCases = (text: string): ChangedCase[] =>
  text.split('\n\n').map((section) => {
    const [title = '', ...lines] = section.trimEnd().split('\n')
    return { name: title.slice(2), lines }
  })

/** Declares a test for each case of a file. With `UPDATE_GOLDEN=1`, chooses the changes again and writes the file first. */
export function testChanges(file: URL, documents: readonly Changeable[], alternatives: Alternatives): void {
  if (process.env.UPDATE_GOLDEN === '1')
    writeFileSync(file, writeCases(chooseChanges(documents, alternatives)))
  const byName = new Map(documents.map((document) => [document.name, document]))
  for (const { name, lines } of readCases(readFileSync(file, 'utf8')))
    it(name, () => {
      expect(linesNow(required(byName.get(name)), lines)).toEqual(lines)
    })
}
