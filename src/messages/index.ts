/** One voice: the words of every problem, its parts and its text; and the list that problems are collected in. */
export { cite, fill, fillBy, isText, shorten } from './fill.ts'
export { itemOf, partsOf, say } from './item.ts'
export { ItemList, type ListCode, type Refusals, refusalsOf, TOO_MANY } from './item-list.ts'
export {
  type CodedText,
  type MessageParts,
  type MessageText,
  messageText,
  type Pair,
  plain,
  speak,
  textOf,
} from './message-text.ts'
