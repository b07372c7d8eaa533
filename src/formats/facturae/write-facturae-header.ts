/** Writes header, dates, references and the correction. */
import { invoiceTypeOf } from '#core/catalogs/index.ts'
import { required } from '#core/errors/index.ts'
import {
  CORRECTION_METHODS,
  FACTURAE_CODE_BY_REASON,
  REASON_DETAILS,
  REASON_TEXTS,
} from './facturae-codes.ts'
import { seriesPrefixOf } from './number.ts'
import { decimal, type Writer } from './write-context.ts'

const PATH = '/invoice/header'

function numberOf(writer: Writer, number: string | undefined, series: string | undefined, path: string) {
  const text = writer.need(number, 20, `${path}/invoice_number`)
  const beside = seriesPrefixOf(text, series)
  return {
    InvoiceNumber: text,
    InvoiceSeriesCode: writer.text(beside, 20, `${path}/invoice_series_code`),
  }
}

const LAST_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/** Returns the first and last day of the month of a date. */
function monthOf(day: string): { StartDate: string; EndDate: string } {
  const [year, month] = day.split('-').map(Number) as [number, number]
  const last = month === 2 && isLeap(year) ? 29 : LAST_DAYS[month - 1]
  const start = day.slice(0, 8)
  return { StartDate: `${start}01`, EndDate: `${start}${last}` }
}

function correctiveOf(writer: Writer) {
  const { corrective } = writer.invoice.header
  const path = `${PATH}/corrective`
  if (!corrective) {
    writer.report.refuse('missing', path)
    return {}
  }
  const reason = corrective.reason_code ?? ''
  if (reason === '') writer.report.refuse('missing', `${path}/reason_code`)
  const code = FACTURAE_CODE_BY_REASON[reason] ?? reason
  const method = corrective.correction_type === 'S' ? '01' : '02'
  if (corrective.correction_type === undefined) writer.report.refuse('missing', `${path}/correction_type`)
  const { start_date: start, end_date: end } = corrective.tax_period ?? {}
  const day = corrective.invoice_issue_date
  const period =
    start !== undefined && end !== undefined
      ? { StartDate: start, EndDate: end }
      : day === undefined
        ? undefined
        : monthOf(day)
  if (period === undefined) writer.report.refuse('missing', `${path}/tax_period`)
  const description = [REASON_DETAILS[reason], corrective.reason_description].filter(Boolean).join(': ')
  return {
    ...numberOf(writer, corrective.invoice_number, corrective.invoice_series_code, path),
    ReasonCode: code,
    ReasonDescription: REASON_TEXTS[code] ?? '',
    TaxPeriod: period,
    CorrectionMethod: method,
    CorrectionMethodDescription: required(CORRECTION_METHODS[method]).text,
    AdditionalReasonDescription: writer.text(description, 2500, `${path}/reason_description`),
    InvoiceIssueDate: day,
  }
}

export function headerOf(writer: Writer): object {
  const { header } = writer.invoice
  const type = required(invoiceTypeOf(header.invoice_type_code))
  return {
    ...numberOf(writer, header.invoice_number, header.invoice_series_code, PATH),
    InvoiceDocumentType: type.facturae_document,
    InvoiceClass: type.facturae_class,
    Corrective: type.is_corrective ? correctiveOf(writer) : undefined,
  }
}

function exchangeOf(writer: Writer) {
  if (!writer.isForeign) return undefined
  const path = '/invoice/issue_data/invoice_currency'
  const { exchange_rate: rate, exchange_rate_date: day } = required(
    writer.invoice.issue_data.invoice_currency,
  )
  if (rate === undefined) writer.report.refuse('missing', `${path}/exchange_rate`)
  if (day === undefined) writer.report.refuse('missing', `${path}/exchange_rate_date`)
  return { ExchangeRate: decimal(rate ?? 0), ExchangeRateDate: day ?? '' }
}

function periodOf(writer: Writer) {
  const { invoicing_period_start_date: start, invoicing_period_end_date: end } = writer.invoice.issue_data
  if (start === undefined && end === undefined) return undefined
  const path = '/invoice/issue_data/invoicing_period'
  if (start === undefined) writer.report.refuse('missing', `${path}_start_date`)
  if (end === undefined) writer.report.refuse('missing', `${path}_end_date`)
  return { StartDate: start ?? '', EndDate: end ?? '' }
}

/** Language of the legal texts in the invoice. */
const LANGUAGE = 'es'

export function issueDataOf(writer: Writer): object {
  const { issue_data: issue, header } = writer.invoice
  const references = header.references ?? {}
  const reference = (name: keyof typeof references) =>
    writer.text(references[name], 20, `${PATH}/references/${name}`)
  if (issue.issue_date === undefined) writer.report.refuse('missing', '/invoice/issue_data/issue_date')
  return {
    IssueDate: issue.issue_date ?? '',
    OperationDate: issue.operation_date,
    InvoicingPeriod: periodOf(writer),
    InvoiceCurrencyCode: writer.currency,
    ExchangeRateDetails: exchangeOf(writer),
    TaxCurrencyCode: issue.tax_currency_code ?? 'EUR',
    LanguageName: LANGUAGE,
    InvoiceDescription: issue.invoice_description,
    ReceiverTransactionReference: reference('receiver_transaction_reference'),
    FileReference: reference('file_reference'),
    ReceiverContractReference: reference('receiver_contract_reference'),
  }
}
