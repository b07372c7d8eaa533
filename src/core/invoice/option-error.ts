/**
 * The error of an invalid option. Its message is for the programmer who passed the option; a request's client gets
 * `messageText`.
 */
import type { Text } from './item.ts'

/**
 * The `TypeError` of an invalid option. Its message is English, like that of all exceptions; `messageText` has both
 * languages.
 */
export class OptionError extends TypeError {
  readonly messageText: Text

  constructor(messageText: Text) {
    super(`cuadra: ${messageText.en}`)
    this.messageText = messageText
  }
}
