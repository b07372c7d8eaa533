/**
 * JSON texts in columns. The type of a text carries the type of its value. A text is parsed only when its value is
 * used.
 */

import { ConditionError } from '#core/errors/index.ts'

/** The type of the value. It exists only at compile time. */
declare const content: unique symbol

export type Json<T> = string & { readonly [content]?: T }

type ContentOf<Text> = Text extends null ? null : Text extends Json<infer T> ? T : never

export const toJson = <T>(value: T): Json<T> => JSON.stringify(value)

/** Parses a text; returns null for null. Throws `database_damaged` if it is not JSON, without repeating the text. */
export function fromJson<Text extends Json<unknown> | null>(text: Text): ContentOf<Text> {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    throw new ConditionError('database_damaged', 'a stored JSON text cannot be parsed')
  }
}
