/** What the output tab is given. */
import type { Assessment, Settings } from '../assess/assess.ts'
import type { Change } from '../document/edit.ts'

export interface OutputProps {
  readonly assessment: Assessment
  readonly settings: Settings
  /** Beside the form nothing is said in the words of the JSON. */
  readonly plain: boolean
  readonly onChange: (changes: readonly Change[]) => void
}
