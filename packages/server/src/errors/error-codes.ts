/**
 * All error codes of the HTTP interface: status, messages, and the section of the API specification that defines them.
 * The OpenAPI document, the documentation and the test of completeness are generated from this table. Using a code that
 * is not in it does not compile. `{placeholders}` in messages are extra members of `detail`.
 */

import { required } from '#core/errors/index.ts'
import type { Text } from '#core/invoice/index.ts'
import { ruleOf } from '#rules/index.ts'
import { COMMON, COMPLIANCE, CUADRA, IMPORT, ISSUE, RECEIVED } from '../generated/texts/codes.ts'

interface CodeMessages extends Text {
  readonly status: number
  /** Section of the API specification that defines the code; `cuadra` if the specification does not define it. */
  readonly source: 'common' | 'issue' | 'import' | 'received' | 'compliance' | 'cuadra'
  /** Why this server never returns the code. */
  readonly reserved?: string
}

/** A code of a section. Its `source` is stated only if it differs from the section. */
type Entry = Omit<CodeMessages, 'source'> & Partial<Pick<CodeMessages, 'source'>>

/** A code with the messages of the engine's rule that has the same code. A violation refuses the whole request. */
interface OfRule extends Partial<Pick<CodeMessages, 'source'>> {
  readonly of_rule: true
}

const ofRule = (code: string): Entry => {
  const { message, fix } = required(ruleOf(code))
  return { status: 422, en: `${message.en} ${fix.en}`, es: `${message.es} ${fix.es}` }
}

/** Sets the section of all `entries` that do not state their own. */
const from = <Name extends string>(
  source: CodeMessages['source'],
  entries: Readonly<Record<Name, Entry | OfRule>>,
) =>
  Object.fromEntries(
    Object.entries<Entry | OfRule>(entries).map(([code, entry]) => {
      const messages = 'of_rule' in entry ? ofRule(code) : entry
      return [code, { source: entry.source ?? source, ...messages }]
    }),
  ) as Record<Name, CodeMessages>

export const CODES = {
  ...from('common', COMMON),
  ...from('issue', ISSUE),
  ...from('import', IMPORT),
  ...from('received', RECEIVED),
  ...from('compliance', COMPLIANCE),
  ...from('cuadra', CUADRA),
}

export type Code = keyof typeof CODES
