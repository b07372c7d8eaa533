/** Output for people. */
import { printable } from '../../terminal/printable.ts'
import { colorsOf } from '../input/colors.ts'
import { numbersOf } from '../input/numbers.ts'
import type { Settings } from '../input/settings.ts'
import type { Verdict } from '../input/verdict.ts'
import { messagesOf } from './messages.ts'
import type { Reporter } from './reporter.ts'
import { explainLines } from './text-explain.ts'
import { fixLines, headline, itemLines } from './text-items.ts'
import { reconcileLines } from './text-reconcile.ts'
import { totalsTable } from './totals-table.ts'

/** Codes of items that the one line of a document in a batch names. */
const MOST_NAMED = 4

export function reportText(settings: Settings): Reporter {
  const colors = colorsOf(settings.color)
  const messages = messagesOf(settings.locale)
  const { command, quiet } = settings

  const oneLine = (verdict: Verdict): string => {
    const { errors, is_valid } = verdict.answer
    const serious = is_valid ? errors : errors.filter((item) => item.severity === 'error')
    const named = serious.slice(0, MOST_NAMED).map((item) => `${item.code} ${printable(item.path)}`.trimEnd())
    if (serious.length > MOST_NAMED) named.push(messages.more(serious.length - MOST_NAMED))
    const tail = named.length === 0 ? '' : `  ${colors.dim(named.join('; '))}`
    return `${headline(verdict, settings, colors)}${tail}\n`
  }

  const one = (verdict: Verdict): string => {
    const { answer, index } = verdict
    if (quiet && answer.is_valid && !answer.fixes?.length) return ''
    if (index !== null && command === 'validate') return oneLine(verdict)
    const lines = [
      headline(verdict, settings, colors),
      ...fixLines(verdict, settings, colors),
      ...itemLines(verdict, settings, colors),
    ]
    if (quiet) return `${lines.join('\n')}\n\n`
    if (answer.data) lines.push('', ...totalsTable(answer.data, settings, colors).map((line) => `  ${line}`))
    if (command === 'explain') lines.push(...explainLines(verdict, settings, colors))
    if (command === 'reconcile') lines.push(...reconcileLines(verdict, settings, colors))
    return `${lines.join('\n')}\n\n`
  }

  return {
    one,
    end({ documents, invalid }) {
      if (quiet || documents < 2) return ''
      const { plain } = numbersOf(settings.locale)
      const paint = invalid === 0 ? colors.green : colors.red
      return `${paint(messages.summary(plain(documents - invalid), plain(documents)))}\n`
    },
  }
}
