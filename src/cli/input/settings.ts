/** What the command line was asked for, as plain data: it goes to the worker threads as it is. */
import type { Locale, Options } from '../../api/index.ts'

export type Command = 'validate' | 'explain' | 'reconcile'
export type Format = 'text' | 'json' | 'github' | 'sarif'

/** The formats that `cuadra convert` writes. */
export const TARGETS = ['facturae_3_2_2', 'ubl_2_1', 'cii_d16b', 'json_1_1'] as const

export interface Settings {
  readonly command: Command
  readonly format: Format
  readonly locale: Locale
  readonly options: Options
  /** Documents without errors print nothing. */
  readonly quiet: boolean
  /** The answer of JSON holds the completed invoice. */
  readonly withData: boolean
  readonly color: boolean
  /** Codes are links to the site. */
  readonly links: boolean
  /** Columns of the terminal. */
  readonly width: number
  /** How many answers there will be: one, several, or a stream of one a line. */
  readonly shape: 'single' | 'several' | 'lines'
}
