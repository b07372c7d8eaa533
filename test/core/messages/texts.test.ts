/**
 * The texts of `texts/`: both languages with the same placeholders, no text is empty, and every table is used. Files
 * have one text a line, so that a change of a text is a change of a line. The labels of recognition are not texts for
 * people but short terms, so a line has as many as fit.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { moduleOfTexts, NOTE, REPEATED, TEXT_FILES, tablesOf } from '../../../scripts/generate/texts.mjs'
import { ROOT } from '../../docs/markdown.ts'
import { SOURCES } from '../../sources.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
type Languages = readonly [path: string, one: Json, other: Json]

const isObject = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Texts of pages and of the printed invoice are pairs of both languages. */
const PAIRS = /^(?:web\/(?:playground|status)|view)\//

/** Returns the values of both languages, with the path of each pair. */
function languagesOf(value: Json, path: string, arePairs: boolean): Languages[] {
  if (Array.isArray(value))
    return arePairs && value.length === 2
      ? [[path, value[0], value[1]]]
      : value.flatMap((one, at) => languagesOf(one, `${path}/${at}`, arePairs))
  if (!isObject(value)) return []
  if ('en' in value || 'es' in value) return [[path, value.en ?? '', value.es ?? '']]
  return Object.entries(value).flatMap(([name, member]) => languagesOf(member, `${path}/${name}`, arePairs))
}

/** Returns the texts in a value, with their paths. */
const textsOf = (value: Json, path: string): (readonly [path: string, text: string])[] =>
  typeof value === 'string'
    ? [[path, value]]
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, member]) => textsOf(member, `${path}/${name}`))
      : []

/** Parts that some messages lack, and texts that stand for nothing. */
const MAY_BE_EMPTY = /\/(?:law|fix\/e[ns]|KINDS\/any\/e[ns]|regimeHelp\/habilitado\/[01])$/

/** Matches sentences, which differ between the languages. */
const SENTENCE = /^[A-Za-z]+ [a-z]+ [a-z]+\b/

/** What a library reports in English, which a Spanish message may omit. */
const ONLY_ENGLISH = 'detail'

const placeholders = (value: Json): string[] =>
  textsOf(value, '').flatMap(([, text]) =>
    [...text.matchAll(/\{(\w+)(?:\||\})/g)].map(([, name]) => String(name)),
  )

const IMPORT = /\b(?:import|export)(?: type)? \{([^}]*)\} from '([^']+\/generated\/texts\/[^']+)'/g

/** The tables that the code imports, each after the path of its module. */
const imported = new Set(
  SOURCES.flatMap((file) =>
    [...readFileSync(ROOT + file, 'utf8').matchAll(IMPORT)].flatMap(([, names = '', path = '']) =>
      names.split(',').map((name) => `${join(dirname(file), path)} ${name.trim().split(' as ')[0]}`),
    ),
  ),
)

const WIDTH = 110

/** Writes lists of terms, with as many terms on a line as fit. */
function linesOfTerms(tables: Readonly<Record<string, Json>>): string {
  const lists = Object.entries(tables).flatMap(([name, fields]) => [
    `  ${JSON.stringify(name)}: {`,
    Object.entries(fields as Readonly<Record<string, readonly string[]>>)
      .map(([field, terms]) => {
        const start = `    ${JSON.stringify(field)}: [`
        const quoted = terms.map((term, at) => JSON.stringify(term) + (at < terms.length - 1 ? ',' : ''))
        // Without the comma after the list, which the last list lacks.
        const inOne = `${start}${quoted.join(' ')}]`
        if (inOne.length < WIDTH) return inOne
        const lines = ['     ']
        for (const term of quoted)
          if (`${lines.at(-1)} ${term}`.length > WIDTH) lines.push(`      ${term}`)
          else lines[lines.length - 1] += ` ${term}`
        return [start, ...lines, '    ]'].join('\n')
      })
      .join(',\n'),
    '  }',
  ])
  return ['{', ...lists, '}', ''].join('\n')
}

describe.each(TEXT_FILES)('texts/%s', (file) => {
  const source = readFileSync(`${ROOT}texts/${file}`, 'utf8')
  const tables: Readonly<Record<string, Json>> = tablesOf(file)

  it('has one text a line, or as many terms as fit, and no name twice', () => {
    const isTerms = file.startsWith('recognition/labels/')
    expect(source).toBe(isTerms ? linesOfTerms(tables) : `${JSON.stringify(tables, null, 2)}\n`)
  })

  it('has both languages, with the same placeholders', () => {
    for (const [path, one, other] of languagesOf(tables, '', PAIRS.test(file))) {
      const [first, second] = [one, other].map((value) => [...new Set(placeholders(value))].sort())
      expect(second, path).toEqual(first?.filter((name) => name !== ONLY_ENGLISH || second?.includes(name)))
      if (typeof one === 'string' && SENTENCE.test(one)) expect(other, path).not.toBe(one)
    }
  })

  it('has no empty text', () => {
    for (const [path, text] of textsOf(tables, ''))
      if (!MAY_BE_EMPTY.test(path)) expect(text.trim(), path).not.toBe('')
  })

  it('has no table that nothing uses', () => {
    const repeated = new Set(textsOf(tables, '').map(([, text]) => REPEATED.exec(text)?.[1]?.split('.')[0]))
    const path = moduleOfTexts(file)
    const unused = Object.keys(tables).filter(
      (name) => !repeated.has(name) && !imported.has(`${path} ${name}`),
    )
    expect(unused).toEqual([])
  })
})

it('notes are texts', () => {
  for (const file of TEXT_FILES)
    for (const table of Object.values<Json>(tablesOf(file)))
      if (isObject(table) && NOTE in table) expect(table[NOTE]).toMatch(/\.$/)
})
