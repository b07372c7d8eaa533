/**
 * The calendar of the SII's deadlines: Saturdays, Sundays and national holidays do not count (art. 69 bis RD
 * 1624/1992). Days are texts `YYYY-MM-DD`, converted to dates at local noon: at noon, neither time zones nor clock
 * changes alter the day.
 */
import { addDays } from 'date-fns/addDays'
import { addMonths } from 'date-fns/addMonths'
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays'
import { isWeekend } from 'date-fns/isWeekend'
import { lightFormat } from 'date-fns/lightFormat'
import { rows } from '#catalogs/holidays.json'

const noon = (day: string): Date => {
  const date = new Date(2000, 0, 1, 12)
  date.setFullYear(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8)))
  return date
}

const dayOf = (date: Date): string => lightFormat(date, 'yyyy-MM-dd')

/** Holidays, and the years whose holidays are known: those with at least one holiday in the list. */
export interface Holidays {
  readonly days: ReadonlySet<string>
  readonly years: ReadonlySet<string>
}

const holidaysOf = (days: readonly string[]): Holidays => ({
  days: new Set(days),
  years: new Set(days.map((day) => day.slice(0, 4))),
})

let national: Holidays | undefined

/** Returns the national holidays of the catalog, or the caller's own list. */
export function holidaysFrom(list: readonly string[] | undefined): Holidays {
  if (list) return holidaysOf(list)
  national ??= holidaysOf(rows.map((row) => row.date))
  return national
}

export interface DayCount {
  readonly day: string
  /** True if one of the counted days is in a year whose holidays are not known. */
  readonly unknown: boolean
}

/**
 * Returns the `count`-th day after `from` that is neither Saturday, Sunday nor holiday.
 *
 * In a year whose holidays are not known, every weekday counts. The result is then never later than the true day.
 *
 * @example
 * addWorkingDays('2026-03-31', 4, holidaysFrom(undefined)).day // => '2026-04-07'
 */
export function addWorkingDays(from: string, count: number, holidays: Holidays): DayCount {
  let date = noon(from)
  let day = from
  let unknown = false
  for (let left = count; left > 0; ) {
    date = addDays(date, 1)
    day = dayOf(date)
    if (isWeekend(date) || holidays.days.has(day)) continue
    if (!holidays.years.has(day.slice(0, 4))) unknown = true
    left -= 1
  }
  return { day, unknown }
}

/**
 * Returns a day of the month that follows the month of `day`.
 *
 * @example
 * dayOfNextMonth('2026-12-31', 16) // => '2027-01-16'
 */
export const dayOfNextMonth = (day: string, number: number): string =>
  `${lightFormat(addMonths(noon(`${day.slice(0, 7)}-01`), 1), 'yyyy-MM')}-${String(number).padStart(2, '0')}`

/**
 * Returns the number of days from one day to another; negative if the second day is earlier.
 *
 * @example
 * daysBetween('2026-03-28', '2026-03-30') // => 2
 */
export const daysBetween = (from: string, to: string): number =>
  differenceInCalendarDays(noon(to), noon(from))
