/** Maps the semantic model to an invoice of json_1_1, with the totals that the document states. */
import { required } from '#core/errors/index.ts'
import type { CanonicalInvoiceInput } from '#core/invoice/index.ts'
import { CASH_BASIS } from '#core/invoice/terms.ts'
import { toMinor, toNumber } from '#core/money/index.ts'
import {
  type EmbeddedFile,
  type FormatCode,
  firstAtOrAbove,
  isUnderCashBasis,
  type ReadingOptions,
  type ReadingReport,
  type Statement,
} from '../model/index.ts'
import type { Category, EnInvoice, Locations, Party, Tax } from './en16931-model.ts'
import { keyOf } from './en16931-rules.ts'
import { joinTexts } from './en16931-texts.ts'
import { type TaxGroup, type Treatment, taxGroupsOf, treatmentOfTax } from './en16931-treatment.ts'
import {
  correctiveOf,
  currencyOf,
  isCashBasis,
  isSimplified,
  legalMentionsOf,
  NO_TERMS,
  paymentOf,
  SUBJECT,
  textsOf,
  totalsInEuros,
} from './read-en16931-header.ts'
import { hasNumericLineIds, type LineContext, type LineInput, lineInputOf } from './read-en16931-lines.ts'
import { adjustmentsOf, taxOutputsOf } from './read-en16931-taxes.ts'
import {
  countryOfParty,
  customerOf,
  hasUnmappedEndpoint,
  isAssumedSpanish,
  supplierOf,
  unknownCountryOf,
} from './read-party.ts'
import { withoutUndefined } from './tree.ts'
import { type DocumentType, documentTypeOf } from './type-codes.ts'

type Totals = CanonicalInvoiceInput['invoice']['totals']

/** Returns the treatment of each breakdown entry, which applies to all its lines; null if an entry is refused. */
function treatmentsOf(invoice: EnInvoice, group: TaxGroup, report: ReadingReport) {
  const country = countryOfParty(invoice.seller)
  const isForeign = country !== undefined && country !== 'ES'
  const known = new Map<string, Treatment>()
  for (const tax of invoice.taxes) {
    const treatment = treatmentOfTax(tax, group, isForeign)
    if (treatment === undefined) {
      report.refuse('format.tax_not_supported', tax.at, { received: tax.category })
      return null
    }
    known.set(keyOf(tax), treatment)
  }
  return (one: Category): Treatment => required(known.get(keyOf(one)))
}

function totalsOf(invoice: EnInvoice, sign: 1 | -1, locations: Locations, report: ReadingReport): Totals {
  const { base, tax = 0, total, prepaid = 0, rounding = 0, payable } = invoice.totals
  const signed = (amount: number): number => toNumber(sign * toMinor(amount))
  const totals: Totals = {
    total_gross_amount_before_taxes: signed(base),
    total_tax_outputs: signed(tax),
    invoice_total: signed(total),
    total_executable_amount: signed(payable),
  }
  if (rounding !== 0) totals.rounding_amount = signed(rounding)
  if (prepaid === 0) return totals
  report.warn('en16931.prepaid_date', locations.prepaid, { received: prepaid, used: invoice.issueDate })
  totals.payments_on_account = [
    { payment_on_account_date: invoice.issueDate, payment_on_account_amount: signed(prepaid) },
  ]
  return totals
}

const attachmentsOf = ({ attachments }: EnInvoice): EmbeddedFile[] =>
  attachments.map(({ id, description, fileName, contentType, data }) => {
    const text = description ?? (id === fileName ? undefined : id)
    return {
      file_name: fileName,
      content_type: contentType,
      data,
      ...(text === undefined ? {} : { description: text }),
    }
  })

interface Parts {
  readonly invoice: EnInvoice
  readonly type: DocumentType
  readonly group: TaxGroup
  readonly sign: 1 | -1
  readonly locations: Locations
  readonly report: ReadingReport
}

function issueDataOf({ invoice, group, locations, report }: Parts, description: string | undefined) {
  const { taxPointDate, deliveryDate } = invoice
  return withoutUndefined({
    issue_date: invoice.issueDate,
    operation_date: taxPointDate ?? deliveryDate,
    invoicing_period_start_date: invoice.period?.start,
    invoicing_period_end_date: invoice.period?.end,
    tax_group_code: group,
    tax_currency_code: invoice.accountingCurrency,
    invoice_description: description,
    invoice_currency: currencyOf(invoice, locations, report),
  })
}

const SIMPLIFIED: Readonly<Record<string, string>> = { '01': '02', '03': '04' }

const typeCodeOf = ({ type }: DocumentType, simplified: boolean) =>
  ((simplified ? SIMPLIFIED[type] : undefined) ?? type) as '01' | '02' | '03' | '04' | '05'

function headerOf({ invoice, type, sign }: Parts, description: string | undefined) {
  const references = withoutUndefined({
    receiver_transaction_reference: invoice.order,
    receiver_contract_reference: invoice.contract,
    issuer_contract_reference: invoice.salesOrder,
    file_reference: invoice.project ?? invoice.buyerReference,
  })
  return withoutUndefined({
    invoice_type_code: typeCodeOf(type, isSimplified(invoice)),
    invoice_number: invoice.number,
    references: Object.keys(references).length === 0 ? undefined : references,
    corrective: correctiveOf(invoice, type, sign, description),
  })
}

function additionalOf({ invoice, type }: Parts, information: string | undefined) {
  const [preceding] = type.type === '03' ? [] : invoice.preceding
  const related = preceding && withoutUndefined({ number: preceding.number, issue_date: preceding.date })
  const found = withoutUndefined({ related_invoice: related, invoice_additional_information: information })
  return Object.keys(found).length === 0 ? undefined : found
}

/** Returns a function that maps a pointer into json_1_1 to a location in the tree: that of the longest known prefix. */
function locationsOf(
  { invoice, locations }: Parts,
  { descriptionAt, informationAt }: ReturnType<typeof textsOf>,
): (pointer: string) => string {
  const found = new Map([
    ['/invoice/supplier', locations.seller],
    ['/invoice/customer', locations.buyer],
    ['/invoice/header', locations.number],
    ['/invoice/header/invoice_type_code', locations.typeCode],
    ['/invoice/header/corrective', locations.preceding],
    ['/invoice/issue_data', locations.issueDate],
    ['/invoice/issue_data/invoice_currency', locations.currency],
    ['/invoice/issue_data/invoice_description', descriptionAt ?? locations.issueDate],
    ['/invoice/additional_data', informationAt ?? locations.number],
    [
      '/invoice/legal_literals',
      invoice.notes.find(({ subject }) => subject === SUBJECT.literal)?.at ?? locations.number,
    ],
    ['/invoice/taxes_outputs', locations.taxes],
    ['/invoice/payment_terms', locations.terms],
    ['/invoice/payment_details', locations.payment],
    ['/invoice/totals', locations.payable],
    ['/invoice/totals/total_gross_amount_before_taxes', locations.base],
    ['/invoice/totals/total_tax_outputs', locations.tax],
    ['/invoice/totals/invoice_total', locations.total],
  ])
  return (pointer) => {
    const [, index] = /^\/invoice\/lines\/(\d+)/.exec(pointer) ?? []
    if (index !== undefined) return invoice.lines[Number(index)]?.at ?? locations.lines
    return firstAtOrAbove(pointer, (at) => found.get(at)) ?? ''
  }
}

/** Reports data of a party for which json_1_1 has no field, and a missing country, for which json_1_1 assumes Spain. */
function checkParty(party: Party, at: string, { locations, report }: Parts): void {
  if (hasUnmappedEndpoint(party)) report.warn('format.omitted', `${at}${locations.endpoint}`, {})
  const received = unknownCountryOf(party)
  if (received === undefined) {
    const [rule, term] = at === locations.seller ? ['BR-09', 'BT-40'] : ['BR-11', 'BT-55']
    if (isAssumedSpanish(party)) report.warn('en16931.assumed', at, { rule, term, used: 'ES' })
    return
  }
  const used = countryOfParty(party)
  if (used === undefined) report.refuse('en16931.country_unknown', at, { received })
  else report.warn('en16931.country', at, { received, used })
}

/** Refuses documents that are not invoices, and combinations of taxes that json_1_1 does not allow in one invoice. */
function partsOf(invoice: EnInvoice, locations: Locations, report: ReadingReport): Parts | null {
  const type = documentTypeOf(invoice.typeCode)
  const groups = taxGroupsOf(invoice)
  if (!type) report.refuse('format.document_type', locations.typeCode, { received: invoice.typeCode })
  if (groups.length > 1)
    report.refuse('format.several_tax_groups', locations.taxes, { received: groups.join(', ') })
  if (!type || groups.length > 1) return null
  return { invoice, type, group: required(groups[0]), sign: type.credit ? -1 : 1, locations, report }
}

/** Maps a document that passed the rules to an invoice of json_1_1; null if `report` refused it. */
export function toCanonical(
  invoice: EnInvoice,
  format: FormatCode,
  locations: Locations,
  report: ReadingReport,
  { direction }: ReadingOptions,
): Statement | null {
  const parts = partsOf(invoice, locations, report)
  if (!parts) return null
  const { group, sign, type } = parts
  const treatmentOf = treatmentsOf(invoice, group, report)
  if (!treatmentOf) return null
  const isCash = isCashBasis(invoice.notes)
  const keyOf = (treatment: Treatment) => (isCash && isUnderCashBasis(treatment) ? CASH_BASIS : undefined)
  const context: LineContext = {
    report,
    sign,
    treatmentOf,
    keyOf,
    numbered: hasNumericLineIds(invoice.lines),
  }
  const lines: LineInput[] = invoice.lines.map((line, index) =>
    lineInputOf(line, context, invoice.unmapped?.lines.get(index)),
  )
  const adjustments = adjustmentsOf(invoice, context)
  const texts = textsOf(invoice, type, locations, report)
  checkParty(invoice.seller, locations.seller, parts)
  checkParty(invoice.buyer, locations.buyer, parts)
  const { description } = texts
  const outputs = taxOutputsOf(
    invoice.taxes.filter((tax: Tax) => tax.base !== 0 || tax.tax !== 0 || invoice.taxes.length === 1),
    treatmentOf,
    context,
  )
  const document = {
    schema_version: 'json_1_1',
    meta: { direction, source_system: format, original_format: format },
    invoice: withoutUndefined({
      supplier: supplierOf(invoice.seller),
      customer: customerOf(invoice.buyer),
      header: headerOf(parts, description),
      issue_data: issueDataOf(parts, description),
      lines: [...lines, ...adjustments.lines],
      taxes_outputs: outputs,
      totals: { ...totalsOf(invoice, sign, locations, report), ...adjustments.totals },
      payment_terms:
        invoice.paymentTerms === undefined || invoice.paymentTerms === NO_TERMS
          ? undefined
          : joinTexts([invoice.paymentTerms], locations.terms, report),
      payment_details: paymentOf(invoice, sign),
      legal_literals: legalMentionsOf(invoice, group, locations.number, report),
      additional_data: additionalOf(parts, texts.information),
    }),
  } as CanonicalInvoiceInput
  const inEuros = totalsInEuros(invoice, sign)
  return { document, inEuros, locationOf: locationsOf(parts, texts), attachments: attachmentsOf(invoice) }
}
