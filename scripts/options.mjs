/**
 * Reads the options of a script strictly. `--help` prints the options and ends the script. An unknown option ends the
 * script with a message, the list of options and exit code 2. Call {@link readOptions} before the script does any work.
 */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Returns the text of `--help`. */
function helpOf({ about, options, operands }) {
  const rows = Object.entries({
    ...options,
    help: { type: 'boolean', about: 'print this help' },
  }).map(([name, { type, value = type === 'string' ? 'VALUE' : '', about: text, default: otherwise }]) => [
    `--${name} ${value}`.trimEnd(),
    otherwise ? `${text} (default: ${otherwise})` : text,
  ])
  const width = Math.max(...rows.map(([name]) => name.length))
  return [
    `Usage: node ${relative(root, process.argv[1])} [options]${operands ? ` ${operands}` : ''}`,
    '',
    about,
    '',
    'Options:',
    ...rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`),
  ].join('\n')
}

/**
 * Reads the options of the command line. `about` states what the script does. Each option is as in `parseArgs`, with a
 * description `about` and, unless it is a flag, the name of its `value`. `operands` names the other arguments. Without
 * `operands`, the script accepts no other arguments.
 */
export function readOptions({ about, options = {}, operands }) {
  const help = () => helpOf({ about, options, operands })
  try {
    const { values, positionals } = parseArgs({
      options: { ...options, help: { type: 'boolean' } },
      allowPositionals: operands !== undefined,
    })
    if (!values.help) return { values, positionals }
    console.log(help())
    process.exit(0)
  } catch (error) {
    if (!String(error.code).startsWith('ERR_PARSE_ARGS')) throw error
    wrongUsage(`${error.message}\n\n${help()}`)
  }
}

/** Returns the names in a list such as `python,go`; undefined without a list. Ends the script if one is unknown. */
export function namesIn(list, known) {
  const names = list?.split(',').filter(Boolean)
  const unknown = names?.find((name) => !known.includes(name))
  if (unknown !== undefined) wrongUsage(`There is no ${unknown}. Use some of ${known.join(', ')}.`)
  return names
}

/** Reports invalid arguments, and ends the script with exit code 2. */
export function wrongUsage(message) {
  console.error(message)
  process.exit(2)
}
