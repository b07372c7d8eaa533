/** The code of every fault in the structure of every element, as a table: see `tables.ts`. */
import { describe, it } from 'vitest'
import type { ValidationItem } from '#core/invoice/index.ts'
import { checkQuery, checkRecord, checkSubmission } from '#records/verifactu/rules/check.ts'
import { hashed } from '../records.ts'
import type { Loose } from './form/case.ts'
import { RICH } from './form/rich.ts'
import { matchesTable } from './tables.ts'

const TEXT_FAULTS = {
  removed: undefined,
  null: null,
  empty: '',
  blank: ' ',
  short: 'x',
  long: 'A'.repeat(2_000),
  'control character': 'A\u0007',
  'no list value': 'A?',
  number: 1,
  block: {},
}
const BLOCK_FAULTS = { removed: undefined, null: null, text: 'x', 'empty block': {} }
const LIST_FAULTS = { removed: undefined, null: null, text: 'x', 'empty list': [], 'null in it': [null] }
const IDENTIFIERS = { NIF: 'B77777779', IDOtro: { CodigoPais: 'US', IDType: '04', ID: '1' } }

const isBlock = (value: unknown): value is object => typeof value === 'object' && value !== null

const faultsOf = (value: unknown): Readonly<Record<string, unknown>> => {
  if (Array.isArray(value)) return { ...LIST_FAULTS, 'too many': Array(1_001).fill(value[0]) }
  if (!isBlock(value)) return TEXT_FAULTS
  const isParty = 'NIF' in value || 'IDOtro' in value
  return {
    ...BLOCK_FAULTS,
    'unknown element': { ...value, Otro: 'x' },
    ...(isParty ? { 'two identifiers': { ...value, ...IDENTIFIERS } } : {}),
  }
}

/** Yields the names that lead to every element; of a message, without those inside its records. */
function* elementsOf(value: object, names: readonly string[] = []): Generator<readonly string[]> {
  for (const [name, inner] of Object.entries(value)) {
    const path = [...names, name]
    yield path
    if (isBlock(inner) && !(names[0] === 'RegistroFactura' && path.length === 3))
      yield* elementsOf(inner, path)
  }
}

function changed(document: object, names: readonly string[], value: unknown): object {
  const copy: Loose = structuredClone(document)
  const last = names.at(-1) ?? ''
  const holder = names.slice(0, -1).reduce((block, name) => block[name], copy)
  if (value === undefined && !Array.isArray(holder)) delete holder[last]
  else holder[last] = structuredClone(value)
  return copy
}

const CHECKS: Readonly<Record<string, (value: Loose) => ValidationItem[]>> = {
  envio: checkSubmission,
  consulta: checkQuery,
}

function brief(kind: string, document: object): string[] {
  const check = CHECKS[kind]
  if (check) return check(document).map(({ code, path }) => `${code.replace('aeat.', '')} ${path}`)
  let right: Loose = document
  try {
    right = hashed(document as never)
  } catch {
    // The record lacks what its hash needs.
  }
  return checkRecord(right).map(({ code, path }) => `${code.replace('aeat.', '')} ${path}`)
}

/** Returns a line for each group of faults of an element with the same result. */
function linesOf(kind: string, document: object, names: readonly string[]): string[] {
  const value = names.reduce((block: Loose, name) => block[name], document)
  const before = brief(kind, document)
  const at = `/${names.join('/')}`
  const groups = new Map<string, string[]>()
  for (const [fault, wrong] of Object.entries(faultsOf(value))) {
    const known = [...before]
    const added = brief(kind, changed(document, names, wrong)).filter((item) => {
      const index = known.indexOf(item)
      if (index >= 0) known.splice(index, 1)
      return index < 0
    })
    const result = added.map((item) => item.replace(` ${at}`, ' .').replace(/ \.$/, '')).join(' + ') || '-'
    groups.set(result, [...(groups.get(result) ?? []), fault])
  }
  return [at, ...[...groups].map(([result, faults]) => `    ${faults.join(', ')}: ${result}`)]
}

describe('a fault in the structure of an element', () => {
  it.each(RICH.map(([kind, document, name]) => ({ kind, document, name })))(
    'has the code of its table ($name)',
    async ({ kind, document, name }) => {
      const lines = [...elementsOf(document)].flatMap((names) => linesOf(kind, document, names))
      await matchesTable(`structure-${name.replaceAll(' ', '-')}`, lines)
    },
  )
})
