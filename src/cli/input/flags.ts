/** Options that several commands have, and what they mean. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Locale } from '../../api/index.ts'
import { isDate } from '../../invoice/date.ts'
import { wantsLinks } from '../../terminal/link.ts'
import { wantsColor } from './colors.ts'

/** Receives the exit code. */
export type Done = (code: number) => void

export interface SharedFlags {
  readonly locale: Locale
  readonly color: boolean
  readonly json?: true
}

export const day = (text: string): string => {
  if (!isDate(text)) throw new InvalidArgumentError('It must be a date YYYY-MM-DD.')
  return text
}

export const columns = (): number => Math.max(60, process.stdout.columns || 100)

export const colored = ({ color }: SharedFlags): boolean =>
  wantsColor({ option: color, env: process.env, isTerminal: process.stdout.isTTY === true })

/** Whether codes are links, on a terminal that knows them. */
export const linking = (flags: SharedFlags): boolean =>
  wantsLinks({ env: process.env, color: colored(flags), isTerminal: process.stdout.isTTY === true })

export const shared = (command: Command): Command =>
  command
    .addOption(new Option('--locale <language>', 'language').choices(['en', 'es']).default('en'))
    .option('--json', 'answer as JSON')
    .option('--no-color', 'no colours; NO_COLOR and FORCE_COLOR count too')
