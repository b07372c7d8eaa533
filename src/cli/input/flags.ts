/** Options that several commands have, and what they mean. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Locale } from '../../api/index.ts'
import { momentOf } from '../../fiscal/literals.ts'
import { isDate } from '../../invoice/date.ts'
import { wantsLinks } from '../../terminal/link.ts'
import type { Cli } from './cli.ts'
import { wantsColor } from './colors.ts'
import type { Io } from './io.ts'

export interface SharedFlags {
  readonly locale: Locale
  readonly color: boolean
  readonly json?: true
}

export const day =
  (cli: Cli) =>
  (text: string): string => {
    if (!isDate(text))
      throw new InvalidArgumentError(
        cli.say({ en: 'It must be a date YYYY-MM-DD.', es: 'Debe ser una fecha AAAA-MM-DD.' }),
      )
    return text
  }

/** A flag that is a moment of the calendar with its offset. */
export const moment =
  (cli: Cli) =>
  (text: string): string => {
    if (momentOf(text) === undefined)
      throw new InvalidArgumentError(
        cli.say({
          en: 'It must be a moment such as 2027-01-31T10:00:00+01:00.',
          es: 'Debe ser un momento como 2027-01-31T10:00:00+01:00.',
        }),
      )
    return text
  }

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

export const shared = (cli: Cli, command: Command): Command =>
  command
    .addOption(
      new Option(
        '--locale <language>',
        cli.say({
          en: 'language; without it, that of LC_ALL, LC_MESSAGES or LANG',
          es: 'idioma; sin ella, el de LC_ALL, LC_MESSAGES o LANG',
        }),
      )
        .choices(['en', 'es'])
        .default(cli.locale),
    )
    .option('--json', cli.say({ en: 'answer as JSON', es: 'responde en JSON' }))
    .option(
      '--no-color',
      cli.say({
        en: 'no colours; NO_COLOR and FORCE_COLOR count too',
        es: 'sin colores; también valen NO_COLOR y FORCE_COLOR',
      }),
    )

export const companyOption = (cli: Cli): Option =>
  new Option(
    '--company <file>',
    cli.say({
      en: 'the company of the invoices (company.json)',
      es: 'la empresa de las facturas (company.json)',
    }),
  )

export const todayOption = (cli: Cli): Option =>
  new Option(
    '--today <date>',
    cli.say({ en: 'YYYY-MM-DD; without it, today in Madrid', es: 'AAAA-MM-DD; sin ella, hoy en Madrid' }),
  ).argParser(day(cli))

export const formatOption = (cli: Cli): Option =>
  new Option('--format <name>', cli.say({ en: 'form of the answer', es: 'forma de la respuesta' }))
    .choices(['text', 'json', 'github', 'sarif'])
    .default('text')
