/** The page of each code and the index of codes, in both languages. */
import { existsSync } from 'node:fs'
import { casesOf } from '../docs/codes.mjs'
import { fragment } from '../docs/fragment.mjs'
import { fence, code as mono, page, path, plain, readJson, readText, table } from '../docs/text.mjs'
import { allCodes, GROUPS } from './codes.mjs'

const MESSAGES = {
  en: {
    codes: 'Codes',
    severity: ['Severity', { error: 'error', warning: 'warning' }],
    status: 'HTTP status',
    group: 'Group',
    law: 'Law or document',
    reads: 'Fields',
    whole: 'the whole document',
    effect: 'Effect',
    element: 'Element',
    offline: 'Checked before sending',
    meaning: 'Problem and fix',
    yes: 'yes',
    no: (why) => `no: ${why}`,
    part: (why) => `partly; not: ${why}`,
    reserved: 'Not returned yet',
    fix: '**Fix**',
    example: 'Example',
    at: (where) => (where ? `Input, at ${where}:` : 'Input:'),
    out: 'Output:',
    options: (given) => `Options: ${given}`,
    placeholders:
      'In the texts, `{field}` is the last part of the path. Other names in braces are members of `extra`.',
    similar: 'The same code in another group',
    intro: (count) =>
      `cuadra returns ${count} codes. Each has a page in English and in Spanish, with its meaning, its fix, the law or document that it comes from and, for codes of invoices, an example. Use \`code\` and \`extra\` in your program, never the text: codes never change, texts may improve.`,
    find: 'Search finds a code by its name or by the text of its message.',
    effects: {
      'rejects-record': 'rejects the record',
      'accepted-with-errors': 'accepted with errors',
      'rejects-whole-submission': 'rejects the whole message',
      rejects_record: 'rejects the record',
      accepts_with_errors: 'accepted with errors',
      rejects_message: 'rejects the whole message',
    },
    correction: ['no correction required', 'correction required'],
  },
  es: {
    codes: 'Códigos',
    severity: ['Gravedad', { error: 'error', warning: 'aviso' }],
    status: 'Estado HTTP',
    group: 'Grupo',
    law: 'Norma o documento',
    reads: 'Campos',
    whole: 'todo el documento',
    effect: 'Efecto',
    element: 'Elemento',
    offline: 'Se comprueba antes de enviar',
    meaning: 'Problema y corrección',
    yes: 'sí',
    no: (why) => `no: ${why}`,
    part: (why) => `en parte; no: ${why}`,
    reserved: 'Todavía no se usa',
    fix: '**Cómo corregirlo**',
    example: 'Ejemplo',
    at: (where) => (where ? `Entrada, en ${where}:` : 'Entrada:'),
    out: 'Salida:',
    options: (given) => `Opciones: ${given}`,
    placeholders:
      'En los textos, `{field}` es la última parte de la ruta. Los demás nombres entre llaves son miembros de `extra`.',
    similar: 'El mismo código en otro grupo',
    intro: (count) =>
      `cuadra usa ${count} códigos. Cada uno tiene una página en español y en inglés, con su significado, su corrección, la norma o el documento de que procede y, si es de una factura, un ejemplo. En su programa, use \`code\` y \`extra\`, nunca el texto: los códigos no cambian; los textos pueden mejorar.`,
    find: 'El buscador encuentra un código por su nombre o por el texto de su mensaje.',
    effects: {
      'rejects-record': 'rechaza el registro',
      'accepted-with-errors': 'se acepta con errores',
      'rejects-whole-submission': 'rechaza el envío completo',
      rejects_record: 'rechaza el registro',
      accepts_with_errors: 'se acepta con errores',
      rejects_message: 'rechaza el envío completo',
    },
    correction: ['no exige subsanación', 'exige subsanación'],
  },
}

/** Returns the item as JSON, with lists of more than twelve values truncated. */
const shown = (item) =>
  JSON.stringify(
    item,
    (_key, value) => (Array.isArray(value) && value.length > 12 ? [...value.slice(0, 12), '…'] : value),
    2,
  )

/** Returns input and output of the first golden case of the code. */
function example({ code }, locale, validate) {
  const folder = code === 'too_many_errors' ? undefined : casesOf(code)[0]
  if (!folder) return null
  const at = (name) => path(`test/cases/${folder}/${name}`)
  const input = readJson(`test/cases/${folder}/input.json`)
  const options = existsSync(at('options.json')) ? readJson(`test/cases/${folder}/options.json`) : null
  const item = validate(input, { ...options, locale }).errors.find((found) => found.code === code)
  if (!item) throw new Error(`site: test/cases/${folder} does not return ${code}`)
  const messages = MESSAGES[locale]
  const part = fragment(input, item.path)
  const where = part && part.at !== 'the document' ? mono(part.at) : ''
  const why = readText(`test/cases/${folder}/why.md`).trim().replace(/^#+ /, '')
  return [
    `## ${messages.example}`,
    locale === 'en' ? why : null,
    part ? messages.at(where) : null,
    part ? fence(part.folded ? 'jsonc' : 'json', part.text) : null,
    options ? `${messages.options(mono(JSON.stringify(options)))}` : null,
    messages.out,
    fence('json', shown(item)),
  ]
}

const effectOf = ({ effect, needs_subsanacion }, messages) =>
  [
    messages.effects[effect] ?? effect,
    needs_subsanacion === undefined ? null : messages.correction[Number(needs_subsanacion)],
  ]
    .filter(Boolean)
    .join('; ')

const offlineOf = ({ offline, partly, why }, messages, locale) =>
  offline ? (partly ? messages.part(plain(partly[locale])) : messages.yes) : messages.no(plain(why[locale]))

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
    messages.intro(byCode.size),
    messages.find,
    GROUPS.map(({ name, ...title }) => {
      const entries = grouped.get(name)
      if (name !== 'engine') return [`## ${title[locale]}`, table(head, entries.map(row))]
      const of = new Map(entries.map((entry) => [entry.code, entry]))
      return [
        `## ${title[locale]}`,
        families.map(({ file, ...family }) => [
          `### ${locale === 'es' ? FAMILIES_ES[file] : family.title}`,
          table(
            head,
            family.codes.map((code) => row(of.get(code))),
          ),
        ]),
      ]
    }),
  )
}

/** Titles of the families of rules, by the file that declares them. */
const FAMILIES_ES = {
  schema: 'Esquema',
  parties: 'Emisor y destinatario',
  header: 'Cabecera y datos de expedición',
  lines: 'Líneas',
  taxes: 'Impuestos',
  breakdown: 'Retención, recargo y desglose enviado',
  regimes: 'Regímenes',
  'one-stop-shop': 'Ventanilla única',
  'consumption-tax': 'Impuesto extranjero de la ventanilla única',
  totals: 'Totales, pago y precisión',
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

function groupBy(values, keyOf) {
  const groups = new Map()
  for (const value of values) {
    const key = keyOf(value)
    groups.set(key, [...(groups.get(key) ?? []), value])
  }
  return groups
}
