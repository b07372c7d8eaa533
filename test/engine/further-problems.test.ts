/**
 * A document that the schema refuses: the other problems are reported in the same answer, if they remain once the schema
 * errors are corrected.
 */
import { describe, expect, it } from 'vitest'
import type { Finding } from '#core/invoice/index.ts'
import { SYNONYMS } from '#core/invoice/synonyms.ts'
import { examine } from '#engine/examine/index.ts'
import { ruleOf } from '#rules/index.ts'
import { sized } from '../size.ts'
import { goldenInputs } from './golden-invoices.ts'

type Members = Record<string, unknown>
type Path = readonly string[]
type Mistake = (parent: Members, name: string) => void

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null

/** Returns the paths of all members of objects, as lists of names. */
const membersOf = (value: unknown, path: Path = []): Path[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, member]) => {
        const at = [...path, name]
        return [...(Array.isArray(value) ? [] : [at]), ...membersOf(member, at)]
      })
    : []

/** Returns a copy of the document with a mistake in one member. */
function withMistake(document: unknown, path: Path, mistake: Mistake): unknown {
  const copy = structuredClone(document)
  const parent = path.slice(0, -1).reduce((node, name) => node[name] as Members, copy as Members)
  mistake(parent, path.at(-1)!)
  return copy
}

const rename = (parent: Members, name: string, to: string): void => {
  parent[to] = parent[name]
  delete parent[name]
}

/** Returns another name that clients use for a field, if one is known. */
const synonymOf = (field: string): string | undefined =>
  Object.entries(SYNONYMS)
    .find(([fields]) => fields.split(' ').some((one) => one.replace(/^.*\./, '') === field))?.[1]
    .split(' ')[0]

const MISTAKES: Readonly<Record<string, Mistake>> = {
  'a member that is missing': (parent, name) => {
    delete parent[name]
  },
  'a member of the wrong type': (parent, name) => {
    parent[name] = [[]]
  },
  'a member that is null': (parent, name) => {
    parent[name] = null
  },
  'a blank member': (parent, name) => {
    parent[name] = ' '
  },
  'a member with an unknown name': (parent, name) => rename(parent, name, 'unheard_of'),
  'a misspelt member': (parent, name) => rename(parent, name, `${name.slice(0, -2)}${name.slice(-1)}`),
  'a member with a name of another program': (parent, name) => rename(parent, name, synonymOf(name) ?? name),
  'an unknown member': (parent) => {
    parent.unheard_of = 1
  },
}

const textOf = ({ code, path, extra }: Finding): string => `${code} ${path} ${JSON.stringify(extra)}`

const CASES = goldenInputs().filter((_case, index) => index % sized(8, 1) === 0)

describe.each(Object.entries(MISTAKES))('beside %s', (_name, mistake) => {
  it('reports only what remains once it is corrected, in every golden case', { timeout: 300_000 }, () => {
    const wrong: string[] = []
    for (const { name, input, options } of CASES) {
      const corrected = examine(input, options)
      // Beside its own schema errors, the document reports its further problems.
      const remaining = new Set([...corrected.findings, ...corrected.further].map(textOf))
      for (const path of membersOf(input)) {
        const { findings, further } = examine(withMistake(input, path, mistake), options)
        // A mistake that the schema accepts changes what the rules read.
        const isSeen = findings.some(
          (one) => ruleOf(one.code)?.scope === 'stage' && !remaining.has(textOf(one)),
        )
        for (const finding of isSeen ? further : [])
          if (!remaining.has(textOf(finding))) wrong.push(`${name} /${path.join('/')}: ${textOf(finding)}`)
      }
    }
    expect(wrong).toEqual([])
  })
})
