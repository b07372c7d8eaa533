/** Annotations of GitHub Actions: `::error file=...,line=...::message`. */
import { required } from '../../errors/index.ts'
import { printable } from '../../terminal/printable.ts'
import { spotsOf } from '../input/finding-places.ts'
import type { Reporter } from './reporter.ts'

const inMessage = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const inProperty = (text: string): string => inMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

export function reportGithub(): Reporter {
  return {
    one(verdict) {
      const { spots } = spotsOf(verdict)
      return verdict.answer.errors
        .map((item, index) => {
          const { line, column } = required(spots[index])
          const file = inProperty(verdict.file)
          const place = `file=${file},line=${line},col=${column},title=${inProperty(item.code)}`
          const path = item.path ? ` [${item.path}]` : ''
          return `::${item.severity} ${place}::${inMessage(printable(item.message + path))}\n`
        })
        .join('')
    },
  }
}
