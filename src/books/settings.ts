/** Facts for the books that no invoice states: the member `books` of `company.json`. */
import { isObject } from '../fiscal/check-options.ts'
import { isDate, type Text } from '../invoice/index.ts'
import type { SiiPayment } from '../sii/record/payments.ts'

export const QUARTERS = ['1T', '2T', '3T', '4T'] as const
export type Quarter = (typeof QUARTERS)[number]

/** The activity of the company, as in its census declaration. */
export interface Activity {
  readonly code: 'A' | 'B' | 'C' | 'D'
  readonly type?: string
  /** Group or heading of the IAE, for activities of code A. */
  readonly iae?: string
}

/** A leased property. */
export interface Property {
  readonly situation: '1' | '2' | '3' | '4' | '5'
  readonly cadastral_reference?: string
}

/** Facts of one invoice. */
export interface InvoiceFacts {
  readonly number: string
  /** Tax id of the supplier of a received invoice. Without it, the invoice is an issued one. */
  readonly supplier_tax_id?: string
  readonly activity?: Activity
  readonly property?: Property
  /** A type that the invoice does not state: F3, F4 (summary entry); F6 or LC of a received invoice. */
  readonly type?: 'F3' | 'F4' | 'F6' | 'LC'
  /** Last number of a summary entry. */
  readonly final_number?: string
  readonly reception_number?: string
  /** Quarter in which the tax is deducted, if later than that of the reception, such as `2026-3T`. */
  readonly deduct_in?: string
  /** Collections or payments under cash basis. */
  readonly payments?: readonly SiiPayment[]
  /** Type of the investment goods of the invoice, `11` to `29`, and the day of their first use. */
  readonly asset?: { readonly type: string; readonly start_of_use?: string }
}

/** An investment good bought before the year of the books. Amounts are euros. */
export interface InvestmentGood {
  readonly type: string
  readonly start_of_use: string
  readonly issue_date: string
  readonly number: string
  readonly supplier_tax_id: string
  readonly supplier_name: string
  readonly base: number
  readonly rate: number
  /** Tax of the purchase. */
  readonly tax: number
  /** Definitive pro rata of the year of the first use. */
  readonly initial_pro_rata: number
  /** True for land and buildings, whose deduction is regularised over ten years instead of five. */
  readonly real_estate?: boolean
  readonly disposal?: { readonly date: string; readonly number?: string }
}

export interface BookSettings {
  readonly activity: Activity
  readonly property?: Property
  /** Number of the authorisation to simplify invoices or books (`RGE…`). */
  readonly agreement?: string
  /** Provisional pro rata of the year, a whole percentage. */
  readonly pro_rata?: number
  /** Definitive pro rata of the year, for the book of investment goods. */
  readonly definitive_pro_rata?: number
  readonly invoices?: readonly InvoiceFacts[]
  readonly investment_goods?: readonly InvestmentGood[]
}

class Check {
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
type Fields = { readonly [name: string]: Check | Fields | readonly [Fields] }

const matching = (form: RegExp, en: string, es: string): Check =>
  new Check((value) => typeof value === 'string' && form.test(value), `use ${en}`, `use ${es}`)
const text = (most: number): Check =>
  matching(
    new RegExp(`^(?=.*\\S).{1,${most}}$`),
    `a text of 1 to ${most} characters`,
    `un texto de 1 a ${most} caracteres`,
  )
const codes = (form: RegExp, list: string): Check => matching(form, `one of ${list}`, `uno de ${list}`)
const day = new Check(isDate, 'use a date YYYY-MM-DD', 'use una fecha AAAA-MM-DD')
const amount = new Check(Number.isFinite, 'use a number', 'use un número')
const flag = new Check((value) => typeof value === 'boolean', 'use true or false', 'use true o false')
const percentage = new Check(
  (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 100,
  'use a whole number from 0 to 100',
  'use un número entero de 0 a 100',
)
const assetType = codes(/^(?:1[1-9]|2\d)$/, '"11" … "29"')
const ACTIVITY: Fields = {
  'code!': codes(/^[A-D]$/, 'A, B, C, D'),
  type: codes(/^0[1-6]$/, '"01" … "06"'),
  iae: matching(/^\d{1,4}$/, 'one to four digits', 'de una a cuatro cifras'),
}
const PROPERTY: Fields = { 'situation!': codes(/^[1-5]$/, '"1" … "5"'), cadastral_reference: text(20) }
const PAYMENT: Fields = {
  'date!': day,
  'amount!': amount,
  payment_method_code: codes(/^(?:0[1-9]|1\d)$/, '"01" … "19"'),
  account: text(34),
  forced_accrual: flag,
}
const INVOICE: Fields = {
  'number!': text(60),
  supplier_tax_id: text(20),
  activity: ACTIVITY,
  property: PROPERTY,
  type: codes(/^(?:F[346]|LC)$/, 'F3, F4, F6, LC'),
  final_number: text(20),
  reception_number: text(20),
  deduct_in: matching(/^20\d\d-[1-4]T$/, 'a quarter such as 2026-3T', 'un trimestre como 2026-3T'),
  payments: [PAYMENT],
  asset: { 'type!': assetType, start_of_use: day },
}
const GOOD: Fields = {
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
const SETTINGS: Fields = {
  'activity!': ACTIVITY,
  property: PROPERTY,
  agreement: text(15),
  pro_rata: percentage,
  definitive_pro_rata: percentage,
  invoices: [INVOICE],
  investment_goods: [GOOD],
}

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
  const names = fields.map(([name]) => name)
  if (!isObject(value))
    return [problem(path, `use an object with ${names.join(', ')}`, `use un objeto con ${names.join(', ')}`)]
  const unknown = Object.keys(value).filter((name) => !names.includes(name))
  return [
    ...unknown.map((name) =>
      problem(
        `${path}/${name}`,
        `unknown field. Use one of ${names.join(', ')}`,
        `campo desconocido. Use uno de ${names.join(', ')}`,
      ),
    ),
    ...fields.flatMap(([name, one]) => {
      const own = value[name] ?? undefined
      if (own !== undefined) return problemsOf(own, one, `${path}/${name}`)
      return `${name}!` in check ? [problem(`${path}/${name}`, 'is missing', 'falta')] : []
    }),
  ]
}

/** Returns one line for each problem of the settings: its path from `root`, and the instruction. */
export const settingsProblems = (value: unknown, root = '/books'): readonly Text[] =>
  problemsOf(value, SETTINGS, root)
