/** `cuadra completion`: prints a shell script that completes commands, options and their values. */
import { Argument, type Command } from 'commander'
import { CATALOG_NAMES, rules } from '#engine/index.ts'
import type { Cli } from '../input/cli.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

interface Choice {
  readonly flags: readonly string[]
  readonly description: string
  /** Possible values; empty for an option without value; `null` for a file or free text. */
  readonly values: readonly string[] | null
}

interface Entry {
  readonly name: string
  readonly description: string
  readonly options: readonly Choice[]
  /** Possible values of the argument; `null` for files. */
  readonly argumentValues: readonly string[] | null
}

const ARGUMENT_VALUES: Readonly<Record<string, () => readonly string[]>> = {
  catalog: () => CATALOG_NAMES,
  rules: () => rules().map(({ code }) => code),
}

/** Returns the commands and options of the program, read from the program itself. */
function entriesOf(program: Command): readonly Entry[] {
  const help = program.createHelp()
  return program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    options: help.visibleOptions(command).map((option) => ({
      flags: [option.short, option.long].filter((flag): flag is string => flag !== undefined),
      description: option.description,
      values: option.argChoices ?? (option.required || option.optional ? null : []),
    })),
    argumentValues: ARGUMENT_VALUES[command.name()]?.() ?? command.registeredArguments[0]?.argChoices ?? null,
  }))
}

const flagsOf = ({ options }: Entry): string => options.flatMap(({ flags }) => flags).join(' ')

function bash(entries: readonly Entry[]): string {
  const cases = entries.map((entry) => {
    const valued = entry.options.filter(({ values }) => values === null || values.length > 0)
    const after = valued.map(({ flags, values }) =>
      values === null
        ? `      ${flags.join('|')}) COMPREPLY=($(compgen -f -- "$cur")); return ;;`
        : `      ${flags.join('|')}) COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$cur")); return ;;`,
    )
    const argumentValues =
      entry.argumentValues === null
        ? 'compgen -f -- "$cur"'
        : `compgen -W '${entry.argumentValues.join(' ')}' -- "$cur"`
    return `  ${entry.name})
    case "$prev" in
${after.join('\n')}
    esac
    if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W '${flagsOf(entry)}' -- "$cur"))
    else COMPREPLY=($(${argumentValues})); fi ;;`
  })
  return `# bash completion of cuadra: source <(cuadra completion bash)
_cuadra() {
  local IFS=$' \\t\\n' cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W '${entries.map(({ name }) => name).join(' ')} --help --version' -- "$cur"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
}
complete -o filenames -o bashdefault -F _cuadra cuadra
`
}

/** Quotes a text for bash and zsh. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
/** Escapes brackets and colons in an option specification of zsh. */
const inSpec = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&')

function zsh(entries: readonly Entry[]): string {
  const names = entries.map(({ name, description }) => `    ${quoted(`${name}:${inSpec(description)}`)}`)
  const cases = entries.map((entry) => {
    const specs = entry.options.flatMap(({ flags, description, values }) =>
      flags.map((flag) => {
        const value =
          values === null ? ':value:_files' : values.length > 0 ? `:value:(${values.join(' ')})` : ''
        return `        ${quoted(`${flag}[${inSpec(description)}]${value}`)} \\`
      }),
    )
    const rest =
      entry.argumentValues === null ? '*:file:_files' : `1:word:(${entry.argumentValues.join(' ')})`
    return `    ${entry.name})
      _arguments -s \\
${specs.join('\n')}
        ${quoted(rest)} ;;`
  })
  return `#compdef cuadra
# zsh completion of cuadra: source <(cuadra completion zsh)
_cuadra() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
if [[ $funcstack[1] == _cuadra ]]; then _cuadra "$@"; else compdef _cuadra cuadra; fi
`
}

/** Quotes a text for fish, which escapes only quotes and backslashes. */
const fishText = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`

function fish(entries: readonly Entry[]): string {
  const lines = entries.flatMap((entry) => {
    const here = `complete -c cuadra -n '__fish_seen_subcommand_from ${entry.name}'`
    return [
      `complete -c cuadra -f -n __fish_use_subcommand -a ${entry.name} -d ${fishText(entry.description)}`,
      ...(entry.argumentValues === null
        ? [`${here} -F`]
        : [`${here} -f -a ${fishText(entry.argumentValues.join(' '))}`]),
      ...entry.options.map(({ flags, description, values }) => {
        const names = flags.map((flag) =>
          flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
        )
        const value =
          values === null ? ' -r -F' : values.length > 0 ? ` -x -a ${fishText(values.join(' '))}` : ''
        return `${here} ${names.join(' ')}${value} -d ${fishText(description)}`
      }),
    ]
  })
  return `# fish completion of cuadra: cuadra completion fish | source\n${lines.join('\n')}\n`
}

const SCRIPTS: Readonly<Record<Shell, (entries: readonly Entry[]) => string>> = { bash, zsh, fish }

export function addCompletionCommand(cli: Cli, program: Command): void {
  program
    .command('completion')
    .description(
      cli.translate({
        en: 'print a completion script for a shell',
        es: 'imprime el script de autocompletado para un intérprete de comandos',
      }),
    )
    .addArgument(
      new Argument('<shell>', cli.translate({ en: 'the shell', es: 'el intérprete de comandos' })).choices(
        SHELLS,
      ),
    )
    .action((shell: Shell) => {
      cli.out.write(SCRIPTS[shell](entriesOf(program)))
      cli.setExitCode(0)
    })
}
