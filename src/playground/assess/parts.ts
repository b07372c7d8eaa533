/** Takes the message of an item apart: what is wrong, how to mend it, the law. */
import { type Locale, type RuleRecord, rules, type ValidationItem } from '../../index.ts'
import { fill, segmentsOf } from '../../invoice/index.ts'

export interface MessageParts {
  readonly what: string
  readonly mend: string
  readonly law: string
}

let records: ReadonlyMap<string, RuleRecord> | undefined

/** Where a message does not end as its rule says, all of it is `what`. */
export function partsOf(item: ValidationItem, locale: Locale): MessageParts {
  records ??= new Map(rules().map((rule) => [rule.code, rule]))
  const whole = { what: item.message, mend: '', law: '' }
  const rule = records.get(item.code)
  if (!rule) return whole
  const field = segmentsOf(item.path).at(-1) ?? '/'
  const values = { allowed: '', catalog: '', ...item.extra, path: item.path, field }
  const law = fill(rule.law, values)
  const tail = ` (${law})`
  if (!item.message.endsWith(tail)) return whole
  const rest = item.message.slice(0, -tail.length)
  const mend = fill(rule.mend[locale], values)
  return rest.endsWith(` ${mend}`)
    ? { what: rest.slice(0, -mend.length - 1), mend, law }
    : { what: rest, mend: '', law }
}
