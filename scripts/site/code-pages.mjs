/** The page of each code and the index of codes, in both languages. */
import { exampleOf, shortItem } from '../docs/codes.mjs'
import { fence, groupBy, code as mono, page, path, plain, readJson, table } from '../docs/text.mjs'
import { allCodes, effectOf, filled, GROUPS, offlineOf } from './codes.mjs'

const { codes: MESSAGES, families: FAMILIES } = readJson('scripts/site/texts.json')

/** Returns input and output of the first golden case of the code. */
function example({ code }, locale, validate) {
  const found = code === 'too_many_errors' ? undefined : exampleOf(code, validate, locale)
  if (!found) return null
  const { part, options, item, why } = found
  const messages = MESSAGES[locale]
  const where = part && part.at !== 'the document' ? mono(part.at) : ''
  return [
    `## ${messages.example}`,
    locale === 'en' ? why : null,
    part ? (where ? filled(messages.at, where) : messages.input) : null,
    part ? fence(part.folded ? 'jsonc' : 'json', part.text) : null,
    options ? filled(messages.options, mono(JSON.stringify(options))) : null,
    messages.out,
    fence('json', shortItem(item)),
  ]
}

/** Returns the parts of one entry of a code: message, fix, facts and example. */
function entryParts(entry, locale, { cite, validate }) {
  const messages = MESSAGES[locale]
  const group = GROUPS.find(({ name }) => name === entry.group)
  const facts = [
    entry.severity && [messages.severity[0], messages.severity[1][entry.severity]],
    entry.status && [messages.status, entry.status],
    [messages.group, group[locale]],
    entry.effect && [messages.effect, effectOf(entry, messages)],
    entry.field && [messages.element, plain(entry.field)],
    entry.offline !== undefined && [messages.offline, offlineOf(entry, messages, locale)],
    entry.reserved && [messages.reserved, plain(entry.reserved)],
    entry.law && [messages.law, plain(cite(entry.law, locale))],
    entry.reads && [
      messages.reads,
      entry.reads.map((read) => (read === '*' ? messages.whole : mono(read))).join('<br>'),
    ],
  ].filter(Boolean)
  const fix = entry.fix?.[locale]
  return [
    `**${plain(entry.message[locale])}**`,
    fix ? `${messages.fix}: ${plain(fix)}` : null,
    table(['', ''], facts),
    entry.message[locale].includes('{') || fix?.includes('{') ? messages.placeholders : null,
    entry.reasons
      ? table(
          [mono('reason'), messages.meaning],
          entry.reasons.map(([reason, { message, fix }]) => [
            mono(reason),
            plain(`${message[locale]} ${fix[locale]}`),
          ]),
        )
      : null,
    entry.group === 'engine' ? example(entry, locale, validate) : null,
  ]
}

const flat = (text) => text.replace(/\s+/g, ' ').replaceAll('"', '\\"')

function codePage(code, entries, locale, tools) {
  const messages = MESSAGES[locale]
  const [first, ...others] = entries
  const base = locale === 'es' ? '/es/codes/' : '/codes/'
  return page(
    `---\ndescription: "${flat(first.message[locale])}"\naside: false\nprev: false\nnext: false\npageClass: code-page\n---`,
    `# ${mono(code)}`,
    entryParts(first, locale, tools),
    others.map((other) => [
      `## ${messages.similar}: ${GROUPS.find(({ name }) => name === other.group)[locale]}`,
      entryParts({ ...other, reads: undefined }, locale, tools),
    ]),
    `[${messages.codes}](${base})`,
  )
}

function indexPage(byCode, grouped, families, locale) {
  const messages = MESSAGES[locale]
  const base = locale === 'es' ? '/es/codes/' : '/codes/'
  const row = (entry) => [`[${mono(entry.code)}](${base}${entry.code})`, plain(entry.message[locale])]
  const head = ['', '']
  return page(
    `---\noutline: [2, 3]\nsearch: false\nprev: false\nnext: false\n---`,
    `# ${messages.codes}`,
    filled(messages.intro, byCode.size),
    messages.find,
    GROUPS.map(({ name, ...title }) => {
      const entries = grouped.get(name)
      if (name !== 'engine') return [`## ${title[locale]}`, table(head, entries.map(row))]
      const of = new Map(entries.map((entry) => [entry.code, entry]))
      return [
        `## ${title[locale]}`,
        families.map((family, at) => [
          `### ${FAMILIES[at][locale]}`,
          table(
            head,
            family.codes.map((code) => row(of.get(code))),
          ),
        ]),
      ]
    }),
  )
}

/** Returns a `Map` from route (`codes/iban_invalid`, `es/codes/iban_invalid`) to page. */
export async function codePages() {
  const { entries, cite, families } = await allCodes()
  const { validate } = await import(path('dist/index.js'))
  const byCode = groupBy(entries, ({ code }) => code)
  const grouped = groupBy(entries, ({ group }) => group)
  const pages = new Map()
  for (const locale of ['en', 'es']) {
    const base = locale === 'es' ? 'es/codes/' : 'codes/'
    pages.set(`${base}index`, indexPage(byCode, grouped, families, locale))
    for (const [code, of] of byCode)
      pages.set(`${base}${code}`, codePage(code, of, locale, { cite, validate }))
  }
  return pages
}
