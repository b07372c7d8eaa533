/**
 * Golden documents with one change each: a field left out, an amount a cent off, another code. `changes.txt`
 * lists for each change the codes that it adds and removes, and a digest of the whole result.
 */
import { createHash } from 'node:crypto'
import { type ValidationResult, validate } from '../../src/api/index.ts'
import type { GoldenInput } from './golden-invoices.ts'

/** Other values of fields with a list of values: a plausible mistake, not nonsense. */
const OTHER: Readonly<Record<string, readonly unknown[]>> = {
  direction: ['issued', 'received'],
  person_type_code: ['F', 'J'],
  country_code: ['ES', 'FR', 'US'],
  consumption_country_code: ['ES', 'FR', 'US'],
  invoice_type_code: ['01', '02', '03', '05'],
  tax_group_code: ['IVA', 'IGIC', 'IPSI'],
  tax_regime_key: ['01', '02', '03', '07', '17'],
  tax_treatment_code: ['S1', 'S2', 'N1', 'N2', 'E1'],
  exemption_reason_code: ['E1', 'E2', 'E5'],
  non_taxable_reason: ['LOCATION_RULES', 'ARTICLES_7_14_OTHER'],
  tax_output_rate: [0, 4, 10, 21],
  tax_rate: [0, 4, 10, 21],
  tax_withheld_rate: [0, 15, 19],
  equivalence_surcharge: [0.5, 1.4, 5.2],
  post_code: ['28013', '35001', '51001'],
  issue_date: ['2012-08-31', '2026-03-16'],
  operation_date: ['2012-08-31', '2026-03-16'],
  invoice_currency_code: ['EUR', 'USD', 'JPY'],
  tax_id: ['B12345674', '12345678Z', 'FR40303265045', 'B00000000'],
  unit_of_measure: ['kg', 'brazas'],
}

/** Returns the values that a field gets instead of its own; undefined leaves it out. */
function othersOf(name: string, value: unknown): readonly unknown[] {
  if (typeof value === 'boolean') return [undefined, !value]
  const others = (OTHER[name] ?? []).filter((other) => other !== value)
  if (typeof value === 'number') {
    const next = (cents: number) => Number((value + cents / 100).toFixed(8))
    return [undefined, ...others, next(1), next(2), next(-1), -value, 1e12].filter((other) => other !== value)
  }
  return [undefined, ...others]
}

interface Change {
  readonly path: string
  readonly value: unknown
}

const segmentsOf = (path: string): string[] => path.slice(1).split('/')

/** Yields the changes of every field of a document. Names with a slash are left alone. */
function* changesOf(node: object, path = ''): Generator<Change> {
  for (const [name, value] of Object.entries(node)) {
    const at = `${path}/${name}`
    if (value === null || name.includes('/')) continue
    if (typeof value === 'object') {
      if (!Array.isArray(node)) yield { path: at, value: undefined }
      yield* changesOf(value, at)
    } else for (const other of othersOf(name, value)) yield { path: at, value: other }
  }
}

/** Other options, under the names that changes give them. */
const OTHER_OPTIONS: readonly Change[] = [
  { path: '@operation', value: 'import' },
  { path: '@operation', value: 'received' },
  { path: '@operation', value: 'issue' },
  { path: '@totals', value: 'check' },
  { path: '@totals', value: 'recalculate' },
  { path: '@today', value: '2026-03-16' },
  { path: '@today', value: undefined },
  { path: '@company', value: undefined },
  {
    path: '@company',
    value: { tax_id: 'B12345674', default_tax_group: 'IGIC', cash_basis: [{ start_date: '2024-01-01' }] },
  },
]

/** Returns the result of a document with a change in it or in its options. */
function resultOf({ input, options }: GoldenInput, { path, value }: Change): ValidationResult {
  if (path.startsWith('@')) return validate(input, { ...options, [path.slice(1)]: value })
  const copy = structuredClone(input)
  const names = segmentsOf(path)
  const last = names.pop() ?? ''
  const parent = names.reduce<any>((node, name) => node[name], copy)
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return validate(copy, options)
}

const codesOf = ({ errors }: ValidationResult): ReadonlySet<string> => new Set(errors.map(({ code }) => code))

/** Returns the codes that a change adds to those of its case, and those that it removes. */
function effectOf(own: ReadonlySet<string>, result: ValidationResult): string {
  const codes = codesOf(result)
  const added = [...codes].filter((code) => !own.has(code)).map((code) => `+${code}`)
  // After an error of the schema no other rule runs.
  const isRefused = added.some((code) => code.startsWith('+schema.'))
  const removed = isRefused ? [] : [...own].filter((code) => !codes.has(code)).map((code) => `-${code}`)
  return [...added, ...removed].sort().join(' ') || 'same codes'
}

/** Returns a digest of everything in a result but the texts. */
function digestOf({ is_valid, errors, data }: ValidationResult): string {
  const items = errors.map(({ code, path, severity, source, extra }) => [code, path, severity, source, extra])
  return createHash('sha256')
    .update(JSON.stringify([is_valid, items, data]))
    .digest('hex')
    .slice(0, 8)
}

/** Returns the line of a change: `path = value: codes added and removed [digest]`. */
function lineOf(change: Change, own: ReadonlySet<string>, result: ValidationResult): string {
  const what = change.value === undefined ? 'left out' : `= ${JSON.stringify(change.value)}`
  return `${change.path} ${what}: ${effectOf(own, result)} [${digestOf(result)}]`
}

const changeOf = (line: string): Change => {
  const [, path = '', value] = /^(\S+) (?:left out|= (.*?)): /.exec(line) ?? []
  return { path, value: value === undefined ? undefined : JSON.parse(value) }
}

export interface ChangedCase {
  readonly name: string
  readonly lines: readonly string[]
}

/** Returns the lines of a case as the engine has them now. */
export function linesNow(golden: GoldenInput, lines: readonly string[]): string[] {
  const own = codesOf(validate(golden.input, golden.options))
  return lines.map((line) => {
    const change = changeOf(line)
    return lineOf(change, own, resultOf(golden, change))
  })
}

/** Changes of one field, of one kind and with the same codes, that are kept. */
const MOST_ALIKE = 3

/** Chooses changes that do not repeat each other. */
export function chooseChanges(inputs: readonly GoldenInput[]): ChangedCase[] {
  const alike = new Map<string, number>()
  return inputs.flatMap((golden) => {
    const { name, input, options } = golden
    const own = codesOf(validate(input, options))
    const lines: string[] = []
    for (const change of [...OTHER_OPTIONS, ...changesOf(input as object)]) {
      const result = resultOf(golden, change)
      const kind = typeof change.value === 'number' ? 'number' : JSON.stringify(change.value)
      const key = `${change.path.replace(/\/\d+/g, '/*')} ${kind} ${effectOf(own, result)}`
      const count = alike.get(key) ?? 0
      alike.set(key, count + 1)
      if (count < MOST_ALIKE) lines.push(lineOf(change, own, result))
    }
    return lines.length > 0 ? [{ name, lines }] : []
  })
}

export const writeCases = (cases: readonly ChangedCase[]): string =>
  cases.map(({ name, lines }) => `# ${name}\n${lines.map((line) => `${line}\n`).join('')}`).join('\n')

export const readCases = (text: string): ChangedCase[] =>
  text.split('\n\n').map((section) => {
    const [title = '', ...lines] = section.trimEnd().split('\n')
    return { name: title.slice(2), lines }
  })
