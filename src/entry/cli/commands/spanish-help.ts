/** Translates the argument parser's own texts into Spanish: help titles, value names, usage errors. */
import { type Command, Help } from 'commander'

const TITLES: Readonly<Record<string, string>> = {
  'Usage:': 'Uso:',
  'Arguments:': 'Argumentos:',
  'Options:': 'Opciones:',
  'Commands:': 'Comandos:',
}

/** Spanish names of option values, as in `--out <folder>`. */
const VALUES: Readonly<Record<string, string>> = {
  options: 'opciones',
  command: 'comando',
  file: 'fichero',
  files: 'ficheros',
  folder: 'carpeta',
  date: 'fecha',
  name: 'nombre',
  number: 'número',
  timestamp: 'fecha-hora',
  language: 'idioma',
  zone: 'zona',
  kind: 'tipo',
  format: 'formato',
  direction: 'sentido',
  mode: 'modo',
  invoice: 'factura',
  code: 'código',
  shell: 'intérprete',
  year: 'año',
  quarter: 'trimestre',
}

const values = (text: string): string =>
  text.replace(/([<[])(\w+)(\.{3})?(?=[>\]])/g, (_, open: string, name: string, more = '') => {
    return `${open}${VALUES[name] ?? name}${more}`
  })

const { argumentDescription, commandUsage, optionDescription, optionTerm, subcommandTerm } = Help.prototype

const inDescription = (text: string): string =>
  text.replace('(choices: ', '(valores: ').replace(/([(,] ?)default: /, '$1por defecto: ')

/** Overrides of the parser's help, for the program and its commands. */
const HELP: Partial<Help> = {
  styleTitle: (title) => TITLES[title] ?? title,
  commandUsage(command) {
    return values(commandUsage.call(this, command))
  },
  optionTerm(option) {
    return values(optionTerm.call(this, option))
  },
  argumentTerm: (argument) => VALUES[argument.name()] ?? argument.name(),
  subcommandTerm(command) {
    return values(subcommandTerm.call(this, command))
  },
  optionDescription(option) {
    return inDescription(optionDescription.call(this, option))
  },
  argumentDescription(argument) {
    return inDescription(argumentDescription.call(this, argument))
  },
}

/** Each message of the parser with its translation. A test compares them with the parser's source. */
const ERRORS: readonly (readonly [RegExp, string])[] = [
  [/^error: unknown command '(.*)'/, 'error: comando desconocido: «$1»'],
  [/^error: unknown option '(.*)'/, 'error: opción desconocida: «$1»'],
  [/^error: missing required argument '(.*)'/, 'error: falta el argumento «$1»'],
  [/^error: option '(.*)' argument missing/, 'error: a la opción «$1» le falta su valor'],
  [/^error: required option '(.*)' not specified/, 'error: falta la opción obligatoria «$1»'],
  [/^error: option '([^']*)' argument '(.*)' is invalid\./s, 'error: la opción «$1» no admite «$2».'],
  [
    /^error: command-argument value '(.*)' is invalid for argument '([^']*)'\./s,
    'error: el argumento <$2> no admite «$1».',
  ],
  [
    /^error: too many arguments for '(.*)'\. Expected (\d+) arguments? but got (\d+)\./,
    'error: sobran argumentos en «$1»: admite $2 y hay $3.',
  ],
  [
    /^error: too many arguments\. Expected (\d+) arguments? but got (\d+)\./,
    'error: sobran argumentos: se admiten $1 y hay $2.',
  ],
  [/Allowed choices are /, 'Valores admitidos: '],
  [/\(Did you mean one of /, '(¿Quiso decir alguna de estas: '],
  [/\(Did you mean /, '(¿Quiso decir '],
]

export const spanishMessageOf = (message: string): string =>
  values(ERRORS.reduce((text, [english, spanish]) => text.replace(english, spanish), message))

/** Translates the program. Call it before adding commands, which inherit the configuration. */
export const useSpanish = (program: Command): Command => program.configureHelp(HELP)
