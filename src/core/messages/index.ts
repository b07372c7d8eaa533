/** Messages: their texts, parts and items, and the list that collects items. */
export { cite, fill, fillBy, isText, shorten } from './fill.ts'
export { type ItemCollector, ItemList, itemCollectorOf, type ListCode, TOO_MANY } from './item-list.ts'
export { createItem, itemOf, partsOf } from './message-item.ts'
export {
  type CodedText,
  localise,
  type MessageParts,
  type MessageText,
  messageText,
  messageWithoutFix,
  type Pair,
  textOf,
} from './message-text.ts'
