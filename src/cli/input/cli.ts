/** One run of the command line: its streams and its language, handed to everything that reads, writes or speaks. */
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import type { Locale } from '../../api/index.ts'
import { required, UsageError } from '../../errors/index.ts'
import type { Text } from '../../invoice/index.ts'

/** A stream that may be a terminal. */
type Screen = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** What a run reads and writes beside files: a terminal, or a test. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder that names of files start from. */
  readonly cwd: string
  /** The standard input; called when it is read. */
  readonly input: () => AsyncIterable<Uint8Array>
  readonly out: Screen
  readonly err: Screen
}

export interface Cli extends Io {
  /** The language of the command line itself: help, usage and what is wrong with files. */
  readonly locale: Locale
  /** The text in the language of this run. */
  readonly say: (text: Text) => string
  /** The error that ends this run: what is wrong. */
  readonly refusal: (text: Text) => UsageError
  /** The same of an option or a file. */
  readonly refusalOf: (about: string, text: Text) => UsageError
  /** Where a file is; its name is shown as it was given. */
  readonly pathOf: (file: string) => string
  /** Receives the exit code. */
  readonly done: (code: number) => void
}

/**
 * `--locale` where it is given; else the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that has a value. Read before
 * the arguments are parsed, since a wrong argument is reported in it.
 */
export function localeOf(args: readonly string[], env: Io['env']): Locale {
  const end = args.indexOf('--')
  const options = end < 0 ? args : args.slice(0, end)
  const at = options.findLastIndex((arg) => arg === '--locale' || arg.startsWith('--locale='))
  const given = at < 0 ? undefined : (required(options[at]).split('=')[1] ?? options[at + 1])
  if (given === 'es' || given === 'en') return given
  const surroundings = env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return /^es(?:[_.@-]|$)/i.test(surroundings) ? 'es' : 'en'
}

export const cliOf = (io: Io, locale: Locale, done: Cli['done']): Cli => ({
  ...io,
  locale,
  say: (text) => text[locale],
  refusal: (text) => new UsageError(text[locale]),
  refusalOf: (about, text) => new UsageError(`${about}: ${text[locale]}`),
  pathOf: (file) => resolve(io.cwd, file),
  done,
})
