/** Finds the `@example`s of the sources. */
import { readdirSync, readFileSync } from 'node:fs'
import { ROOT } from './markdown.ts'

const sources = ['src', 'rules'].flatMap((folder) =>
  readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/generated|node_modules/.test(file))
    .map((file) => `${folder}/${file}`)
    .sort(),
)

/** Returns the text of the examples of a file, without the asterisks. */
function examplesOf(file: string): string[] {
  const text = readFileSync(`${ROOT}${file}`, 'utf8')
  return [...text.matchAll(/\/\*\*(?:(?!\*\/).)*?@example\n((?:(?!\*\/).)*)\*\//gs)].map(([, body = '']) =>
    body
      .split('\n')
      .map((line) => line.replace(/^\s*\* ?/, ''))
      .join('\n')
      .trim(),
  )
}

/** Returns every file that has examples, with these. */
export const documentedExamples = (): { readonly file: string; readonly examples: readonly string[] }[] =>
  sources.map((file) => ({ file, examples: examplesOf(file) })).filter(({ examples }) => examples.length > 0)
