/** Items have the same parts and text wherever they are created, and a list never drops items silently. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { ItemList, itemCollectorOf, itemOf, messageText } from '#core/messages/index.ts'
import { type Locale, MAX_ITEMS, messageParts, type ValidationItem, validate } from '#engine/index.ts'
import { checkDocument } from '#entry/cli/input/check-document.ts'
import { colorsOf } from '#entry/cli/input/colors.ts'
import type { Settings } from '#entry/cli/input/input-settings.ts'
import { itemLines } from '#entry/cli/report/text-items.ts'
import { submission } from '#records/sii/index.ts'
import { checkSubmission, registrationRecord, verifyChain } from '#records/verifactu/index.ts'
import { problemsOf } from '#web/playground/assess/assess-problems.ts'
import { alta, envio } from '../../records/verifactu/records.ts'

const example = JSON.parse(
  readFileSync(new URL('../../../examples/01-services-irpf.json', import.meta.url), 'utf8'),
)
const foreign = structuredClone(example)
foreign.invoice.supplier.country_code = 'ZZ'
const text = JSON.stringify(foreign)

const SETTINGS: Settings = {
  command: 'validate',
  format: 'text',
  locale: 'en',
  options: {},
  quiet: false,
  withData: false,
  color: false,
  links: false,
  width: 120,
  shape: 'single',
}

/** The message of an item, put together again. */
const whole = (item: ValidationItem, locale: Locale): string => {
  const { message, fix, law } = messageParts(item, locale)
  return [message, fix, law && `(${law})`].filter(Boolean).join(' ')
}

describe('the parts of a message', () => {
  it('the parts of an unlisted item have fix and law on separate lines', () => {
    const origin = { file: 'a.json', index: null, line: 1 }
    for (const [locale, fix, law] of [
      ['en', '  → Send an ISO 3166-1 code (ES or ESP).', '  § API specification, "Canonical invoice"'],
      [
        'es',
        '  → Envíe un código ISO 3166-1 (ES o ESP).',
        '  § especificación de la API, "Canonical invoice"',
      ],
    ] as const) {
      const settings = { ...SETTINGS, locale, options: { locale } }
      const checked = checkDocument(new TextEncoder().encode(text), origin, settings)
      const lines = itemLines(checked, settings, colorsOf(false))
      expect(lines).toContain(fix)
      expect(lines).toContain(law)
      const [problem] = problemsOf(text, validate(foreign, { locale }).errors, locale, foreign)
      expect(problem).toMatchObject({ fix: fix.slice(4), law: law.slice(4) })
    }
  })

  it('an item of the engine has them in both languages, and as JSON', () => {
    const [item] = validate(foreign).errors
    const read = JSON.parse(JSON.stringify(item))
    expect(messageParts(read, 'es')).toEqual(messageParts(required(item), 'es'))
    expect(whole(read, 'es')).toBe(required(validate(foreign, { locale: 'es' }).errors[0]).message)
  })

  it('an item of a record or a chain has them in the process that made it, and its whole text as JSON', () => {
    const record = { RegistroAlta: { ...alta().RegistroAlta, TipoFactura: 'F9' } } as never
    const items = [
      ...registrationRecord(null as never, { locale: 'es' } as never).items,
      ...checkSubmission({ ...envio(), RegistroFactura: [record] }, { locale: 'es' }),
      ...verifyChain([{} as never], { locale: 'es' }).items,
    ]
    expect(new Set(items.map(({ code }) => code.split('.')[0]))).toEqual(new Set(['record', 'aeat', 'chain']))
    for (const item of items) {
      expect(Object.keys(item)).toEqual(['source', 'code', 'message', 'path', 'extra', 'severity'])
      expect(messageParts(item).fix).not.toBe('')
      expect(whole(item, 'es')).toBe(item.message)
      const read = JSON.parse(JSON.stringify(item))
      expect(messageParts(read)).toEqual({ message: item.message, fix: '', law: '' })
    }
  })
})

describe('the list of items', () => {
  const CODES = { 'a.b': messageText('art. 1', ['{field} is {received}.', 'Fix it.'], ['', '']) }
  const many = (severity: 'error' | 'warning', found: number) => ({
    source: 'schema',
    code: 'too_many_errors',
    message: `There are at least ${found} problems; ${MAX_ITEMS} are listed. Fix these and validate again.`,
    path: '',
    extra: { shown: MAX_ITEMS, at_least: found },
    severity,
  })

  it('holds a thousand items, and states how many there were', () => {
    const { items, refuse, warnings, warn } = itemCollectorOf(CODES, 'en')
    for (let i = 0; i < MAX_ITEMS; i++) {
      refuse('a.b', `/${i}`, { received: i })
      warn('a.b', `/${i}`)
    }
    expect(items).toHaveLength(MAX_ITEMS)
    expect(items[7]?.message).toBe('7 is 7. Fix it. (art. 1)')
    refuse('a.b', '/x')
    warn('a.b', '/x')
    warn('a.b', '/y')
    expect(items).toHaveLength(MAX_ITEMS + 1)
    expect(items.at(-1)).toEqual(many('error', MAX_ITEMS + 1))
    expect(warnings).toHaveLength(MAX_ITEMS + 1)
    expect(warnings.at(-1)).toEqual(many('warning', MAX_ITEMS + 2))
  })

  it('an error among the items that are not listed makes the last one an error', () => {
    const list = new ItemList('en')
    const parts = { message: 'x', fix: '', law: '' }
    const silent = { source: 'business', code: 'a.b', path: '', extra: null, severity: 'warning' } as const
    for (let i = 0; i <= MAX_ITEMS; i++) list.add('warning', () => itemOf(silent, parts))
    expect(list.items.at(-1)?.severity).toBe('warning')
    list.add('error', () => itemOf(silent, parts))
    expect(list.items.at(-1)).toEqual(many('error', MAX_ITEMS + 2))
  })

  it('items that are only counted leave no gaps, and "shown" states how many are listed', () => {
    const list = new ItemList('en')
    const silent = { source: 'business', code: 'a.b', path: '', extra: null, severity: 'error' } as const
    for (let i = 0; i < 3; i++) list.add('error', () => itemOf(silent, { message: 'x', fix: '', law: '' }))
    list.count(0, 'error')
    expect(list.items).toHaveLength(3)
    for (const more of [4, 2 * MAX_ITEMS]) {
      list.count(more, 'error')
      expect(list.items.every(Boolean) && list.items.length).toBe(4)
      expect(list.items[3]?.extra).toEqual({ shown: 3, at_least: list.found })
    }
  })

  it('messages of VeriFactu and of the SII with too many faults state it', () => {
    const wrong = { RegistroAlta: { ...alta().RegistroAlta, TipoFactura: 'F9' } }
    const records = Array(MAX_ITEMS + 50).fill(wrong)
    const items = checkSubmission({ ...envio(), RegistroFactura: records })
    expect(items).toHaveLength(MAX_ITEMS + 1)
    expect(items.at(-1)).toMatchObject({ code: 'too_many_errors', path: '', severity: 'error' })

    const sii = submission({
      book: 'ISSUED',
      operation: 'A0',
      holder: { name: 'Empresa de Pruebas, S.L.', nif: 'B12345674' },
      records: Array(MAX_ITEMS + 50).fill({}),
    })
    expect(sii.ok === false && required(sii.items.at(-1)).code).toBe('too_many_errors')
  })
})
