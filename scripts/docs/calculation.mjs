/** `docs/calculation.md`: how amounts come about. Every number in it is the engine's own answer. */
import { adjustments } from './calculation/adjustments.mjs'
import { amounts } from './calculation/amounts.mjs'
import { checks } from './calculation/checks.mjs'
import { DECISIONS } from './calculation/decisions.mjs'
import { special } from './calculation/special.mjs'
import { heading, page, slug } from './text.mjs'

export async function calculationPage() {
  const sections = [...amounts(), ...adjustments(), ...special(), ...checks(), ...DECISIONS()]
  return page(
    heading('Calculation', 'scripts/docs/calculation/, which runs validate and explain'),
    'What the engine computes, in which order and with which rounding. The numbers on this page are worked out by the engine each time the page is made; ' +
      'the tables are rows of `explain`, the function that gives the same for any invoice.',
    sections.map(({ title }) => `- [${title}](#${slug(title)})`).join('\n'),
    sections.map(({ title, body }) => [`## ${title}`, body]),
  )
}
