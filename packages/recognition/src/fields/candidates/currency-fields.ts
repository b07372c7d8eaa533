/** Finds the currency of an invoice, and the exchange rate that it states. */
import { type Minor, multiply, toNumber } from '#core/money/index.ts'
import type { DocumentCells } from '../cells/cells.ts'
import { parsePrintedNumber } from '../cells/figures.ts'
import { type ScoredValue, scoredValue, TRUST } from '../found.ts'
import type { Figure } from './figure-kinds.ts'

/** The currency with the exchange rate that the document states. */
export interface Exchange {
  readonly invoice_currency_code: string
  readonly exchange_rate: number
  readonly exchange_rate_date?: string
}

const FOREIGN: readonly (readonly [string, RegExp])[] = [
  ['USD', /\busd\b|us\$|(?<!\w)\$\s?\d|\d\s?\$/],
  ['GBP', /\bgbp\b|£/],
  ['CHF', /\bchf\b/],
  ['JPY', /\bjpy\b|¥/],
  ...(
    ['MXN', 'SEK', 'DKK', 'NOK', 'PLN', 'CZK', 'HUF', 'RON', 'BRL', 'CAD', 'AUD', 'CNY', 'MAD'] as const
  ).map((code) => [code, new RegExp(`\\b${code.toLowerCase()}\\b`)] as const),
]

export function currencyIn({ plain, source }: DocumentCells): ScoredValue<string> | undefined {
  const isEuro = /€|\beur(?:os?)?\b/.test(plain)
  const foreign = FOREIGN.find(([, sign]) => sign.test(plain))?.[0]
  const score = source === 'text' ? TRUST.named : TRUST.agreed
  if (isEuro) return scoredValue('EUR', foreign ? TRUST.found : score)
  return foreign === undefined ? undefined : scoredValue(foreign, TRUST.found, 'currency_foreign')
}

/** Matches an exchange rate: `1 USD = 0,92 € (13/03/2026)`. */
const EXCHANGE = /\b1 ?([a-z]{3}) ?= ?(\d+[.,]\d+) ?(?:€|eur\b)(?: ?\((\d\d)\/(\d\d)\/(\d{4})\))?/

/**
 * Returns the currency and exchange rate of a document that states an exchange rate and also prints the total converted
 * to euros. Otherwise returns undefined, since the amounts may be in euros.
 */
export function exchangeIn(
  { plain }: DocumentCells,
  figures: readonly Figure[],
  total: Minor | undefined,
): Exchange | undefined {
  const [, code = '', rate = '', day, month, year] = EXCHANGE.exec(plain) ?? []
  const exchange_rate = parsePrintedNumber(rate)
  const euros = total === undefined ? undefined : multiply(toNumber(total), exchange_rate)
  if (code === '' || euros === undefined) return undefined
  if (!figures.some(({ value }) => value !== total && Math.abs(value - euros) <= 1)) return undefined
  return {
    invoice_currency_code: code.toUpperCase(),
    exchange_rate,
    ...(year === undefined ? {} : { exchange_rate_date: `${year}-${month}-${day}` }),
  }
}
