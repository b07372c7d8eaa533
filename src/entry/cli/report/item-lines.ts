/** Formats a validation item as text, without the lines of its document. */
import type { ValidationItem } from '#engine/index.ts'
import { printable, wrap } from '../../terminal/printable.ts'
import type { Colors } from '../input/colors.ts'

/** Returns the location of an item in a file: `records.ndjson:3:14`. */
const fileIn = ({ extra }: ValidationItem): string => {
  const { file, line, column } = extra ?? {}
  if (file === undefined) return ''
  return [file, line, column].filter((part) => part !== undefined).join(':')
}

export function plainItem(item: ValidationItem, colors: Colors, width: number): string[] {
  const label = item.severity === 'error' ? colors.red('error  ') : colors.yellow('warning')
  const position = [item.path, fileIn(item)].filter((part) => part !== '').join('  ')
  const head = `  ${label}  ${colors.bold(item.code)}  ${colors.dim(printable(position))}`
  return [head, ...wrap(printable(item.message), Math.min(96, width) - 4).map((line) => `    ${line}`)]
}
