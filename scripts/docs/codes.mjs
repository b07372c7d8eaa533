/** Writes `docs/reference/codes.md`: every code of `rules()`, with an example from the golden cases. */
import { existsSync, readdirSync } from 'node:fs'
import { families } from './families.mjs'
import { fragment, valueAt } from './fragment.mjs'
import { code, fence, heading, page, path, plain, prose, readJson, readText, slug, table } from './text.mjs'

const CASES = 'test/cases'

/** Returns the folders of golden cases with a code, simplest first. */
function casesOf(name) {
  const start = `${name.replaceAll('.', '-')}--fires`
  return readdirSync(path(CASES))
    .filter((folder) => folder === start || folder.startsWith(`${start}-`))
    .sort()
    .filter((folder) => existsSync(path(`${CASES}/${folder}/expected.json`)))
}

/** Returns the first golden case of a code, the item with the code in its result, and the names of the other cases. */
export function exampleOf(name, validate, locale) {
  const [folder, ...others] = casesOf(name)
  if (!folder) return undefined
  const input = readJson(`${CASES}/${folder}/input.json`)
  const hasOptions = existsSync(path(`${CASES}/${folder}/options.json`))
  const options = hasOptions ? readJson(`${CASES}/${folder}/options.json`) : null
  const item = validate(input, { ...options, locale }).errors.find((found) => found.code === name)
  if (!item) throw new Error(`docs: ${CASES}/${folder} does not return ${name}`)
  const why = readText(`${CASES}/${folder}/why.md`).trim().replace(/^#+ /, '')
  return { folder, others, input, options, item, why, part: fragment(input, item.path) }
}

/** Returns the example of a document with too many problems, which has no golden case. */
function tooMany(validate) {
  const document = { schema_version: 'json_1_1', meta: {}, invoice: { lines: Array(2000).fill(null) } }
  return [
    'Example: a document of 2,000 lines, each of them `null`. Output, after the listed items:',
    fence('json', shortItem(validate(document).errors.at(-1))),
  ]
}

/** Returns a sentence with the scalar values that the rule reads outside the fragment; null if there are none. */
function beside(reads, input, part) {
  const values = reads
    .filter((read) => !read.includes('*') && !read.startsWith(`${part?.at}/`))
    .map((read) => [read, valueAt(input, read)])
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  return values.length > 0
    ? `Other values read: ${values.map(([read, value]) => `${code(read)} ${code(JSON.stringify(value))}`).join(', ')}.`
    : null
}

function example({ code: name, reads }, validate) {
  if (name === 'too_many_errors') return tooMany(validate)
  const found = exampleOf(name, validate)
  if (!found) return ['*No golden case for this code yet.*']
  const { folder, others, input, options, item, why, part } = found
  const more = others.map((other) => `[${other.split('--')[1]}](../../${CASES}/${other}/)`)
  return [
    `Example, from [${CASES}/${folder}](../../${CASES}/${folder}/): ${why}`,
    part ? `Input, at ${part.at === 'the document' ? part.at : code(part.at)}:` : null,
    part ? fence(part.folded ? 'jsonc' : 'json', part.text) : null,
    part && part.at !== 'the document' ? beside(reads, input, part) : null,
    options ? `Options: ${code(JSON.stringify(options))}` : null,
    'Output:',
    fence('json', shortItem(item)),
    more.length > 0 ? `More cases: ${more.join(', ')}.` : null,
  ]
}

/** Returns the item as JSON, with lists cut after twelve values. */
export function shortItem(item) {
  const cut = (_key, value) =>
    Array.isArray(value) && value.length > 12 ? [...value.slice(0, 12), `… +${value.length - 12}`] : value
  return JSON.stringify(item, cut, 2)
}

function section(rule, validate) {
  const facts = [
    ['Severity', rule.severity],
    ['Source', rule.source],
    ['Origin', rule.origin === 'specification' ? 'API specification' : 'added by cuadra'],
    ['Law or document', plain(rule.law)],
    ['Reads', rule.reads.map((read) => (read === '*' ? 'the whole document' : code(read))).join('<br>')],
  ]
  return [
    `### ${code(rule.code)}`,
    `**${plain(rule.message.en)}** ${plain(rule.fix.en)}`,
    `**${plain(rule.message.es)}** ${plain(rule.fix.es)}`,
    table(['', ''], facts),
    example(rule, validate),
  ]
}

export async function codesPage() {
  const { rules, validate } = await import(path('dist/index.js'))
  const byCode = new Map(rules().map((rule) => [rule.code, rule]))
  const grouped = await families()
  const known = new Set(grouped.flatMap(({ codes }) => codes))
  const strangers = [...byCode.keys()].filter((name) => !known.has(name))
  if (strangers.length > 0 || known.size !== byCode.size)
    throw new Error(`docs: dist/ and rules/ differ (${strangers.join(', ')}); build first`)
  const all = [...byCode.values()]
  const warnings = all.filter((rule) => rule.severity === 'warning').length
  const added = all.filter((rule) => rule.origin === 'cuadra').length
  return page(
    heading('Codes', 'rules() and test/cases'),
    prose('codes', {
      count: all.length,
      errors: all.length - warnings,
      warnings,
      specified: all.length - added,
      added,
    }),
    '## Contents',
    grouped.map(
      ({ title, codes }) =>
        `**[${title}](#${slug(title)})**\n\n${codes.map((name) => `- [${code(name)}](#${slug(name)})${byCode.get(name).severity === 'warning' ? ' (warning)' : ''}`).join('\n')}`,
    ),
    grouped.map(({ title, file, codes }) => [
      `## ${title}`,
      `Declared in [rules/${file}.ts](../../rules/${file}.ts).`,
      codes.map((name) => section(byCode.get(name), validate)),
    ]),
  )
}
