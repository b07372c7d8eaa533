/** The words of a problem: what is wrong, how to mend it, and the law, in the language asked for. */
import { type Declaration, ruleOf } from '../../rules/index.ts'
import { type Extra, type Locale, lastSegmentsOf, type ValidationItem } from '../invoice/index.ts'
import { fillBy, type MessageParts, partsOf, shorten, speak } from '../messages/index.ts'

/** What a message calls the document itself. */
const WHOLE = { en: 'the document', es: 'el documento' }

/** A value that cannot be taken for a part of the sentence around it. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N}_.:+%/-]*$/u

/** A text that was sent, or each of a list; any other value is shown as it is. */
const quoted = (value: unknown, locale: Locale, always = false): unknown =>
  Array.isArray(value)
    ? value.map((member) => quoted(member, locale, always))
    : typeof value !== 'string' || (!always && PLAIN.test(value))
      ? value
      : locale === 'es'
        ? `«${shorten(value)}»`
        : `"${shorten(value)}"`

/** The placeholders that show values of the document. */
const OF_THE_DOCUMENT = ['received', 'expected', 'allowed', 'post_code', 'tax_regime_key']

/** The last part of a path; an element of a list has the name of the list. */
function fieldOf(path: string, locale: Locale): unknown {
  const [list, last] = lastSegmentsOf(path)
  if (last === undefined) return WHOLE[locale]
  return list !== undefined && /^\d+$/.test(last) ? `${list}[${last}]` : quoted(last, locale)
}

/** What stands for a placeholder: the value by the name that the rule has for it, a text in quotes. */
function shownAs(name: string, rule: Declaration, path: string, extra: Extra, locale: Locale): unknown {
  if (name === 'path') return path
  if (name === 'field') return fieldOf(path, locale)
  const term = rule.terms?.[name]?.[String(extra[name])]
  if (term) return term[locale]
  return OF_THE_DOCUMENT.includes(name) ? quoted(extra[name], locale, rule.source === 'schema') : extra[name]
}

/** The special case of a finding: as it says itself, without anything to offer, or as its rule tells. */
const caseOf = ({ cases, caseOf: tell }: Declaration, extra: Extra) =>
  cases?.[String(extra.case)] ??
  (Array.isArray(extra.allowed) && extra.allowed.length === 0 ? cases?.none : undefined) ??
  cases?.[String(tell?.(extra))]

/** The words that a rule has for a finding of its own. */
export function partsFor(
  rule: Declaration,
  { path, extra }: Pick<ValidationItem, 'path' | 'extra'>,
  locale: Locale,
): MessageParts {
  const known = extra ?? {}
  const special = caseOf(rule, known)
  const value = (name: string) => shownAs(name, rule, path, known, locale)
  return speak(
    {
      message: special?.message ?? rule.message,
      fix: special?.fix ?? rule.fix,
      law: rule.lawOf?.(known, path) ?? rule.law,
    },
    locale,
    (template) => fillBy(template, value, locale, true),
  )
}

/**
 * The message of an item taken apart: what is wrong, how to mend it, the law. The words of a code of `rules()` are
 * those of its rule, in any language and wherever the item comes from, JSON included. An item of a record or a chain
 * has its parts in the process that made it, in its own language; as JSON, or of another program, it has all of its
 * words in `message`.
 *
 * @example
 * const item = { source: 'schema', code: 'schema.type', message: '', path: '/meta', extra: { expected: 'object', received: 'null' }, severity: 'error' } as const
 * messageParts(item, 'es') // => { message: 'meta es null.', mend: 'Envíe un objeto.', law: 'especificación de la API, "Canonical invoice"' }
 */
export function messageParts(item: ValidationItem, locale: Locale = 'en'): MessageParts {
  const rule = ruleOf(item.code)
  return rule ? partsFor(rule, item, locale) : partsOf(item)
}
