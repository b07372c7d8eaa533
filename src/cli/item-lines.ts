/** A validation item without a frame around its place, for people. */
import type { ValidationItem } from '../index.ts'
import type { Colors } from './colors.ts'
import { printable, wrap } from './printable.ts'

export function plainItem(item: ValidationItem, colors: Colors, width: number): string[] {
  const label = item.severity === 'error' ? colors.red('error  ') : colors.yellow('warning')
  const head = `  ${label}  ${colors.bold(item.code)}  ${colors.dim(printable(item.path))}`
  return [head, ...wrap(printable(item.message), Math.min(96, width) - 4).map((line) => `    ${line}`)]
}
