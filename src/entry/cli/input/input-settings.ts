/** Settings of a run as plain data, which can be sent to worker threads. */
import type { Locale, Options } from '#engine/index.ts'

export type Command = 'validate' | 'explain' | 'reconcile'
export type Format = 'text' | 'json' | 'github' | 'sarif'

/** The formats that `cuadra convert` writes. */
export const CONVERT_FORMATS = ['facturae_3_2_2', 'ubl_2_1', 'cii_d16b', 'json_1_1', 'csv'] as const

/** Short names of formats: the newest version of each. */
export const NEWEST = {
  facturae: 'facturae_3_2_2',
  ubl: 'ubl_2_1',
  cii: 'cii_d16b',
  json: 'json_1_1',
} as const

export interface Settings {
  readonly command: Command
  readonly format: Format
  readonly locale: Locale
  readonly options: Options
  /** Whether valid documents print nothing. */
  readonly quiet: boolean
  /** Whether JSON output includes the completed invoice. */
  readonly withData: boolean
  readonly color: boolean
  /** Whether codes are printed as links to the site. */
  readonly links: boolean
  /** Columns of the terminal. */
  readonly width: number
  /** Form of the JSON output: one document, an array, or one document per line. */
  readonly shape: 'single' | 'several' | 'lines'
}
