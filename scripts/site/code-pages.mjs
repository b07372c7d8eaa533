/** The page of each code and the index of codes, in both languages. */
import { exampleOf, shortItem } from '../docs/codes.mjs'
import { fence, groupBy, code as mono, page, path, plain, readJson, slug, table } from '../docs/text.mjs'
import { allCodes, effectOf, filled, GROUPS, offlineOf } from './codes.mjs'
import { playgroundLink } from './playground-link.mjs'

const { codes: MESSAGES, families: FAMILIES } = readJson('scripts/site/texts.json')

/** Returns the input and the output of an example. */
function example({ part, options, item, why }, locale) {
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

/** Replaces the placeholders of a text by an ellipsis. */
const withoutNames = (text) => text?.replace(/\{\w+\}/g, '…')

/** Returns the texts of an entry: those of its example, or, without an example, those without values. */
const textsOf = ({ message, fix, examples }, locale) =>
  examples?.[locale]?.parts ?? {
    message: withoutNames(message[locale]),
    fix: withoutNames(fix?.[locale]),
  }

/** Returns the parts of one entry of a code: message, fix, facts and example. */
function entryParts(entry, locale, cite) {
  const messages = MESSAGES[locale]
  const group = GROUPS.find(({ name }) => name === entry.group)
  const { message, fix } = textsOf(entry, locale)
  const link = entry.examples?.[locale].link
  const template = [entry.message[locale], entry.fix?.[locale]].filter(Boolean).join(' ')
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
    template.includes('{') && [messages.template, `${plain(template)}<br>${messages.placeholders}`],
  ].filter(Boolean)
  return [
    `**${plain(message)}**`,
    fix ? `${messages.fix}: ${plain(fix)}` : null,
    link ? `[${messages.try}](${link}){target="_self"}` : null,
    table(['', ''], facts),
    entry.reasons
      ? table(
          [mono('reason'), messages.meaning],
          entry.reasons.map(([reason, { message, fix }]) => [
            mono(reason),
            plain(withoutNames(`${message[locale]} ${fix[locale]}`)),
          ]),
        )
      : null,
    entry.examples ? example(entry.examples[locale], locale) : null,
  ]
}

const flat = (text) => text.replace(/\s+/g, ' ').replaceAll('"', '\\"')

/** Returns the way from the index to a code: index, group and family. */
function crumbs({ group, code }, locale, families) {
  const base = locale === 'es' ? '/es/codes/' : '/codes/'
  const at = group === 'engine' ? families.findIndex(({ codes }) => codes.includes(code)) : -1
  const titles = [GROUPS.find(({ name }) => name === group)[locale], FAMILIES[at]?.[locale]].filter(Boolean)
  return [
    '<div class="crumbs">',
    [
      `[${MESSAGES[locale].codes}](${base})`,
      ...titles.map((title) => `[${title}](${base}#${slug(title)})`),
    ].join(' › '),
    '</div>',
  ]
}

function codePage(code, entries, locale, { cite, families }) {
  const messages = MESSAGES[locale]
  const [first, ...others] = entries
  return page(
    `---\ndescription: "${flat(textsOf(first, locale).message)}"\naside: false\nprev: false\nnext: false\npageClass: code-page\n---`,
    crumbs(first, locale, families),
    `# ${mono(code)}`,
    entryParts(first, locale, cite),
    others.map((other) => [
      `## ${messages.similar}: ${GROUPS.find(({ name }) => name === other.group)[locale]}`,
      entryParts({ ...other, reads: undefined, examples: undefined }, locale, cite),
    ]),
  )
}

function indexPage(byCode, grouped, families, locale) {
  const messages = MESSAGES[locale]
  const base = locale === 'es' ? '/es/codes/' : '/codes/'
  const row = (entry) => [
    `[${mono(entry.code)}](${base}${entry.code})`,
    plain(textsOf(entry, locale).message),
  ]
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

/** Returns the example of a code of the engine in both languages, with the parts of its message. */
async function examplesOf(code, { validate, messageParts }) {
  if (code === 'too_many_errors') return undefined
  const examples = {}
  for (const locale of ['en', 'es']) {
    const found = exampleOf(code, validate, locale)
    if (!found) return undefined
    const link = await playgroundLink(found.input, found.options ?? {}, code, validate)
    examples[locale] = { ...found, parts: messageParts(found.item, locale), link }
  }
  return examples
}

/** Returns a `Map` from route (`codes/iban_invalid`, `es/codes/iban_invalid`) to page. */
export async function codePages() {
  const { entries: found, cite, families } = await allCodes()
  const engine = await import(path('dist/index.js'))
  const entries = []
  for (const entry of found) {
    const examples = entry.group === 'engine' ? await examplesOf(entry.code, engine) : undefined
    entries.push({ ...entry, examples })
  }
  const byCode = groupBy(entries, ({ code }) => code)
  const grouped = groupBy(entries, ({ group }) => group)
  const pages = new Map()
  for (const locale of ['en', 'es']) {
    const base = locale === 'es' ? 'es/codes/' : 'codes/'
    pages.set(`${base}index`, indexPage(byCode, grouped, families, locale))
    for (const [code, of] of byCode)
      pages.set(`${base}${code}`, codePage(code, of, locale, { cite, families }))
  }
  return pages
}
