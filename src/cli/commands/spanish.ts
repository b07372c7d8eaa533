/** What the parser of arguments says by itself, in Spanish: titles of the help, names of values, usage errors. */
import { type Command, Help } from 'commander'

const TITLES: Readonly<Record<string, string>> = {
  'Usage:': 'Uso:',
  'Arguments:': 'Argumentos:',
  'Options:': 'Opciones:',
  'Commands:': 'Órdenes:',
}

/** Names of values, as they stand in `--out <folder>`. */
const VALUES: Readonly<Record<string, string>> = {
  options: 'opciones',
  command: 'orden',
  file: 'fichero',
  files: 'ficheros',
  folder: 'carpeta',
  date: 'fecha',
  name: 'nombre',
  number: 'número',
  timestamp: 'momento',
  language: 'idioma',
  zone: 'zona',
  kind: 'tipo',
  format: 'formato',
  direction: 'sentido',
  mode: 'modo',
  invoice: 'factura',
  code: 'código',
  shell: 'intérprete',
}

const values = (text: string): string =>
  text.replace(/([<[])(\w+)(\.{3})?(?=[>\]])/g, (_, open: string, name: string, more = '') => {
    return `${open}${VALUES[name] ?? name}${more}`
  })

const { argumentDescription, commandUsage, optionDescription, optionTerm, subcommandTerm } = Help.prototype

const inDescription = (text: string): string =>
  text.replace('(choices: ', '(valores: ').replace(/([(,] ?)default: /, '$1por defecto: ')

/** What replaces parts of the parser's help, of the program and of its commands. */
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

/** Each message of the parser, and how it is said. A test holds them against those that its source has. */
const ERRORS: readonly (readonly [RegExp, string])[] = [
  [/^error: unknown command '(.*)'/, 'error: no existe la orden "$1"'],
  [/^error: unknown option '(.*)'/, 'error: no existe la opción "$1"'],
  [/^error: missing required argument '(.*)'/, 'error: falta el argumento "$1"'],
  [/^error: option '(.*)' argument missing/, 'error: a la opción "$1" le falta su valor'],
  [/^error: required option '(.*)' not specified/, 'error: falta la opción obligatoria "$1"'],
  [/^error: option '(.*)' argument '(.*)' is invalid\./s, 'error: la opción "$1" no admite "$2".'],
  [
    /^error: command-argument value '(.*)' is invalid for argument '(.*)'\./s,
    'error: el argumento <$2> no admite "$1".',
  ],
  [
    /^error: too many arguments for '(.*)'\. Expected (\d+) arguments? but got (\d+)\./,
    'error: sobran argumentos en "$1": admite $2 y hay $3.',
  ],
  [
    /^error: too many arguments\. Expected (\d+) arguments? but got (\d+)\./,
    'error: sobran argumentos: se admiten $1 y hay $2.',
  ],
  [/Allowed choices are (.*)\./, 'Valores admitidos: $1.'],
  [/\(Did you mean one of (.*)\?\)/, '(¿Quiso decir una de estas: $1?)'],
  [/\(Did you mean (.*)\?\)/, '(¿Quiso decir $1?)'],
]

export const inSpanish = (message: string): string =>
  ERRORS.reduce((text, [english, spanish]) => text.replace(english, spanish), message)

/** Before any command is added: they take it over. */
export const speakSpanish = (program: Command): Command =>
  program
    .configureHelp(HELP)
    .configureOutput({ outputError: (text, write) => write(values(inSpanish(text))) })
