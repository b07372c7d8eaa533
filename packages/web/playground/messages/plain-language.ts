/** Problems in plain language for the form: labels instead of member names, names instead of codes. */

import { required } from '#core/errors/index.ts'
import { segmentsOf } from '#core/invoice/pointer.ts'
import { type CatalogName, catalog, type Locale, messageParts } from '#engine/index.ts'
import type { Problem } from '../assess/assess-problems.ts'
import { ENTRIES as ENTRIES_TEXTS, TERMS as TERMS_TEXTS } from '../generated/texts/plain-language.ts'
import { rowName } from './catalog-names.ts'
import { hasLabel, labelOf } from './field-labels.ts'

/** Placeholder for the field: a word that occurs in no message. */
const FIELD = 'ZFIELDZ'

/** Objects that the form does not show. */
const CONTAINERS: ReadonlySet<string> = new Set(['invoice', 'header', 'issue_data', 'company', 'person'])

/** Lists with numbered entries in the form, and the name of such an entry. */
const ENTRIES: Readonly<Record<string, readonly [en: string, es: string]>> = ENTRIES_TEXTS

const PARTIES: ReadonlySet<string> = new Set(['supplier', 'customer'])

/** Values of the API that are not in a catalog. */
const TERMS: Readonly<Record<string, readonly [en: string, es: string]>> = TERMS_TEXTS

const WHOLE_INVOICE = { en: 'The whole invoice', es: 'Toda la factura' }

function entryName(list: string, index: string, locale: Locale): string {
  const name = ENTRIES[list]?.[locale === 'es' ? 1 : 0] ?? labelOf(list, locale)
  return `${name} ${Number(index) + 1}`
}

/** Returns the location of a member by its labels: `Supplier · Tax id`, `Line 2 · Quantity`. */
export function fieldLocation(path: string, locale: Locale): string {
  const segments = segmentsOf(path)
  // A province is one field of the form.
  const province = segments.indexOf('country_subdivision')
  const visible = province < 0 ? segments : segments.slice(0, province + 1)
  const last = visible.length - 1
  const names = visible.flatMap((segment, at) => {
    const list = visible[at - 1]
    if (/^\d+$/.test(segment) && list !== undefined) return [entryName(list, segment, locale)]
    if (
      /^\d+$/.test(visible[at + 1] ?? '') ||
      (at < last && (CONTAINERS.has(segment) || segment === 'address'))
    )
      return []
    return [labelOf(segment, locale)]
  })
  return names.join(' · ') || WHOLE_INVOICE[locale]
}

const fieldName = (path: string, locale: Locale): string =>
  required(fieldLocation(path, locale).split(' · ').at(-1))

export const quote = (text: string, locale: Locale): string => (locale === 'es' ? `«${text}»` : `“${text}”`)

const CATALOGS: readonly CatalogName[] = [
  'tax-treatments',
  'non-taxable-reasons',
  'non-deductible-reasons',
  'exemption-reasons',
]

/** Returns the name of a code such as `NON_TAXABLE`. */
export function valueName(code: string, locale: Locale): string {
  for (const name of CATALOGS) {
    const row = catalog(name).find((one) => one.code === code)
    if (row) return rowName(row, locale)
  }
  return code
}

type Replacement = readonly [pattern: RegExp, by: string]

/** Replacements of API terms by terms of the form. For example, a program sends a value, but a person enters it. */
const API_TERMS: Readonly<Record<Locale, readonly Replacement[]>> = {
  en: [
    [/ \(docs\/[^()]+\)/g, ''],
    [/ \(catalog [a-z-]+\)/g, ''],
    [/of the catalog [a-z-]+/g, 'of the list'],
    [/\bcatalog\b/g, 'list'],
    [/\bin the fields consumption_\*/g, 'in its own fields'],
    [/\bSend\b/g, 'Enter'],
    [/\bsend\b/g, 'enter'],
    [/\b(was|were|be) sent\b/g, '$1 entered'],
    [/\bsent\b/g, 'entered'],
  ],
  es: [
    [/ \(docs\/[^()]+\)/g, ''],
    [/ \(catálogo [a-z-]+\)/g, ''],
    [/del catálogo (?!del )[a-z-]+/g, 'de la lista'],
    [/\bel catálogo\b/g, 'la lista'],
    [/\(code o name\)/g, '(código o nombre)'],
    [/\ben los campos consumption_\*/g, 'en sus propios campos'],
    [/\bEnvíe\b/g, 'Indique'],
    [/\benvíe\b/g, 'indique'],
    [/\benviarse\b/g, 'indicarse'],
    [/\benvió /g, 'indicó '],
    [/\benviad([oa]s?)\b/g, 'indicad$1'],
  ],
}

/** Names of members in messages, such as `customer.tax_id`. */
const MEMBER = /\b[a-z]+(?:[._][a-z0-9]+)+\b/g
const IN_BRACKETS = / \([a-z]+(?:_[a-z]+)+\)/g
const CONSTANT = /\b[A-Z]{2,}(?:_[A-Z0-9]+)+\b/g

function fieldReference(found: string, locale: Locale): string {
  const names = found.split('.')
  if (!names.every(hasLabel)) return found
  // Of the parents, only supplier and customer are named, because only their fields have the same labels.
  const shown = names.filter((name, at) => at === names.length - 1 || PARTIES.has(name))
  return quote(shown.map((name) => labelOf(name, locale)).join(' · '), locale)
}

/** Returns a sentence of the engine in plain language. */
export function plainSentence(sentence: string, locale: Locale): string {
  const replaced = API_TERMS[locale].reduce((text, [pattern, by]) => text.replace(pattern, by), sentence)
  return replaced
    .replace(IN_BRACKETS, '')
    .replace(CONSTANT, (code) => quote(valueName(code, locale), locale))
    .replace(MEMBER, (found) => fieldReference(found, locale))
    .replace(/([”»]) ([“«])/g, '$1: $2')
}

const termName = (value: unknown, locale: Locale): unknown =>
  typeof value === 'string' && Object.hasOwn(TERMS, value)
    ? required(TERMS[value])[locale === 'es' ? 1 : 0]
    : value

/** Returns `extra` with labels and names instead of members and codes. */
function plainExtra(extra: Problem['extra'], locale: Locale): Problem['extra'] {
  const { choices, fields, allowed, expected, received, similar } = extra ?? {}
  const each = (list: unknown, name: (one: unknown) => unknown) =>
    Array.isArray(list) ? list.map(name) : list
  const labelled = (one: unknown) => quote(labelOf(String(one), locale), locale)
  return (
    extra && {
      ...extra,
      choices: each(choices, labelled),
      fields: each(fields, labelled),
      // Duplicates are removed, because fields of a company and of a person have the same labels.
      ...(Array.isArray(similar) && {
        similar: [...new Set(similar.map((path) => labelled(path.replace(/^.*\./, ''))))],
      }),
      allowed: each(allowed, (one) => termName(one, locale)),
      ...(expected === undefined ? {} : { expected: termName(expected, locale) }),
      ...(received === undefined ? {} : { received: termName(received, locale) }),
    }
  )
}

/** Returns message and fix of a problem in plain language. */
export function plainProblem(
  problem: Problem,
  locale: Locale,
): { readonly message: string; readonly fix: string } {
  const { path, code, severity } = problem
  const parent = path.slice(0, path.lastIndexOf('/') + 1) || '/'
  const item = { source: 'schema', message: problem.message, code, severity } as const
  const parts = messageParts(
    { ...item, path: path === '' ? '' : `${parent}${FIELD}`, extra: plainExtra(problem.extra, locale) },
    locale,
  )
  const field = quote(fieldName(path, locale), locale)
  const put = (text: string) => plainSentence(text, locale).replaceAll(FIELD, field)
  // Problems of the page itself already have their final text.
  return parts.fix === '' && parts.message === problem.message
    ? { message: put(problem.message), fix: put(problem.fix) }
    : { message: put(parts.message), fix: put(parts.fix) }
}
