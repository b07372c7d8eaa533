/**
 * Determines the date of the next number of a series. Numbers and dates must increase together, even if the clock was
 * set back or the clocks of two machines differ at midnight. If the clock is up to a day behind the date of the last
 * number, that date is used again. If it is further behind, the clock is wrong and nothing is issued.
 */
import { daysBetween } from '#records/sii/deadline/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Call } from '../access/call.ts'
import type { Series } from './numbering.ts'

/** Maximum number of days that the clock may be behind the date of the last number of a series. */
const MAX_DAYS_BEHIND = 1

/** Returns the later of today and the date of the last number of a locked series. Throws `clock_behind`. */
export function nextIssueDate(call: Call, { series_code, last_date }: Series): string {
  const today = call.app.clock.today()
  if (last_date === null || last_date <= today) return today
  if (daysBetween(today, last_date) > MAX_DAYS_BEHIND)
    throw new ApiError('clock_behind', { series: series_code, today, last_date })
  call.app.log.warn(
    { request_id: call.requestId, today, date: last_date },
    'the clock is behind the last number of a series, whose date is kept',
  )
  return last_date
}
