/** What the command line itself says, in both languages. The engine brings the words of its items. */
import type { Locale, Text } from '../../api/index.ts'

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`

const MESSAGES = {
  valid: { en: 'valid', es: 'válida' },
  notValid: { en: 'not valid', es: 'no válida' },
  errors: { en: (n: number) => count(n, 'error', 'errors'), es: (n: number) => count(n, 'error', 'errores') },
  warnings: {
    en: (n: number) => count(n, 'warning', 'warnings'),
    es: (n: number) => count(n, 'aviso', 'avisos'),
  },
  fixed: { en: 'mended', es: 'corregido' },
  takenOut: { en: 'taken out', es: 'quitado' },
  error: { en: 'error', es: 'error' },
  warning: { en: 'warning', es: 'aviso' },
  missing: { en: (names: string) => `${names} would go here`, es: (names: string) => `aquí iría ${names}` },
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
  reimbursable: { en: 'Expenses to reimburse', es: 'Suplidos' },
  rounding: { en: 'Rounding', es: 'Redondeo' },
  toPay: { en: 'To pay', es: 'A pagar' },
  inCurrency: {
    en: (currency: string) => `Invoice total in ${currency}`,
    es: (currency: string) => `Total factura en ${currency}`,
  },
  lineByLine: {
    en: (value: string, difference: string) => `line by line it would be ${value}, ${difference}`,
    es: (value: string, difference: string) => `línea a línea saldría ${value}, ${difference}`,
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
    en: 'No amounts were sent: there is nothing to compare.',
    es: 'No se enviaron importes: no hay nada que comparar.',
  },
} as const

type Messages = { readonly [Name in keyof typeof MESSAGES]: (typeof MESSAGES)[Name]['en' | 'es'] }

const spokenIn = (locale: Locale) =>
  Object.fromEntries(Object.entries(MESSAGES).map(([name, said]) => [name, said[locale]])) as Messages

const SPOKEN: Readonly<Record<Locale, Messages>> = { en: spokenIn('en'), es: spokenIn('es') }

export const messagesOf = (locale: Locale): Messages => SPOKEN[locale]

/** The title of a part of the invoice, by the name of its list. */
export const GROUPS: Readonly<Record<string, Text>> = {
  lines: { en: 'Line', es: 'Línea' },
  taxes_outputs: { en: 'Tax breakdown', es: 'Desglose' },
  taxes_withheld: { en: 'Withholding', es: 'Retención' },
  totals: { en: 'Totals', es: 'Totales' },
  payment_details: { en: 'Payment', es: 'Pago' },
}
