/** Writes `docs/api.md`: the public functions and types, from their docstrings. */
import { declared, publicDeclarations } from './declarations.mjs'
import { code, fence, heading, page, slug, table } from './text.mjs'

/** The pages by importance; new ones come last. */
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
    'A complete invoice, as `validate` returns it in `data`. Generated from [schemas/invoice.json](../schemas/invoice.json).',
  CanonicalInvoiceInput:
    'An invoice as a client sends it: calculated fields may be absent. Generated from [schemas/input.json](../schemas/input.json).',
}

/** Types used in results that the entry point does not export. */
const BEHIND = [
  ['src/identifiers/types.ts', ['TaxIdKind', 'TaxIdReason', 'IbanCheck', 'IbanReason']],
  ['src/invoice/item.ts', ['Text']],
]

/** Types used in responses of both systems. */
const ANSWERS = [
  ['src/fiscal/next-step.ts', ['CommonStep', 'CommonRefusal']],
  ['src/fiscal/response-state.ts', ['ResponseState', 'MessageState']],
  ['src/fiscal/xml-problems.ts', ['XmlCode', 'XmlCodes']],
]

/** Joins the lines of each paragraph, with one blank line between paragraphs. */
const paragraphs = (text) =>
  text
    .split(/\n\s*\n/)
    .map((part) => (part.trimStart().startsWith('- ') ? part : part.replace(/\s*\n\s*/g, ' ')))
    .join('\n\n')

/** Returns the other exported names that an example uses. */
const used = (text, names) => names.filter((name) => new RegExp(`\\b${name}\\(`).test(text))

function example({ name, examples }, { module, names }) {
  if (examples.length === 0) return null
  const text = examples.join('\n').trim()
  const imported = [...new Set([name, ...used(text, names)])].sort()
  return fence('ts', `import { ${imported.join(', ')} } from '${module}'\n\n${text}`)
}

function section(declaration, entry) {
  const { name, file, generated, signature, text, parameters, returns } = declaration
  return [
    `### ${code(name)}`,
    generated ? (GENERATED[name] ?? entry.generated) : paragraphs(text),
    // `typescript` marks a declaration; `ts` marks an example, which a test runs.
    generated ? null : fence('typescript', signature),
    parameters.length > 0
      ? table(
          ['Parameter', ''],
          parameters.map((one) => [code(one.name), one.text]),
        )
      : null,
    returns ? `Returns: ${returns}` : null,
    example(declaration, entry),
    generated ? null : `Declared in [${file}](../${file}).`,
  ]
}

/** Functions by importance; the others follow in the order of the entry point. */
const place = (order, { name }) => (order.includes(name) ? order.indexOf(name) : order.length)

/** Returns the page of one entry point. */
function entryPage(entry) {
  const all = publicDeclarations(entry.file)
  const functions = all
    .filter(({ kind }) => kind === 'function')
    .sort((a, b) => place(entry.order, a) - place(entry.order, b))
  const values = all.filter(({ kind }) => kind === 'value')
  const types = all.filter(({ kind }) => kind === 'type')
  const exported = new Set(all.map(({ name }) => name))
  const named = { ...entry, names: functions.map(({ name }) => name) }
  const behind = entry.behind.flatMap(([file, names]) =>
    names.filter((name) => !exported.has(name)).map((name) => declared(file, name)),
  )
  // Names that differ only in case share an anchor, which gets a number.
  const seen = new Map()
  const anchors = new Map(
    [...functions, ...values, ...types].map(({ name }) => {
      const anchor = slug(name)
      const before = seen.get(anchor) ?? 0
      seen.set(anchor, before + 1)
      return [name, before === 0 ? anchor : `${anchor}-${before}`]
    }),
  )
  const list = (declarations) =>
    declarations.map(({ name }) => `- [${code(name)}](#${anchors.get(name)})`).join('\n')
  const sections = (declarations) => declarations.map((declaration) => section(declaration, named))
  return page(
    heading(entry.title, `the docstrings of ${entry.source}`),
    ...entry.introduction,
    '**Functions**',
    list(functions),
    values.length > 0 ? ['**Values**', list(values)] : null,
    '**Types**',
    list(types),
    '## Functions',
    sections(functions),
    values.length > 0 ? ['## Values', sections(values)] : null,
    '## Types',
    sections(types),
    behind.length > 0 ? ['## Types behind these', 'Not exported by name.', sections(behind)] : null,
  )
}

export const apiPage = async () =>
  entryPage({
    file: 'src/api/index.ts',
    module: 'cuadra',
    title: 'API reference',
    source: 'src/',
    order: ORDER,
    behind: BEHIND,
    introduction: [
      'Import these functions, values and types from `cuadra`. All functions are synchronous and pure: no clock, network or files, and no changes to their input. ' +
        'Amounts are JSON numbers: euros, except in `reconcile` and the `invoice_currency` blocks. Problems of a document are returned as items; only a wrong option throws (a `TypeError` that names it; `catalog` throws a `RangeError` for an unknown name).',
      'Other entry points have their own pages: [cuadra/verifactu](api-verifactu.md), [cuadra/sii](api-sii.md) and [cuadra/formats](api-formats.md).',
      'The codes of problems are in [codes.md](codes.md), the arithmetic in [calculation.md](calculation.md), the allowed values in [catalogs.md](catalogs.md).',
    ],
  })

export const verifactuApiPage = async () =>
  entryPage({
    file: 'src/verifactu/index.ts',
    module: 'cuadra/verifactu',
    title: 'API reference: VeriFactu',
    source: 'src/verifactu',
    generated:
      'A tree of strings under the names of the official schema; generated from [schemas/xml/verifactu.json](../schemas/xml/verifactu.json).',
    order: [
      'registrationRecord',
      'cancellationRecord',
      'eventRecord',
      'recordHash',
      'hashOf',
      'verifyChain',
      'checkRecord',
      'checkSubmission',
      'checkQuery',
      'recordXml',
      'submissionXml',
      'queryXml',
      'readVerifactu',
      'readResponse',
      'readFaultResponse',
      'qrUrl',
      'qrUrlOf',
      'parseQr',
      'qrSvg',
    ],
    behind: ANSWERS,
    introduction: [
      'Import these functions, values and types from `cuadra/verifactu`; the guide is [verifactu.md](verifactu.md). All functions are pure and synchronous, like the engine.',
      'Records are plain objects under the names of the official schema; leaves are strings, exactly as in the XML. The codes of the authority are in [verifactu-codes.md](verifactu-codes.md).',
    ],
  })

export const siiApiPage = async () =>
  entryPage({
    file: 'src/sii/index.ts',
    module: 'cuadra/sii',
    title: 'API reference: SII',
    source: 'src/sii',
    generated:
      'A tree of strings under the names of the official schema; generated from [schemas/xml/sii.json](../schemas/xml/sii.json).',
    order: [
      'issuedRecord',
      'receivedRecord',
      'deletionRecord',
      'collectionRecord',
      'paymentRecord',
      'submission',
    ],
    behind: ANSWERS,
    introduction: [
      'Import these functions, values and types from `cuadra/sii`; the guide is [sii.md](sii.md). All functions are pure and synchronous, like the engine: pass today’s date and the holidays as arguments.',
    ],
  })

export const formatsApiPage = async () =>
  entryPage({
    file: 'src/formats/index.ts',
    module: 'cuadra/formats',
    title: 'API reference: formats',
    source: 'src/formats',
    order: ['readInvoice', 'writeInvoice', 'detectFormat', 'splitInvoices'],
    behind: [],
    introduction: [
      'Import these functions, values and types from `cuadra/formats`; the guide is [formats.md](formats.md). All functions are pure and synchronous, like the engine.',
    ],
  })
