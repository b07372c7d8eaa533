/** The part of the accuracy report about real invoices. */
import { FIELD_NAMES, REAL_PARTS, type RealMeasured } from './real.ts'
import { byStatus, type Row, right, table } from './tables.ts'

type Rows = readonly Row<RealMeasured>[]

const LAYOUTS = ['text, invoice', 'text, ticket', 'scan or photo'] as const

function layoutOf({ document: { truth } }: RealMeasured): (typeof LAYOUTS)[number] {
  if (truth.medium !== 'text') return 'scan or photo'
  return truth.kind === 'simplified' || truth.kind === 'receipt' ? 'text, ticket' : 'text, invoice'
}

/** Whether the supplier has a Spanish tax id or, if none is printed, the document is in a language of Spain. */
const isSpanish = ({ document: { truth } }: RealMeasured): boolean =>
  truth.supplier_tax_id === null
    ? ['es', 'ca', 'gl', 'eu'].includes(truth.language)
    : /^(?:ES)?[A-Z0-9]\d{7}[A-Z0-9]$/i.test(truth.supplier_tax_id)

export const realRows = (measured: readonly RealMeasured[]): Rows =>
  REAL_PARTS.map((part) => [part, measured.filter(({ document }) => document.part === part)])

function byClass(rows: Rows): string {
  const classes = rows.flatMap(([part, all]) => [
    ...LAYOUTS.flatMap((layout) =>
      [true, false].map(
        (isHere): Row<RealMeasured> => [
          `${layout}, ${isHere ? 'Spanish' : 'foreign'}, ${part}`,
          all.filter((one) => layoutOf(one) === layout && isSpanish(one) === isHere),
        ],
      ),
    ),
    [`**all ${part}**`, all] as const,
  ])
  return table(
    ['Documents', 'Number of documents', ...Object.values(FIELD_NAMES)],
    classes
      .filter(([, all]) => all.length > 0)
      .map(([name, all]) => [
        name,
        String(all.length),
        ...Object.keys(FIELD_NAMES).map((pointer) =>
          right(all.flatMap(({ fields }) => fields.filter((field) => field.pointer === pointer))),
        ),
      ]),
  )
}

function bySource(measured: readonly RealMeasured[]): string {
  const sources = [...new Set(measured.map(({ document }) => document.truth.source))].sort()
  return table(
    ['Public repository', ...REAL_PARTS],
    sources.map((source) => [
      source,
      ...realRows(measured.filter(({ document }) => document.truth.source === source)).map(([, all]) =>
        String(all.length),
      ),
    ]),
  )
}

export function realSection(measured: readonly RealMeasured[]): string {
  if (measured.length === 0)
    return 'None were measured for this page: the variable `CUADRA_REAL_INVOICES` named no folder.'
  const rows = realRows(measured)
  const count = (is: (one: RealMeasured) => boolean) => measured.filter(is).length
  return `Invoices and tickets that others have published in public repositories, each sent for the company that is its customer, or for another company if it names none. They are not part of this repository. Recognition was improved with the results of the seen ones only; which ones are seen was decided by the SHA-256 of the file.

Fields that are printed and were read right. The customer's id counts if it is that of the company. Documents that are not invoices (${count(({ document }) => document.truth.kind === 'not an invoice')}) or that a person cannot read (${count(({ document }) => !document.truth.legible)}) have no fields.

${byClass(rows)}

${byStatus(rows)}

Ready although number, date, total or a tax id is wrong, the document has another addressee, or it is not an invoice: ${rows.map(([part, all]) => `${all.filter((one) => one.isReadyAndWrong).length} (${part})`).join(', ')}. Wrong with 0.9 or more: ${rows.map(([part, all]) => `${all.flatMap(({ sure }) => sure).length} (${part})`).join(', ')}.

${bySource(measured)}`
}
