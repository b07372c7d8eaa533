/** Reports annotations of GitHub Actions: `::error file=...,line=...::message`. */
import { required } from '#core/errors/index.ts'
import { printable } from '../../terminal/printable.ts'
import type { Settings } from '../input/input-settings.ts'
import { locationsOf } from '../input/item-locations.ts'
import { messagesOf } from './report-messages.ts'
import { operationCounts, type Reporter } from './reporter.ts'

const inMessage = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const inProperty = (text: string): string => inMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

export function reportGithub({ quiet, locale }: Settings): Reporter {
  return {
    one(result) {
      const { locations } = locationsOf(result)
      return result.outcome.errors
        .map((item, index) => {
          const { line, column } = required(locations[index])
          const file = inProperty(result.file)
          const position = `file=${file},line=${line},col=${column},title=${inProperty(item.code)}`
          const path = item.path ? ` [${item.path}]` : ''
          return `::${item.severity} ${position}::${inMessage(printable(item.message + path))}\n`
        })
        .join('')
    },
    /** A line of the log, not an annotation. */
    end({ operations }) {
      const counts = operationCounts(operations)
      return quiet || counts === '' ? '' : `cuadra: ${messagesOf(locale).operations} ${counts}\n`
    },
  }
}
