/** Creates validation items. Every item of this project gets its message here. */
import type { Extra, Locale, ValidationItem } from '../invoice/index.ts'
import { fillBy, isText } from './fill.ts'
import { localise, type MessageParts, type MessageText, textOf } from './message-text.ts'

/** The fields of an item without its message. */
export type ItemFields<Code extends string = string> = Omit<ValidationItem<Code>, 'message'>

/** Creates an item from its fields and message, with the members in the order of the API specification. */
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

/**
 * Message parts of items whose code is not one of `rules()`. They are kept outside the item, because an item has
 * exactly six members.
 */
const partsByItem = new WeakMap<ValidationItem, MessageParts>()

/**
 * Returns the message parts of an item that `createItem` created in this process. For any other item, returns its whole
 * text as `message`.
 */
export const partsOf = (item: ValidationItem): MessageParts =>
  partsByItem.get(item) ?? { message: item.message, fix: '', law: '' }

/** Returns `extra`, in which each text in both languages is replaced by the text in the given language. */
const localiseExtra = (extra: Extra, locale: Locale): Extra =>
  Object.fromEntries(
    Object.entries(extra).map(([name, value]) => [name, isText(value) ? value[locale] : value]),
  )

/**
 * Creates an item with the message of its code. Members of `extra` in both languages appear in the reader's language in
 * the message, and in English in the item. `shown` adds values for the message that are not in `extra`.
 */
export function createItem<Code extends string>(
  messageText: MessageText,
  { source = 'business', ...item }: Omit<ItemFields<Code>, 'source'> & Partial<ItemFields<Code>>,
  locale: Locale,
  shown?: Extra,
): ValidationItem<Code> {
  const { path, extra } = item
  const field = path.slice(path.lastIndexOf('/') + 1) || '/'
  const values: Extra = { path, field, ...(extra && localiseExtra(extra, locale)), ...shown }
  const parts = localise(messageText, locale, (template, isFix) =>
    fillBy(template, (name) => values[name], locale, { isFix }),
  )
  const made = itemOf({ ...item, source, extra: extra && localiseExtra(extra, 'en') }, parts)
  partsByItem.set(made, parts)
  return made
}
