/** Reads header, dates and references. */
import { required } from '#core/errors/index.ts'
import type { CanonicalInvoiceInput } from '#core/invoice/index.ts'
import {
  CORRECTION_METHODS,
  CORRECTIVE_CLASSES,
  FACTURAE_CODE_BY_REASON,
  REASON_BY_FACTURAE_CODE,
  REASON_DETAILS,
  TYPE_CODES,
} from './facturae-codes.ts'
import { type Cursor, optional, undefinedIfEmpty } from './facturae-cursor.ts'
import { numberWithSeries } from './number.ts'

type Header = CanonicalInvoiceInput['invoice']['header']
type IssueData = CanonicalInvoiceInput['invoice']['issue_data']

/** `InvoiceIssuerType` of an invoice issued by the buyer. */
const ISSUED_BY_BUYER = 'RE'

function typeOf(header: Cursor, issuer: string | undefined): Header['invoice_type_code'] {
  const [ordinary, corrective] = required(TYPE_CODES[required(header.text('InvoiceDocumentType'))])
  if (CORRECTIVE_CLASSES.includes(required(header.text('InvoiceClass'))))
    return corrective as Header['invoice_type_code']
  return (ordinary === '01' && issuer === ISSUED_BY_BUYER ? '05' : ordinary) as Header['invoice_type_code']
}

/**
 * Returns the canonical reason. For reasons that Facturae does not have, the writer uses an approximate code and
 * prefixes the description with a text. This text identifies the reason here.
 */
function reasonOf(code: string, text: string | undefined): { code: string; text: string | undefined } {
  for (const [reason, detail] of Object.entries(REASON_DETAILS))
    if (FACTURAE_CODE_BY_REASON[reason] === code && text?.startsWith(detail))
      return { code: reason, text: text.slice(detail.length).replace(/^: /, '') || undefined }
  return { code: REASON_BY_FACTURAE_CODE[code] ?? code, text }
}

function correctiveOf(corrective: Cursor) {
  const number = corrective.text('InvoiceNumber')
  const series = corrective.text('InvoiceSeriesCode')
  const reason = reasonOf(
    required(corrective.text('ReasonCode')),
    corrective.text('AdditionalReasonDescription'),
  )
  const period = corrective.need('TaxPeriod')
  return {
    reason_code: reason.code,
    ...optional('reason_description', reason.text),
    ...optional('invoice_number', number && numberWithSeries(number, series)),
    ...optional('invoice_series_code', series),
    ...optional('invoice_issue_date', corrective.date('InvoiceIssueDate')),
    correction_type: required(CORRECTION_METHODS[required(corrective.text('CorrectionMethod'))]).type,
    tax_period: {
      ...optional('start_date', period.date('StartDate')),
      ...optional('end_date', period.date('EndDate')),
    },
  }
}

/**
 * Returns the references of the document. Before 3.2.2 only lines have references, so the references of the first line
 * are used for the document.
 */
function referencesOf(issue: Cursor, line: Cursor, has: boolean) {
  const from = has ? issue : line
  return undefinedIfEmpty({
    ...optional('receiver_transaction_reference', from.text('ReceiverTransactionReference')),
    ...optional('receiver_contract_reference', from.text('ReceiverContractReference')),
    ...optional('issuer_contract_reference', line.text('IssuerContractReference')),
    ...optional('file_reference', from.text('FileReference')),
  })
}

export function headerOf(invoice: Cursor, issuer: string | undefined, latest: boolean): Header {
  const header = invoice.need('InvoiceHeader')
  const corrective = header.block('Corrective')
  const series = header.text('InvoiceSeriesCode')
  const number = header.text('InvoiceNumber')
  const line = required(invoice.list('Items', 'InvoiceLine')[0])
  return {
    invoice_type_code: typeOf(header, issuer),
    ...optional('invoice_series_code', series),
    ...optional('invoice_number', number && numberWithSeries(number, series)),
    ...optional('references', referencesOf(invoice.need('InvoiceIssueData'), line, latest)),
    ...optional('corrective', corrective && correctiveOf(corrective)),
  } as Header
}

/** Maximum number of characters of `invoice_description`; longer texts become additional information. */
const MAX_DESCRIPTION = 500

/** Returns the description and the additional information of a document. */
export function textsOf(invoice: Cursor, latest: boolean) {
  const more = invoice.block('AdditionalData')?.text('InvoiceAdditionalInformation')
  const own = invoice.need('InvoiceIssueData').text('InvoiceDescription')
  const text = latest ? own : more
  const fits = text !== undefined && text.length <= MAX_DESCRIPTION
  return {
    description: fits ? text : undefined,
    additional: fits || text === more ? more : [text, more].filter(Boolean).join('\n') || undefined,
  }
}

export function issueDataOf(
  invoice: Cursor,
  taxGroup: string,
  description: string | undefined,
  currency: IssueData['invoice_currency'],
): IssueData {
  const issue = invoice.need('InvoiceIssueData')
  const period = issue.block('InvoicingPeriod')
  return {
    issue_date: required(issue.date('IssueDate')),
    ...optional('operation_date', issue.date('OperationDate')),
    ...optional('invoicing_period_start_date', period?.date('StartDate')),
    ...optional('invoicing_period_end_date', period?.date('EndDate')),
    tax_group_code: taxGroup,
    ...optional('tax_currency_code', issue.text('TaxCurrencyCode')),
    ...optional('invoice_description', description),
    ...optional('invoice_currency', currency),
  } as IssueData
}
