/** Errors for files that cannot be recognised, with instructions. */
import type { UnreadableReason } from 'cuadra-recognition/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import { UNAVAILABLE, UNREADABLE } from '../../generated/texts/recognition.ts'

/** Maximum number of bytes of a file (API specification, section "Limits"). */
export const MAX_FILE_BYTES = 10 * 1024 * 1024
const MAX_PAGES = 8

/** Returns the error for a file that cannot be read. Programs read `reason`, people read `hint`. */
export const unreadableFileError = (reason: UnreadableReason): ApiError =>
  new ApiError('recognition_file_invalid', {
    reason,
    hint: UNREADABLE[reason],
    max_bytes: MAX_FILE_BYTES,
    max_pages: MAX_PAGES,
  })

/** Reasons that pass. The response has a `Retry-After` header. */
const PASSING: readonly (keyof typeof UNAVAILABLE)[] = ['busy', 'closing', 'failed_files']

export const recognitionUnavailableError = (reason: keyof typeof UNAVAILABLE, seconds = 10): ApiError =>
  new ApiError(
    'recognition_disabled',
    { reason, hint: UNAVAILABLE[reason] },
    PASSING.includes(reason) ? { 'Retry-After': String(seconds) } : {},
  )
