/**
 * The terms that cuadra does not use, their replacements, and the exceptions. `docs/style.md` shows the terms in a
 * table. `npm run check` refuses them in names, comments, messages, test names and pages.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SOURCE_FOLDERS } from '../.dependency-cruiser.mjs'
import { readOptions } from './options.mjs'

const data = JSON.parse(readFileSync(new URL('terms.json', import.meta.url), 'utf8'))

/** The terms. A term without a pattern also has correct uses, which only a reviewer can distinguish. */
export const TERMS = data.terms.map(({ pattern, flags, ...term }) => ({
  ...term,
  pattern: pattern && new RegExp(pattern, flags),
}))

/** Uses of a term that are allowed: the term, and regular expressions for the path and, optionally, the text line. */
const EXCEPTIONS = data.exceptions.map(({ not, path, line = '' }) => ({
  not,
  path: new RegExp(path),
  line: new RegExp(line),
}))

const FOLDERS = [
  ...SOURCE_FOLDERS,
  ...'texts test docs site scripts bench examples deploy dev-packages'.split(' '),
]
const FILES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'llms.txt', 'action.yml']
/** Matches files that are not checked: generated files, data of third parties, and the files that list the terms. */
const SKIPPED =
  /\/generated\/|^(?:docs\/style\.md|scripts\/terms\.mjs)$|^test\/cases\/|^(?!texts\/).*\.(?:svg|png|xml|pdf|txt|json|bin|p12|lock)$/
const root = fileURLToPath(new URL('..', import.meta.url))

/** Returns `{ file, line, text, term }` for each use of a term in the files below the paths, except allowed uses. */
export function usesOfTerms(paths = [...FOLDERS, ...FILES]) {
  const files = execFileSync('git', ['ls-files', ...paths], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
    .trim()
    .split('\n')
    .filter((file) => !SKIPPED.test(file))
  return files.flatMap((file) =>
    readFileSync(root + file, 'utf8')
      .split('\n')
      .flatMap((text, at) =>
        TERMS.filter(
          ({ not, pattern }) =>
            pattern?.test(text) &&
            !EXCEPTIONS.some(
              (exception) => exception.not === not && exception.path.test(file) && exception.line.test(text),
            ),
        ).map((term) => ({ file, line: at + 1, text: text.trim(), term })),
      ),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { positionals } = readOptions({
    about: 'Lists every use of a term that is not allowed, in all folders or in those named.',
    operands: '[FOLDER...]',
  })
  const uses = usesOfTerms(positionals.length > 0 ? positionals : undefined)
  for (const { file, line, text, term } of uses)
    console.error(`${file}:${line}: "${term.not}": use ${term.use}\n    ${text.slice(0, 120)}`)
  process.exitCode = uses.length > 0 ? 1 : 0
}
