/** Writes `docs/reference/api.md` and the pages of the other entry points from the docstrings of the public API. */
import { publicDeclarations } from './declarations.mjs'
import { code, fence, heading, page, readJson, slug, table } from './text.mjs'

/** The entry points, with the beginning of each page and the functions that come first. */
const { entries, generated: GENERATED } = readJson('scripts/docs/api.json')

/** Joins the lines of each paragraph, with one blank line between paragraphs. */
const paragraphs = (text) =>
  text
    .split(/\n\s*\n/)
    .map((part) => (part.trimStart().startsWith('- ') ? part : part.replace(/\s*\n\s*/g, ' ')))
    .join('\n\n')

/** Returns the names among `names` that an example calls. */
const used = (text, names) => names.filter((name) => new RegExp(`\\b${name}\\(`).test(text))

function example({ name, examples }, { module, names }) {
  if (examples.length === 0) return null
  const text = examples.join('\n').trim()
  const imported = [...new Set([name, ...used(text, names)])].sort()
  return fence('ts', `import { ${imported.join(', ')} } from '${module}'\n\n${text}`)
}

function section(declaration, entry) {
  const { name, file, generated, signature, text, parameters, returns } = declaration
  return [
    `### ${code(name)}`,
    generated ? (GENERATED[name] ?? entry.generated) : paragraphs(text),
    // `typescript` marks a declaration; `ts` marks an example, which a test runs.
    generated ? null : fence('typescript', signature),
    parameters.length > 0
      ? table(
          ['Parameter', ''],
          parameters.map((one) => [code(one.name), one.text]),
        )
      : null,
    returns ? `Returns: ${returns}` : null,
    example(declaration, entry),
    generated ? null : `Declared in [${file}](../../${file}).`,
  ]
}

/** Returns the sort position of a function: that in `order`, or last if `order` does not have the function. */
const place = (order, { name }) => (order.includes(name) ? order.indexOf(name) : order.length)

/** Returns the page of one entry point. */
function entryPage(entry) {
  const all = publicDeclarations(entry.file)
  const functions = all
    .filter(({ kind }) => kind === 'function')
    .sort((a, b) => place(entry.order, a) - place(entry.order, b))
  const values = all.filter(({ kind }) => kind === 'value')
  const types = all.filter(({ kind }) => kind === 'type')
  const exported = new Set(all.map(({ name }) => name))
  const named = { ...entry, names: functions.map(({ name }) => name) }
  const behind = Object.entries(entry.behind).flatMap(([file, names]) =>
    publicDeclarations(file).filter(({ name }) => names.includes(name) && !exported.has(name)),
  )
  // Names that differ only in case would share an anchor, so a number is added to the anchor of the later one.
  const seen = new Map()
  const anchors = new Map(
    [...functions, ...values, ...types].map(({ name }) => {
      const anchor = slug(name)
      const before = seen.get(anchor) ?? 0
      seen.set(anchor, before + 1)
      return [name, before === 0 ? anchor : `${anchor}-${before}`]
    }),
  )
  const list = (declarations) =>
    declarations.map(({ name }) => `- [${code(name)}](#${anchors.get(name)})`).join('\n')
  const sections = (declarations) => declarations.map((declaration) => section(declaration, named))
  return page(
    heading(entry.title, `the docstrings of ${entry.source}`),
    ...entry.introduction,
    '**Functions**',
    list(functions),
    values.length > 0 ? ['**Values**', list(values)] : null,
    '**Types**',
    list(types),
    '## Functions',
    sections(functions),
    values.length > 0 ? ['## Values', sections(values)] : null,
    '## Types',
    sections(types),
    behind.length > 0 ? ['## Types behind these', 'Not exported by name.', sections(behind)] : null,
  )
}

/** The pages with the functions that return their texts. */
export const API_PAGES = entries.map((entry) => [entry.page, () => entryPage(entry)])
