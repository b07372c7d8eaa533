/** Filing periods, which are monthly in the SII. */
import type { Periodo } from './sii-record-types.ts'

/**
 * Returns the period of a day, or of a month `YYYY-MM`.
 *
 * @example
 * periodOf('2026-03-10') // => { Ejercicio: '2026', Periodo: '03' }
 */
export const periodOf = (date: string): Periodo => ({
  Ejercicio: date.slice(0, 4),
  Periodo: date.slice(5, 7) as Periodo['Periodo'],
})
