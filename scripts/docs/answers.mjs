/** Writes the table of `docs/verifactu.md` on what to do after a rejection, from the rows that the code uses. */
import { table as markdownTable, path, withPart } from './text.mjs'

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
  return markdownTable(head, lines)
}

/** Returns the page with a new table; the rest is written by hand. */
export async function verifactuGuide() {
  const { RESPONSE_ROWS } = await import(path('dist/verifactu/index.js'))
  return withPart('docs/verifactu.md', 'answers', table(RESPONSE_ROWS))
}
