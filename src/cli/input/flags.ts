/** Options that several commands have, and what they mean. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Locale } from '../../api/index.ts'
import { momentOf } from '../../fiscal/literals.ts'
import { isDate } from '../../invoice/date.ts'
import { wantsLinks } from '../../terminal/link.ts'
import { wantsColor } from './colors.ts'
import { say, spoken } from './tongue.ts'

/** Receives the exit code. */
export type Done = (code: number) => void

export interface SharedFlags {
  readonly locale: Locale
  readonly color: boolean
  readonly json?: true
}

export const day = (text: string): string => {
  if (!isDate(text))
    throw new InvalidArgumentError(
      say({ en: 'It must be a date YYYY-MM-DD.', es: 'Debe ser una fecha AAAA-MM-DD.' }),
    )
  return text
}

/** A flag that is a moment of the calendar with its offset. */
export const moment = (text: string): string => {
  if (momentOf(text) === undefined)
    throw new InvalidArgumentError(
      say({
        en: 'It must be a moment such as 2027-01-31T10:00:00+01:00.',
        es: 'Debe ser un momento como 2027-01-31T10:00:00+01:00.',
      }),
    )
  return text
}

/** Fewer columns than this hold no text. */
const NARROWEST = 24

/** Columns of the terminal, or of `COLUMNS` where there is none; else `without`. */
export function columns(without = 100): number {
  const said = Number(process.env.COLUMNS)
  const there = process.stdout.columns || (Number.isSafeInteger(said) && said > 0 ? said : without)
  return Math.max(NARROWEST, there)
}

export const colored = ({ color }: SharedFlags): boolean =>
  wantsColor({ option: color, env: process.env, isTerminal: process.stdout.isTTY === true })

/** Whether codes are links, on a terminal that knows them. */
export const linking = (flags: SharedFlags): boolean =>
  wantsLinks({ env: process.env, color: colored(flags), isTerminal: process.stdout.isTTY === true })

export const shared = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--locale <language>',
        say({
          en: 'language; without it, that of LC_ALL, LC_MESSAGES or LANG',
          es: 'idioma; sin ella, el de LC_ALL, LC_MESSAGES o LANG',
        }),
      )
        .choices(['en', 'es'])
        .default(spoken()),
    )
    .option('--json', say({ en: 'answer as JSON', es: 'responde en JSON' }))
    .option(
      '--no-color',
      say({
        en: 'no colours; NO_COLOR and FORCE_COLOR count too',
        es: 'sin colores; también valen NO_COLOR y FORCE_COLOR',
      }),
    )

export const companyOption = (): Option =>
  new Option(
    '--company <file>',
    say({
      en: 'the company of the invoices (company.json)',
      es: 'la empresa de las facturas (company.json)',
    }),
  )

export const todayOption = (): Option =>
  new Option(
    '--today <date>',
    say({ en: 'YYYY-MM-DD; without it, today in Madrid', es: 'AAAA-MM-DD; sin ella, hoy en Madrid' }),
  ).argParser(day)

export const formatOption = (): Option =>
  new Option('--format <name>', say({ en: 'form of the answer', es: 'forma de la respuesta' }))
    .choices(['text', 'json', 'github', 'sarif'])
    .default('text')
