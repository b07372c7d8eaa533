/** An invalid option, with a message for the programmer who passed it and for the client whose request contained it. */
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
