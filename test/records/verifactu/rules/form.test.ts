/**
 * Tests of the authority's codes about structure, parties, system, cancellation, messages and queries. Each row of the
 * tables is one change to a valid fixture with all codes that it must give, and a change that gives none.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { MAX_ITEMS, type ValidationItem } from '#core/invoice/index.ts'
import type { FiscalRecord } from '#records/verifactu/model/verifactu-record-types.ts'
import {
  type CheckOptions,
  checkQuery,
  checkRecord,
  checkSubmission,
} from '#records/verifactu/rules/check.ts'
import { OFFLINE_RULES } from '#records/verifactu/rules/index.ts'
import { EMPTY_REQUEST, MALFORMED_XML, NOT_UTF8 } from '#records/verifactu/rules/structure-checks.ts'
import { setTo } from '../../../put.ts'
import { runs } from '../../../size.ts'
import { alta, HEADER } from '../records.ts'
import { CANCELLATION } from './form/cancellation.ts'
import { type Loose, NOW, nothing, ofAlta, ofAnulacion, ofConsulta, ofEnvio, ofEvento } from './form/case.ts'
import { FOREIGN } from './form/foreign.ts'
import { PARTIES } from './form/parties.ts'
import { QUERY } from './form/query.ts'
import { RICH } from './form/rich.ts'
import { STRUCTURE } from './form/structure.ts'
import { SUBMISSION } from './form/submission.ts'
import { SYSTEM_CASES } from './form/system.ts'
import { itemLines, matchesTable } from './tables.ts'

const CASES = [
  ...STRUCTURE,
  ...PARTIES,
  ...FOREIGN,
  ...SYSTEM_CASES,
  ...CANCELLATION,
  ...SUBMISSION,
  ...QUERY,
]

const brief = (items: readonly ValidationItem[]): string[] => items.map(({ code, path }) => `${code} ${path}`)

describe('a valid fixture', () => {
  it('gives no items', () => {
    for (const check of [ofAlta, ofAnulacion, ofEvento, ofEnvio, ofConsulta])
      expect(brief(check(nothing)({}))).toEqual([])
  })
})

describe('messages', () => {
  it('state what is wrong with a value', () => {
    const wordsOf = (locale: 'en' | 'es') =>
      checkRecord(alta(setTo('NombreRazonEmisor', 'x'.repeat(121))), { locale }).map(({ message }) => message)
    expect(wordsOf('en').join()).toContain('has 121 characters instead of')
    expect(wordsOf('es').join()).toContain('tiene 121 caracteres en lugar de')
  })
})

describe.each(CASES)('$code: $holds', ({ code, path, wrong, right, all }) => {
  it('is reported if violated', () => {
    const items = wrong({})
    expect(items.map((item) => required(item.extra).authority_code)).toEqual(all)
    expect(brief(items)).toContain(`aeat.${code} ${path}`)
  })
  it('is not reported if met', () => {
    expect(brief(right({}))).toEqual([])
  })
  it('has complete messages in both languages', () => {
    const [english, spanish] = (['en', 'es'] as const).map((locale) => wrong({ locale }))
    for (const { message } of [...required(english), ...required(spanish)])
      expect(message).not.toMatch(/—|[{}]|undefined|NaN/)
    expect(required(english).map((item) => item.message)).not.toEqual(
      required(spanish).map((item) => item.message),
    )
  })
})

/** Codes of the files that this test covers. */
const OWN = [
  1100, 1101, 1102, 1103, 1104, 1108, 1111, 1120, 1122, 1123, 1126, 1130, 1131, 1172, 1176, 1177, 1178, 1179,
  1188, 1211, 1212, 1213, 1215, 1219, 1220, 1221, 1222, 1223, 1224, 1225, 1226, 1227, 1228, 1229, 1230, 1231,
  1232, 1234, 1239, 1240, 1248, 1249, 1250, 1251, 1254, 1255, 1258, 1259, 1261, 1270, 1271, 1272, 1273, 1276,
  1282, 1283, 1287, 1290, 3000, 4102, 4106, 4109, 4113, 4115, 4116, 4117, 4120, 4121, 4122, 4125, 4126, 4127,
  4129, 4130, 4131, 4133, 4136, 4137,
]

describe('the table', () => {
  it('reports every value that explains a problem', async () => {
    const lines = CASES.flatMap(({ code, holds, wrong }) => [`${code}: ${holds}`, ...itemLines(wrong({}))])
    await matchesTable('items-of-form', lines)
  })
  it('has a case for every code', () => {
    const tested = new Set(CASES.map(({ code }) => code))
    expect(OWN.filter((code) => !tested.has(code))).toEqual([])
    expect([...tested].filter((code) => !OWN.includes(code))).toEqual([])
    const offline = new Set(OFFLINE_RULES.map(({ code }) => code))
    expect(OWN.filter((code) => !offline.has(code))).toEqual([])
  })
  it('leaves three codes to the reader of XML', () => {
    expect([MALFORMED_XML, NOT_UTF8, EMPTY_REQUEST].map(({ code }) => code)).toEqual([4103, 4119, 4138])
  })
})

// ---- Random input ----

type Step = readonly [where: number, how: string, what: unknown]

/** Applies one random change in place to a member or an entry anywhere in the value. */
function mutate(root: Loose, [where, how, what]: Step): void {
  const places: [holder: Loose, key: string | number][] = []
  const walk = (holder: Loose): void => {
    for (const key of Array.isArray(holder) ? holder.keys() : Object.keys(holder)) {
      places.push([holder, key])
      if (typeof holder[key] === 'object' && holder[key] !== null && places.length < 5000) walk(holder[key])
    }
  }
  walk(root)
  if (places.length === 0) return
  const [holder, key] = required(places[where % places.length])
  const old = holder[key]
  if (how === 'delete') Array.isArray(holder) ? holder.splice(Number(key), 1) : delete holder[key]
  else if (how === 'replace') holder[key] = what
  else if (how === 'lengthen')
    holder[key] = typeof old === 'string' ? `${old || 'x'}`.repeat(70) : Array(1100).fill(old)
  else if (how === 'wrap') holder[key] = [old]
  else if (how === 'unwrap') holder[key] = Array.isArray(old) ? old[0] : old
  else if (how === 'add' && typeof old === 'object' && old !== null && !Array.isArray(old))
    old[fc.stringify(what).slice(0, 20)] = what
  else if (how === 'swap') holder[key] = holder[required(Object.keys(holder)[0])]
  else if (typeof old === 'string')
    holder[key] = old.slice(0, old.length >> 1) + (typeof what === 'string' ? what : '')
}

const anyLeaf = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    '',
    ' ',
    0,
    -1,
    Number.NaN,
    true,
    {},
    [],
    [null],
    'S',
    'N',
    'X',
    '01',
    '02',
    '07',
    'ES',
    'GB',
    'EL',
  ),
  fc.constantFrom<unknown>(
    ...['Ñ', '<', '\u0000', '\ud800', '💶', '31-02-2027', '12345678A', 'RegistroAnulacion'],
    ...['__proto__', 'constructor'],
  ),
  fc.string({ unit: 'binary', maxLength: 70 }),
  fc.anything({ maxDepth: 2 }),
)
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.nat(),
  fc.constantFrom(
    ...['delete', 'replace', 'replace', 'lengthen', 'wrap', 'unwrap', 'add', 'swap', 'text', 'text'],
  ),
  anyLeaf,
)

const runCheck = (name: string, value: Loose, options: CheckOptions): ValidationItem[] =>
  name === 'envio'
    ? checkSubmission(value, options)
    : name === 'consulta'
      ? checkQuery(value, options)
      : checkRecord(value, options)

describe('random input', () => {
  const options: CheckOptions = { ...NOW, header: HEADER, chainStarted: true }

  it.each(RICH.map(([name, value], i) => ({ name, value, i })))(
    'gives items and never an exception ($name, $i)',
    ({ name, value }) => {
      fc.assert(
        fc.property(
          fc.array(step, { minLength: 1, maxLength: 4 }),
          fc.constantFrom('en', 'es'),
          (steps, locale) => {
            const changed = structuredClone(value)
            for (const one of steps) mutate(changed, one)
            const items = runCheck(name, changed, { ...options, locale: locale })
            items.forEach((item, at) => {
              expect(item.code).toMatch(at < MAX_ITEMS ? /^aeat\.\d{4}$/ : /^too_many_errors$/)
              expect(item.message.length).toBeGreaterThan(20)
            })
          },
        ),
        runs(400, 20_000),
      )
    },
  )

  it('gives items for a value that is not a record at all', () => {
    fc.assert(
      fc.property(fc.anything(), (value: Loose) => {
        for (const name of ['RegistroAlta', 'RegistroAnulacion', 'RegistroEvento'])
          expect(checkRecord({ [name]: value } as FiscalRecord).length).toBeGreaterThan(0)
        expect(checkRecord(value).length).toBeGreaterThan(0)
        expect(checkSubmission(value).length).toBeGreaterThan(0)
        expect(checkQuery(value).length).toBeGreaterThan(0)
      }),
      runs(300, 20_000),
    )
  })

  it('gives one item for one deleted mandatory element of a record', () => {
    const record: Loose = alta()
    for (const name of Object.keys(record.RegistroAlta)) {
      const changed = structuredClone(record)
      delete changed.RegistroAlta[name]
      const codes = checkRecord(changed).map((item) => item.code)
      expect(codes.length, `${name}: ${codes}`).toBeLessThanOrEqual(1)
    }
  })
})
