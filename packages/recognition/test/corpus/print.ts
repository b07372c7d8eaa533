/** Formats values as Spanish and English invoices usually print them. */
import type { Party } from './truth.ts'

/** Formats as `1.234,56`, with grouped thousands from four digits on, as invoicing software does. */
export const euros = (amount: number, places = 2): string => {
  const [whole = '', part] = amount.toFixed(places).split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, '.')}${part ? `,${part}` : ''}`
}

/** Formats as `1,234.56`. */
export const englishAmount = (amount: number): string => amount.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')

/** Formats as `12` or `14,5`. */
export const quantity = (amount: number): string => String(amount).replace('.', ',')

/** Formats a price with all its decimals, at least two. */
export const unitPrice = (amount: number): string =>
  euros(amount, Number(amount.toFixed(2)) === amount ? 2 : 4)

export const percentage = (rate: number): string => `${String(rate).replace('.', ',')} %`

/** Formats as `12/03/2026`, or with another separator. */
export const dayFirst = (date: string, between = '/'): string => date.split('-').reverse().join(between)

const MONTHS =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' ')
const ENGLISH = 'January February March April May June July August September October November December'.split(
  ' ',
)

export function spanishDate(date: string): string {
  const [year, month, day] = date.split('-')
  return `${Number(day)} de ${MONTHS[Number(month) - 1]} de ${year}`
}

export function englishDate(date: string): string {
  const [year, month, day] = date.split('-')
  return `${Number(day)} ${ENGLISH[Number(month) - 1]} ${year}`
}

/** Returns the lines of an address. */
export const addressOf = ({ name, street, town, tax_id }: Party, label = 'NIF'): string[] => [
  name,
  street,
  town,
  `${label} ${tax_id}`,
]

export const grouped = (iban: string): string => iban.replace(/(.{4})(?=.)/g, '$1 ')
