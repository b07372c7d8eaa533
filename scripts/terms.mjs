/**
 * The terms that cuadra does not use, what it writes instead, and where each may stay. `docs/style.md` shows them as a
 * table; `npm run check` refuses them in names, comments, messages, test names and pages.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readOptions } from './options.mjs'

/** Terms without a pattern have proper uses that a program cannot distinguish; readers check them. */
export const TERMS = [
  {
    not: 'mend',
    use: 'fix; in messages, the instruction itself',
    pattern: /\bmend(?:s|ed|ing)?\b|Mend(?!oza)|mend_|_mend|MEND/,
  },
  {
    not: 'told, tell (of programs)',
    use: 'report, return, notify, state',
    pattern: /\b(?:told|tells?|telling)\b|Told\b/i,
  },
  {
    not: 'words (texts shown to people)',
    use: 'messages, text',
    pattern: /\bwords\b|[a-z]Words\b|\bWords|WORDS/,
  },
  { not: 'moment', use: 'timestamp, instant', pattern: /moment(?!o)|MOMENT(?!O)/i },
  { not: 'judge, verdict', use: 'validate, check; result', pattern: /\bjudg|Judg|verdict/i },
  {
    not: 'answer (of a function)',
    use: 'return; a server returns a response',
    pattern: /^\s*(?:\/\*\*|\*|\/\/) Answers\b/,
  },
  { not: 'hear, heard', use: 'receive; response', pattern: /\b(?:hears?|heard)\b|Heard/ },
  {
    not: 'what became of, how it fared',
    use: 'outcome, result, status',
    pattern: /\bbecame of\b|\bfared?\b|Fared/,
  },
  {
    not: 'stands still, hindrance',
    use: 'is blocked, is paused',
    pattern: /\bst(?:an|oo)ds? still\b|standStill|hindrance/i,
  },
  {
    not: 'depart, come back, hold back',
    use: 'mark in flight, requeue, defer',
    pattern: /\bdepart(?:s|ed|ure|ing)?\b|comeBack|h[oe]ldBack|\bh[oe]lds? back\b/i,
  },
  { not: 'line (to the authority)', use: 'queue, channel; *line* is a line of an invoice' },
  {
    not: 'kind (as a file or interface)',
    use: 'the noun: `Channel`, `DocumentType`; `kind` is a discriminant',
  },
  {
    not: 'lane, piece, apart, seen, look, made',
    use: 'the noun: `CommitQueue`, `UnitOfWork`',
    pattern: /\b(?:interface|type|class) (?:Lane|Pieces?|Apart|Seen|Look|Made|Fixed)\b/,
  },
  {
    not: 'whoever, somebody, nobody',
    use: 'the actor: the client, the server, the reader',
    pattern: /\b(?:whoever|somebody|nobody|anybody)\b/i,
  },
  {
    not: 'is none, is no X',
    use: 'is not an X; invalid X, unknown X',
    pattern: /(?<!there )\b(?:is|are) (?:none|no)\b(?! (?:longer|more|such|need)\b)/i,
  },
  {
    not: 'faces, house, rooms, floors',
    use: 'entry points, layers, modules',
    pattern: /\b(?:faces|rooms?|(?<!Math\.)floors?)\b/i,
  },
  {
    not: 'rig, station, door',
    use: 'fixture, harness; edge cases of input',
    pattern: /\b(?:rigs?|[Ss]tations?|doors?)\b/,
  },
  { not: 'twin', use: 'duplicate, counterpart', pattern: /\btwins?\b|Twin/i },
  { not: 'place (of a problem)', use: 'location, path' },
  {
    not: 'take out, leave out',
    use: 'remove, skip, omit',
    pattern: /\b(?:take|takes|taken|leave|leaves|left|leaving) out\b|takeOut|leftOut|LeftOut/i,
  },
]

/** Where a term may stay: its name, the path and, optionally, the line as regular expressions, and the reason. */
const EXCEPTIONS = [
  {
    not: 'words (texts shown to people)',
    path: /^(?:src|test|texts)\/(?:recognition|pdf)\//,
    reason: 'words of a printed document',
  },
  {
    not: 'words (texts shown to people)',
    path: /completion(?:\.test)?\.ts$/,
    reason: 'COMP_WORDS and $words of shells',
  },
  {
    not: 'words (texts shown to people)',
    path: /^scripts\/generate\/shapes\.mjs$/,
    line: /LEAF_KEYWORDS/,
    reason: 'keywords of JSON Schema',
  },
  { not: 'faces, house, rooms, floors', path: /^(?:src|test)\/pdf\//, reason: 'typefaces' },
  {
    not: 'mend',
    path: /^(?:src\/server\/store\/migrate|test\/server\/store\/landed\.test)\.ts$/,
    reason: 'a column and a value of earlier versions',
  },
  {
    not: 'told, tell (of programs)',
    path: /^(?:src\/server\/store\/migrate|test\/server\/store\/landed\.test)\.ts$/,
    reason: 'a value of earlier versions',
  },
  { not: 'whoever, somebody, nobody', path: /^test\/messages\//, reason: 'phrases that a test refuses' },
  { not: 'is none, is no X', path: /^test\/messages\//, reason: 'phrases that a test refuses' },
]

const FOLDERS = [
  'src',
  'rules',
  'texts',
  'test',
  'docs',
  'site',
  'scripts',
  'bench',
  'examples',
  'deploy',
  'dev-packages',
]
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
              ({ path, line = /^/, ...exception }) =>
                exception.not === not && path.test(file) && line.test(text),
            ),
        ).map((term) => ({ file, line: at + 1, text: text.trim(), term })),
      ),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = readOptions({
    about: 'Lists every use of a term that is not allowed, in all folders or in those named.',
    options: { count: { type: 'boolean', about: 'print the number of uses by term and folder instead' } },
    operands: '[FOLDER...]',
  })
  const uses = usesOfTerms(positionals.length > 0 ? positionals : undefined)
  if (values.count)
    for (const term of TERMS.filter(({ pattern }) => pattern)) {
      const own = uses.filter((use) => use.term === term)
      const counts = FOLDERS.map((folder) => own.filter(({ file }) => file.startsWith(`${folder}/`)).length)
      console.log(`${term.not}: ${FOLDERS.map((folder, at) => `${folder} ${counts[at]}`).join(', ')}`)
    }
  else {
    for (const { file, line, text, term } of uses)
      console.error(`${file}:${line}: "${term.not}": use ${term.use}\n    ${text.slice(0, 120)}`)
    process.exitCode = uses.length > 0 ? 1 : 0
  }
}
