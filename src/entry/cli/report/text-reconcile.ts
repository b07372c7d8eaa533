/** Formats a comparison of sent and computed amounts as text. */
import { rowLines } from '../../terminal/terminal-rows.ts'
import type { DocumentResult } from '../input/check-document.ts'
import type { Colors } from '../input/colors.ts'
import { numbersOf } from '../input/input-numbers.ts'
import type { Settings } from '../input/input-settings.ts'
import { messagesOf } from './report-messages.ts'

export function reconcileLines(
  { outcome }: DocumentResult,
  { locale, width }: Settings,
  colors: Colors,
): string[] {
  const rows = outcome.reconciliation ?? []
  const messages = messagesOf(locale)
  if (rows.length === 0)
    return outcome.errors.some((item) => item.severity === 'error') ? [] : ['', `  ${messages.nothingSent}`]
  const { amount } = numbersOf(locale)
  const signed = (value: number) => (value > 0 ? `+${amount(value)}` : value === 0 ? '' : amount(value))
  const head = [messages.amount, messages.sent, messages.computed, messages.difference, ''].map(colors.dim)
  const body = rows.map((row) => {
    const paint = !row.within_tolerance
      ? colors.red
      : row.difference === 0
        ? (text: string) => text
        : colors.yellow
    return [
      row.path,
      amount(row.sent),
      amount(row.computed),
      paint(signed(row.difference)),
      row.within_tolerance
        ? row.difference === 0
          ? colors.green('✔')
          : colors.yellow('≈')
        : colors.red('✖'),
    ]
  })
  const aligns = ['left', 'right', 'right', 'right', 'left'] as const
  return ['', ...rowLines({ fields: head, cells: body, aligns }, width - 2).map((line) => `  ${line}`)]
}
