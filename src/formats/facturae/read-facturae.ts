/** Reads Facturae into a canonical invoice. */
import { minorUnitsOf } from '#core/catalogs/index.ts'
import { required } from '#core/errors/index.ts'
import type { CanonicalInvoiceInput } from '#core/invoice/index.ts'
import { exact, exactNumber } from '#core/money/index.ts'
import {
  type AmountInEuros,
  type ReadingOptions,
  type ReadingReport,
  rateOf,
  type Statement,
  type Tree,
} from '../model/index.ts'
import { addUp, CENT, distance, roundingTo } from './facturae-amounts.ts'
import { attachmentsOf } from './facturae-attachments.ts'
import { TAX_TYPES, type TaxGroupCode } from './facturae-codes.ts'
import { Cursor, optional, undefinedIfEmpty } from './facturae-cursor.ts'
import { locationsOf } from './facturae-locations.ts'
import { signatureOf } from './facturae-signature.ts'
import {
  checkBatch,
  checkSums,
  readTotals,
  refuseUnsupportedAmounts,
  type TotalsRead,
  toleranceOf,
  totalBeforeWithholding,
} from './facturae-sums.ts'
import { regimeKeysOf, regimeNamed, sharedTreatment } from './facturae-treatment.ts'
import type { FacturaeCode } from './facturae-vocabulary.ts'
import { headerOf, issueDataOf, textsOf } from './read-facturae-header.ts'
import { type LineContext, type ReadLine, readLine, withRegime } from './read-facturae-lines.ts'
import { taxesOutputsOf, taxesWithheldOf, withWithholding } from './read-facturae-taxes.ts'
import { linesOutsideBase, linesWithinBase } from './read-outside.ts'
import { customerOf, partyOf } from './read-parties.ts'
import { paymentsOf, totalsOf } from './read-payment.ts'
import { reportUnsupported } from './unsupported.ts'

type Invoice = CanonicalInvoiceInput['invoice']

export const invoicesOf = (tree: Tree): Cursor[] => new Cursor(tree, '').list('Invoices', 'Invoice')

/** Returns the tax group of the first tax that has a group. Lines of another group are refused later. */
const groupOf = (invoice: Cursor): TaxGroupCode =>
  invoice
    .list('TaxesOutputs', 'Tax')
    .map((tax) => TAX_TYPES[required(tax.text('TaxTypeCode'))]?.group)
    .find((group) => group !== undefined) ?? 'IVA'

/** Returns the sum of amounts of the breakdown in both currencies; undefined if an entry does not state both. */
function equivalentOf(
  invoice: Cursor,
  name: string,
  added?: string,
  list = 'TaxesOutputs',
): AmountInEuros | undefined {
  const taxes = invoice.list(list, 'Tax')
  const more = added === undefined ? [] : taxes.flatMap((tax) => tax.block(added) ?? [])
  const blocks = [...taxes.map((tax) => tax.block(name)), ...more]
  const euros = blocks.map((block) => block?.number('EquivalentInEuros'))
  if (blocks.length === 0 || euros.includes(undefined)) return undefined
  const amounts = blocks.map((block) => required(block?.number('TotalAmount')))
  return { amount: addUp(amounts), euros: addUp(euros as number[]) }
}

/** Returns a total in euros if the breakdown adds up to the total. Untaxed lines can be missing from the breakdown. */
const eurosOf = (sum: AmountInEuros | undefined, total: number): number | undefined =>
  sum && distance(sum.amount, total) === 0 ? sum.euros : undefined

/**
 * Returns the currency of the amounts, if not the euro. The canonical rate is euros per unit. Some issuers state units
 * per euro; the amounts in euros show which form the document uses.
 */
function currencyOf(invoice: Cursor, report: ReadingReport): Invoice['issue_data']['invoice_currency'] {
  const issue = invoice.need('InvoiceIssueData')
  const code = required(issue.text('InvoiceCurrencyCode'))
  if (code === 'EUR') return undefined
  const details = issue.block('ExchangeRateDetails')
  const written = details?.number('ExchangeRate') || undefined
  const base = equivalentOf(invoice, 'TaxableBase')
  const distanceAt = (factor: number) => Math.abs((base?.amount ?? 0) * factor - (base?.euros ?? 0))
  const centsAt = (factor = 1) => (toleranceOf(invoice) / CENT) * Math.max(1, factor)
  const inverse = written && exactNumber(exact(1).div(written))
  const isInverse =
    written &&
    inverse &&
    distanceAt(written) * 100 > centsAt(written) &&
    distanceAt(inverse) < distanceAt(written)
  const stated = isInverse ? inverse : written
  const { rate, isCalculated } = rateOf(stated, base, centsAt(stated))
  if (isCalculated) report.warn('format.exchange_rate', issue.at('InvoiceCurrencyCode'), { used: rate })
  return {
    invoice_currency_code: code,
    ...(rate === undefined
      ? {}
      : {
          exchange_rate: rate,
          exchange_rate_date: details?.date('ExchangeRateDate') ?? required(issue.date('IssueDate')),
        }),
  }
}

const literalsOf = (invoice: Cursor): string[] => {
  const block = invoice.block('LegalLiterals')?.tree.LegalReference as readonly string[] | undefined
  return (block ?? []).map((text) => text.trim()).filter((text) => text !== '')
}

/** Returns the legal mentions, with the code of the mentioned special regime. */
const mentionsOf = (literals: readonly string[], group: TaxGroupCode): Invoice['legal_literals'] =>
  undefinedIfEmpty(
    literals.map((text) => {
      const key = regimeNamed(text)
      const code = key === undefined ? undefined : `${group === 'IGIC' ? '1' : '0'}${key}`
      return { ...optional('code', code), legal_reference: text }
    }),
  )

interface Amounts {
  readonly lines: readonly ReadLine[]
  readonly members: Pick<Invoice, 'taxes_outputs' | 'taxes_withheld' | 'totals'>
}

/** Returns lines, breakdown and totals; null if they do not match. */
function amountsOf(
  invoice: Cursor,
  read: TotalsRead,
  context: LineContext,
  literals: readonly string[],
  decimals: number,
): Amounts | null {
  const { report, round } = context
  const tolerance = toleranceOf(invoice)
  const own = invoice.list('Items', 'InvoiceLine').map((line) => readLine(line, context))
  if (own.includes(null)) return null
  const keys = regimeKeysOf(own as ReadLine[], literals)
  const priced = (own as ReadLine[]).map((line, index) => withRegime(line, keys[index], round))
  const isMargin = priced.some(({ line }) => line.purchase_price_incl !== undefined)
  const totals = invoice.need('InvoiceTotals')
  const bases = addUp(invoice.list('TaxesOutputs', 'Tax').map((tax) => required(tax.amount('TaxableBase'))))
  // Untaxed lines may be missing from the breakdown, and under the margin scheme bases are smaller than the sale.
  const zero = priced.filter(({ rate }) => rate === 0).map(({ gross }) => gross)
  const listed = invoice.list('TaxesOutputs', 'Tax').some((tax) => tax.number('TaxRate') === 0)
  const stated = listed ? bases : addUp([bases, ...zero])
  const outside = isMargin
    ? { lines: [], adjustments: false }
    : linesOutsideBase(totals, priced, stated, tolerance, round, report)
  const all = linesWithinBase(priced, outside)
  const withheld = taxesWithheldOf(invoice, round, decimals)
  const shares = outside.adjustments ? 0 : addUp([read.surcharges, -read.discounts])
  const lines = withWithholding(all, withheld, shares, read.outputs, tolerance)
  if (lines === null) {
    report.refuse('format.withholding_unassigned', invoice.at('TaxesWithheld'), { received: read.withheld })
    return null
  }
  const total = totalBeforeWithholding(read)
  const members = {
    taxes_outputs: taxesOutputsOf(invoice, lines, outside.lines, shares, round, decimals),
    ...optional('taxes_withheld', undefinedIfEmpty(withheld)),
    totals: totalsOf(invoice, read, total, !outside.adjustments, round),
  }
  return { lines, members: members as Amounts['members'] }
}

function checkDocument(root: Cursor, invoice: Cursor, read: TotalsRead, report: ReadingReport): void {
  checkBatch(root, [invoice], report)
  checkSums(invoice, read, report)
  refuseUnsupportedAmounts(invoice, read, report)
  reportUnsupported(root.tree, report)
  if (root.tree.Signature !== undefined) report.warn('format.signature_not_verified', '/Signature')
}

/** Returns the members of the invoice other than lines and amounts. */
function restOf(root: Cursor, invoice: Cursor, group: TaxGroupCode, latest: boolean, report: ReadingReport) {
  const parties = root.need('Parties')
  const issuer = root.need('FileHeader').text('InvoiceIssuerType')
  const texts = textsOf(invoice, latest)
  const related = invoice.block('AdditionalData')?.text('RelatedInvoice')
  const additional = undefinedIfEmpty({
    ...optional('related_invoice', related === undefined ? undefined : { number: related }),
    ...optional('invoice_additional_information', texts.additional),
  })
  return {
    supplier: partyOf(parties.need('SellerParty')),
    customer: customerOf(parties.need('BuyerParty')),
    header: headerOf(invoice, issuer, latest),
    issue_data: issueDataOf(invoice, group, texts.description, currencyOf(invoice, report)),
    ...optional('payment_details', paymentsOf(invoice)),
    ...optional('legal_literals', mentionsOf(literalsOf(invoice), group)),
    ...optional('additional_data', additional),
  }
}

export function readFacturae(
  code: FacturaeCode,
  tree: Tree,
  report: ReadingReport,
  { direction }: ReadingOptions,
): Statement | null {
  const root = new Cursor(tree, '')
  const invoice = required(invoicesOf(tree)[0])
  const read = readTotals(invoice)
  checkDocument(root, invoice, read, report)
  const group = groupOf(invoice)
  const literals = literalsOf(invoice)
  const currency = required(invoice.need('InvoiceIssueData').text('InvoiceCurrencyCode'))
  const decimals = minorUnitsOf(currency) ?? 2
  const shared = sharedTreatment(invoice.list('Items', 'InvoiceLine'), group, literals)
  const context: LineContext = { group, shared, round: roundingTo(decimals), report }
  const amounts = amountsOf(invoice, read, context, literals, decimals)
  if (amounts === null) return null
  const { lines, members } = amounts
  const document = {
    schema_version: 'json_1_1',
    meta: { direction, source_system: 'facturae', original_format: code },
    invoice: {
      ...restOf(root, invoice, group, code === 'facturae_3_2_2', report),
      lines: lines.map(({ line }) => line),
      ...members,
    },
  } as CanonicalInvoiceInput
  const signature = tree.Signature as string | undefined
  return {
    document,
    inEuros: {
      base: eurosOf(equivalentOf(invoice, 'TaxableBase'), read.beforeTaxes),
      tax: eurosOf(equivalentOf(invoice, 'TaxAmount', 'EquivalenceSurchargeAmount'), read.outputs),
      withheld: equivalentOf(invoice, 'TaxAmount', undefined, 'TaxesWithheld')?.euros,
      payable: root
        .need('FileHeader')
        .need('Batch')
        .block('TotalExecutableAmount')
        ?.number('EquivalentInEuros'),
    },
    locationOf: locationsOf(
      invoice.path,
      lines.map(({ path }) => path),
    ),
    attachments: attachmentsOf(invoice, report),
    signature: signature === undefined ? null : signatureOf(signature),
  }
}
