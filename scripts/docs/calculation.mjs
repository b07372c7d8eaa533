/** Writes `docs/calculation.md`: the prose of `calculation/page.md` with results of the engine. */
import { ADJUSTMENTS } from './calculation/adjustments.mjs'
import { AMOUNTS } from './calculation/amounts.mjs'
import { CHECKS } from './calculation/checks.mjs'
import { DECISIONS } from './calculation/decisions.mjs'
import { SPECIAL } from './calculation/special.mjs'
import { heading, page, readText, slug } from './text.mjs'

/** Figures by section. A section without figures only verifies its statements. */
const SECTIONS = { ...AMOUNTS, ...ADJUSTMENTS, ...SPECIAL, ...CHECKS, ...DECISIONS }

/** Returns the prose with each `{{section.figure}}` replaced. Throws for an unused figure. */
function filled(prose) {
  const figures = new Map(
    Object.entries(SECTIONS).flatMap(([section, make]) =>
      Object.entries(make() ?? {}).map(([name, value]) => [`${section}.${name}`, value]),
    ),
  )
  const left = new Set(figures.keys())
  const text = prose.replace(/\{\{(.+?)\}\}/g, (_, name) => {
    if (!figures.has(name)) throw new Error(`docs: there is no figure ${name}`)
    left.delete(name)
    return figures.get(name)
  })
  if (left.size > 0) throw new Error(`docs: page.md does not use ${[...left].join(', ')}`)
  return text
}

export async function calculationPage() {
  const prose = readText('scripts/docs/calculation/page.md')
  const titles = [...prose.matchAll(/^## (.+)$/gm)].map(([, title]) => title)
  const contents = titles.map((title) => `- [${title}](#${slug(title)})`).join('\n')
  return page(
    heading('Calculation', 'scripts/docs/calculation/, which runs validate and explain'),
    filled(prose.replace('{{contents}}', contents)),
  )
}
