/** What the command line itself says, in both languages. The engine brings the words of its items. */
import type { Locale } from '../../api/index.ts'

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`

const en = {
  valid: 'valid',
  notValid: 'not valid',
  errors: (n: number) => count(n, 'error', 'errors'),
  warnings: (n: number) => count(n, 'warning', 'warnings'),
  mended: 'mended',
  takenOut: 'taken out',
  error: 'error',
  warning: 'warning',
  line: 'line',
  missing: (names: string) => `${names} would go here`,
  summary: (valid: string, total: string) => `${valid} of ${total} valid`,
  converted: (done: string, total: string) => `${done} of ${total} converted`,
  treatment: 'Treatment',
  regime: 'Key',
  rate: 'Rate',
  base: 'Base',
  tax: 'Tax',
  surcharge: 'Surcharge',
  foreignTax: 'Foreign tax',
  beforeTaxes: 'Total before taxes',
  withheld: (rate: string, base: string) => `Withheld, ${rate} of ${base}`,
  surchargeTotal: 'Equivalence surcharge',
  invoiceTotal: 'Invoice total',
  onAccount: 'Paid on account',
  reimbursable: 'Expenses to reimburse',
  rounding: 'Rounding',
  toPay: 'To pay',
  inCurrency: (currency: string) => `Invoice total in ${currency}`,
  lineByLine: (value: string, difference: string) => `line by line it would be ${value}, ${difference}`,
  cents: (cents: number) =>
    `${Math.abs(cents) === 1 ? 'one cent' : `${Math.abs(cents)} cents`} ${cents < 0 ? 'less' : 'more'}`,
  byAmount: (amount: string, less: boolean) => `${amount} ${less ? 'less' : 'more'}`,
  remainder: (difference: string, total: string) => `${difference}: the parts add up to ${total}`,
  more: (n: number) => `and ${n} more`,
  amount: 'Amount',
  sent: 'Sent',
  computed: 'Computed',
  difference: 'Difference',
  nothingSent: 'No amounts were sent: there is nothing to compare.',
  group: {
    lines: 'Line',
    taxes_outputs: 'Tax breakdown',
    taxes_withheld: 'Withholding',
    totals: 'Totals',
    payment_details: 'Payment',
  },
} as const

type Words = {
  readonly [Name in keyof typeof en]: (typeof en)[Name] extends string ? string : (typeof en)[Name]
}
type AllWords = Omit<Words, 'group'> & { readonly group: Readonly<Record<keyof typeof en.group, string>> }

const es: AllWords = {
  valid: 'válida',
  notValid: 'no válida',
  errors: (n) => count(n, 'error', 'errores'),
  warnings: (n) => count(n, 'aviso', 'avisos'),
  mended: 'corregido',
  takenOut: 'quitado',
  error: 'error',
  warning: 'aviso',
  line: 'línea',
  missing: (names) => `aquí iría ${names}`,
  summary: (valid, total) => `${valid} de ${total} válidas`,
  converted: (done, total) => `${done} de ${total} convertidas`,
  treatment: 'Tratamiento',
  regime: 'Clave',
  rate: 'Tipo',
  base: 'Base',
  tax: 'Cuota',
  surcharge: 'Recargo',
  foreignTax: 'Impuesto ext.',
  beforeTaxes: 'Total sin impuestos',
  withheld: (rate, base) => `Retención, ${rate} de ${base}`,
  surchargeTotal: 'Recargo de equivalencia',
  invoiceTotal: 'Total factura',
  onAccount: 'Pagos a cuenta',
  reimbursable: 'Suplidos',
  rounding: 'Redondeo',
  toPay: 'A pagar',
  inCurrency: (currency) => `Total factura en ${currency}`,
  lineByLine: (value, difference) => `línea a línea saldría ${value}, ${difference}`,
  cents: (cents) =>
    `${Math.abs(cents) === 1 ? 'un céntimo' : `${Math.abs(cents)} céntimos`} ${cents < 0 ? 'menos' : 'más'}`,
  byAmount: (amount, less) => `${amount} ${less ? 'menos' : 'más'}`,
  remainder: (difference, total) => `${difference}: las partes suman ${total}`,
  more: (n) => `y ${n} más`,
  amount: 'Importe',
  sent: 'Enviado',
  computed: 'Calculado',
  difference: 'Diferencia',
  nothingSent: 'No se enviaron importes: no hay nada que comparar.',
  group: {
    lines: 'Línea',
    taxes_outputs: 'Desglose',
    taxes_withheld: 'Retención',
    totals: 'Totales',
    payment_details: 'Pago',
  },
}

const WORDS: Readonly<Record<Locale, AllWords>> = { en, es }

export const wordsOf = (locale: Locale): AllWords => WORDS[locale]
