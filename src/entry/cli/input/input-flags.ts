/** Options shared by several commands, and how they are parsed. */
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { required } from '#core/errors/index.ts'
import { isDate } from '#core/invoice/date.ts'
import type { Text } from '#core/invoice/index.ts'
import type { Locale, Options } from '#engine/index.ts'
import { spanishDay, timestampOf } from '#records/fiscal/index.ts'
import { wantsLinks } from '../../terminal/terminal-link.ts'
import { USAGE } from '../generated/texts/usage.ts'
import type { Cli, Io } from './cli.ts'
import { wantsColor } from './colors.ts'
import { readCompany } from './company-options.ts'
import type { Format } from './input-settings.ts'

export interface SharedFlags {
  readonly locale: Locale
  readonly color: boolean
  readonly json?: true
}

/** Returns a parser that rejects values that fail the test `passes`, with a message. */
const parserFor =
  (passes: (text: string) => boolean, text: Text) =>
  (cli: Cli) =>
  (value: string): string => {
    if (!passes(value)) throw new InvalidArgumentError(cli.translate(text))
    return value
  }

export const parseDay = parserFor(isDate, USAGE.not_a_date)

/** Parses a timestamp with its offset. */
export const parseTimestamp = parserFor((text) => timestampOf(text) !== undefined, USAGE.not_a_timestamp)

/** Minimum number of columns that can show text. */
const NARROWEST = 24

/** Returns the number of columns of the terminal. If it is unknown, returns `COLUMNS`, or else `without`. */
export function terminalColumns({ env, out }: Io, without = 100): number {
  const setting = Number(env.COLUMNS)
  const width = out.columns || (Number.isSafeInteger(setting) && setting > 0 ? setting : without)
  return Math.max(NARROWEST, width)
}

export const isColored = ({ env, out }: Io, { color }: SharedFlags): boolean =>
  wantsColor({ option: color, env, isTerminal: out.isTTY === true })

/** Whether to print codes as links, on a terminal that supports them. */
export const wantsCodeLinks = (io: Io, flags: SharedFlags): boolean =>
  wantsLinks({ env: io.env, color: isColored(io, flags), isTerminal: io.out.isTTY === true })

/** An option of a command: its help text and how its value is parsed. */
export interface DeclaredOption extends Text {
  readonly choices?: readonly string[]
  /** Further choices, and the choice that each stands for. */
  readonly aliases?: Readonly<Record<string, string>>
  readonly defaultValue?: string
  readonly parse?: (cli: Cli) => (text: string) => unknown
  readonly mandatory?: true
}

/** Options by their flags, in the order in which the help shows them. */
export type DeclaredOptions = Readonly<Record<string, DeclaredOption>>

/** How the value of an option is read. */
type OptionValue = Omit<DeclaredOption, keyof Text>

/** Returns options with their help texts, in the order of the texts. */
export const withTexts = <Flags extends string>(
  texts: Readonly<Record<Flags, Text>>,
  values: { readonly [Each in Flags]?: OptionValue },
): DeclaredOptions =>
  Object.fromEntries(
    (Object.entries(texts) as [Flags, Text][]).map(([flags, text]) => [flags, { ...text, ...values[flags] }]),
  )

export function addOptions(cli: Cli, command: Command, declared: DeclaredOptions): Command {
  for (const [flags, declaration] of Object.entries(declared)) {
    const { choices, aliases = {}, defaultValue, parse, mandatory = false, ...text } = declaration
    const option = new Option(flags, cli.translate(text)).makeOptionMandatory(mandatory)
    if (choices) {
      option.choices([...choices, ...Object.keys(aliases)])
      const check = required(option.parseArg)
      option.argParser((value, previous) => {
        check(value, previous)
        return aliases[value] ?? value
      })
    }
    if (parse) option.argParser(parse(cli))
    if (defaultValue !== undefined) option.default(defaultValue)
    command.addOption(option)
  }
  return command
}

/** Returns the options of every command that reports something. */
const shared = (cli: Cli): DeclaredOptions => ({
  '--locale <language>': {
    en: 'language (default: that of LC_ALL, LC_MESSAGES or LANG)',
    es: 'idioma (por defecto, el de LC_ALL, LC_MESSAGES o LANG)',
    choices: ['en', 'es'],
    defaultValue: cli.locale,
  },
  '--json': { en: 'print JSON', es: 'imprime JSON' },
  '--no-color': {
    en: 'disable colours; see also NO_COLOR and FORCE_COLOR',
    es: 'desactiva los colores; vea también NO_COLOR y FORCE_COLOR',
  },
})

/** The definition of a command. */
export interface CommandDefinition {
  readonly name: string
  readonly about: Text
  /** Argument, as in `<file>` or `[files...]`. */
  readonly argument: string
  readonly argumentText?: Text
  readonly argumentChoices?: readonly string[]
  /** The command's own options; the shared options follow them. */
  readonly options?: DeclaredOptions
}

/** Adds a command without an action. */
export function addCommand(cli: Cli, program: Command, outline: CommandDefinition): Command {
  const { name, about, argument, argumentText, argumentChoices, options = {} } = outline
  const declared = new Argument(argument, argumentText && cli.translate(argumentText))
  if (argumentChoices) declared.choices(argumentChoices)
  const command = program.command(name).description(cli.translate(about)).addArgument(declared)
  return addOptions(cli, command, { ...options, ...shared(cli) })
}

/** Flags of the commands that check or convert documents. */
export interface DocumentFlags extends SharedFlags {
  readonly company?: string
  readonly today?: string
  readonly format: Format
  readonly quiet?: true
  readonly ndjson?: true
}

export const TODAY = { parse: parseDay } as const

export const FORMAT = { choices: ['text', 'json', 'github', 'sarif'], defaultValue: 'text' } as const

/** Returns the settings that do not depend on the command. */
export async function settingsOf(cli: Cli, flags: DocumentFlags, own: Options = {}) {
  const { locale, today = spanishDay(Date.now()), company } = flags
  return {
    format: flags.json ? 'json' : flags.format,
    locale,
    options: {
      locale,
      today,
      ...own,
      company: company === undefined ? undefined : await readCompany(cli, company),
    },
    quiet: flags.quiet === true,
    color: isColored(cli, flags),
    links: wantsCodeLinks(cli, flags),
    width: terminalColumns(cli),
  } as const
}
