/** Items that explain why a record, message or summary was not built, with the codes of the SII. */
import { required } from '#core/errors/index.ts'
import type { Locale, ValidationItem } from '#core/invoice/index.ts'
import { type ItemCollector, itemCollectorOf, type ListCode } from '#core/messages/index.ts'
import { type Violation, violationsOf } from '#core/xml/index.ts'
import { type RefuseShared, refuseSharedAs } from '../../fiscal/shared-codes.ts'
import type { XmlItemCode } from '../../fiscal/xml-problems.ts'
import { SII_CODES, type SiiCode } from './sii-record-messages.ts'
import { vocabulary } from './sii-vocabulary.ts'

export type Refuse = ItemCollector<SiiCode>['refuse']

/** Returns a collector of items with the codes of the SII, in a language. */
export const refusals = (locale: Locale = 'en'): ItemCollector<SiiCode> => itemCollectorOf(SII_CODES, locale)

/** Returns a function that reports the refusals shared with VeriFactu under the codes of the SII. */
export const shared = (refuse: Refuse): RefuseShared => refuseSharedAs('sii', refuse)

const refuseViolation = (violation: Violation, refuse: Refuse): void => {
  const { received, allowed, kind } = violation
  refuse('sii.schema', violation.path, {
    violation: kind,
    received: typeof received === 'string' || typeof received === 'number' ? received : '',
    ...(allowed === undefined ? {} : { allowed }),
  })
}

/**
 * Checks a record (`RegistroLR...` of a message) or a whole message against the official schema. Paths start at the
 * checked value.
 */
export function checkShape(value: unknown, root: string, record: string | null, refuse: Refuse): void {
  const { type } = required(vocabulary().roots.get(root))
  const shape = record === null ? type : required(type.byName.get(record)).type
  for (const violation of violationsOf(value, shape, root)) refuseViolation(violation, refuse)
}

/** An error that prevented the result, or a warning about it. */
export type SiiItem = ValidationItem<SiiCode | ListCode>

/** An item about the XML of a response, or about a response of an unexpected type. */
export type ResponseItem = SiiItem | ValidationItem<XmlItemCode>

/** The record, or the items that prevented it; never a partial record. */
export type SiiResult<T> =
  | {
      readonly ok: true
      readonly record: T
      /** Warnings: data that the authority accepts with errors, or may reject later. */
      readonly items: readonly SiiItem[]
    }
  | { readonly ok: false; readonly items: readonly SiiItem[] }

/** Returns the record with its warnings, unless there are errors. */
export const resultOf = <T>(record: T, { items, warnings }: ItemCollector<SiiCode>): SiiResult<T> =>
  items.length > 0 ? { ok: false, items: [...items, ...warnings] } : { ok: true, record, items: warnings }
