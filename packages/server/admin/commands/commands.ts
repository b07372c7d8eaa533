/** Options and texts shared by commands. */
import { type Command, Option } from 'commander'
import { parseUuid } from '../arguments.ts'
import type { CounterToAdvance } from '../backup/since.ts'

/** Flags of every command. */
export interface Flags {
  readonly json?: true
}

export interface CompanyFlags extends Flags {
  readonly company: string
}

export const addCommandGroup = (program: Command, name: string, description: string): Command =>
  program.command(name).description(description).helpCommand(false)

export const addSubcommand = (parent: Command, name: string, description: string): Command =>
  parent.command(name).description(description).option('--json', 'print JSON')

export const companyOption = (): Option =>
  new Option('--company <id>', 'id of the company (`company list`)').argParser(parseUuid)

export const localeOption = (): Option =>
  new Option('--locale <language>', 'language').choices(['en', 'es']).default('en')

/** Creates the option that selects the environment of the records. */
export const environmentOption = (): Option =>
  new Option(
    '--environment <environment>',
    'environment of the records (default: that of the open period)',
  ).choices(['production', 'test'])

/** Adds a command that works on one company. */
export const addCompanyCommand = (parent: Command, name: string, description: string): Command =>
  addSubcommand(parent, name, description).addOption(companyOption().makeOptionMandatory())

export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** Returns an instant in UTC, to the second. */
export const timeOf = (at: number): string => new Date(at).toISOString().slice(0, 19)

/** Returns the command that advances the counter of a series. */
export const counterCommand = (companyId: string, { series_code, next }: CounterToAdvance): string =>
  `cuadra-admin series configure --company ${companyId} --code '${series_code}' --next ${next}`
