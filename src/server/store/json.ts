/** Values that a column keeps as JSON text. The type of such a text says what it is of; it is read where it is used. */

/** What a text is of: only the compiler sees it. */
declare const content: unique symbol

export type Json<T> = string & { readonly [content]?: T }

type ContentOf<Text> = Text extends null ? null : Text extends Json<infer T> ? T : never

export const toJson = <T>(value: T): Json<T> => JSON.stringify(value)

/** The value of a text; null of null. */
export const fromJson = <Text extends Json<unknown> | null>(text: Text): ContentOf<Text> =>
  JSON.parse(text ?? 'null')
