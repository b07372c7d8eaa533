/** Message texts: the problem, its fix, and the law behind it. */
import type { Locale, Text } from '../invoice/index.ts'
import { cite } from './fill.ts'

/**
 * Texts of a code in both languages. `{placeholders}` are `path`, `field` (its last segment) and the members of
 * `extra`.
 */
export interface MessageText {
  /** The problem. */
  readonly message: Text
  /** The instruction that fixes the problem. */
  readonly fix: Text
  /** Article or document that the rule is based on. */
  readonly law: string
}

export type Pair = readonly [message: string, fix: string]

/** Creates message texts from one pair of message and fix per language. */
export const messageText = (law: string, en: Pair, es: Pair): MessageText => ({
  message: { en: en[0], es: es[0] },
  fix: { en: en[1], es: es[1] },
  law,
})

/** Creates message texts from the message alone, without fix or law. */
export const messageWithoutFix = (message: Text): MessageText => ({
  message,
  fix: { en: '', es: '' },
  law: '',
})

/** The text of a refusal, with its code. */
export interface CodedText extends Text {
  readonly code: string
}

/** A message in its parts. `message` is the problem; an absent part is empty. */
export interface MessageParts {
  readonly message: string
  readonly fix: string
  readonly law: string
}

/** Returns the parts of a message in a language. `fillIn` fills the values into each text. */
export const localise = (
  { message, fix, law }: MessageText,
  locale: Locale,
  fillIn: (template: string, isFix: boolean) => string,
): MessageParts => ({
  message: fillIn(message[locale], false),
  fix: fillIn(fix[locale], true),
  law: cite(law, locale),
})

/** Joins the parts to one text: problem, fix, and the law in parentheses. */
export const textOf = ({ message, fix, law }: MessageParts): string =>
  `${message}${fix && ` ${fix}`}${law && ` (${law})`}`
