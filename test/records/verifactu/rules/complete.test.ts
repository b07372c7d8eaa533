/** Tests of the declared codes against the authority's list of errors. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { AUTHORITY_CODES, OFFLINE_RULES } from '#records/verifactu/rules/index.ts'
import { EMPTY_REQUEST, MALFORMED_XML, NOT_UTF8 } from '#records/verifactu/rules/structure-checks.ts'
import { shared } from '../../../shared.ts'
import { matchesTable } from './tables.ts'

/** Number of codes in the official list, in the edition that the rules follow. */
const COUNT = 247
/** Fewer offline codes would mean that rules were lost. */
const LEAST_OFFLINE = 150

const CHECKS = ['alta', 'anulacion', 'evento', 'envio', 'consulta', 'structure'] as const
/** Reported while XML is parsed, before the checks. */
const OF_THE_READER = new Set([MALFORMED_XML, NOT_UTF8, EMPTY_REQUEST])
const LOCALES = ['en', 'es'] as const

const byNumber = (one: number, other: number): number => one - other
const twice = <T>(list: readonly T[]): T[] => list.filter((value, i) => list.indexOf(value) !== i)

describe('the declared codes', () => {
  it(`are ${COUNT}, each of them once`, () => {
    const codes = AUTHORITY_CODES.map(({ code }) => code)
    expect(twice(codes)).toEqual([])
    expect(codes.length).toBe(COUNT)
  })
  it(`are decided offline in at least ${LEAST_OFFLINE} cases`, () => {
    expect(OFFLINE_RULES.length).toBeGreaterThanOrEqual(LEAST_OFFLINE)
    expect(AUTHORITY_CODES.filter(({ offline }) => offline).length).toBe(OFFLINE_RULES.length)
  })
  it('have a check if they are decided offline', () => {
    const idle = OFFLINE_RULES.filter(
      (rule) => !OF_THE_READER.has(rule) && !CHECKS.some((name) => rule[name]),
    )
    expect(idle.map(({ code }) => code)).toEqual([])
  })
  it('have a reason in both languages otherwise', () => {
    for (const rule of AUTHORITY_CODES)
      if (!rule.offline) for (const locale of LOCALES) expect(rule.why[locale], `${rule.code}`).toMatch(/\.$/)
  })
  it('have problem and instruction in both languages', () => {
    for (const { code, message, fix, law } of AUTHORITY_CODES) {
      expect(law, `${code}`).not.toBe('')
      for (const locale of LOCALES) {
        expect(message[locale].length, `${code} ${locale}`).toBeGreaterThan(10)
        expect(fix[locale].length, `${code} ${locale}`).toBeGreaterThan(5)
        expect(`${message[locale]} ${fix[locale]}`, `${code} ${locale}`).not.toMatch(/ {2}|[—]|\.\./)
      }
      expect(message.en, `${code}`).not.toBe(message.es)
      expect(fix.en, `${code}`).not.toBe(fix.es)
    }
  })
  it('state whether a correction is due exactly if the record is accepted with errors', () => {
    for (const { code, effect, needs_subsanacion } of AUTHORITY_CODES)
      expect(needs_subsanacion !== undefined, `${code}`).toBe(effect === 'accepted-with-errors')
  })
})

describe('the table of the codes', () => {
  it('has effect, correction, field, source and checks of every code', async () => {
    const lines = AUTHORITY_CODES.map((rule) => {
      const { code, effect, needs_subsanacion: due, field, law } = rule
      const checks = rule.offline
        ? `${CHECKS.filter((name) => rule[name]).join(', ')}${rule.partly ? ' (partly)' : ''}`
        : rule.reason
      const correction = due === undefined ? '' : `, correction ${due ? 'due' : 'not due'}`
      return `${code}: ${effect}${correction}; ${field}; ${law}; ${checks}`
    })
    await matchesTable('codes', lines)
  })
})

// ---- Against the reference, if it exists ----

interface Known {
  readonly code: number
  readonly severity: string
  readonly summary: string
  readonly needsSubsanacion?: boolean
}

const source = shared('reference/verifactu/errors.json')
const present = existsSync(source)
const known: readonly Known[] = present ? JSON.parse(readFileSync(source, 'utf8')).codes : []

describe.skipIf(!present)('the list of ../shared/reference/verifactu/errors.json', () => {
  const declared = new Map(AUTHORITY_CODES.map((rule) => [rule.code, rule]))

  it('has the same codes', () => {
    const codes = known.map(({ code }) => code)
    expect(codes.filter((code) => !declared.has(code)).sort(byNumber)).toEqual([])
    expect([...declared.keys()].filter((code) => !codes.includes(code)).sort(byNumber)).toEqual([])
  })
  it('has the same effects', () => {
    const differ = known.filter(({ code, severity }) => (declared.get(code)?.effect ?? severity) !== severity)
    expect(differ).toEqual([])
  })
  it('has the same duties to correct', () => {
    for (const { code, needsSubsanacion: due } of known)
      if (declared.has(code)) expect(required(declared.get(code)).needs_subsanacion, `${code}`).toBe(due)
  })
  it('has different texts', () => {
    const plain = (text: string): string => text.toLowerCase().replace(/\W+$/, '')
    const summaries = new Map(known.map(({ code, summary }) => [code, plain(summary)]))
    const same = AUTHORITY_CODES.filter(({ code, message, fix }) =>
      [message.en, message.es, fix.en, fix.es].some((text) => plain(text) === summaries.get(code)),
    )
    expect(same.map(({ code }) => code)).toEqual([])
  })
})
