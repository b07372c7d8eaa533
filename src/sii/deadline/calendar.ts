/**
 * The calendar of the SII's deadlines: Saturdays, Sundays and national holidays do not count (art. 69 bis RD
 * 1624/1992). Days are texts `YYYY-MM-DD`. They become dates at noon, local time: whatever the time zone of the
 * machine and its clock changes, noon stays on the day that it is of.
 */
import { addDays } from 'date-fns/addDays'
import { addMonths } from 'date-fns/addMonths'
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays'
import { isWeekend } from 'date-fns/isWeekend'
import { lightFormat } from 'date-fns/lightFormat'
import { rows } from '../../../catalogs/holidays.json'

const noon = (day: string): Date => {
  const date = new Date(2000, 0, 1, 12)
  date.setFullYear(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8)))
  return date
}

const dayOf = (date: Date): string => lightFormat(date, 'yyyy-MM-dd')

/** Holidays, and the years that they are known for: those of which the list has any. */
export interface Holidays {
  readonly days: ReadonlySet<string>
  readonly years: ReadonlySet<string>
}

const holidaysOf = (days: readonly string[]): Holidays => ({
  days: new Set(days),
  years: new Set(days.map((day) => day.slice(0, 4))),
})

let national: Holidays | undefined

/** National holidays of the catalog, or the caller's own list. */
export function holidaysFrom(list: readonly string[] | undefined): Holidays {
  if (list) return holidaysOf(list)
  national ??= holidaysOf(rows.map((row) => row.date))
  return national
}

export interface Count {
  readonly day: string
  /** True where a day was counted of a year whose holidays are not known. */
  readonly unknown: boolean
}

/**
 * The `count`-th day after `from` that is neither Saturday, Sunday nor holiday.
 *
 * In a year whose holidays are not known each weekday counts: the day found is then the true one or an earlier one,
 * never a later one.
 *
 * @example
 * countDays('2026-03-31', 4, holidaysFrom(undefined)).day // => '2026-04-07'
 */
export function countDays(from: string, count: number, holidays: Holidays): Count {
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
 * A day of the month after that of `day`.
 *
 * @example
 * dayOfNextMonth('2026-12-31', 16) // => '2027-01-16'
 */
export const dayOfNextMonth = (day: string, number: number): string =>
  `${lightFormat(addMonths(noon(`${day.slice(0, 7)}-01`), 1), 'yyyy-MM')}-${String(number).padStart(2, '0')}`

/**
 * Days from one day to another, negative if it lies before.
 *
 * @example
 * daysBetween('2026-03-28', '2026-03-30') // => 2
 */
export const daysBetween = (from: string, to: string): number =>
  differenceInCalendarDays(noon(to), noon(from)) + 0
