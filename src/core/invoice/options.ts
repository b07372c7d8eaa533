/** The options that a caller passes with an invoice. */
import { isDate } from './date.ts'
import type { Locale, Operation, Text } from './item.ts'
import { OptionError } from './option-error.ts'

/**
 * The company of the invoice, in the format of the service's `company.json`. Unknown members are ignored; absent
 * members and `null` mean "not stated".
 */
export interface Company {
  readonly tax_id?: string | null
  readonly legal_name?: string | null
  readonly default_tax_group?: string | null
  readonly address?: {
    readonly post_code?: string | null
    readonly province_code?: string | null
    readonly [member: string]: unknown
  } | null
  /** Periods under cash basis; a current period has no `end_date`. */
  readonly cash_basis?: readonly { readonly start_date: string; readonly end_date?: string | null }[] | null
  /**
   * Registration in the one-stop shop; `null` or absent means never registered. A current registration has no
   * `end_date`.
   */
  readonly oss?: {
    readonly status: string
    readonly effective_date?: string | null
    readonly end_date?: string | null
  } | null
  readonly [member: string]: unknown
}

/** Reference rate of a currency, provided by the caller: euros per unit, and the day that the rate applies to. */
export interface ExchangeRate {
  readonly exchange_rate: number
  readonly exchange_rate_date: string
}

export interface Options {
  /** Default: `draft` if `meta.direction` is `issued`, otherwise `received`. */
  readonly operation?: Operation | undefined
  /** Without a company, the rules that depend on it are skipped. */
  readonly company?: Company | null | undefined
  /**
   * The current day, `YYYY-MM-DD`. Rules that compare dates with today require it, because the engine reads no clock.
   */
  readonly today?: string | undefined
  readonly locale?: Locale | undefined
  /** `recalculate` (default) replaces sent totals; `check` compares them and reports `totals_mismatch`. */
  readonly totals?: 'recalculate' | 'check' | undefined
  /** Adds `explanation` to the result. */
  readonly explain?: boolean | undefined
  /** Exchange rate for a received invoice that states a currency without an exchange rate. */
  readonly exchange_rate?: ExchangeRate | null | undefined
}

export interface Settings {
  readonly operation: Operation
  readonly company: Company | null
  readonly today: string | null
  readonly locale: Locale
  readonly check: boolean
  readonly exchangeRate: ExchangeRate | null
}

const OPERATIONS = ['draft', 'issue', 'import', 'received']

const refuseOption = (option: string, value: unknown, { en, es }: Text): never => {
  const received = JSON.stringify(value)
  throw new OptionError({
    en: `option "${option}" is ${received}; it must be ${en}`,
    es: `la opción «${option}» es ${received}; debe ser ${es}`,
  })
}

const directionOf = (document: unknown): unknown => {
  const meta = (document as { meta?: { direction?: unknown } } | null | undefined)?.meta
  return meta?.direction
}

const isExchangeRate = ({ exchange_rate: rate, exchange_rate_date: date }: Partial<ExchangeRate>): boolean =>
  typeof rate === 'number' && rate > 0 && Number.isFinite(rate) && isDate(date)

function checkOptions({ operation, company, today, locale, totals, exchange_rate: rate }: Options): void {
  if (operation !== undefined && !OPERATIONS.includes(operation))
    refuseOption('operation', operation, {
      en: 'draft, issue, import or received',
      es: 'draft, issue, import o received',
    })
  if (company !== undefined && company !== null && (typeof company !== 'object' || Array.isArray(company)))
    refuseOption('company', company, {
      en: 'an object in the format of company.json',
      es: 'un objeto con el formato de company.json',
    })
  if (today !== undefined && !isDate(today))
    refuseOption('today', today, { en: 'a date YYYY-MM-DD', es: 'una fecha AAAA-MM-DD' })
  if (locale !== undefined && locale !== 'en' && locale !== 'es')
    refuseOption('locale', locale, { en: 'en or es', es: 'en o es' })
  if (totals !== undefined && totals !== 'recalculate' && totals !== 'check')
    refuseOption('totals', totals, { en: 'recalculate or check', es: 'recalculate o check' })
  if (rate !== undefined && rate !== null && !isExchangeRate(rate))
    refuseOption('exchange_rate', rate, {
      en: '{ exchange_rate: euros per unit, above 0; exchange_rate_date: YYYY-MM-DD }',
      es: '{ exchange_rate: euros por unidad, mayor que 0; exchange_rate_date: AAAA-MM-DD }',
    })
}

/**
 * Returns the options with their defaults. An invalid option is a programming error and throws a `TypeError` that names
 * it.
 */
export function readOptions(document: unknown, options: Options = {}): Settings {
  checkOptions(options)
  const { operation, company, today, locale, totals, exchange_rate: rate } = options
  return {
    operation: operation ?? (directionOf(document) === 'issued' ? 'draft' : 'received'),
    company: company ?? null,
    today: today ?? null,
    locale: locale ?? 'en',
    check: totals === 'check',
    exchangeRate: rate ?? null,
  }
}
