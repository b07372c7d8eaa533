/** The table of `docs/verifactu.md` that says what to do after a refusal, from the rows that the code decides by. */
import { readFileSync } from 'node:fs'
import { path } from './text.mjs'

const [BEGIN, END] = ['<!-- answers: made by npm run docs -->', '<!-- /answers -->']

const marks = (sent) =>
  Object.entries(sent)
    .map(([mark, value]) => `${mark} ${value}`)
    .join(', ') || 'none'

const options = (given) =>
  Object.entries(given)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? `'${value}'` : value}`)
    .join(', ')

const step = ({ next, options: given }) => (given ? `\`${next}\`, \`${options(given)}\`` : `\`${next}\``)

function table(rows) {
  const head = [
    'Record sent',
    'Marks',
    'Another mistake',
    '3002',
    '3000: registered',
    '3000: `Anulada`; 3001',
  ]
  const lines = rows.map(({ when, marks: sent, after }) => [
    when.en,
    marks(sent),
    step(after.other),
    step(after.no_record),
    step(after.registered),
    step(after.cancelled),
  ])
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** The page with its table made anew; the rest of it is written by hand. */
export async function verifactuGuide() {
  const { ANSWER_ROWS } = await import(path('dist/verifactu/index.js'))
  const text = readFileSync(path('docs/verifactu.md'), 'utf8')
  const [before, rest] = text.split(BEGIN)
  const after = rest?.split(END)[1]
  if (after === undefined) throw new Error(`docs: docs/verifactu.md has no ${BEGIN} ... ${END}`)
  return `${before}${BEGIN}\n\n${table(ANSWER_ROWS)}\n\n${END}${after}`
}
