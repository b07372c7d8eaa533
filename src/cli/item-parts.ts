/** Takes the message of an item apart: what is wrong, how to mend it, the law. */
import { type Locale, type RuleRecord, rules, type ValidationItem } from '../index.ts'
import { fill } from '../invoice/item.ts'
import { segmentsOf } from '../invoice/pointer.ts'

export interface ItemParts {
  readonly message: string
  readonly mend: string
  readonly law: string
}

let records: ReadonlyMap<string, RuleRecord> | undefined

export function recordOf(code: string): RuleRecord | undefined {
  records ??= new Map(rules().map((rule) => [rule.code, rule]))
  return records.get(code)
}

/** Parts of a message; where it does not end as its rule says, all of it is `message`. */
export function partsOf(item: ValidationItem, locale: Locale): ItemParts {
  const rule = recordOf(item.code)
  if (!rule) return { message: item.message, mend: '', law: '' }
  const values = {
    allowed: '',
    catalog: '',
    ...item.extra,
    path: item.path,
    field: segmentsOf(item.path).at(-1) ?? '/',
  }
  const mend = fill(rule.mend[locale], values)
  const law = fill(rule.law, values)
  const tail = ` ${mend} (${law})`
  return item.message.endsWith(tail)
    ? { message: item.message.slice(0, -tail.length), mend, law }
    : { message: item.message, mend: '', law: '' }
}
