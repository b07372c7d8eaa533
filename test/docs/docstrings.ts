/** Finds the `@example`s of the sources. */
import { readFileSync } from 'node:fs'
import { SOURCES } from '../sources.ts'
import { ROOT } from './markdown.ts'

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
  SOURCES.map((file) => ({ file, examples: examplesOf(file) })).filter(({ examples }) => examples.length > 0)
