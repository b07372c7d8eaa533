/**
 * Golden documents: every folder of `test/cases` is one invoice with its result.
 *
 * - `input.json`, `options.json` (of `validate`, optional), `why.md` (what it teaches).
 * - `claims.json`: what the specification and the calculation page require, written by hand: the items as `code path`,
 * and values of `data` (`null`: absent). The update flag never changes it.
 * - `expected.json`: the engine's result, written by `UPDATE_GOLDEN=1 npx vitest run test/engine/golden.test.ts`.
 * - `near-miss.json`: the same situation, corrected (`input`, `options`): the folder's code must not fire, nor any
 * error. Its result is `near-miss-expected.json`.
 * - `bug.md`: the engine does not return what is claimed yet. The test then requires a failure, so that the file is
 * removed with the bug.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { COMPUTED_MEMBERS, valueAt } from '#core/invoice/index.ts'
import { MAX_ITEMS, type Options, rules, type ValidationResult, validate } from '#engine/index.ts'
import { figure } from '../figures.ts'
import { tokens } from '../tokens.ts'

const ROOT = fileURLToPath(new URL('../cases/', import.meta.url))
const UPDATE = process.env.UPDATE_GOLDEN === '1'

/** Content errors of the specification, in its order. */
const CONTENT_ERRORS = tokens`
  customer_required customer_domicile_required tax_rate_unknown exemption_reason_required
  exemption_reason_unknown exemption_reason_not_valid_for_tax_group tax_treatment_code_unknown
  line_price_mode_mixed invalid_unit_of_measure tax_group_not_available is_dua_only_for_received
  installment_due_date_required installment_amount_required corrective_reason_required
  corrective_reason_unknown corrective_invoice_number_required corrective_invoice_issue_date_required
  corrective_correction_type_required corrective_substitution_amounts_required invalid_tax_regime_key
  recc_key_mismatch recc_margin_regime_not_supported oss_customer_outside_eu
  oss_foreign_consumption_must_be_non_subject oss_non_subject_reason_must_be_location_rules
  oss_spanish_consumption_must_be_subject oss_reverse_charge_not_allowed oss_before_regime_start
  oss_mixed_with_other_regimes oss_regime_key_ambiguous consumption_tax_requires_oss_regime
  consumption_tax_requires_non_subject consumption_country_required consumption_country_must_not_be_es
  consumption_country_not_eu consumption_tax_rate_required consumption_tax_rate_invalid
  consumption_tax_amount_mismatch oss_regime_not_registered missing_required_field`

/** Warnings of the specification. */
const CONTENT_WARNINGS = tokens`
  oss_regime_not_effective consumption_country_differs_from_customer
  consumption_tax_rate_unknown_for_country consumption_rate_type_missing supply_type_missing`

interface Case {
  readonly name: string
  /** The code that the folder is about; null in cases of meaning rather than of a code. */
  readonly code: string | null
  readonly why: string
  readonly input: unknown
  readonly options: Options
  readonly claims: { readonly errors: readonly string[]; readonly values?: Readonly<Record<string, unknown>> }
  readonly nearMiss: { readonly input: unknown; readonly options?: Options } | null
  readonly bug: boolean
}

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

const load = (name: string): Case => {
  const at = (file: string) => `${ROOT}${name}/${file}`
  const optional = (file: string) => (existsSync(at(file)) ? read(at(file)) : null)
  return {
    name,
    code: name.includes('--') ? required(name.split('--')[0]).replace(/^schema-/, 'schema.') : null,
    why: required(readFileSync(at('why.md'), 'utf8').split('\n')[0]),
    input: read(at('input.json')),
    options: optional('options.json') ?? {},
    claims: read(at('claims.json')),
    nearMiss: optional('near-miss.json'),
    bug: existsSync(at('bug.md')),
  }
}

const CASES = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort()
  .map(load)

const deepFreeze = <T>(value: T): T => {
  if (value !== null && typeof value === 'object') {
    Object.freeze(value)
    for (const member of Object.values(value)) deepFreeze(member)
  }
  return value
}

const withoutComputed = (document: unknown): unknown =>
  JSON.parse(JSON.stringify(document), (key, value) => (COMPUTED_MEMBERS.has(key) ? undefined : value))

const asJson = (value: unknown) => JSON.parse(JSON.stringify(value))

/** Compares a result with the file that has it, or writes the file. */
function checkResult(name: string, file: string, result: ValidationResult): void {
  const path = `${ROOT}${name}/${file}`
  const answer = asJson(result)
  if (UPDATE) writeFileSync(path, `${JSON.stringify(answer, null, 2)}\n`)
  expect(answer).toEqual(read(path))
  expect(result.data, 'no member is undefined').toStrictEqual(answer.data)
}

const codesOf = ({ errors }: ValidationResult) => errors.map((item) => item.code)

/** A message that shows a value that is not there; the schema's may name a null that was sent. */
const UNFILLED = /\b(?:null|undefined)\b|—|\{[a-z_]+\}/

/** Cases whose messages still have such a gap. */
const KNOWN_HOLES: readonly string[] = []

/** What the specification asks for, whatever the engine has written down. */
function checkClaims(golden: Case): ValidationResult {
  const result = validate(deepFreeze(structuredClone(golden.input)), golden.options)
  const claimed = [...golden.claims.errors].sort()
  expect(result.errors.map((item) => `${item.code} ${item.path}`).sort(), 'claimed items').toEqual(claimed)
  for (const [path, value] of Object.entries(golden.claims.values ?? {}))
    expect(asJson(valueAt(result.data, path) ?? null), `claimed value of ${path}`).toEqual(value)
  if (golden.code !== null) expect(codesOf(result)).toContain(golden.code)
  return result
}

function check(golden: Case): void {
  const result = checkClaims(golden)
  checkResult(golden.name, 'expected.json', result)
  if (result.data !== null && result.is_valid) {
    const again = validate(withoutComputed(result.data), golden.options)
    expect(asJson(again.data), 'idempotence').toEqual(asJson(result.data))
  }
}

describe('golden cases', () => {
  for (const golden of CASES) {
    const title = `${golden.name}: ${golden.why}`
    if (golden.bug && !UPDATE) it.fails(title, () => void checkClaims(golden))
    else if (!golden.bug) it(title, () => check(golden))
  }
})

describe('near misses', () => {
  for (const { name, code, nearMiss } of CASES)
    if (nearMiss)
      it(name, () => {
        const result = validate(deepFreeze(structuredClone(nearMiss.input)), nearMiss.options ?? {})
        expect(codesOf(result)).not.toContain(code)
        expect(result.errors.filter((item) => item.severity === 'error')).toEqual([])
        expect(result.data).not.toBeNull()
        checkResult(name, 'near-miss-expected.json', result)
      })
})

/** An invoice with `count` lines in a unit that does not exist. */
const wrongLines = (count: number) => ({
  schema_version: 'json_1_1',
  meta: { direction: 'issued', source_system: 'Golden 1.0', external_ref: 'G-1' },
  invoice: {
    supplier: { person_type_code: 'J', tax_id: 'B12345674', name: 'Calderas Ficticias, S.L.' },
    header: { invoice_type_code: '02', invoice_series_code: 'G' },
    issue_data: {},
    lines: Array.from({ length: count }, () => ({
      item_description: 'Cable',
      quantity: 1,
      unit_of_measure: 'brazas',
      unit_price_without_tax: 0.1,
      tax_output_rate: 21,
    })),
    totals: { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0 },
  },
})

it('too_many_errors: the list is cut, and states that the search stopped', () => {
  const { errors } = validate(wrongLines(MAX_ITEMS + 1))
  expect(errors).toHaveLength(MAX_ITEMS + 1)
  expect(errors.at(-1)).toMatchObject({
    code: 'too_many_errors',
    path: '',
    severity: 'error',
    extra: { shown: MAX_ITEMS, at_least: MAX_ITEMS + 1 },
  })
  expect(codesOf(validate(wrongLines(MAX_ITEMS)))).not.toContain('too_many_errors')
})

it('messages name real values, in both languages', () => {
  const holes = CASES.filter(({ input, options }) =>
    (['en', 'es'] as const).some((locale) =>
      validate(input, { ...options, locale }).errors.some(
        (item) => item.source !== 'schema' && UNFILLED.test(item.message),
      ),
    ),
  )
  expect(holes.map((golden) => golden.name)).toEqual(KNOWN_HOLES)
})

describe('completeness', () => {
  const known: readonly string[] = rules().map((rule) => rule.code)
  const fired = new Set<string>()
  beforeAll(() => {
    fired.clear()
    fired.add('too_many_errors')
    for (const { input, options } of CASES)
      for (const code of codesOf(validate(input, options))) fired.add(code)
  })
  const missed = new Set(['too_many_errors'])
  for (const { code, nearMiss } of CASES) if (nearMiss && code) missed.add(code)

  it('the 40 content errors and 5 warnings of the specification are all in rules()', () => {
    expect(new Set(CONTENT_ERRORS).size).toBe(40)
    expect(new Set(CONTENT_WARNINGS).size).toBe(5)
    const severityOf = new Map<string, string>(rules().map((rule) => [rule.code, rule.severity]))
    expect(CONTENT_ERRORS.filter((code) => severityOf.get(code) !== 'error')).toEqual([])
    expect(CONTENT_WARNINGS.filter((code) => severityOf.get(code) !== 'warning')).toEqual([])
  })
  it('every code of rules() fires somewhere', () => {
    expect(known.filter((code) => !fired.has(code))).toEqual([])
  })
  it('every code of rules() has a near miss', () => {
    expect(known.filter((code) => !missed.has(code))).toEqual([])
  })
  it('no code fires that rules() does not list', () => {
    expect([...fired].filter((code) => !known.includes(code))).toEqual([])
    figure(`${CASES.length} cases, ${fired.size} codes fired, ${missed.size} near misses`)
  })
})
