/** Problems in plain language: labels instead of member names, names instead of codes. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Locale } from '#core/invoice/index.ts'
import { explain, rules, validate } from '#engine/index.ts'
import { problemsOf } from '../../playground/assess/assess-problems.ts'
import { choicesOf } from '../../playground/messages/catalog-names.ts'
import { hasLabel } from '../../playground/messages/field-labels.ts'
import { labelledFormula } from '../../playground/messages/formula.ts'
import { fieldLocation, plainProblem, plainSentence } from '../../playground/messages/plain-language.ts'

const read = (path: string): any =>
  JSON.parse(readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8'))

/** Member names, pointers, constants, names of catalogs, and the placeholder of the field. */
const TECHNICAL =
  /[a-z]_[a-z]|[A-Z]_[A-Z]|\/invoice|ZFIELDZ|\bcatalog|catálogo|\bsent\b|[Ss]end\b|[Ee]nvi[óe] |[Ee]nvíe/

/** Removes names that are not of the schema: they have no label. */
const without = (text: string, names: readonly string[]): string =>
  names.reduce((left, name) => left.replaceAll(name, ''), text)

const CASES = readdirSync(new URL('../../../../test/cases', import.meta.url))

describe.each(['en', 'es'] as const)('in %s', (locale: Locale) => {
  it('no problem of any golden case contains technical terms', () => {
    const failures = new Set<string>()
    for (const name of CASES) {
      const input = read(`test/cases/${name}/input.json`)
      let options = {}
      try {
        options = read(`test/cases/${name}/options.json`)
      } catch {
        // Most cases have none.
      }
      const { errors } = validate(input, { ...options, locale })
      for (const problem of problemsOf(JSON.stringify(input), errors, locale, input)) {
        const { message, fix } = plainProblem(problem, locale)
        const text = `${fieldLocation(problem.path, locale)}: ${message} ${fix}`
        const own = problem.path.split('/').filter((segment) => !hasLabel(segment))
        if (TECHNICAL.test(without(text, [...own, String(problem.extra?.received)])))
          failures.add(`${problem.code}: ${text}`)
        if (process.env.SHOW_MESSAGES) console.log(`${problem.code} | ${text}`)
      }
    }
    expect([...failures]).toEqual([])
  })

  it('no message of any rule contains technical terms', () => {
    const failures = rules().flatMap(({ code, message, fix }) => {
      const text = `${plainSentence(message[locale], locale)} ${plainSentence(fix[locale], locale)}`
      return TECHNICAL.test(text.replace(/\{\w+\}/g, '')) ? [`${code}: ${text}`] : []
    })
    expect(failures).toEqual([])
  })
})

it('a problem names the field by its label', () => {
  const document = read('examples/01-services-irpf.json')
  document.invoice.supplier.tax_id = ''
  const shown = (locale: Locale) =>
    problemsOf(JSON.stringify(document), validate(document, { locale }).errors, locale, document).map(
      (problem) => [fieldLocation(problem.path, locale), plainProblem(problem, locale).message],
    )
  expect(shown('en')).toEqual([['Supplier · Tax id', '“Tax id” is empty or blank.']])
  expect(shown('es')).toEqual([['Emisor · NIF', '«NIF» está vacío o en blanco.']])
})

it('a location consists of the labels in the form', () => {
  expect(fieldLocation('/invoice/lines/1/quantity', 'en')).toBe('Line 2 · Quantity')
  expect(fieldLocation('/invoice/customer/company/address/country_subdivision/code', 'es')).toBe(
    'Destinatario · Provincia',
  )
  expect(fieldLocation('/invoice/customer/company/address/address', 'en')).toBe('Customer · Address')
  expect(fieldLocation('/invoice/payment_details/0/iban_account_to_be_credited', 'en')).toBe(
    'Instalment 1 · Account to credit (IBAN)',
  )
  expect(fieldLocation('', 'es')).toBe('Toda la factura')
})

it('every member of the schema has a label', () => {
  const names = new Set<string>()
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { properties } = node as { properties?: Record<string, unknown> }
    for (const name of Object.keys(properties ?? {})) names.add(name)
    for (const part of Object.values(node)) walk(part)
  }
  const folder = new URL('../../../../schemas', import.meta.url)
  for (const file of readdirSync(folder))
    if (file.endsWith('.json') && !/^(?:codes|validation-.*)\.json$/.test(file)) walk(read(`schemas/${file}`))
  expect([...names].filter((name) => name !== '$schema' && !hasLabel(name))).toEqual([])
})

it('the formulas of the explanations of the golden cases name fields by their labels', () => {
  const left = new Set<string>()
  for (const name of CASES) {
    const input = read(`test/cases/${name}/input.json`)
    for (const { formula } of explain(input, { locale: 'es' })) {
      const text = labelledFormula(formula, 'es')
      if (/[a-z]_[a-z]/.test(text)) left.add(text)
    }
  }
  expect([...left]).toEqual([])
})

describe('the problem of an unknown field', () => {
  const problemOf = (name: string, locale: Locale) => {
    const document = read('examples/01-services-irpf.json')
    document.invoice.customer[name] = 1
    const [problem] = problemsOf(JSON.stringify(document), validate(document).errors, locale, document)
    if (!problem) throw new Error(`${name} is a known field`)
    return problem
  }

  it.each([
    ['en', 'zip', 'Did you mean “Post code”? Otherwise, remove it.'],
    ['es', 'zip', '¿Quería decir «Código postal»? Si no, quítelo.'],
    ['en', 'colour', 'Correct its name, or remove it.'],
    ['es', 'colour', 'Corrija su nombre o quítelo.'],
  ] as const)('names the labels of similar fields once (%s, %s)', (locale, name, fix) => {
    expect(plainProblem(problemOf(name, locale), locale).fix).toBe(fix)
  })
})

it('the form offers the withholding rates that the rules know, in Ceuta and Melilla also the reduced ones', () => {
  const offered = (group: string) =>
    choicesOf('tax_withheld_rate', { locale: 'es', group, date: '2026-11-28', received: false }).map(
      ({ name }) => name.split(' · ')[0],
    )
  expect(offered('IVA')).toEqual(['35 %', '24 %', '19 %', '15 %', '7 %', '2 %', '1 %'])
  expect(offered('IPSI')).toEqual(
    ['35', '24', '19', '15', '14', '7,6', '7', '6', '2,8', '2', '1'].map((rate) => `${rate} %`),
  )
})
