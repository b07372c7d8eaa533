/** Why no record, message or summary was made: the codes of this folder, in the shape of the engine's items. */
import { required } from '../../errors/index.ts'
import { type RefuseShared, sharedRefusals } from '../../fiscal/shared-codes.ts'
import type { XmlItemCode } from '../../fiscal/xml-problems.ts'
import type { Locale, ValidationItem } from '../../invoice/index.ts'
import { type ListCode, type Refusals, refusalsOf } from '../../messages/index.ts'
import { type Violation, violationsOf } from '../../xml/index.ts'
import { SII_CODES, type SiiCode } from './messages.ts'
import { vocabulary } from './vocabulary.ts'

export type Refuse = Refusals<SiiCode>['refuse']

/** Collects items in the language asked for. */
export const refusals = (locale: Locale = 'en'): Refusals<SiiCode> => refusalsOf(SII_CODES, locale)

/** The same under the codes that VeriFactu has too. */
export const shared = (refuse: Refuse): RefuseShared => sharedRefusals('sii', refuse)

const refuseViolation = (violation: Violation, refuse: Refuse): void => {
  const { received, allowed, kind } = violation
  refuse('sii.schema', violation.path, {
    violation: kind,
    received: typeof received === 'string' || typeof received === 'number' ? received : '',
    ...(allowed === undefined ? {} : { allowed }),
  })
}

/**
 * Holds a record (`RegistroLR...` of a message) or a whole message against the official schema; paths start at what
 * was checked.
 */
export function checkShape(value: unknown, root: string, record: string | null, refuse: Refuse): void {
  const { type } = required(vocabulary().roots.get(root))
  const shape = record === null ? type : required(type.byName.get(record)).type
  for (const violation of violationsOf(value, shape, record ?? root)) refuseViolation(violation, refuse)
}

/** Why something was not made, or what should be known of it. */
export type SiiItem = ValidationItem<SiiCode | ListCode>

/** What is said of an answer: of its XML, and of what it is an answer to. */
export type AnswerItem = SiiItem | ValidationItem<XmlItemCode>

/** What was asked for, or the reasons why there is none: never half of it. */
export type SiiResult<T> =
  | {
      readonly ok: true
      readonly record: T
      /** Warnings: what the authority accepts with errors, or may refuse on its own day. */
      readonly items: readonly SiiItem[]
    }
  | { readonly ok: false; readonly items: readonly SiiItem[] }

/** The answer: the record with its warnings, unless something refuses it. */
export const resultOf = <T>(record: T, { items, warnings }: Refusals<SiiCode>): SiiResult<T> =>
  items.length > 0 ? { ok: false, items: [...items, ...warnings] } : { ok: true, record, items: warnings }
