/** Issue data: tax group, country, currency and territory, and the accrual date. */
import {
  currencyOfCountry,
  type Subdivision,
  subdivisionByPostCode,
  subdivisionOf,
} from '#core/catalogs/index.ts'
import {
  type Header,
  type IssueData,
  operationDay,
  type Settings,
  type Supplier,
} from '#core/invoice/index.ts'
import type { NormalisationFacts } from './facts.ts'
import { roundDecimal } from './normalise-numbers.ts'
import { addressOf, alpha2CodeOf, provinceOf } from './normalise-party.ts'

const TAX_GROUPS = ['IVA', 'IGIC', 'IPSI']

/** Returns the company's default tax group if it is valid, otherwise IVA. */
const groupOf = (settings: Settings): 'IVA' | 'IGIC' | 'IPSI' => {
  const group = settings.company?.default_tax_group
  return typeof group === 'string' && TAX_GROUPS.includes(group) ? (group as 'IVA') : 'IVA'
}

/** Returns the province of the issuer's address. Without one, returns the company's province for an issued invoice. */
export function issuerProvince(
  supplier: Supplier,
  issued: boolean,
  settings: Settings,
): Subdivision | undefined {
  if (supplier.country_code !== 'ES') return undefined
  const company = issued ? settings.company?.address : undefined
  return (
    provinceOf(addressOf(supplier)) ??
    (typeof company?.province_code === 'string' ? subdivisionOf(company.province_code) : undefined) ??
    (typeof company?.post_code === 'string' ? subdivisionByPostCode(company.post_code) : undefined)
  )
}

/**
 * Whether the operation is in the territory of Spanish VAT (art. 3 Ley 37/1992): by the issuer's province or, without a
 * province, by its country.
 */
const deduceTerritory = (supplier: Supplier, issued: boolean, settings: Settings): boolean =>
  issuerProvince(supplier, issued, settings)?.is_tai ?? supplier.country_code === 'ES'

/**
 * Returns the accrual date: the operation date (of a correction, the date of the corrected invoice or period),
 * otherwise the issue date, otherwise today.
 */
export function accrualDate(header: Header, issue: IssueData, today: string | null): string | undefined {
  const issued = issue.issue_date ?? today ?? undefined
  return operationDay(header, issue, issued)?.day ?? issued
}

export function normaliseIssueData(
  sent: IssueData,
  supplier: Supplier,
  issued: boolean,
  settings: Settings,
  facts: NormalisationFacts,
): IssueData {
  // The literal members come first, because adding properties after a spread, or spreading a constant, is slow.
  const issue: IssueData =
    settings.operation === 'received' && settings.today !== null
      ? {
          receipt_date: settings.today,
          tax_group_code: 'IVA',
          tax_country_code: '',
          tax_currency_code: '',
          is_tai: true,
          ...sent,
        }
      : { tax_group_code: 'IVA', tax_country_code: '', tax_currency_code: '', is_tai: true, ...sent }
  issue.tax_group_code = sent.tax_group_code ?? groupOf(settings)
  issue.tax_country_code = sent.tax_country_code === undefined ? 'ES' : alpha2CodeOf(sent.tax_country_code)
  issue.tax_currency_code = sent.tax_currency_code ?? currencyOfCountry(issue.tax_country_code) ?? 'EUR'
  issue.is_tai = sent.is_tai ?? deduceTerritory(supplier, issued, settings)
  const currency = sent.invoice_currency
  if (currency) {
    issue.invoice_currency = { ...currency }
    if (currency.exchange_rate !== undefined)
      issue.invoice_currency.exchange_rate = roundDecimal(
        currency.exchange_rate,
        facts,
        '/invoice/issue_data/invoice_currency',
        'exchange_rate',
      )
  }
  return issue
}

/**
 * Returns the exchange rate of the invoice. If the invoice states no rate, fills in and returns the reference rate of
 * the options, with its date.
 */
export function fillExchangeRate(
  currency: NonNullable<IssueData['invoice_currency']>,
  { exchangeRate }: Settings,
): number | undefined {
  if (currency.exchange_rate === undefined && exchangeRate) {
    currency.exchange_rate = exchangeRate.exchange_rate
    currency.exchange_rate_date = exchangeRate.exchange_rate_date
  }
  return currency.exchange_rate
}
