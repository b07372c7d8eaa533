/**
 * Recognises the whole corpus and real invoices with a running server, and prints the accuracy as a page of Markdown:
 * `report.run.ts`.
 */
import { startServer, type TestServer } from '#test/conformance/harness.ts'
import { type Document, INVOICES, type Part, partOf, TRAPS } from './corpus/all.ts'
import { closeBrowser } from './corpus/index.ts'
import { OURS } from './corpus/parties.ts'
import { type Field, isReadyAndWrong, type Measured, measure, mediumOf, type Outcome } from './measure.ts'
import { measureReal, type RealMeasured, realDocuments } from './real.ts'
import { realRows, realSection } from './real-report.ts'
import { byMedium, byStatus, type Row as RowOf, right, share, sortedByMedium, table } from './tables.ts'

export interface Report {
  readonly markdown: string
  /** Errors of each document that is neither held out nor unseen, for the terminal. */
  readonly details: readonly string[]
}

type Row = RowOf<Measured>

const PARTS: readonly Part[] = ['own', 'independent', 'held out']
/** Documents whose results are not shown one by one. */
const HIDDEN: readonly string[] = ['held out', 'unseen']

const CLASSES = ['xml', 'qr', 'text', 'scan'] as const
const BANDS: readonly (readonly [from: number, to: number])[] = [
  [0.9, 1.01],
  [0.85, 0.9],
  [0.75, 0.85],
  [0.5, 0.75],
  [0, 0.5],
]
const OF_CODE = /\/(invoice_number|issue_date|invoice_total|supplier\/tax_id)$/

/** Returns the fields by which a class is measured. */
function fieldsOf(name: (typeof CLASSES)[number], measured: readonly Measured[]): Field[] {
  if (name === 'qr')
    return measured
      .filter(({ document }) => document.has_code)
      .flatMap(({ fields }) => fields.filter(({ pointer }) => OF_CODE.test(pointer)))
  return measured.filter(({ document }) => document.source === name).flatMap(({ fields }) => fields)
}

const byClass = (parts: readonly Row[]): string =>
  table(
    ['Class', ...parts.map(([name]) => name)],
    CLASSES.map((name) => [name, ...parts.map(([, measured]) => right(fieldsOf(name, measured)))]),
  )

/** Returns the name of a field: its pointer without array positions. */
const nameOf = ({ pointer }: Field): string =>
  pointer
    .replace('/invoice/', '')
    .replace(/\/-?\d+\//g, '/')
    .replace(/_(credited|debited)$/, '')

function byField(parts: readonly Row[]): string {
  const names = [
    ...new Set(parts.flatMap(([, all]) => all.flatMap(({ fields }) => fields.map(nameOf)))),
  ].sort()
  const cell = (name: string, source: Document['source'], measured: readonly Measured[]) =>
    right(fieldsOf(source, measured).filter((field) => nameOf(field) === name))
  return table(
    ['Field', ...parts.flatMap(([name]) => [`text, ${name}`, `scan, ${name}`])],
    names.map((name) => [
      `\`${name}\``,
      ...parts.flatMap(([, measured]) => [cell(name, 'text', measured), cell(name, 'scan', measured)]),
    ]),
  )
}

const byBand = (parts: readonly Row[]): string =>
  table(
    ['Score', ...parts.flatMap(([name]) => [`fields, ${name}`, `wrong, ${name}`])],
    BANDS.map(([from, to]) => [
      to > 1 ? `${from} to 1` : `${from} to under ${to}`,
      ...parts.flatMap(([, measured]) => {
        const fields = measured
          .flatMap((one) => one.fields)
          .filter(({ score }) => score !== null && score >= from && score < to)
        return [String(fields.length), String(fields.filter(({ isRight }) => !isRight).length)]
      }),
    ]),
  )

function detailsOf([name, measured]: RowOf<Measured | RealMeasured>): string[] {
  return measured.map(({ document, status, score, fields, sure, draft }) =>
    [
      `${name}: ${document.name}: ${status} ${score}, ${right(fields)}`,
      ...fields.flatMap(({ wrong, score: given }) =>
        wrong ? [`    ${wrong} (score ${given ?? 'none'})`] : [],
      ),
      ...sure.map((one) => `    SURE AND WRONG: ${one}`),
      ...(draft.recognition?.review_reasons ?? []).map((one: string) => `    reason: ${one}`),
    ].join('\n'),
  )
}

/** Summarises documents: fields that are right, ready ones, and errors that no review would find. */
const summary = (name: string, all: readonly Outcome[], wrong: number, isTrap = false): string[] => [
  name,
  String(all.length),
  isTrap ? '–' : right(all.flatMap(({ fields }) => fields)),
  share(all.filter(({ status }) => status === 'ready').length, all.length),
  isTrap ? '–' : String(all.flatMap(({ sure }) => sure).length),
  String(wrong),
]

async function withServer<T>(work: (server: TestServer) => Promise<T>): Promise<T> {
  const server = await startServer({ store: 'sqlite' })
  return work(server).finally(server.stop)
}

async function recognised(
  server: TestServer,
  documents: readonly Document[],
  say: ReportOptions['say'],
): Promise<Measured[]> {
  const company = await server.company({
    tax_id: OURS.tax_id,
    legal_name: OURS.name,
    plan: { recognition_quota: 10_000 },
  })
  const measured: Measured[] = []
  for (const document of sortedByMedium(documents, mediumOf)) {
    measured.push(await measure(server, company, document))
    if (measured.length % 20 === 0) say(`${measured.length} of ${documents.length}`)
  }
  return measured
}

/** Results of the independent documents as new documents. */
const UNSEEN =
  '340 of 374 fields in text (90.9 %) and 170 of 210 on scans (81.0 %), 19 of 48 were ready (39.6 %), no field with 0.9 or more was wrong, and 3 of the 26 traps were ready: a reminder, an invoice of the company itself and one with two totals'

export interface ReportOptions {
  /** Description of the measured version and the date. */
  readonly stamp: string
  readonly say: (line: string) => void
}

export async function report({ stamp, say }: ReportOptions): Promise<Report> {
  const here = [...INVOICES, ...TRAPS].filter(({ missing }) => missing === undefined)
  const left = [...INVOICES, ...TRAPS].filter(({ missing }) => missing !== undefined)
  const published = sortedByMedium(realDocuments(), ({ medium }) => medium)
  const measured = await withServer((server) => recognised(server, here, say)).finally(closeBrowser)
  const real = await withServer((server) => measureReal(server, published, say))
  const pick = (isTrap: boolean, part: Part) =>
    measured.filter(({ document }) => TRAPS.includes(document) === isTrap && partOf(document) === part)
  const parts = PARTS.map((part): Row => [part, pick(false, part)])
  const traps = PARTS.filter((part) => part !== 'held out').map(
    (part): Row => [`traps, ${part}`, pick(true, part)],
  )
  const invoices = parts.flatMap(([, all]) => all)
  const generators = [...new Set(invoices.map(({ document }) => document.generator))].sort()
  const sure = parts.map(([name, all]) => `${all.flatMap((one) => one.sure).length} (${name})`)
  const trapped = traps.flatMap(([, all]) => all)
  const headline = [
    ...parts.map(([name, all]) => summary(name, all, all.filter(isReadyAndWrong).length)),
    ...realRows(real)
      .filter(([, all]) => all.length > 0)
      .map(([part, all]) => summary(`real, ${part}`, all, all.filter((one) => one.isReadyAndWrong).length)),
    summary('traps', trapped, trapped.filter(({ status }) => status === 'ready').length, true),
  ]
  const markdown = `# Accuracy of recognition

Written by \`packages/recognition/test/report.run.ts\`. ${stamp}

${table(['Collection', 'documents', 'fields right', 'ready', 'wrong with 0.9 or more', 'ready and wrong'], headline)}

"Ready and wrong" has a wrong number, date, total or tax id, or must never be ready. The documents of the corpus are made by programs, with fictitious companies; [real invoices](#real-invoices) are only measured, and never committed.

## Corpus

The corpus (\`packages/recognition/test/corpus\`) has ${invoices.length} true invoices by ${generators.length} generators (${generators.join(', ')}) and ${traps.flatMap(([, all]) => all).length} traps: documents that must never be ready, such as proformas, delivery notes, two different totals, or the company's own invoices. The authors of two parts had not read the recognition code:

- independent: ${pick(false, 'independent').length} invoices and ${pick(true, 'independent').length} traps. When they were new, recognition read ${UNSEEN}; since then it was improved with them, so their figures below are no longer those of unknown documents.
- held out: ${pick(false, 'held out').length} invoices. Their results were not looked at one by one.${left.length > 0 ? ` ${left.length} documents could not be made here: ${[...new Set(left.map(({ missing }) => missing))].join('; ')}.` : ''}

### Fields by class

Fields that are right. \`qr\`: number, date, supplier's tax id and total of documents with a tax QR.

${byClass(parts)}

### Status

${byStatus([...parts.map(([name, all]): Row => [`true invoices, ${name}`, all]), ...traps])}

### Scores

Fields with a score, and how many of them are wrong. Wrong with 0.9 or more, lines of the invoice included: ${sure.join(', ')}.

${byBand(parts)}

### Fields

${byField(parts)}

## Real invoices

${realSection(real)}

## Seconds and memory by kind of document

Number of documents, seconds per document from the request to the response, and the largest memory of a reading process. A process reads many files, here in the order of the rows, and keeps the memory of earlier files; the first file includes the start of the process.

${byMedium([
  ['corpus', measured],
  ['real', real],
])}
`
  return {
    markdown,
    details: [...parts, ...traps, ...realRows(real)].flatMap((row) =>
      HIDDEN.includes(row[0]) ? [] : detailsOf(row),
    ),
  }
}
