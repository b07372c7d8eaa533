/** The words of a problem: what is wrong, how to mend it, and the law that it comes from. */
import type { Locale, Text } from '../invoice/index.ts'
import { cite } from './fill.ts'

/** Words of a code in both languages; `{placeholders}` are `path`, `field` (its last part) and the members of `extra`. */
export interface MessageText {
  /** What is wrong. */
  readonly message: Text
  /** What to do about it. */
  readonly fix: Text
  /** Article or document that it comes from. */
  readonly law: string
}

export type Pair = readonly [message: string, fix: string]

/** Words as they are declared: each language by itself. */
export const messageText = (law: string, en: Pair, es: Pair): MessageText => ({
  message: { en: en[0], es: es[0] },
  fix: { en: en[1], es: es[1] },
  law,
})

/** Words that are one text in each language and cite nothing. */
export const plain = (message: Text): MessageText => ({ message, fix: { en: '', es: '' }, law: '' })

/** What a refusal says, with the code that programs read. */
export interface CodedText extends Text {
  readonly code: string
}

/** A message in its parts: `message` is what is wrong. A part that is missing is empty. */
export interface MessageParts {
  readonly message: string
  readonly fix: string
  readonly law: string
}

/** Speaks words in a language; `fillIn` puts the values into each of its texts. */
export const speak = (
  { message, fix, law }: MessageText,
  locale: Locale,
  fillIn: (template: string) => string,
): MessageParts => ({ message: fillIn(message[locale]), fix: fillIn(fix[locale]), law: cite(law, locale) })

/** The parts as one text: what is wrong, how to mend it, and the law in brackets. */
export const textOf = ({ message, fix, law }: MessageParts): string =>
  `${message}${fix && ` ${fix}`}${law && ` (${law})`}`
