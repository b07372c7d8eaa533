/** `docs/api.md`: the public functions and types, from their docstrings. */
import { declared, publicDeclarations } from './declarations.mjs'
import { code, fence, heading, page, slug, table } from './text.mjs'

/** The order of importance, not of the alphabet; whatever is new comes last. */
const ORDER = [
  'validate',
  'explain',
  'reconcile',
  'catalog',
  'rules',
  'checkTaxId',
  'checkIban',
  'invoiceSchema',
]

const GENERATED = {
  CanonicalInvoice:
    'A complete invoice, as `validate` returns it in `data`. Made from [schemas/invoice.json](../schemas/invoice.json).',
  CanonicalInvoiceInput:
    'An invoice as a client sends it: computed fields may be absent. Made from [schemas/input.json](../schemas/input.json).',
}

/** Types that answers are made of, and that have no name of their own in the entry point. */
const BEHIND = [
  ['src/identifiers/types.ts', ['TaxIdKind', 'TaxIdReason', 'IbanCheck', 'IbanReason']],
  ['src/invoice/item.ts', ['Text']],
]

/** One blank line between paragraphs; the lines of one are joined. */
const paragraphs = (text) =>
  text
    .split(/\n\s*\n/)
    .map((part) => (part.trimStart().startsWith('- ') ? part : part.replace(/\s*\n\s*/g, ' ')))
    .join('\n\n')

function example({ name, examples }) {
  if (examples.length === 0) return null
  return fence('ts', `import { ${name} } from 'cuadra'\n\n${examples.join('\n').trim()}`)
}

function section(declaration) {
  const { name, file, generated, signature, text, parameters, returns } = declaration
  return [
    `### ${code(name)}`,
    generated ? GENERATED[name] : paragraphs(text),
    // `typescript` marks a declaration; `ts` marks an example, which a test runs.
    generated ? null : fence('typescript', signature),
    parameters.length > 0
      ? table(
          ['Parameter', ''],
          parameters.map((one) => [code(one.name), one.text]),
        )
      : null,
    returns ? `Returns: ${returns}` : null,
    example(declaration),
    generated ? null : `Declared in [${file}](../${file}).`,
  ]
}

const place = ({ name }) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length)

export async function apiPage() {
  const all = publicDeclarations()
  const functions = all.filter(({ kind }) => kind === 'function').sort((a, b) => place(a) - place(b))
  const values = all.filter(({ kind }) => kind === 'value')
  const types = all.filter(({ kind }) => kind === 'type')
  const exported = new Set(all.map(({ name }) => name))
  const behind = BEHIND.flatMap(([file, names]) =>
    names.filter((name) => !exported.has(name)).map((name) => declared(file, name)),
  )
  const list = (declarations) =>
    declarations.map(({ name }) => `- [${code(name)}](#${slug(name)})`).join('\n')
  return page(
    heading('Programming interface', 'the docstrings of src/'),
    "Everything that `import … from 'cuadra'` offers. All functions are synchronous and pure: no clock, no network, no files, and what they are given is never changed. " +
      'Amounts are JSON numbers: euros, except in `reconcile` and the `invoice_currency` blocks. A document that is wrong is answered with items; only a wrong option throws (a `TypeError` that names it; `catalog` throws a `RangeError` for an unknown name).',
    'The codes that an answer may carry are in [codes.md](codes.md), the arithmetic in [calculation.md](calculation.md), the values that a field may have in [catalogs.md](catalogs.md).',
    '**Functions**',
    list(functions),
    '**Values**',
    list(values),
    '**Types**',
    list(types),
    '## Functions',
    functions.map(section),
    '## Values',
    values.map(section),
    '## Types',
    types.map(section),
    behind.length > 0 ? ['## Types behind these', 'Not exported by name.', behind.map(section)] : null,
  )
}
