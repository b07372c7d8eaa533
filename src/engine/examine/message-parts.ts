/** Builds the message of a problem in the given language: the problem, the fix and the law. */

import type { Extra, Locale, ValidationItem } from '#core/invoice/index.ts'
import { lastSegmentsOf } from '#core/invoice/pointer.ts'
import { fillBy, localise, type MessageParts, partsOf, shorten } from '#core/messages/index.ts'
import { type Declaration, ruleOf } from '#rules/index.ts'

/** Name for the whole document in messages. */
const WHOLE = { en: 'the document', es: 'el documento' }

/** Matches values that cannot be mistaken for a part of the sentence. They need no quotes. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N}_.:+%/-]*$/u

/** Puts a text, or each text of a list, in quotes. Returns other values unchanged. */
const quoted = (value: unknown, locale: Locale, always = false): unknown =>
  Array.isArray(value)
    ? value.map((member) => quoted(member, locale, always))
    : typeof value !== 'string' || (!always && PLAIN.test(value))
      ? value
      : locale === 'es'
        ? `«${shorten(value)}»`
        : `"${shorten(value)}"`

/** Names of the placeholders that show values of the document. */
const OF_THE_DOCUMENT = ['received', 'expected', 'allowed', 'post_code', 'tax_regime_key']

/** Returns the last segment of a path; for a list element, the list name with the index. */
function fieldOf(path: string, locale: Locale): unknown {
  const [list, last] = lastSegmentsOf(path)
  if (last === undefined) return WHOLE[locale]
  return list !== undefined && /^\d+$/.test(last) ? `${list}[${last}]` : quoted(last, locale)
}

/** Returns the display value of a placeholder: its term in the rule or, without a term, the value, quoted if needed. */
function shownAs(name: string, rule: Declaration, path: string, extra: Extra, locale: Locale): unknown {
  if (name === 'path') return path
  if (name === 'field') return fieldOf(path, locale)
  const term = rule.terms?.[name]?.[String(extra[name])]
  if (term) return term[locale]
  return OF_THE_DOCUMENT.includes(name) ? quoted(extra[name], locale, rule.source === 'schema') : extra[name]
}

/**
 * Returns the special case of a finding: that of `extra.case`, `none` if `extra.allowed` is empty, or that of the
 * rule's `caseOf`.
 */
const caseOf = ({ cases, caseOf: selectCase }: Declaration, extra: Extra) =>
  cases?.[String(extra.case)] ??
  (Array.isArray(extra.allowed) && extra.allowed.length === 0 ? cases?.none : undefined) ??
  cases?.[String(selectCase?.(extra))]

/** Returns the message of a finding, from the texts of its rule. */
export function partsFor(
  rule: Declaration,
  { path, extra }: Pick<ValidationItem, 'path' | 'extra'>,
  locale: Locale,
): MessageParts {
  const known = extra ?? {}
  const special = caseOf(rule, known)
  const value = (name: string) => shownAs(name, rule, path, known, locale)
  return localise(
    {
      message: special?.message ?? rule.message,
      fix: special?.fix ?? rule.fix,
      law: rule.lawOf?.(known, path) ?? rule.law,
    },
    locale,
    (template, isFix) => fillBy(template, value, locale, { isChoice: true, isFix }),
  )
}

/**
 * Returns the message of an item as parts: problem, fix and law. An item with a code of `rules()` gets the texts of the
 * rule in the requested language, even if it was parsed from JSON. The parts of any other item, for example about a
 * record or a chain, are known only in the process that created it, in the language of its creation; otherwise the
 * whole text is in `message`.
 *
 * @example
 * const item = { source: 'schema', code: 'schema.type', message: '', path: '/meta', extra: { expected: 'object', received: 'null' }, severity: 'error' } as const
 * messageParts(item, 'es') // => { message: 'meta es null.', fix: 'Envíe un objeto.', law: 'especificación de la API, "Canonical invoice"' }
 */
export function messageParts(item: ValidationItem, locale: Locale = 'en'): MessageParts {
  const rule = ruleOf(item.code)
  return rule ? partsFor(rule, item, locale) : partsOf(item)
}
