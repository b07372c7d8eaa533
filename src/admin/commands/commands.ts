/** Options and texts shared by commands. */
import { type Command, Option } from 'commander'
import { uuid } from '../arguments.ts'
import type { CounterToAdvance } from '../backup/since.ts'

/** Flags of every command. */
export interface Flags {
  readonly json?: true
}

export interface CompanyFlags extends Flags {
  readonly company: string
}

export const group = (program: Command, name: string, description: string): Command =>
  program.command(name).description(description).helpCommand(false)

export const leaf = (parent: Command, name: string, description: string): Command =>
  parent.command(name).description(description).option('--json', 'print JSON')

export const COMPANY = (): Option =>
  new Option('--company <id>', 'id of the company (`company list`)').argParser(uuid)

export const LOCALE = (): Option =>
  new Option('--locale <language>', 'language').choices(['en', 'es']).default('en')

/** Creates the option that selects the environment of the records. */
export const ENVIRONMENT = (): Option =>
  new Option(
    '--environment <environment>',
    'environment of the records (default: that of the open period)',
  ).choices(['production', 'test'])

/** Adds a command that works on one company. */
export const ofCompany = (parent: Command, name: string, description: string): Command =>
  leaf(parent, name, description).addOption(COMPANY().makeOptionMandatory())

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** Returns an instant in UTC, to the second. */
export const timeOf = (at: number): string => new Date(at).toISOString().slice(0, 19)

/** Returns the command that advances the counter of a series. */
export const counterCommand = (companyId: string, { series_code, next }: CounterToAdvance): string =>
  `cuadra-admin series configure --company ${companyId} --code '${series_code}' --next ${next}`
