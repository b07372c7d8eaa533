/** Writes a canonical invoice as Facturae 3.2.2. */
import { required } from '#core/errors/index.ts'
import type { CanonicalInvoice, PaymentDetail, TaxOutput } from '#core/invoice/index.ts'
import { isMarginKey, NON_TAXABLE, REGIME_MENTIONS, REVERSE_CHARGE } from '#core/invoice/terms.ts'
import { toMinor, toNumber } from '#core/money/index.ts'
import { refuseMixedRegimes, type Tree, type WritingOptions, type WritingReport } from '../model/index.ts'
import { ATTACHMENT_TYPES, TAX_TYPES } from './facturae-codes.ts'
import { undefinedIfEmpty } from './facturae-cursor.ts'
import {
  mentionsReverseCharge,
  REVERSE_CHARGE_TEXT,
  regimeKeysOf,
  regimeNamed,
} from './facturae-treatment.ts'
import { twoDecimals, Writer } from './write-context.ts'
import { headerOf, issueDataOf } from './write-facturae-header.ts'
import { linesOf, taxTypeOf } from './write-facturae-lines.ts'
import { checkCentres, partiesOf } from './write-parties.ts'
import { taxesOutputsOf, taxesWithheldOf, totalsOf, type WrittenTotals } from './write-totals.ts'

const ROOT = 'Facturae'
const VERSION = '3.2.2'

function fileHeader(writer: Writer, totals: WrittenTotals) {
  const { header, supplier } = writer.invoice
  const amount = ([value, euros]: readonly [number, number]) => writer.block(value, euros)
  return {
    SchemaVersion: VERSION,
    Modality: 'I',
    InvoiceIssuerType: header.invoice_type_code === '05' ? 'RE' : 'EM',
    Batch: {
      BatchIdentifier: `${supplier.tax_id ?? ''}${header.invoice_number ?? ''}`,
      InvoicesCount: '1',
      TotalInvoicesAmount: amount(totals.invoiceTotal),
      TotalOutstandingAmount: amount(totals.outstanding),
      TotalExecutableAmount: amount(totals.executable),
      InvoiceCurrencyCode: writer.currency,
    },
  }
}

/** Returns the means of payment. If it is missing, the account implies transfer or direct debit. */
const meansOf = (detail: PaymentDetail): string | undefined =>
  detail.payment_method_code ??
  (detail.iban_account_to_be_credited ? '04' : detail.iban_account_to_be_debited ? '02' : undefined)

function installment(
  writer: Writer,
  detail: PaymentDetail,
  amount: number | undefined,
  only: boolean,
  path: string,
) {
  // A single instalment without a due date is due at once (art. 1113 Código Civil). Several instalments must have due
  // dates.
  const dueDate = detail.installment_due_date ?? (only ? writer.invoice.issue_data.issue_date : undefined)
  const account = (iban: string | undefined, name: string) => {
    const text = writer.text(iban?.replace(/\s/g, ''), 34, `${path}/${name}`)
    return text === undefined ? undefined : { IBAN: text }
  }
  if (amount === undefined) writer.missingAmount(`${path}/installment_amount`)
  else if (toNumber(toMinor(amount)) !== amount)
    writer.report.refuse('currency_decimals', `${path}/installment_amount`, {
      received: writer.currency,
      decimals: writer.decimals,
    })
  return {
    InstallmentDueDate: writer.need(dueDate, 10, `${path}/installment_due_date`),
    InstallmentAmount: twoDecimals(amount ?? 0),
    PaymentMeans: writer.need(meansOf(detail), 2, `${path}/payment_method_code`),
    AccountToBeCredited: account(detail.iban_account_to_be_credited, 'iban_account_to_be_credited'),
    PaymentReconciliationReference: writer.textOf(detail, 'payment_reconciliation_reference', 60, path),
    AccountToBeDebited: account(detail.iban_account_to_be_debited, 'iban_account_to_be_debited'),
    CollectionAdditionalInformation: writer.textOf(detail, 'collection_additional_information', 2500, path),
  }
}

/** Whether an instalment states data beyond the totals. The engine fills in only the amount of a single instalment. */
const addsDetails = (detail: PaymentDetail): boolean =>
  Object.keys(detail).some((member) => member !== 'installment_amount')

function paymentsOf(writer: Writer, totals: WrittenTotals) {
  const details = writer.invoice.payment_details ?? []
  if (details.length === 0 || (details.length === 1 && !addsDetails(required(details[0])))) return undefined
  const path = '/invoice/payment_details'
  const amounts = writer.amountsOf(
    details.map(({ installment_amount: amount }) => ({ amount })),
    totals.executable[0],
  )
  return {
    Installment: details.map((detail, index) =>
      installment(
        writer,
        detail,
        writer.isForeign ? amounts[index] : detail.installment_amount,
        details.length === 1,
        `${path}/${index}`,
      ),
    ),
  }
}

/** Returns the mentions of the document and the lines, except those written in the `SpecialTaxableEvent` of a line. */
function literalsOf(writer: Writer) {
  const { legal_literals: own = [], lines } = writer.invoice
  const found = new Map<string, string>()
  own.forEach(({ legal_reference: text }, index) => {
    found.set(text.trim(), `/invoice/legal_literals/${index}/legal_reference`)
  })
  lines.forEach((line, at) => {
    line.legal_literals?.forEach(({ legal_reference: text }, index) => {
      const inEvent = index === 0 && line.tax_treatment_code === NON_TAXABLE
      const path = `/invoice/lines/${at}/legal_literals/${index}/legal_reference`
      if (!inEvent && !found.has(text.trim())) found.set(text.trim(), path)
    })
  })
  const isCharged = lines.some((line) => line.tax_treatment_code === REVERSE_CHARGE)
  if (isCharged && !mentionsReverseCharge([...found.keys()]))
    found.set(REVERSE_CHARGE_TEXT, '/invoice/legal_literals')
  for (const { tax_regime_key: key } of lines)
    if (isMarginKey(key) && ![...found.keys()].some((text) => regimeNamed(text) === key))
      found.set(REGIME_MENTIONS[key], '/invoice/legal_literals')
  return [...found].flatMap(([text, path]) => writer.text(text, 250, path) ?? [])
}

/**
 * Refuses lines that a reader would assign to another special regime, because mentions do not name the lines they apply
 * to.
 */
function refuseUnreadableRegimes(writer: Writer, literals: readonly string[]): void {
  const { lines, taxes_outputs: entries = [] } = writer.invoice
  const stated = lines.map((line, index) => ({
    line: { ...line, tax_regime_key: TAX_TYPES[taxTypeOf(writer, line.tax_regime_key)]?.key },
    gross: writer.amount(line, 'gross_amount_without_tax', `/invoice/lines/${index}`),
    base: writer.amount(line, 'tax_output_base', `/invoice/lines/${index}`),
  }))
  refuseMixedRegimes(lines, regimeKeysOf(stated, literals), writer.report)
  // A reader recognises the entry of the margin scheme by its base, but only if a single other entry has the same tax
  // type and rate.
  const typeOf = ({ tax_regime_key: key, tax_rate: rate, tax_treatment_code: treatment }: TaxOutput) =>
    `${taxTypeOf(writer, key)} ${treatment} ${rate}`
  const at = entries.findIndex((entry) => {
    const alike = entries.filter((other) => typeOf(other) === typeOf(entry))
    const others = alike.filter(({ tax_regime_key: key }) => key !== entry.tax_regime_key)
    return isMarginKey(entry.tax_regime_key) && others.length > 0 && alike.length > 2
  })
  if (at >= 0)
    writer.report.refuse('regime_mixed', `/invoice/taxes_outputs/${at}/tax_regime_key`, {
      received: entries[at]?.tax_regime_key,
    })
}

function attachmentsOf(writer: Writer) {
  return undefinedIfEmpty(
    writer.attachments.map(({ file_name: name, content_type: type, data, description }, index) => {
      const format = Object.entries(ATTACHMENT_TYPES).find(([, known]) => known === type)?.[0]
      const path = `/attachments/${index}`
      if (format === undefined) writer.report.refuse('unknown_code', path, { received: type })
      return {
        AttachmentCompressionAlgorithm: 'NONE',
        AttachmentFormat: format ?? '',
        AttachmentEncoding: 'BASE64',
        AttachmentDescription: writer.text(description ?? name, 2500, path),
        AttachmentData: data,
      }
    }),
  )
}

function additionalData(writer: Writer) {
  const { additional_data: data, payment_terms: terms } = writer.invoice
  const path = '/invoice/additional_data'
  const text = [data?.invoice_additional_information, terms].filter(Boolean).join('\n')
  const attachments = attachmentsOf(writer)
  return undefinedIfEmpty({
    RelatedInvoice: writer.text(data?.related_invoice?.number, 40, `${path}/related_invoice/number`),
    RelatedDocuments: attachments && { Attachment: attachments },
    InvoiceAdditionalInformation: writer.text(text, 2500, `${path}/invoice_additional_information`),
  })
}

export function writeFacturae(
  document: CanonicalInvoice,
  report: WritingReport,
  { attachments, profile }: WritingOptions,
): { root: string; tree: Tree } {
  const writer = new Writer(document, report, attachments)
  if (profile?.centres) checkCentres(writer, profile.centres)
  const totals = totalsOf(writer)
  const withheld = undefinedIfEmpty(taxesWithheldOf(writer))
  const literals = literalsOf(writer)
  refuseUnreadableRegimes(writer, literals)
  const tree = {
    FileHeader: fileHeader(writer, totals),
    Parties: partiesOf(writer),
    Invoices: {
      Invoice: [
        {
          InvoiceHeader: headerOf(writer),
          InvoiceIssueData: issueDataOf(writer),
          TaxesOutputs: { Tax: taxesOutputsOf(writer) },
          TaxesWithheld: withheld && { Tax: withheld },
          InvoiceTotals: totals.block,
          Items: { InvoiceLine: linesOf(writer) },
          PaymentDetails: paymentsOf(writer, totals),
          LegalLiterals: undefinedIfEmpty(literals) && { LegalReference: literals },
          AdditionalData: additionalData(writer),
        },
      ],
    },
  }
  return { root: ROOT, tree }
}
