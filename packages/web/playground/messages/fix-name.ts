/** The name of the button of a fix. */
import type { Fix } from '../assess/assess-problems.ts'
import type { UiMessages } from './ui.ts'

/** `shown` converts a value or the name of a field for the reader. */
export function fixName(
  { name, to, value }: Fix,
  messages: UiMessages,
  shown: (value: unknown, isField: boolean) => string,
): string {
  if (to === undefined)
    return value === undefined ? messages.remove : `${messages.use} ${shown(value, false)}`
  return name.includes('.') ? messages.moveTo(shown(name, true)) : messages.renameTo(shown(name, true))
}
