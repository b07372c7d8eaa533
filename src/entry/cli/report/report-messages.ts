/** Messages of the command line in both languages. Messages of validation items come from the engine. */
import type { Locale, Text } from '#engine/index.ts'
import { MESSAGES as CONSTANT, GROUPS as GROUP_TITLES } from '../generated/texts/report.ts'

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`

const MESSAGES = {
  ...CONSTANT,
  errors: { en: (n: number) => count(n, 'error', 'errors'), es: (n: number) => count(n, 'error', 'errores') },
  warnings: {
    en: (n: number) => count(n, 'warning', 'warnings'),
    es: (n: number) => count(n, 'aviso', 'avisos'),
  },
  missing: { en: (names: string) => `missing: ${names}`, es: (names: string) => `falta: ${names}` },
  summary: {
    en: (valid: string, total: string) => `${valid} of ${total} valid`,
    es: (valid: string, total: string) => `${valid} de ${total} válidas`,
  },
  converted: {
    en: (done: string, total: string) => `${done} of ${total} converted`,
    es: (done: string, total: string) => `${done} de ${total} convertidas`,
  },
  withheld: {
    en: (rate: string, base: string) => `Withheld, ${rate} of ${base}`,
    es: (rate: string, base: string) => `Retención, ${rate} de ${base}`,
  },
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
}

type Messages = { readonly [Name in keyof typeof MESSAGES]: (typeof MESSAGES)[Name]['en' | 'es'] }

const messagesIn = (locale: Locale) =>
  Object.fromEntries(Object.entries(MESSAGES).map(([name, texts]) => [name, texts[locale]])) as Messages

const BY_LOCALE: Readonly<Record<Locale, Messages>> = { en: messagesIn('en'), es: messagesIn('es') }

export const messagesOf = (locale: Locale): Messages => BY_LOCALE[locale]

/** Titles of the parts of an invoice, by the name of their list. */
export const GROUPS: Readonly<Record<string, Text>> = GROUP_TITLES
