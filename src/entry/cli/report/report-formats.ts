/** The reporters by format name. */
import type { Format, Settings } from '../input/input-settings.ts'
import { reportGithub } from './github.ts'
import { reportJson } from './json-report.ts'
import type { Reporter } from './reporter.ts'
import { reportSarif } from './sarif.ts'
import { reportText } from './text-report.ts'

const REPORTERS: Readonly<Record<Format, (settings: Settings) => Reporter>> = {
  text: reportText,
  json: reportJson,
  github: reportGithub,
  sarif: reportSarif,
}

export const reporterOf = (settings: Settings): Reporter => REPORTERS[settings.format](settings)
