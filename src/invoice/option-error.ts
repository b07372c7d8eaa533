/** A wrong option, in words for the programmer who passed it and for the client whose request did. */
import type { Text } from './item.ts'

/** What `TypeError`s of options are: the message is English, as of all exceptions; `words` has both languages. */
export class OptionError extends TypeError {
  readonly messageText: Text

  constructor(messageText: Text) {
    super(`cuadra: ${messageText.en}`)
    this.messageText = messageText
  }
}
