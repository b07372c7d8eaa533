/** Options that several commands have, and what they mean. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Locale, Options } from '../../api/index.ts'
import { timestampOf } from '../../fiscal/literals.ts'
import { spanishDay } from '../../fiscal/timestamp.ts'
import { isDate } from '../../invoice/date.ts'
import type { Text } from '../../invoice/index.ts'
import { wantsLinks } from '../../terminal/link.ts'
import type { Cli, Io } from './cli.ts'
import { wantsColor } from './colors.ts'
import { readCompany } from './company-file.ts'
import type { Format } from './settings.ts'

export interface SharedFlags {
  readonly locale: Locale
  readonly color: boolean
  readonly json?: true
}

/** The reader of a value that is refused, with these words, where it does not pass. */
const passing =
  (passes: (text: string) => boolean, text: Text) =>
  (cli: Cli) =>
  (value: string): string => {
    if (!passes(value)) throw new InvalidArgumentError(cli.say(text))
    return value
  }

export const day = passing(isDate, {
  en: 'It must be a date YYYY-MM-DD.',
  es: 'Debe ser una fecha AAAA-MM-DD.',
})

/** A moment of the calendar with its offset. */
export const timestamp = passing((text) => timestampOf(text) !== undefined, {
  en: 'It must be a moment such as 2027-01-31T10:00:00+01:00.',
  es: 'Debe ser un momento como 2027-01-31T10:00:00+01:00.',
})

/** Fewer columns than this hold no text. */
const NARROWEST = 24

/** Columns of the terminal, or of `COLUMNS` where there is none; else `without`. */
export function columns({ env, out }: Io, without = 100): number {
  const said = Number(env.COLUMNS)
  const there = out.columns || (Number.isSafeInteger(said) && said > 0 ? said : without)
  return Math.max(NARROWEST, there)
}

export const colored = ({ env, out }: Io, { color }: SharedFlags): boolean =>
  wantsColor({ option: color, env, isTerminal: out.isTTY === true })

/** Whether codes are links, on a terminal that knows them. */
export const linking = (io: Io, flags: SharedFlags): boolean =>
  wantsLinks({ env: io.env, color: colored(io, flags), isTerminal: io.out.isTTY === true })

/** An option of a command: what the help says of it, and what its value may be. */
export interface Declared extends Text {
  readonly choices?: readonly string[]
  /** The value where the option is not given. */
  readonly otherwise?: string
  readonly parse?: (cli: Cli) => (text: string) => unknown
  readonly mandatory?: true
}

/** Options by their flags, in the order of the help. */
export type DeclaredOptions = Readonly<Record<string, Declared>>

/** Adds options to a command. */
export function addOptions(cli: Cli, command: Command, declared: DeclaredOptions): Command {
  for (const [flags, { choices, otherwise, parse, mandatory = false, ...text }] of Object.entries(declared)) {
    const option = new Option(flags, cli.say(text)).makeOptionMandatory(mandatory)
    if (choices) option.choices(choices)
    if (parse) option.argParser(parse(cli))
    if (otherwise !== undefined) option.default(otherwise)
    command.addOption(option)
  }
  return command
}

/** The options that every command with an answer has. */
const shared = (cli: Cli): DeclaredOptions => ({
  '--locale <language>': {
    en: 'language; without it, that of LC_ALL, LC_MESSAGES or LANG',
    es: 'idioma; sin ella, el de LC_ALL, LC_MESSAGES o LANG',
    choices: ['en', 'es'],
    otherwise: cli.locale,
  },
  '--json': { en: 'answer as JSON', es: 'responde en JSON' },
  '--no-color': {
    en: 'no colours; NO_COLOR and FORCE_COLOR count too',
    es: 'sin colores; también valen NO_COLOR y FORCE_COLOR',
  },
})

/** A command as the help shows it. */
export interface Outline {
  readonly name: string
  readonly about: Text
  /** As the usage writes it: `<file>` or `[files...]`. */
  readonly argument: string
  readonly argumentText?: Text
  /** Its own options: those that every command has come after them. */
  readonly options?: DeclaredOptions
}

/** Adds a command, which has no action yet. */
export function addCommand(cli: Cli, program: Command, outline: Outline): Command {
  const { name, about, argument, argumentText, options = {} } = outline
  const command = program
    .command(name)
    .description(cli.say(about))
    .argument(argument, argumentText && cli.say(argumentText))
  return addOptions(cli, command, { ...options, ...shared(cli) })
}

/** Flags of the commands that judge documents. */
export interface DocumentFlags extends SharedFlags {
  readonly company?: string
  readonly today?: string
  readonly format: Format
  readonly quiet?: true
  readonly ndjson?: true
}

export const COMPANY = {
  '--company <file>': {
    en: 'the company of the invoices (company.json)',
    es: 'la empresa de las facturas (company.json)',
  },
} as const satisfies DeclaredOptions

export const TODAY = {
  '--today <date>': {
    en: 'YYYY-MM-DD; without it, today in Madrid',
    es: 'AAAA-MM-DD; sin ella, hoy en Madrid',
    parse: day,
  },
} as const satisfies DeclaredOptions

export const FORMAT = {
  '--format <name>': {
    en: 'form of the answer',
    es: 'forma de la respuesta',
    choices: ['text', 'json', 'github', 'sarif'],
    otherwise: 'text',
  },
} as const satisfies DeclaredOptions

/** What is asked of a document as plain data, without what a command alone knows. */
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
    color: colored(cli, flags),
    links: linking(cli, flags),
    width: columns(cli),
  } as const
}
