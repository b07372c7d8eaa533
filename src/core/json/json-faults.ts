/** Messages that state why a text is not valid JSON. */
import type { Text } from '../invoice/index.ts'
import { FAULTS as FAULTS_TEXTS } from './generated/texts/faults.ts'
import type { FaultReason } from './scan-json.ts'

/** Each message is the end of the sentence "the text is not JSON: ...". */
export const FAULTS: Readonly<Record<FaultReason, Text>> = FAULTS_TEXTS
