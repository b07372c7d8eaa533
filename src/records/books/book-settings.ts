/**
 * Data that the books need and invoices do not contain: the member `books` of `company.json`. The check of a field also
 * determines its type.
 */

import { isDate } from '#core/invoice/date.ts'
import type { Text } from '#core/invoice/index.ts'
import { isObject } from '../fiscal/check-options.ts'
import { spanishNif } from '../fiscal/fiscal-party.ts'

export const QUARTERS = ['1T', '2T', '3T', '4T'] as const
export type Quarter = (typeof QUARTERS)[number]

/** A check of a field, with the type of its values. */
class Check<T> {
  declare readonly type: T
  readonly fix: Text
  constructor(
    readonly holds: (value: unknown) => boolean,
    en: string,
    es: string,
  ) {
    this.fix = { en, es }
  }
}

/** Checks by field; a name that ends in `!` is required. */
type Fields = { readonly [name: string]: Check<unknown> | Fields | readonly [Fields] }
type ValueOf<C> =
  C extends Check<infer T> ? T : C extends readonly [infer F] ? readonly StaticOf<F>[] : StaticOf<C>
type StaticOf<F> = {
  readonly [N in keyof F as N extends `${infer Name}!` ? Name : never]: ValueOf<F[N]>
} & { readonly [N in keyof F as N extends `${string}!` ? never : N]?: ValueOf<F[N]> }

const matching = (form: RegExp, en: string, es: string): Check<string> =>
  new Check((value) => typeof value === 'string' && form.test(value), `use ${en}`, `use ${es}`)
const text = (most: number): Check<string> =>
  matching(new RegExp(`^(?=.*\\S).{1,${most}}$`), `1 to ${most} characters`, `de 1 a ${most} caracteres`)
const codes = (form: RegExp, list: string): Check<string> =>
  matching(form, `one of ${list}`, `uno de ${list}`)
const day = new Check<string>(isDate, 'use a date YYYY-MM-DD', 'use una fecha AAAA-MM-DD')
const amount = new Check<number>(Number.isFinite, 'use a number', 'use un número')
const flag = new Check<boolean>(
  (value) => typeof value === 'boolean',
  'use true or false',
  'use true o false',
)
const percentage = new Check<number>(
  (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 100,
  'use a whole number from 0 to 100',
  'use un número entero de 0 a 100',
)
/** Types of investment goods for VAT. */
const assetType = codes(/^(?:1[1-9]|2\d)$/, '"11" … "29"')

const ACTIVITY = {
  'code!': codes(/^[A-D]$/, 'A, B, C, D'),
  type: codes(/^0[1-6]$/, '"01" … "06"'),
  /** Group or heading of the IAE, for activities of code A. */
  iae: matching(/^\d{1,4}$/, 'one to four digits', 'de una a cuatro cifras'),
}
const PROPERTY = { 'situation!': codes(/^[1-5]$/, '"1" … "5"'), cadastral_reference: text(20) }
const PAYMENT = {
  'date!': day,
  'amount!': amount,
  payment_method_code: codes(/^(?:0[1-9]|1\d)$/, '"01" … "19"'),
  account: text(34),
  forced_accrual: flag,
}
const INVOICE = {
  'number!': text(60),
  /** Tax id of the supplier of a received invoice; absent for an issued invoice. */
  supplier_tax_id: text(20),
  activity: ACTIVITY,
  property: PROPERTY,
  /**
   * Official type of the invoice, if the document does not determine it. F4 is a summary entry; `final_number` is its
   * last invoice number.
   */
  type: codes(/^(?:F[346]|LC)$/, 'F3, F4, F6, LC'),
  final_number: text(20),
  reception_number: text(20),
  /** Quarter in which the tax is deducted, if it is later than the quarter of the reception. */
  deduct_in: matching(/^20\d\d-[1-4]T$/, 'a quarter such as 2026-3T', 'un trimestre como 2026-3T'),
  /** Collections or payments under cash basis. */
  payments: [PAYMENT] as const,
  asset: { 'type!': assetType, start_of_use: day },
}
/** An investment good bought before the year of the books. Land and buildings are regularised over ten years. */
const GOOD = {
  'type!': assetType,
  'start_of_use!': day,
  'issue_date!': day,
  'number!': text(40),
  'supplier_tax_id!': text(20),
  'supplier_name!': text(120),
  'base!': amount,
  'rate!': amount,
  'tax!': amount,
  'initial_pro_rata!': percentage,
  real_estate: flag,
  disposal: { 'date!': day, number: text(20) },
}
const SETTINGS = {
  'activity!': ACTIVITY,
  property: PROPERTY,
  /** Number of the authorisation to simplify invoices or books (`RGE…`). */
  agreement: text(15),
  /**
   * Provisional pro rata of the year. `definitive_pro_rata`: the definitive pro rata, for the book of investment goods.
   */
  pro_rata: percentage,
  definitive_pro_rata: percentage,
  invoices: [INVOICE] as const,
  investment_goods: [GOOD] as const,
}
const COMPANY = {
  'tax_id!': new Check<string>(
    (value) => typeof value === 'string' && spanishNif(value) !== undefined,
    'use a Spanish tax id',
    'use un NIF español',
  ),
  'legal_name!': text(120),
  'books!': SETTINGS,
}

export type InvoiceFacts = StaticOf<typeof INVOICE>
export type InvestmentGood = StaticOf<typeof GOOD>
export type BookSettings = StaticOf<typeof SETTINGS>
/** The company to which the books belong, with its settings. */
export type BookCompany = StaticOf<typeof COMPANY>

const problem = (path: string, en: string, es: string): Text => ({
  en: `${path}: ${en}`,
  es: `${path}: ${es}`,
})

function problemsOf(value: unknown, check: Fields[string], path: string): Text[] {
  if (check instanceof Check) {
    const { holds, fix } = check
    const shown = JSON.stringify(value)
    return holds(value)
      ? []
      : [problem(path, `${shown} is not valid; ${fix.en}`, `${shown} no es válido; ${fix.es}`)]
  }
  if (Array.isArray(check))
    return Array.isArray(value)
      ? value.flatMap((one, at) => problemsOf(one, check[0], `${path}/${at}`))
      : [problem(path, 'use a list', 'use una lista')]
  const fields = Object.entries(check as Fields).map(([name, one]) => [name.replace('!', ''), one] as const)
  const names = fields.map(([name]) => name).join(', ')
  if (!isObject(value)) return [problem(path, `use an object with ${names}`, `use un objeto con ${names}`)]
  const unknown = Object.keys(value).filter((name) => !fields.some(([known]) => known === name))
  return [
    ...unknown.map((name) =>
      problem(
        `${path}/${name}`,
        `unknown field. Use one of ${names}`,
        `campo desconocido. Use uno de ${names}`,
      ),
    ),
    ...fields.flatMap(([name, one]) => {
      const own = value[name] ?? undefined
      if (own !== undefined) return problemsOf(own, one, `${path}/${name}`)
      return `${name}!` in check ? [problem(`${path}/${name}`, 'is missing', 'falta')] : []
    }),
  ]
}

/** Returns one text for each problem of the settings, with its path and the instruction. */
export const settingsProblems = (books: unknown): readonly Text[] => problemsOf(books, SETTINGS, '')

/** Returns the company from the content of `company.json`, or the problems of the members that the books need. */
export function readBookCompany({
  tax_id,
  legal_name,
  books,
}: Readonly<Record<string, unknown>>):
  | { readonly company: BookCompany }
  | { readonly problems: readonly Text[] } {
  const company = { tax_id, legal_name, books }
  const problems = problemsOf(company, COMPANY, '')
  if (problems.length > 0) return { problems }
  return { company: { ...(company as BookCompany), tax_id: spanishNif(String(tax_id)) ?? '' } }
}
