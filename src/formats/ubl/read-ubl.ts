/** Reads UBL 2.1 (Invoice, CreditNote) into the semantic model, with the mapping of CEN/TS 16931-3-2. */
import { required } from '#core/errors/index.ts'
import {
  type Allowance,
  AmountReader,
  attachmentsOf,
  type DocumentAllowance,
  dayOf,
  Element,
  type EnInvoice,
  exchangeRateOf,
  idOf,
  type Line,
  type Note,
  type Party,
  type Payment,
  type Period,
  type ReadChildren,
  referencesOf,
  type Tax,
  type Totals,
  unmappedOf,
} from '../en16931/index.ts'
import type { ReadingReport, Tree } from '../model/index.ts'

/**
 * Returns the elements that have no term in EN 16931. Elements with a label are kept as texts; the others are ignored.
 */
const outsideElements = (): ReadChildren => {
  const party: ReadChildren = {
    PostalAddress: { Country: { Name: true } },
    PartyTaxScheme: { TaxScheme: true },
    PartyLegalEntity: { CompanyLegalForm: 'Datos registrales' },
  }
  const line: ReadChildren = {
    AccountingCost: 'Referencia contable',
    DocumentReference: 'Documento',
    DespatchLineReference: 'Albarán',
    Item: {
      BuyersItemIdentification: 'Referencia del comprador',
      StandardItemIdentification: 'Código normalizado',
      CommodityClassification: 'Clasificación',
      OriginCountry: 'País de origen',
      AdditionalItemProperty: 'Característica',
      ClassifiedTaxCategory: { TaxScheme: true },
    },
    // Ignored, because the price is already net of this discount.
    Price: { AllowanceCharge: true },
  }
  return {
    UBLVersionID: true,
    ProfileID: true,
    LineCountNumeric: true,
    AccountingCost: 'Referencia contable',
    DespatchDocumentReference: 'Albarán',
    ReceiptDocumentReference: 'Recepción',
    OriginatorDocumentReference: 'Licitación',
    AccountingSupplierParty: { Party: party },
    AccountingCustomerParty: { Party: party },
    PayeeParty: 'Beneficiario del pago',
    TaxRepresentativeParty: 'Representante fiscal',
    Delivery: { DeliveryLocation: 'Lugar de entrega', DeliveryParty: 'Entregado a' },
    PaymentMeans: {
      InstructionNote: 'Instrucciones',
      CardAccount: 'Tarjeta',
      PayeeFinancialAccount: { Name: 'Titular', FinancialInstitutionBranch: 'Banco' },
      PaymentMandate: { ID: 'Mandato' },
    },
    TaxExchangeRate: true,
    AllowanceCharge: { TaxCategory: { TaxScheme: true } },
    TaxTotal: true,
    LegalMonetaryTotal: true,
    InvoiceLine: line,
    CreditNoteLine: line,
  }
}

const periodOf = (period: Element): Period | undefined => {
  const start = dayOf(period.text('StartDate'))
  const end = dayOf(period.text('EndDate'))
  return start === undefined && end === undefined ? undefined : { start, end }
}

function partyOf(party: Element): Party {
  const schemes = party.list('PartyTaxScheme').map((scheme) => ({
    isVat: scheme.below('TaxScheme').text('ID')?.toUpperCase() === 'VAT',
    id: scheme.text('CompanyID'),
  }))
  const legal = party.below('PartyLegalEntity')
  const address = party.below('PostalAddress')
  const contact = party.below('Contact')
  const trade = party.below('PartyName').text('Name')
  const registered = legal.text('RegistrationName')
  return {
    name: registered ?? trade,
    tradeName: registered === undefined || trade === registered ? undefined : trade,
    ids: party.list('PartyIdentification').flatMap((one) => idOf(one.below('ID')) ?? []),
    legalId: idOf(legal.below('CompanyID')),
    vatId: schemes.find(({ isVat }) => isVat)?.id,
    // A text without digits is a remark and not an id, such as the Swedish "Godkänd för F-skatt".
    taxId: schemes.find(({ isVat, id }) => !isVat && /\d/.test(id ?? ''))?.id,
    endpoint: idOf(party.below('EndpointID')),
    address: party.has('PostalAddress')
      ? {
          line1: address.text('StreetName'),
          line2: address.text('AdditionalStreetName'),
          line3: address.below('AddressLine').text('Line'),
          town: address.text('CityName'),
          postCode: address.text('PostalZone'),
          subdivision: address.text('CountrySubentity'),
          country: address.below('Country').text('IdentificationCode'),
        }
      : undefined,
    contact: contact.text('Name'),
    telephone: contact.text('Telephone'),
    mail: contact.text('ElectronicMail'),
  }
}

/** Matches a note with its subject (BT-21) in the text, such as `#REG#`. UBL has no element for the subject. */
const SUBJECT = /^#([A-Z]{3})#\s*([\s\S]*)$/

const noteOf = ({ content: text, at }: Element): Note | undefined => {
  if (text === undefined) return undefined
  const [, subject, rest] = SUBJECT.exec(text) ?? []
  return subject === undefined || !rest ? { text, at } : { subject, text: rest, at }
}

const categoryOf = (category: Element, amounts: AmountReader) => ({
  category: category.text('ID') ?? '',
  rate: amounts.decimal(category, 'Percent'),
})

const allowanceOf = (allowance: Element, amounts: AmountReader): Allowance => ({
  isCharge: ['true', '1'].includes(allowance.text('ChargeIndicator') ?? ''),
  amount: amounts.amount(allowance, 'Amount') ?? 0,
  base: amounts.amount(allowance, 'BaseAmount'),
  percent: amounts.decimal(allowance, 'MultiplierFactorNumeric'),
  reason: allowance.text('AllowanceChargeReason'),
  reasonCode: allowance.text('AllowanceChargeReasonCode'),
})

const documentAllowanceOf = (allowance: Element, amounts: AmountReader): DocumentAllowance => ({
  ...allowanceOf(allowance, amounts),
  ...categoryOf(allowance.below('TaxCategory'), amounts),
  at: allowance.at,
})

const taxOf = (subtotal: Element, amounts: AmountReader): Tax => {
  const category = subtotal.below('TaxCategory')
  return {
    ...categoryOf(category, amounts),
    base: amounts.amount(subtotal, 'TaxableAmount') ?? 0,
    tax: amounts.amount(subtotal, 'TaxAmount') ?? 0,
    reasonCode: category.text('TaxExemptionReasonCode'),
    reason: category.text('TaxExemptionReason'),
    at: subtotal.at,
  }
}

function lineOf(line: Element, quantityName: string, amounts: AmountReader): Line {
  const { at } = line
  const item = line.below('Item')
  const price = line.below('Price')
  return {
    ...categoryOf(item.below('ClassifiedTaxCategory'), amounts),
    at,
    id: line.text('ID'),
    note: line.text('Note'),
    quantity: amounts.assume(amounts.decimal(line, quantityName), 1, at, 'BR-22', 'BT-129'),
    unit: line.below(quantityName).attribute('unitCode'),
    net: amounts.amount(line, 'LineExtensionAmount') ?? 0,
    orderLine: line.below('OrderLineReference').text('LineID'),
    period: periodOf(line.below('InvoicePeriod')),
    allowances: line.list('AllowanceCharge').map((one) => allowanceOf(one, amounts)),
    price: amounts.decimal(price, 'PriceAmount') ?? 0,
    priceQuantity: amounts.decimal(price, 'BaseQuantity'),
    name: item.text('Name'),
    description: item.text('Description'),
    sellerItemId: item.below('SellersItemIdentification').text('ID'),
  }
}

/** Returns the tax in each currency. UBL repeats the whole block for the accounting currency (BT-111). */
function taxTotals(root: Element, currency: string, accounting: string | undefined, report: ReadingReport) {
  const amountIn = (code: string, total: Element) => new AmountReader(report, code).amount(total, 'TaxAmount')
  const totals = root
    .list('TaxTotal')
    .map((total) => ({ total, code: total.below('TaxAmount').attribute('currencyID') }))
  const inCurrency = (wanted: string | undefined) =>
    totals.find(({ code = currency }) => code === wanted)?.total
  const own = inCurrency(currency)
  const other = accounting === undefined || accounting === currency ? undefined : inCurrency(accounting)
  for (const { total, code } of totals)
    if (total !== own && total !== other && code !== undefined) amountIn(currency, total)
  const tax = own && amountIn(currency, own)
  return { own, tax, accountingTax: other && amountIn(required(accounting), other) }
}

function totalsOf(
  totals: Element,
  tax: number | undefined,
  accountingTax: number | undefined,
  amounts: AmountReader,
): Totals {
  const amount = (name: string) => amounts.amount(totals, name)
  const payable = amount('PayableAmount') ?? 0
  return {
    lines: amount('LineExtensionAmount') ?? 0,
    allowances: amount('AllowanceTotalAmount'),
    charges: amount('ChargeTotalAmount'),
    base: amount('TaxExclusiveAmount') ?? 0,
    tax,
    accountingTax,
    total: amounts.assume(amount('TaxInclusiveAmount'), payable, totals.at, 'BR-14', 'BT-112'),
    prepaid: amount('PrepaidAmount'),
    rounding: amount('PayableRoundingAmount'),
    payable,
  }
}

function paymentOf(means: readonly Element[]): Payment | undefined {
  const [first] = means
  if (first === undefined) return undefined
  const accounts = means.flatMap((one) => one.below('PayeeFinancialAccount').text('ID') ?? [])
  return {
    code: first.text('PaymentMeansCode'),
    text: first.below('PaymentMeansCode').attribute('name'),
    reference: means.map((one) => one.text('PaymentID')).find((text) => text !== undefined),
    creditAccounts: [...new Set(accounts)],
    debitAccount: first.below('PaymentMandate', 'PayerFinancialAccount').text('ID'),
  }
}

const documentOf = (document: Element) => {
  const attachment = document.below('Attachment')
  return {
    id: document.text('ID'),
    type: document.text('DocumentTypeCode'),
    description: document.text('DocumentDescription'),
    uri: attachment.below('ExternalReference').text('URI'),
    file: attachment.below('EmbeddedDocumentBinaryObject'),
    isEmbedded: attachment.has('EmbeddedDocumentBinaryObject'),
  }
}

/**
 * Type code of the document reference with which a credit note states a project, because it has no element for
 * projects.
 */
const PROJECT = '50'

const precedingOf = (invoice: Element) => {
  const reference = invoice.below('InvoiceDocumentReference')
  const date = dayOf(reference.text('IssueDate'))
  const number = reference.text('ID')
  return number === undefined ? [] : { number, date }
}

const DUE = /^Vencimiento: (\d{4}-\d\d-\d\d)(?:\n|$)/

/** Returns the payment terms and the due date. */
function termsOf(root: Element, credit: boolean): Pick<EnInvoice, 'dueDate' | 'paymentTerms'> {
  const terms = root
    .list('PaymentTerms')
    .flatMap((one) => one.list('Note').flatMap(({ content }) => content ?? []))
    .join('\n')
  // In a credit note without means of payment, the writer puts the due date into the terms.
  const [whole = '', noted] = (credit && !root.has('PaymentMeans') && DUE.exec(terms)) || []
  const due = root.below('PaymentMeans').text('PaymentDueDate') ?? noted
  return { dueDate: dayOf(root.text('DueDate') ?? due), paymentTerms: terms.slice(whole.length) || undefined }
}

function exchangeIn(exchange: Element, currency: string, amounts: AmountReader) {
  const names = { rate: 'CalculationRate', bases: ['SourceCurrencyBaseRate', 'TargetCurrencyBaseRate'] }
  return exchangeRateOf(exchange, names, currency, dayOf(exchange.text('Date')), amounts)
}

/** Order id written if only the sales order is known, because the element is required. */
const NOT_AVAILABLE = 'NA'

/**
 * Reads a tree that is valid against the schema of UBL 2.1 into the semantic model. Refuses, through `report`,
 * invalid amounts and amounts whose currency differs from that of the document.
 */
export function readUbl(name: string, tree: Tree, report: ReadingReport): EnInvoice {
  const root = new Element(tree, '', outsideElements())
  const credit = name === 'CreditNote'
  const typeName = `${name}TypeCode`
  const currency = root.text('DocumentCurrencyCode') ?? ''
  const accounting = root.text('TaxCurrencyCode')
  const amounts = new AmountReader(report, currency)
  const { own, tax, accountingTax } = taxTotals(root, currency, accounting, report)
  const order = root.below('OrderReference')
  const salesOrder = order.text('SalesOrderID')
  const orderId = order.text('ID')
  const lineName = credit ? 'CreditNoteLine' : 'InvoiceLine'
  const lines = root.list(lineName)
  const quantity = credit ? 'CreditedQuantity' : 'InvoicedQuantity'
  const delivery = root.below('Delivery')
  const documents = root.list('AdditionalDocumentReference').map(documentOf)
  return {
    number: root.text('ID') ?? '',
    issueDate: dayOf(root.text('IssueDate')) ?? '',
    typeCode: amounts.assume(root.text(typeName), credit ? '381' : '380', `/${typeName}`, 'BR-04', 'BT-3'),
    currency,
    accountingCurrency: accounting,
    exchange: exchangeIn(root.below('TaxExchangeRate'), currency, amounts),
    taxPointDate: dayOf(root.text('TaxPointDate')),
    ...termsOf(root, credit),
    buyerReference: root.text('BuyerReference'),
    project: root.below('ProjectReference').text('ID') ?? documents.find(({ type }) => type === PROJECT)?.id,
    contract: root.below('ContractDocumentReference').text('ID'),
    order: salesOrder !== undefined && orderId === NOT_AVAILABLE ? undefined : orderId,
    salesOrder,
    notes: root.list('Note').flatMap((note) => noteOf(note) ?? []),
    customization: root.text('CustomizationID') ?? '',
    preceding: root.list('BillingReference').flatMap(precedingOf),
    seller: partyOf(root.below('AccountingSupplierParty', 'Party')),
    buyer: partyOf(root.below('AccountingCustomerParty', 'Party')),
    deliveryDate: dayOf(delivery.text('ActualDeliveryDate')),
    deliveryCountry: delivery.below('DeliveryLocation', 'Address', 'Country').text('IdentificationCode'),
    period: periodOf(root.below('InvoicePeriod')),
    payment: paymentOf(root.list('PaymentMeans')),
    allowances: root.list('AllowanceCharge').map((one) => documentAllowanceOf(one, amounts)),
    totals: totalsOf(root.below('LegalMonetaryTotal'), tax, accountingTax, amounts),
    taxes: own?.list('TaxSubtotal').map((one) => taxOf(one, amounts)) ?? [],
    attachments: attachmentsOf(documents),
    references: referencesOf(documents.filter(({ type }) => type !== PROJECT)),
    extensionAt: lines.some((line) => line.has(`Sub${lineName}`)) ? lines[0]?.at : undefined,
    lines: lines.map((line) => lineOf(line, quantity, amounts)),
    // Must be the last member: it returns the elements that the members above did not read.
    unmapped: unmappedOf(root, lineName, 'PaymentMeans'),
  }
}
