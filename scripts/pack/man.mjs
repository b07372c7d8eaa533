/** Generates the man pages of the commands from the output of `--help`. */
import { execFileSync } from 'node:child_process'

/** Returns the output of a command, in lines of at most 72 characters. */
const printed = (program, ...args) =>
  execFileSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    env: { ...process.env, COLUMNS: '72', NO_COLOR: '1', LC_ALL: 'C' },
  }).trim()

/** Escapes text for roff: backslashes, hyphens, and dots and quotes at the beginning of a line. */
const escaped = (text) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')

const verbatim = (text) => `.nf\n${escaped(text)}\n.fi`

/** Returns the names of the commands in a help text. */
function commandsIn(help) {
  const [, list = ''] = /^Commands:\n((?: .*\n?)+)/m.exec(help) ?? []
  return [...list.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name]) => name).filter((name) => name !== 'help')
}

/** Returns the man page of a program with commands, from the `--help` of the program and of each command. */
export function manPage(name, program, summary, { version, bugs }) {
  const help = printed(program, '--help')
  const commands = commandsIn(help).map((command) => [command, printed(program, command, '--help')])
  return [
    `.TH "${name.toUpperCase()}" "1" "" "${name} ${version}" "User Commands"`,
    `.SH NAME\n${escaped(`${name} - ${summary}`)}`,
    `.SH SYNOPSIS\n.B ${escaped(name)}\n[options] [command]`,
    `.SH DESCRIPTION\n${verbatim(help)}`,
    `.SH COMMANDS`,
    ...commands.map(([command, text]) => `.SS ${escaped(`${name} ${command}`)}\n${verbatim(text)}`),
    ...(bugs ? [`.SH REPORTING BUGS\n${escaped(bugs)}`] : []),
    '',
  ].join('\n')
}
