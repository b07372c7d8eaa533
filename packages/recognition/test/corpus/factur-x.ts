/** Makes Factur-X documents of every profile. The XML is written element by element, without the engine. */
import { setMissing } from '#test/needs.ts'
import { arranged } from './arranged.ts'
import type { Document } from './document.ts'
import { byPdfLib } from './pdf-lib.ts'
import { MORE } from './sales.ts'
import { sketchOf } from './sketch.ts'
import { amountOf, type Party, type Truth } from './truth.ts'

const PROFILES = {
  MINIMUM: 'urn:factur-x.eu:1p0:minimum',
  'BASIC WL': 'urn:factur-x.eu:1p0:basicwl',
  BASIC: 'urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic',
  EN16931: 'urn:cen.eu:en16931:2017',
  EXTENDED: 'urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended',
} as const

type Profile = keyof typeof PROFILES

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const el = (name: string, content: string, attributes = '') =>
  `<ram:${name}${attributes}>${content}</ram:${name}>`
const money = (amount: number) => amount.toFixed(2)
const date = (value: string) =>
  `<udt:DateTimeString format="102">${value.replaceAll('-', '')}</udt:DateTimeString>`

function partyOf(
  name: string,
  { name: legal, street, town, tax_id }: Party,
  profile: Profile,
  hasId: boolean,
): string {
  const [code = '', ...rest] = town.split(' ')
  const address =
    profile === 'MINIMUM'
      ? el('CountryID', 'ES')
      : el('PostcodeCode', code) +
        el('LineOne', escaped(street)) +
        el('CityName', rest.join(' ')) +
        el('CountryID', 'ES')
  const place = hasId || profile !== 'MINIMUM' ? el('PostalTradeAddress', address) : ''
  const id =
    hasId || profile !== 'MINIMUM'
      ? el('SpecifiedTaxRegistration', el('ID', `ES${tax_id}`, ' schemeID="VA"'))
      : ''
  return el(name, el('Name', escaped(legal)) + place + id)
}

const linesOf = (truth: Truth): string =>
  truth.items
    .map((item, at) =>
      el(
        'IncludedSupplyChainTradeLineItem',
        el('AssociatedDocumentLineDocument', el('LineID', String(at + 1))) +
          el('SpecifiedTradeProduct', el('Name', escaped(item.text))) +
          el(
            'SpecifiedLineTradeAgreement',
            el('NetPriceProductTradePrice', el('ChargeAmount', String(item.price))),
          ) +
          el('SpecifiedLineTradeDelivery', el('BilledQuantity', String(item.quantity), ' unitCode="C62"')) +
          el(
            'SpecifiedLineTradeSettlement',
            el(
              'ApplicableTradeTax',
              el('TypeCode', 'VAT') +
                el('CategoryCode', 'S') +
                el('RateApplicablePercent', money(item.rate ?? 0)),
            ) +
              el(
                'SpecifiedTradeSettlementLineMonetarySummation',
                el('LineTotalAmount', money(amountOf(item))),
              ),
          ),
      ),
    )
    .join('')

function settlementOf(truth: Truth, profile: Profile): string {
  const tax = money(truth.invoice_total - truth.base)
  const total = money(truth.invoice_total)
  const sums =
    (profile === 'MINIMUM' ? '' : el('LineTotalAmount', money(truth.base))) +
    el('TaxBasisTotalAmount', money(truth.base)) +
    el('TaxTotalAmount', tax, ' currencyID="EUR"') +
    el('GrandTotalAmount', total) +
    el('DuePayableAmount', total)
  const summation = el('SpecifiedTradeSettlementHeaderMonetarySummation', sums)
  if (profile === 'MINIMUM') return el('InvoiceCurrencyCode', 'EUR') + summation
  const means = truth.iban
    ? el(
        'SpecifiedTradeSettlementPaymentMeans',
        el('TypeCode', '58') + el('PayeePartyCreditorFinancialAccount', el('IBANID', truth.iban)),
      )
    : ''
  const taxes = truth.taxes.map(({ rate, base, amount }) =>
    el(
      'ApplicableTradeTax',
      el('CalculatedAmount', money(amount)) +
        el('TypeCode', 'VAT') +
        el('BasisAmount', money(base)) +
        el('CategoryCode', 'S') +
        el('RateApplicablePercent', money(rate)),
    ),
  )
  const terms = truth.due_date
    ? el('SpecifiedTradePaymentTerms', el('DueDateDateTime', date(truth.due_date)))
    : ''
  return el('InvoiceCurrencyCode', 'EUR') + means + taxes.join('') + terms + summation
}

export function xmlOf(truth: Truth, profile: Profile): Uint8Array {
  const { supplier, customer } = truth
  const hasLines = profile !== 'MINIMUM' && profile !== 'BASIC WL'
  const agreement =
    partyOf('SellerTradeParty', supplier, profile, true) +
    (customer ? partyOf('BuyerTradeParty', customer, profile, false) : '')
  return new TextEncoder().encode(
    `<?xml version="1.0" encoding="UTF-8"?><rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"><rsm:ExchangedDocumentContext>${el('GuidelineSpecifiedDocumentContextParameter', el('ID', PROFILES[profile]))}</rsm:ExchangedDocumentContext><rsm:ExchangedDocument>${el('ID', truth.number)}${el('TypeCode', '380')}${el('IssueDateTime', date(truth.issue_date))}</rsm:ExchangedDocument><rsm:SupplyChainTradeTransaction>${hasLines ? linesOf(truth) : ''}${el('ApplicableHeaderTradeAgreement', agreement)}<ram:ApplicableHeaderTradeDelivery/>${el('ApplicableHeaderTradeSettlement', settlementOf(truth, profile))}</rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`,
  )
}

const document = (profile: Profile, truth: Truth): Document => ({
  name: `Factur-X ${profile}: ${truth.number}`,
  generator: 'Factur-X by hand',
  kind: 'pdf',
  source: 'xml',
  pages: 1,
  has_code: false,
  truth,
  missing: setMissing('peers'),
  make: () =>
    byPdfLib(arranged(sketchOf(truth)), truth, {
      attachment: { name: 'factur-x.xml', bytes: xmlOf(truth, profile) },
    }),
})

export const FACTUR_X: readonly Document[] = (Object.keys(PROFILES) as Profile[]).flatMap((profile) => [
  document(profile, MORE.printer),
  document(profile, MORE.water),
])
