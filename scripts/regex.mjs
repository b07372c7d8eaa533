/**
 * Refuses regular expressions whose matching time is not linear in the length of the text, because one long text could
 * block the process. `npm run lint` and `npm run check` run this script over `src`, `rules` and `packages`. It needs
 * `dev-packages/lint`. It checks literals, and `new RegExp` with constant text, in which non-constant parts become `x`.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { SOURCE_FOLDERS } from '../.dependency-cruiser.mjs'
import { folderOf, hasSet, howToHave, requireFrom } from './dev-packages.mjs'
import { readOptions } from './options.mjs'

/** Allowed non-linear expressions, at most ten, and the reason why the text that each one matches is harmless. */
const EXCEPTIONS = new Map([
  [
    String.raw`/("(?:[^"\\]|\\.)*")(?=\s*:)|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)|\b(true|false|null)\b/gi`,
    'JSON that the playground itself has formatted: every string is closed',
  ],
])

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Results of earlier runs. Installing another version of the checker removes them. */
const CACHE = `${folderOf('lint')}/node_modules/.cache/regex.json`

/** Limits the number of steps instead of the time, so that the result does not depend on the machine. */
const COUNTED = {
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  attackLimit: 10_000_000,
  maxAttackStringSize: 30_000,
}
/** Automata decide most expressions in milliseconds. The others are tested with generated texts (fuzzing). */
const CHECKERS = [
  { ...COUNTED, timeout: 2000 },
  { ...COUNTED, timeout: 120_000, checker: 'fuzz' },
]

/** Returns the text of a constant expression; undefined if it is not constant. */
function textOf(node, constants) {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isIdentifier(node) && constants.has(node.text)) return textOf(constants.get(node.text), constants)
  if (!ts.isTemplateExpression(node)) return undefined
  const parts = node.templateSpans.map(
    ({ expression, literal }) => (textOf(expression, constants) ?? 'x') + literal.text,
  )
  return node.head.text + parts.join('')
}

/** Returns the expressions of a file, each with its source, flags and line. */
function expressionsOf(path) {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const constants = new Map()
  const found = []
  const visit = (node) => {
    const at = () => file.getLineAndCharacterOfPosition(node.getStart()).line + 1
    if (ts.isVariableDeclaration(node) && node.initializer && node.parent.flags & ts.NodeFlags.Const)
      constants.set(node.name.getText(), node.initializer)
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      found.push({ line: at(), source: node.text.slice(1, end), flags: node.text.slice(end + 1) })
    } else if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') {
      const [pattern, flags] = node.arguments.map((argument) => textOf(argument, constants))
      if (pattern !== undefined) found.push({ line: at(), source: pattern, flags: flags ?? '' })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** Returns the problem of an expression: a text that takes too long, or that it is undecided; empty if it is linear. */
async function faultOf({ source, flags }, check) {
  for (const settings of CHECKERS) {
    const { status, complexity, attack, error } = await check(source, flags, settings)
    if (status === 'safe') return ''
    if (status === 'vulnerable') return `${complexity.summary}, for example ${attack.pattern}`
    if (error.kind !== 'timeout') return `not checked: ${error.message ?? error.kind}`
  }
  return 'not checked: it takes too long'
}

/** Checks the expressions of files, two at a time, and returns all expressions with their problems. */
export async function checked(files) {
  const { check } = requireFrom('lint')('recheck')
  const settings = JSON.stringify(CHECKERS)
  const cached = existsSync(CACHE) ? JSON.parse(readFileSync(CACHE, 'utf8')) : {}
  const faults = new Map(cached.settings === settings ? cached.faults : [])
  const all = files.flatMap((file) =>
    expressionsOf(file).map((one) => ({ ...one, file, literal: `/${one.source}/${one.flags}` })),
  )
  const waiting = [...new Map(all.map((one) => [one.literal, one])).values()].filter(
    ({ literal }) => !faults.has(literal),
  )
  const work = async () => {
    for (let one = waiting.pop(); one; one = waiting.pop()) faults.set(one.literal, await faultOf(one, check))
  }
  await Promise.all([work(), work()])
  mkdirSync(dirname(CACHE), { recursive: true })
  writeFileSync(`${CACHE}.${process.pid}`, JSON.stringify({ settings, faults: [...faults] }))
  renameSync(`${CACHE}.${process.pid}`, CACHE)
  return all.map((one) => ({ ...one, fault: faults.get(one.literal) }))
}

/** Patterns of `git ls-files` for the sources. */
const FILES = [
  ...SOURCE_FOLDERS.flatMap((folder) => [`${folder}/*.ts`, `${folder}/*.tsx`]),
  ':(exclude,glob)packages/*/test/**',
]

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { positionals } = readOptions({
    about:
      'Lists regular expressions whose matching time is not linear, in src, rules and packages or in the files named.',
    operands: '[FILE...]',
  })
  if (!hasSet('lint')) {
    console.error(`regex: ${howToHave('lint')}`)
    process.exit(2)
  }
  const list = ['ls-files', '-co', '--exclude-standard', ...FILES]
  const files =
    positionals.length > 0
      ? positionals
      : execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  const all = await checked(files)
  const faulty = all.filter(({ fault }) => fault !== '')
  const lines = faulty
    .filter(({ literal }) => !EXCEPTIONS.has(literal))
    .map(({ file, line, literal, fault }) => `${file}:${line}: ${literal}\n    ${fault}`)
  for (const literal of positionals.length > 0 ? [] : EXCEPTIONS.keys())
    if (!faulty.some((one) => one.literal === literal))
      lines.push(`scripts/regex.mjs: the exception is not needed: ${literal}`)
  if (EXCEPTIONS.size > 10) lines.push('scripts/regex.mjs: there are more than ten exceptions')
  if (lines.length > 0) console.error(lines.join('\n'))
  process.exit(lines.length > 0 ? 1 : 0)
}
