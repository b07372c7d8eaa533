/** Errors for work that the server cannot start or finish because other requests use its memory and threads. */
import type { NoTurnReason } from '#core/turns/index.ts'
import { UNAVAILABLE } from '../generated/texts/errors.ts'
import { ApiError, RETRY_LATER_HEADERS } from './api-error.ts'

type Reason = NoTurnReason | 'not_started' | 'out_of_time' | 'out_of_memory'

/** Reasons that usually pass within seconds, so that the client can retry soon. */
const PASSING: readonly Reason[] = ['busy', 'closing', 'not_started']

/** Returns the error for unavailable memory or threads. The `cause` is only logged. */
export const unavailable = (reason: Reason, cause?: unknown): ApiError =>
  Object.assign(
    new ApiError(
      'service_unavailable',
      { reason, message: UNAVAILABLE[reason] },
      PASSING.includes(reason) ? RETRY_LATER_HEADERS : {},
    ),
    cause === undefined ? {} : { cause },
  )
