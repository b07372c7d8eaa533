/** Errors for work that the server does not begin, or does not finish, because others need its memory and threads. */
import type { NoTurn } from '../../turns/turns.ts'
import { UNAVAILABLE } from '../generated/texts/errors.ts'
import { ApiError, LATER } from './api-error.ts'

type Reason = NoTurn | 'not_started' | 'out_of_time' | 'out_of_memory'

/** Reasons that pass in seconds. */
const PASSING: readonly Reason[] = ['busy', 'closing', 'not_started']

/** The log has the `cause`. */
export const unavailable = (reason: Reason, cause?: unknown): ApiError =>
  Object.assign(
    new ApiError(
      'service_unavailable',
      { reason, message: UNAVAILABLE[reason] },
      PASSING.includes(reason) ? LATER : {},
    ),
    cause === undefined ? {} : { cause },
  )
