/** The language of the command line itself: help, usage and what is wrong with files. */
import type { Locale } from '../../api/index.ts'
import type { Text } from '../../invoice/index.ts'

let tongue: Locale = 'en'

/**
 * `--locale` where it is given; else the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that says anything. Read before
 * the arguments are parsed, since a wrong argument has to be told in it.
 */
export function localeOf(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Locale {
  const end = args.indexOf('--')
  const options = end < 0 ? args : args.slice(0, end)
  const at = options.findLastIndex((arg) => arg === '--locale' || arg.startsWith('--locale='))
  const given = at < 0 ? undefined : (options[at]!.split('=')[1] ?? options[at + 1])
  if (given === 'es' || given === 'en') return given
  const surroundings = env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return /^es(?:[_.@-]|$)/i.test(surroundings) ? 'es' : 'en'
}

/** Once, when the process begins. */
export const speak = (locale: Locale): void => {
  tongue = locale
}

export const spoken = (): Locale => tongue

/** The text in the language of this run. */
export const say = (text: Text): string => text[tongue]
