/** The context of one run of the command line: its streams, folder and language. */
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { required, UsageError } from '#core/errors/index.ts'
import type { Text } from '#core/invoice/index.ts'
import type { Locale } from '#engine/index.ts'

/** A stream that may be a terminal. */
type Screen = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** The environment and streams of a run, provided by the terminal or a test. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder that file names are relative to. */
  readonly cwd: string
  /** Opens the standard input. */
  readonly input: () => AsyncIterable<Uint8Array>
  readonly out: Screen
  readonly err: Screen
}

export interface Cli extends Io {
  /** The language of the command line itself: help, usage and file errors. */
  readonly locale: Locale
  /** Returns the text in the language of this run. */
  readonly translate: (text: Text) => string
  /** Creates a usage error. The caller throws it to end this run. */
  readonly usageError: (text: Text) => UsageError
  /** Creates a usage error about an option or a file. */
  readonly usageErrorAbout: (about: string, text: Text) => UsageError
  /** Returns the absolute path of a file. Messages show its name as given. */
  readonly pathOf: (file: string) => string
  /** Receives the exit code. */
  readonly setExitCode: (code: number) => void
}

/**
 * Returns `--locale`, or else the language of the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set. Works on
 * unparsed arguments, since errors of parsing are reported in this language.
 */
export function localeOf(args: readonly string[], env: Io['env']): Locale {
  const end = args.indexOf('--')
  const options = end < 0 ? args : args.slice(0, end)
  const at = options.findLastIndex((arg) => arg === '--locale' || arg.startsWith('--locale='))
  const given = at < 0 ? undefined : (required(options[at]).split('=')[1] ?? options[at + 1])
  if (given === 'es' || given === 'en') return given
  const language = env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return /^es(?:[_.@-]|$)/i.test(language) ? 'es' : 'en'
}

export const cliOf = (io: Io, locale: Locale, setExitCode: Cli['setExitCode']): Cli => ({
  ...io,
  locale,
  translate: (text) => text[locale],
  usageError: (text) => new UsageError(text[locale]),
  usageErrorAbout: (about, text) => new UsageError(`${about}: ${text[locale]}`),
  pathOf: (file) => resolve(io.cwd, file),
  setExitCode,
})
