/** Why a corrective cannot be built: `reason` for programs, `hint` for people. */
import type { Text } from '../../../invoice/index.ts'
import { ApiError } from '../../errors/api-error.ts'

export const cannotCorrect = (
  reason: string,
  hint: Text,
  extra: Readonly<Record<string, unknown>> = {},
): ApiError => new ApiError('corrective_draft_invalid', { reason, hint, ...extra })
