/** Reports text for people. */
import { printable } from '../../terminal/printable.ts'
import type { DocumentResult } from '../input/check-document.ts'
import { colorsOf } from '../input/colors.ts'
import { numbersOf } from '../input/input-numbers.ts'
import type { Settings } from '../input/input-settings.ts'
import { messagesOf } from './report-messages.ts'
import { operationCounts, type Reporter } from './reporter.ts'
import { explainLines } from './text-explain.ts'
import { fixLines, headline, itemLines, operationLines } from './text-items.ts'
import { reconcileLines } from './text-reconcile.ts'
import { totalsTable } from './totals-table.ts'

/** Maximum number of codes shown for a document of a batch. */
const MOST_NAMED = 4

export function reportText(settings: Settings): Reporter {
  const colors = colorsOf(settings.color)
  const messages = messagesOf(settings.locale)
  const { command, quiet } = settings

  const oneLine = (result: DocumentResult): string => {
    const { errors, is_valid } = result.outcome
    const serious = is_valid ? errors : errors.filter((item) => item.severity === 'error')
    const named = serious.slice(0, MOST_NAMED).map((item) => `${item.code} ${printable(item.path)}`.trimEnd())
    if (serious.length > MOST_NAMED) named.push(messages.more(serious.length - MOST_NAMED))
    const tail = named.length === 0 ? '' : `  ${colors.dim(named.join('; '))}`
    return `${headline(result, settings, colors)}${tail}\n`
  }

  const one = (result: DocumentResult): string => {
    const { outcome, index } = result
    if (quiet && outcome.is_valid && !outcome.fixes?.length) return ''
    if (index !== null && command === 'validate') return oneLine(result)
    const lines = [
      headline(result, settings, colors),
      ...operationLines(result, settings, colors),
      ...fixLines(result, settings, colors),
      ...itemLines(result, settings, colors),
    ]
    if (quiet) return `${lines.join('\n')}\n\n`
    if (outcome.data)
      lines.push('', ...totalsTable(outcome.data, settings, colors).map((line) => `  ${line}`))
    if (command === 'explain') lines.push(...explainLines(result, settings, colors))
    if (command === 'reconcile') lines.push(...reconcileLines(result, settings, colors))
    return `${lines.join('\n')}\n\n`
  }

  return {
    one,
    end({ documents, invalid, operations }) {
      if (quiet || documents < 2) return ''
      const { plain } = numbersOf(settings.locale)
      const paint = invalid === 0 ? colors.green : colors.red
      const summary = messages.summary(plain(documents - invalid), plain(documents))
      const counts = operationCounts(operations)
      const chosen = counts === '' ? '' : colors.dim(`${messages.operations} ${counts}\n`)
      return `${chosen}${paint(summary)}\n`
    },
  }
}
