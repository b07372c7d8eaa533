/** Messages of the command line in both languages. Messages of validation items come from the engine. */
import type { Locale, Text } from '../../api/index.ts'

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`

const MESSAGES = {
  valid: { en: 'valid', es: 'válida' },
  notValid: { en: 'invalid', es: 'no válida' },
  errors: { en: (n: number) => count(n, 'error', 'errors'), es: (n: number) => count(n, 'error', 'errores') },
  warnings: {
    en: (n: number) => count(n, 'warning', 'warnings'),
    es: (n: number) => count(n, 'aviso', 'avisos'),
  },
  fixed: { en: 'fixed', es: 'corregido' },
  removed: { en: 'removed', es: 'eliminado' },
  error: { en: 'error', es: 'error' },
  warning: { en: 'warning', es: 'aviso' },
  missing: { en: (names: string) => `missing: ${names}`, es: (names: string) => `falta: ${names}` },
  summary: {
    en: (valid: string, total: string) => `${valid} of ${total} valid`,
    es: (valid: string, total: string) => `${valid} de ${total} válidas`,
  },
  converted: {
    en: (done: string, total: string) => `${done} of ${total} converted`,
    es: (done: string, total: string) => `${done} de ${total} convertidas`,
  },
  treatment: { en: 'Treatment', es: 'Tratamiento' },
  regime: { en: 'Key', es: 'Clave' },
  rate: { en: 'Rate', es: 'Tipo' },
  base: { en: 'Base', es: 'Base' },
  tax: { en: 'Tax', es: 'Cuota' },
  surcharge: { en: 'Surcharge', es: 'Recargo' },
  foreignTax: { en: 'Foreign tax', es: 'Impuesto ext.' },
  beforeTaxes: { en: 'Total before taxes', es: 'Total sin impuestos' },
  withheld: {
    en: (rate: string, base: string) => `Withheld, ${rate} of ${base}`,
    es: (rate: string, base: string) => `Retención, ${rate} de ${base}`,
  },
  invoiceTotal: { en: 'Invoice total', es: 'Total factura' },
  onAccount: { en: 'Paid on account', es: 'Pagos a cuenta' },
  reimbursable: { en: 'Disbursements', es: 'Suplidos' },
  rounding: { en: 'Rounding', es: 'Redondeo' },
  toPay: { en: 'To pay', es: 'A pagar' },
  inCurrency: {
    en: (currency: string) => `Invoice total in ${currency}`,
    es: (currency: string) => `Total factura en ${currency}`,
  },
  lineByLine: {
    en: (value: string, difference: string) => `line by line: ${value}, ${difference}`,
    es: (value: string, difference: string) => `línea a línea: ${value}, ${difference}`,
  },
  cents: {
    en: (cents: number) =>
      `${Math.abs(cents) === 1 ? 'one cent' : `${Math.abs(cents)} cents`} ${cents < 0 ? 'less' : 'more'}`,
    es: (cents: number) =>
      `${Math.abs(cents) === 1 ? 'un céntimo' : `${Math.abs(cents)} céntimos`} ${cents < 0 ? 'menos' : 'más'}`,
  },
  byAmount: {
    en: (amount: string, less: boolean) => `${amount} ${less ? 'less' : 'more'}`,
    es: (amount: string, less: boolean) => `${amount} ${less ? 'menos' : 'más'}`,
  },
  remainder: {
    en: (difference: string, total: string) => `${difference}: the parts add up to ${total}`,
    es: (difference: string, total: string) => `${difference}: las partes suman ${total}`,
  },
  more: { en: (n: number) => `and ${n} more`, es: (n: number) => `y ${n} más` },
  amount: { en: 'Amount', es: 'Importe' },
  sent: { en: 'Sent', es: 'Enviado' },
  computed: { en: 'Computed', es: 'Calculado' },
  difference: { en: 'Difference', es: 'Diferencia' },
  nothingSent: {
    en: 'No amounts sent: nothing to compare.',
    es: 'No se han enviado importes: no hay nada que comparar.',
  },
} as const

type Messages = { readonly [Name in keyof typeof MESSAGES]: (typeof MESSAGES)[Name]['en' | 'es'] }

const messagesIn = (locale: Locale) =>
  Object.fromEntries(Object.entries(MESSAGES).map(([name, texts]) => [name, texts[locale]])) as Messages

const BY_LOCALE: Readonly<Record<Locale, Messages>> = { en: messagesIn('en'), es: messagesIn('es') }

export const messagesOf = (locale: Locale): Messages => BY_LOCALE[locale]

/** Titles of the parts of an invoice, by the name of their list. */
export const GROUPS: Readonly<Record<string, Text>> = {
  lines: { en: 'Line', es: 'Línea' },
  taxes_outputs: { en: 'Tax breakdown', es: 'Desglose' },
  taxes_withheld: { en: 'Withholding', es: 'Retención' },
  totals: { en: 'Totals', es: 'Totales' },
  payment_details: { en: 'Payment', es: 'Pago' },
}
