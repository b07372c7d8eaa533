/** Reads UBL 2.1 (Invoice, CreditNote) into the semantic model, with the mapping of CEN/TS 16931-3-2. */
import { required } from '../../errors/index.ts'
import {
  type Allowance,
  Amounts,
  type Attachment,
  attributeOf,
  type Block,
  below,
  contentOf,
  type DocumentAllowance,
  dayOf,
  type EnInvoice,
  exchangeOf,
  type Id,
  type Line,
  listOf,
  type Note,
  type Party,
  type Payment,
  type Period,
  type PostalAddress,
  type Preceding,
  type Tax,
  type Totals,
  textOf,
} from '../en16931/index.ts'
import type { ReadingReport, Tree } from '../model/index.ts'

const idOf = (block: Block, name: string): Id | undefined => {
  const value = textOf(block, name)
  return value === undefined ? undefined : { value, scheme: attributeOf(block, name, 'schemeID') }
}

const periodOf = (block: Block): Period | undefined => {
  const start = dayOf(textOf(block, 'StartDate'))
  const end = dayOf(textOf(block, 'EndDate'))
  return start === undefined && end === undefined ? undefined : { start, end }
}

const addressOf = (block: Block): PostalAddress => ({
  line1: textOf(block, 'StreetName'),
  line2: textOf(block, 'AdditionalStreetName'),
  line3: textOf(below(block, 'AddressLine'), 'Line'),
  town: textOf(block, 'CityName'),
  postCode: textOf(block, 'PostalZone'),
  subdivision: textOf(block, 'CountrySubentity'),
  country: textOf(below(block, 'Country'), 'IdentificationCode'),
})

function partyOf(party: Block): Party {
  const schemes = listOf(party, 'PartyTaxScheme')
  const isVat = (block: Block): boolean => textOf(below(block, 'TaxScheme'), 'ID')?.toUpperCase() === 'VAT'
  const vat = schemes.find(isVat)
  // A text without digits is a remark, such as the Swedish "Godkänd för F-skatt".
  const other = schemes.find((block) => !isVat(block) && /\d/.test(textOf(block, 'CompanyID') ?? ''))
  const legal = below(party, 'PartyLegalEntity')
  const contact = below(party, 'Contact')
  const trade = textOf(below(party, 'PartyName'), 'Name')
  const registered = textOf(legal, 'RegistrationName')
  return {
    name: registered ?? trade,
    tradeName: registered === undefined || trade === registered ? undefined : trade,
    ids: listOf(party, 'PartyIdentification').flatMap((block) => idOf(block, 'ID') ?? []),
    legalId: idOf(legal, 'CompanyID'),
    vatId: vat && textOf(vat, 'CompanyID'),
    taxId: other && textOf(other, 'CompanyID'),
    endpoint: idOf(party, 'EndpointID'),
    address: party.PostalAddress === undefined ? undefined : addressOf(below(party, 'PostalAddress')),
    contact: textOf(contact, 'Name'),
    telephone: textOf(contact, 'Telephone'),
    mail: textOf(contact, 'ElectronicMail'),
  }
}

/** Matches a note with its subject (BT-21) in the text, such as `#REG#`. UBL has no element for the subject. */
const SUBJECT = /^#([A-Z]{3})#\s*([\s\S]*)$/

const noteOf = (block: Block, at: string): Note | undefined => {
  const text = contentOf(block['#'])
  if (text === undefined) return undefined
  const [, subject, rest] = SUBJECT.exec(text) ?? []
  return subject === undefined || !rest ? { text, at } : { subject, text: rest, at }
}

const categoryOf = (block: Block, amounts: Amounts, at: string) => ({
  category: textOf(block, 'ID') ?? '',
  rate: amounts.decimal(block, 'Percent', at),
})

const allowanceOf = (block: Block, amounts: Amounts, at: string): Allowance => ({
  isCharge: textOf(block, 'ChargeIndicator') === 'true' || textOf(block, 'ChargeIndicator') === '1',
  amount: amounts.amount(block, 'Amount', at) ?? 0,
  base: amounts.amount(block, 'BaseAmount', at),
  percent: amounts.decimal(block, 'MultiplierFactorNumeric', at),
  reason: textOf(block, 'AllowanceChargeReason'),
  reasonCode: textOf(block, 'AllowanceChargeReasonCode'),
})

const documentAllowanceOf = (block: Block, amounts: Amounts, at: string): DocumentAllowance => ({
  ...allowanceOf(block, amounts, at),
  ...categoryOf(below(block, 'TaxCategory'), amounts, `${at}/TaxCategory`),
  at,
})

const taxOf = (block: Block, amounts: Amounts, at: string): Tax => {
  const category = below(block, 'TaxCategory')
  return {
    ...categoryOf(category, amounts, `${at}/TaxCategory`),
    base: amounts.amount(block, 'TaxableAmount', at) ?? 0,
    tax: amounts.amount(block, 'TaxAmount', at) ?? 0,
    reasonCode: textOf(category, 'TaxExemptionReasonCode'),
    reason: textOf(category, 'TaxExemptionReason'),
    at,
  }
}

function lineOf(block: Block, quantityName: string, amounts: Amounts, at: string): Line {
  const item = below(block, 'Item')
  const price = below(block, 'Price')
  const category = below(item, 'ClassifiedTaxCategory')
  return {
    ...categoryOf(category, amounts, `${at}/Item/ClassifiedTaxCategory/0`),
    at,
    id: textOf(block, 'ID'),
    note: textOf(block, 'Note'),
    quantity: amounts.assume(amounts.decimal(block, quantityName, at), 1, at, 'BR-22', 'BT-129'),
    unit: attributeOf(block, quantityName, 'unitCode'),
    net: amounts.amount(block, 'LineExtensionAmount', at) ?? 0,
    orderLine: textOf(below(block, 'OrderLineReference'), 'LineID'),
    period: block.InvoicePeriod === undefined ? undefined : periodOf(below(block, 'InvoicePeriod')),
    allowances:
      block.AllowanceCharge === undefined
        ? NO_ALLOWANCES
        : listOf(block, 'AllowanceCharge').map((one, index) =>
            allowanceOf(one, amounts, `${at}/AllowanceCharge/${index}`),
          ),
    price: amounts.decimal(price, 'PriceAmount', `${at}/Price`) ?? 0,
    priceQuantity: amounts.decimal(price, 'BaseQuantity', `${at}/Price`),
    name: textOf(item, 'Name'),
    description: textOf(item, 'Description'),
    sellerItemId: textOf(below(item, 'SellersItemIdentification'), 'ID'),
  }
}

const NO_ALLOWANCES: readonly Allowance[] = []

/** Returns the tax in each currency. UBL repeats the whole block for the accounting currency (BT-111). */
function taxTotals(tree: Block, currency: string, accounting: string | undefined, report: ReadingReport) {
  const amountIn = (code: string, { block, at }: (typeof blocks)[number]) =>
    new Amounts(report, code).amount(block, 'TaxAmount', at)
  const blocks = listOf(tree, 'TaxTotal').map((block, index) => ({ block, at: `/TaxTotal/${index}` }))
  const inCurrency = (code: string | undefined) =>
    blocks.find(({ block }) => (attributeOf(block, 'TaxAmount', 'currencyID') ?? currency) === code)
  const own = inCurrency(currency)
  const other = accounting === undefined || accounting === currency ? undefined : inCurrency(accounting)
  const isNamed = ({ block }: (typeof blocks)[number]) =>
    attributeOf(block, 'TaxAmount', 'currencyID') !== undefined
  for (const strange of blocks)
    if (strange !== own && strange !== other && isNamed(strange)) amountIn(currency, strange)
  const tax = own && amountIn(currency, own)
  return { own, tax, accountingTax: other && amountIn(required(accounting), other) }
}

function totalsOf(
  tree: Block,
  tax: number | undefined,
  accountingTax: number | undefined,
  amounts: Amounts,
): Totals {
  const block = below(tree, 'LegalMonetaryTotal')
  const amount = (name: string) => amounts.amount(block, name, '/LegalMonetaryTotal')
  const payable = amount('PayableAmount') ?? 0
  return {
    lines: amount('LineExtensionAmount') ?? 0,
    allowances: amount('AllowanceTotalAmount'),
    charges: amount('ChargeTotalAmount'),
    base: amount('TaxExclusiveAmount') ?? 0,
    tax,
    accountingTax,
    total: amounts.assume(amount('TaxInclusiveAmount'), payable, '/LegalMonetaryTotal', 'BR-14', 'BT-112'),
    prepaid: amount('PrepaidAmount'),
    rounding: amount('PayableRoundingAmount'),
    payable,
  }
}

function paymentOf(tree: Block): Payment | undefined {
  const means = listOf(tree, 'PaymentMeans')
  const [first] = means
  if (first === undefined) return undefined
  const accounts = means.flatMap((block) => textOf(below(block, 'PayeeFinancialAccount'), 'ID') ?? [])
  return {
    code: textOf(first, 'PaymentMeansCode'),
    text: attributeOf(first, 'PaymentMeansCode', 'name'),
    reference: means.map((block) => textOf(block, 'PaymentID')).find((text) => text !== undefined),
    creditAccounts: [...new Set(accounts)],
    debitAccount: textOf(below(first, 'PaymentMandate', 'PayerFinancialAccount'), 'ID'),
  }
}

const attachmentsOf = (tree: Block): Attachment[] =>
  listOf(tree, 'AdditionalDocumentReference').flatMap((block) => {
    const file = below(block, 'Attachment')
    const data = textOf(file, 'EmbeddedDocumentBinaryObject')
    if (data === undefined) return []
    const attribute = (name: string) => attributeOf(file, 'EmbeddedDocumentBinaryObject', name)
    const id = textOf(block, 'ID') ?? ''
    return {
      id,
      description: textOf(block, 'DocumentDescription'),
      fileName: attribute('filename') ?? id,
      contentType: attribute('mimeCode') ?? 'application/octet-stream',
      data,
    }
  })

/** Returns the references to documents that are not embedded. */
const referencesOf = (tree: Block): string[] =>
  listOf(tree, 'AdditionalDocumentReference').flatMap((block) => {
    const file = below(block, 'Attachment')
    if (file.EmbeddedDocumentBinaryObject !== undefined || textOf(block, 'DocumentTypeCode') === '50')
      return []
    const texts = [
      textOf(block, 'ID'),
      textOf(block, 'DocumentDescription'),
      textOf(below(file, 'ExternalReference'), 'URI'),
    ]
    return texts.filter((text) => text !== undefined).join(', ') || []
  })

const precedingOf = (tree: Block): Preceding[] =>
  listOf(tree, 'BillingReference').flatMap((block) => {
    const reference = below(block, 'InvoiceDocumentReference')
    const number = textOf(reference, 'ID')
    return number === undefined ? [] : { number, date: dayOf(textOf(reference, 'IssueDate')) }
  })

/** Returns the project. A credit note has no element for it and uses a document reference of type 50. */
const projectOf = (tree: Block): string | undefined =>
  textOf(below(tree, 'ProjectReference'), 'ID') ??
  listOf(tree, 'AdditionalDocumentReference')
    .filter((block) => textOf(block, 'DocumentTypeCode') === '50')
    .map((block) => textOf(block, 'ID'))[0]

const DUE = /^Vencimiento: (\d{4}-\d\d-\d\d)(?:\n|$)/

/** Returns the payment terms and the due date. */
function termsOf(tree: Block, credit: boolean): Pick<EnInvoice, 'dueDate' | 'paymentTerms'> {
  const terms = listOf(tree, 'PaymentTerms')
    .flatMap((block) => listOf(block, 'Note').flatMap((note) => contentOf(note['#']) ?? []))
    .join('\n')
  // In a credit note without means of payment, the writer puts the due date into the terms.
  const [whole = '', noted] = (credit && tree.PaymentMeans === undefined && DUE.exec(terms)) || []
  const due = textOf(tree, 'DueDate') ?? textOf(below(tree, 'PaymentMeans'), 'PaymentDueDate') ?? noted
  return { dueDate: dayOf(due), paymentTerms: terms.slice(whole.length) || undefined }
}

function exchangeIn(tree: Block, currency: string, amounts: Amounts) {
  const block = below(tree, 'TaxExchangeRate')
  const names = { rate: 'CalculationRate', bases: ['SourceCurrencyBaseRate', 'TargetCurrencyBaseRate'] }
  return exchangeOf(block, names, currency, dayOf(textOf(block, 'Date')), amounts, '/TaxExchangeRate')
}

/** Order id written if only the sales order is known, because the element is required. */
const NOT_AVAILABLE = 'NA'

/**
 * Reads a tree that is valid against the schema of UBL 2.1 into the semantic model. Refuses, through `report`, invalid
 * amounts and amounts whose currency differs from that of the document.
 */
export function readUbl(root: string, tree: Tree, report: ReadingReport): EnInvoice {
  const credit = root === 'CreditNote'
  const type = `${root}TypeCode`
  const currency = textOf(tree, 'DocumentCurrencyCode') ?? ''
  const accounting = textOf(tree, 'TaxCurrencyCode')
  const amounts = new Amounts(report, currency)
  const { own, tax, accountingTax } = taxTotals(tree, currency, accounting, report)
  const subtotals = own ? listOf(own.block, 'TaxSubtotal') : []
  const order = below(tree, 'OrderReference')
  const salesOrder = textOf(order, 'SalesOrderID')
  const orderId = textOf(order, 'ID')
  const lines = credit ? 'CreditNoteLine' : 'InvoiceLine'
  const quantity = credit ? 'CreditedQuantity' : 'InvoicedQuantity'
  const delivery = below(tree, 'Delivery')
  return {
    number: textOf(tree, 'ID') ?? '',
    issueDate: dayOf(textOf(tree, 'IssueDate')) ?? '',
    typeCode: amounts.assume(textOf(tree, type), credit ? '381' : '380', `/${type}`, 'BR-04', 'BT-3'),
    currency,
    accountingCurrency: accounting,
    exchange: exchangeIn(tree, currency, amounts),
    taxPointDate: dayOf(textOf(tree, 'TaxPointDate')),
    ...termsOf(tree, credit),
    buyerReference: textOf(tree, 'BuyerReference'),
    project: projectOf(tree),
    contract: textOf(below(tree, 'ContractDocumentReference'), 'ID'),
    order: salesOrder !== undefined && orderId === NOT_AVAILABLE ? undefined : orderId,
    salesOrder,
    notes: listOf(tree, 'Note').flatMap((block, index) => noteOf(block, `/Note/${index}`) ?? []),
    customization: textOf(tree, 'CustomizationID') ?? '',
    preceding: precedingOf(tree),
    seller: partyOf(below(tree, 'AccountingSupplierParty', 'Party')),
    buyer: partyOf(below(tree, 'AccountingCustomerParty', 'Party')),
    deliveryDate: dayOf(textOf(delivery, 'ActualDeliveryDate')),
    deliveryCountry: textOf(below(delivery, 'DeliveryLocation', 'Address', 'Country'), 'IdentificationCode'),
    period: periodOf(below(tree, 'InvoicePeriod')),
    payment: paymentOf(tree),
    allowances: listOf(tree, 'AllowanceCharge').map((block, index) =>
      documentAllowanceOf(block, amounts, `/AllowanceCharge/${index}`),
    ),
    totals: totalsOf(tree, tax, accountingTax, amounts),
    taxes: subtotals.map((block, index) => taxOf(block, amounts, `${own?.at}/TaxSubtotal/${index}`)),
    attachments: attachmentsOf(tree),
    references: referencesOf(tree),
    extensionAt: listOf(tree, lines).some((block) => block[`Sub${lines}`] !== undefined)
      ? `/${lines}/0`
      : undefined,
    lines: listOf(tree, lines).map((block, index) => lineOf(block, quantity, amounts, `/${lines}/${index}`)),
  }
}
