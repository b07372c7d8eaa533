/** Settlement periods: monthly, as the SII's filers are. */
import { isDate } from '../invoice/index.ts'
import type { Periodo } from './types.ts'

/**
 * The month of a day.
 *
 * @example
 * periodOf('2026-03-10') // => { Ejercicio: '2026', Periodo: '03' }
 */
export const periodOf = (date: string): Periodo => ({
  Ejercicio: date.slice(0, 4),
  Periodo: date.slice(5, 7) as Periodo['Periodo'],
})

/** A month option `YYYY-MM`; any other value is the caller's mistake and throws a `TypeError`. */
export function monthOption(name: string, value: string | undefined): Periodo | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string' || !isDate(`${value}-01`))
    throw new TypeError(`cuadra: option "${name}" is ${JSON.stringify(value)}; pass a month YYYY-MM`)
  return periodOf(value)
}

/** A day option `YYYY-MM-DD`; any other value throws a `TypeError`. */
export function dayOption(name: string, value: string | undefined): string | undefined {
  if (value !== undefined && (typeof value !== 'string' || !isDate(value)))
    throw new TypeError(`cuadra: option "${name}" is ${JSON.stringify(value)}; pass a date YYYY-MM-DD`)
  return value
}
