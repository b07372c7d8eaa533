import type { Assessment, Settings } from '../assess/assess.ts'
import type { Change } from '../document/edit-document.ts'

export interface OutputProps {
  readonly assessment: Assessment
  readonly settings: Settings
  /** Whether to use plain language, for the form, instead of member names and codes. */
  readonly plain: boolean
  readonly onChange: (changes: readonly Change[]) => void
}
