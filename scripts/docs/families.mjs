/** Finds the family of a code: the file of `rules/` that declares it. */
import { moduleOf } from '../source-module.mjs'
import { readJson } from './text.mjs'

/** Returns `[{ title, file, codes }]`, in the order of the rules. */
export async function families() {
  const { families: all } = readJson('scripts/site/texts.json')
  const declared = await moduleOf(
    all.map(({ file, rules }) => `export { ${rules} } from './rules/${file}.ts'`).join('\n'),
  )
  return all.map(({ file, rules, en: title }) => ({
    title,
    file,
    codes: declared[rules].map((rule) => rule.code),
  }))
}
