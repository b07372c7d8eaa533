/** Writes `docs/reference/verifactu-codes.md`: every code of the tax authority, its offline check and its fix. */
import { effectOf, offlineOf } from '../site/codes.mjs'
import { heading, page, path, plain, prose, readJson, slug, table, withPart } from './text.mjs'

/** Reasons why a code is not checked offline, in the order of the page. */
const REASONS = {
  census: 'need the census of the authority, or VIES',
  stored: 'need the data that the authority has stored',
  access: 'concern certificates, powers of attorney and the connection',
  service: 'are failures of the service',
  obsolete: 'are no longer returned on their own',
}

const { en: MESSAGES } = readJson('scripts/site/texts.json').codes

const row = (rule) => [
  rule.code,
  `${plain(rule.message.en)} ${plain(rule.fix.en)}`,
  effectOf(rule, MESSAGES),
  plain(rule.field),
  offlineOf(rule, MESSAGES, 'en'),
]

const titleOf = (hundred) => `${hundred * 100} to ${hundred * 100 + 99}`

const count = (codes, test) => codes.filter(test).length

export async function verifactuPage() {
  const { AUTHORITY_CODES } = await import(path('dist/verifactu/index.js'))
  const codes = [...AUTHORITY_CODES].sort((one, other) => one.code - other.code)
  const strangers = codes.filter(({ offline, reason }) => !offline && !(reason in REASONS))
  if (strangers.length > 0)
    throw new Error(`docs: no text for the reason of ${strangers.map((rule) => rule.code).join(', ')}`)
  const others = Object.entries(REASONS).map(([reason, text]) => {
    const found = codes.filter((rule) => rule.reason === reason)
    return found.length > 0 ? `- ${found.length} ${text}: ${found.map((rule) => rule.code).join(', ')}` : null
  })
  const hundreds = [...new Set(codes.map((rule) => Math.floor(rule.code / 100)))]
  return page(
    heading('VERI\\*FACTU codes', 'src/records/verifactu/rules'),
    prose('verifactu', {
      count: codes.length,
      offline: count(codes, (rule) => rule.offline),
      partly: count(codes, (rule) => rule.partly),
      others: others.filter(Boolean).join('\n'),
    }),
    '## Contents',
    hundreds.map((hundred) => `- [${titleOf(hundred)}](#${slug(titleOf(hundred))})`).join('\n'),
    hundreds.map((hundred) => [
      `## ${titleOf(hundred)}`,
      table(
        ['Code', 'Problem and fix', 'Effect', 'Element', 'Offline'],
        codes.filter((rule) => Math.floor(rule.code / 100) === hundred).map(row),
      ),
    ]),
  )
}

const marks = (sent) =>
  Object.entries(sent)
    .map(([mark, value]) => `${mark} ${value}`)
    .join(', ') || 'none'

const optionsOf = (given) =>
  Object.entries(given)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? `'${value}'` : value}`)
    .join(', ')

const step = ({ next, options: given }) => (given ? `\`${next}\`, \`${optionsOf(given)}\`` : `\`${next}\``)

/** Returns `docs/verifactu.md` with the table of next steps after a rejection, from the rows that the code uses. */
export async function verifactuGuide() {
  const { RESPONSE_ROWS } = await import(path('dist/verifactu/index.js'))
  const head = [
    'Record sent',
    'Marks',
    'Another mistake',
    '3002',
    '3000: registered',
    '3000: `Anulada`; 3001',
  ]
  const rows = RESPONSE_ROWS.map(({ when, marks: sent, after }) => [
    when.en,
    marks(sent),
    ...[after.other, after.no_record, after.registered, after.cancelled].map(step),
  ])
  return withPart('docs/verifactu.md', 'answers', table(head, rows))
}
