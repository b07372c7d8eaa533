/** The maker of validation items: every item of this project gets its text here. */
import type { Extra, Locale, ValidationItem } from '../invoice/index.ts'
import { fill, isText } from './fill.ts'
import { type MessageParts, type MessageText, speak, textOf } from './message-text.ts'

/** An item before it has words. */
export type ItemFields<Code extends string = string> = Omit<ValidationItem<Code>, 'message'>

/** An item with its words, in the order in which the specification writes its members. */
export const itemOf = <Code extends string>(
  { source, code, path, extra, severity }: ItemFields<Code>,
  parts: MessageParts,
): ValidationItem<Code> => ({
  source,
  code,
  message: textOf(parts),
  path,
  extra,
  severity,
})

/** What was said of items of which no rule of the engine knows the words. An item alone has six members. */
const said = new WeakMap<ValidationItem, MessageParts>()

/** The parts of an item that `say` made in this process; of any other its whole text as `message`. */
export const partsOf = (item: ValidationItem): MessageParts =>
  said.get(item) ?? { message: item.message, fix: '', law: '' }

/** Members that are sentences of ours, in a language. */
const spokenIn = (extra: Extra, locale: Locale): Extra =>
  Object.fromEntries(
    Object.entries(extra).map(([name, value]) => [name, isText(value) ? value[locale] : value]),
  )

/**
 * An item in the words of its code. Members of `extra` that are texts in both languages are told in that of the reader,
 * and to programs in English; `shown` has what stands in the sentences and not in `extra`.
 */
export function say<Code extends string>(
  messageText: MessageText,
  { source = 'business', ...item }: Omit<ItemFields<Code>, 'source'> & Partial<ItemFields<Code>>,
  locale: Locale,
  shown?: Extra,
): ValidationItem<Code> {
  const { path, extra } = item
  const field = path.slice(path.lastIndexOf('/') + 1) || '/'
  const values = { path, field, ...(extra && spokenIn(extra, locale)), ...shown }
  const parts = speak(messageText, locale, (template) => fill(template, values, locale))
  const made = itemOf({ ...item, source, extra: extra && spokenIn(extra, 'en') }, parts)
  said.set(made, parts)
  return made
}
