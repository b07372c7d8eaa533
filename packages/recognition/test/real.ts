/**
 * Measures real invoices that other people have published. They are read from folders outside of the repository, which
 * `CUADRA_REAL_INVOICES` names, and are never committed.
 *
 * Each folder has the subfolders `seen` and `unseen`, and these the files `name.pdf` (or `jpg`, `png`, `tif`) with the
 * printed content in `name.json`. Recognition is improved with the seen documents only.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkTaxId } from '#core/identifiers/index.ts'
import { valueAt } from '#core/invoice/index.ts'
import type { TestCompany, TestServer } from '#test/conformance/harness.ts'
import { plainOf } from '../src/fields/labels/plain-text.ts'
import { OURS } from './corpus/parties.ts'
import { type Field, isReadyAndWrong, type Medium, type Outcome, type Proposal, propose } from './measure.ts'

/** The printed content; `null` if it is not printed. */
export interface RealTruth {
  /** The public repository. */
  readonly source: string
  readonly kind: 'invoice' | 'simplified' | 'corrective' | 'receipt' | 'not an invoice'
  readonly medium: 'text' | 'scan' | 'photo' | 'picture of a digital page'
  readonly language: string
  readonly number: string | null
  readonly number_also?: readonly string[]
  readonly date: string | null
  readonly supplier_tax_id: string | null
  readonly supplier_name: string | null
  readonly supplier_name_also?: readonly string[]
  readonly customer_tax_id: string | null
  readonly customer_name: string | null
  readonly total: number | null
  readonly taxes: readonly TaxTruth[] | null
  readonly withheld: { readonly amount: number } | null
  readonly due_date: string | null
  readonly iban: string | null
  readonly legible: boolean
}

interface TaxTruth {
  readonly rate: number
  readonly base: number | null
  readonly amount: number | null
}

export const REAL_PARTS = ['seen', 'unseen'] as const
export type RealPart = (typeof REAL_PARTS)[number]

export interface RealDocument {
  readonly name: string
  readonly part: RealPart
  readonly medium: Medium
  readonly truth: RealTruth
  readonly read: () => Uint8Array
}

export interface RealMeasured extends Outcome {
  readonly document: RealDocument
  /** Whether it is ready although a main field is wrong, it is for someone else, or it is not an invoice. */
  readonly isReadyAndWrong: boolean
}

/** Returns the documents of the folders, which colons separate. A file in several folders is returned once. */
export function realDocuments(folders = process.env.CUADRA_REAL_INVOICES ?? ''): RealDocument[] {
  const found = new Map<string, RealDocument>()
  for (const folder of folders.split(':').filter(Boolean))
    for (const part of REAL_PARTS) {
      const files = existsSync(join(folder, part)) ? readdirSync(join(folder, part)).sort() : []
      for (const file of files) {
        const [, name, type] = /^(.+)\.(pdf|jpe?g|png|tiff?)$/i.exec(file) ?? []
        if (name === undefined) continue
        const path = join(folder, part, file)
        const truth: RealTruth = JSON.parse(readFileSync(join(folder, part, `${name}.json`), 'utf8'))
        const ofPdf = truth.medium === 'text' ? 'text PDF' : 'scan PDF'
        const medium = type?.toLowerCase() === 'pdf' ? ofPdf : 'photo'
        const digest = createHash('sha256').update(readFileSync(path)).digest('hex')
        found.set(digest, { name, part, medium, truth, read: () => readFileSync(path) })
      }
    }
  return [...found.values()]
}

const lettersOf = (text: string): string => plainOf(text).replaceAll(/[^a-z0-9]/g, '')
const idOf = (id: string): string => lettersOf(id).replace(/^es(?=.{9}$)/, '')

/** Whether a text is one of the accepted ones, apart from case, accents and punctuation. */
const isOneOf = (text: unknown, accepted: readonly (string | null)[]): boolean =>
  typeof text === 'string' && accepted.some((one) => one !== null && lettersOf(one) === lettersOf(text))

/** Whether two ids are the same; the country may be missing on the document. */
const isSameId = (id: unknown, printed: string | null): boolean =>
  typeof id === 'string' &&
  printed !== null &&
  [idOf(id), idOf(id).replace(/^[a-z]{2}/, '')].includes(idOf(printed))

type TaxEntry = Readonly<Record<'tax_rate' | 'taxable_base' | 'tax_amount', number>>

const isSameTax = (entry: TaxEntry, { rate, base, amount }: TaxTruth): boolean =>
  entry.tax_rate === rate &&
  entry.taxable_base === (base ?? entry.taxable_base) &&
  entry.tax_amount === (amount ?? entry.tax_amount)

const TAXES = '/invoice/taxes_outputs'
const IBAN = '/invoice/payment_details/0/iban_account_to_be_'

/** Names of the compared fields, by their pointers. */
export const FIELD_NAMES: Readonly<Record<string, string>> = {
  '/invoice/header/invoice_number': 'number',
  '/invoice/issue_data/issue_date': 'date',
  '/invoice/supplier/tax_id': 'supplier’s id',
  '/invoice/customer/tax_id': 'customer’s id',
  '/invoice/totals/invoice_total': 'total',
  '/invoice/supplier/name': 'supplier’s name',
  [TAXES]: 'taxes',
  '/invoice/totals/total_taxes_withheld': 'withheld',
  '/invoice/payment_details/0/installment_due_date': 'due date',
  [`${IBAN}credited`]: 'IBAN',
}

/** Compares a proposal with the fields that are printed. Unreadable documents and other documents have no fields. */
export function compareReal(
  truth: RealTruth,
  { draft, scores }: Pick<Proposal, 'draft' | 'scores'>,
  companyId: string,
): Field[] {
  if (!truth.legible || truth.kind === 'not an invoice') return []
  const at = (pointer: string): any => valueAt(draft, pointer)
  const entries: readonly TaxEntry[] = at(TAXES) ?? []
  const taxes = truth.taxes ?? []
  const strange = entries.filter((entry) => !taxes.some((tax) => isSameTax(entry, tax)))
  const numbers = [truth.number, ...(truth.number_also ?? [])]
  const series = at('/invoice/header/invoice_series_code') ?? ''
  const field = (pointer: string, expected: unknown, isRight: (actual: any) => boolean): Field[] => {
    if (expected === null || expected === undefined) return []
    const actual = at(pointer)
    const isFine = isRight(actual)
    const wrong = isFine ? null : `${pointer} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`
    const entryScores = strange.map((entry) => scores[`${TAXES}/${entries.indexOf(entry)}/tax_amount`] ?? 0)
    const score = pointer === TAXES && !isFine ? Math.max(0, ...entryScores) : (scores[pointer] ?? null)
    return [{ pointer, isRight: isFine, score, wrong }]
  }
  const same = (pointer: string, expected: unknown) =>
    field(pointer, expected, (actual) => actual === expected)
  const ids = (pointer: string, id: string | null) => field(pointer, id, (actual) => isSameId(actual, id))
  return [
    ...field('/invoice/header/invoice_number', truth.number, (number) =>
      [number, `${series}${number}`].some((one) => isOneOf(one, numbers)),
    ),
    ...same('/invoice/issue_data/issue_date', truth.date),
    ...ids('/invoice/supplier/tax_id', truth.supplier_tax_id),
    ...ids('/invoice/customer/tax_id', isSameId(companyId, truth.customer_tax_id) ? companyId : null),
    ...same('/invoice/totals/invoice_total', truth.total),
    ...field('/invoice/supplier/name', truth.supplier_name, (name) =>
      isOneOf(name, [truth.supplier_name, ...(truth.supplier_name_also ?? [])]),
    ),
    ...field(
      TAXES,
      taxes.length > 0 ? taxes : null,
      () => strange.length === 0 && entries.length === taxes.length,
    ),
    ...field(
      '/invoice/totals/total_taxes_withheld',
      truth.withheld?.amount,
      (amount) => Math.abs(amount ?? 0) === Math.abs(truth.withheld?.amount ?? 0),
    ),
    ...same('/invoice/payment_details/0/installment_due_date', truth.due_date),
    ...field(`${IBAN}credited`, truth.iban, (iban) => isOneOf(iban ?? at(`${IBAN}debited`), [truth.iban])),
  ]
}

/** Sends the documents. The company is the customer that is printed, if it can have an account, else another company. */
export async function measureReal(
  server: TestServer,
  documents: readonly RealDocument[],
  say: (line: string) => void = () => undefined,
): Promise<RealMeasured[]> {
  const companies = new Map<string, TestCompany>()
  const companyOf = async ({ customer_tax_id, customer_name }: RealTruth): Promise<TestCompany> => {
    const { valid, normalized, person_type_code } = checkTaxId(customer_tax_id ?? '', 'ES')
    const isSpanish = valid && person_type_code !== null
    const data = isSpanish
      ? { tax_id: normalized, legal_name: customer_name ?? 'Cliente', person_type_code }
      : { tax_id: OURS.tax_id, legal_name: OURS.name }
    const company =
      companies.get(data.tax_id) ?? (await server.company({ ...data, plan: { recognition_quota: 10_000 } }))
    companies.set(data.tax_id, company)
    return company
  }
  const measured: RealMeasured[] = []
  for (const document of documents) {
    const { truth, medium } = document
    const company = await companyOf(truth)
    const proposal = await propose(server, company, document.read())
    const fields = compareReal(truth, proposal, company.data.tax_id)
    const sure = fields.flatMap(({ wrong, score }) => (wrong !== null && (score ?? 0) >= 0.9 ? [wrong] : []))
    const outcome = { ...proposal, medium, fields, sure }
    const isForCompany = isSameId(company.data.tax_id, truth.customer_tax_id)
    const isTrap = truth.kind === 'not an invoice' || !isForCompany
    measured.push({
      ...outcome,
      document,
      isReadyAndWrong: isReadyAndWrong(outcome) || (proposal.status === 'ready' && isTrap),
    })
    if (measured.length % 20 === 0) say(`real: ${measured.length} of ${documents.length}`)
  }
  return measured
}
