/**
 * The terms that cuadra does not use, what it writes instead, and where each may stay. `docs/style.md` shows them as a
 * table; `npm run check` refuses them in names, comments, messages, test names and pages.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readOptions } from './options.mjs'

const data = JSON.parse(readFileSync(new URL('terms.json', import.meta.url), 'utf8'))

/** Terms without a pattern have proper uses that a program cannot distinguish; readers check them. */
export const TERMS = data.terms.map(({ pattern, flags, ...term }) => ({
  ...term,
  pattern: pattern && new RegExp(pattern, flags),
}))

/** Where a term may stay: its name, the path and, optionally, the line as regular expressions, and the reason. */
const EXCEPTIONS = data.exceptions.map(({ not, path, line = '' }) => ({
  not,
  path: new RegExp(path),
  line: new RegExp(line),
}))

const FOLDERS = 'src rules texts test docs site scripts bench examples deploy dev-packages'.split(' ')
const FILES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'llms.txt', 'action.yml']
/** Generated files, data of others, and the two files that show the terms themselves. */
const SKIPPED =
  /\/generated\/|^(?:docs\/style\.md|scripts\/terms\.mjs)$|^test\/cases\/|^(?!texts\/).*\.(?:svg|png|xml|pdf|txt|json|bin|p12|lock)$/
const root = fileURLToPath(new URL('..', import.meta.url))

/** Returns `{ file, line, text, term }` for each use that no exception allows, in the files below the paths. */
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
