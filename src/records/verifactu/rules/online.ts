/**
 * Codes of checks that only the authority can perform, with the reason, and the instruction for a response with the
 * code.
 */
import { ONLINE_CODES as CODES } from '../generated/texts/online.ts'
import type { OnlineCode } from './check-declaration.ts'

export const ONLINE_CODES: readonly OnlineCode[] = CODES.map((code) => ({ ...code, offline: false }))
