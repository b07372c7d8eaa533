/** The answer in one glance, and for those who listen. */
import { useEffect, useState } from 'preact/hooks'
import type { Assessment } from './assess/assess.ts'
import { SeverityIcon } from './parts/parts.tsx'
import { money } from './words/format.ts'
import { type UiWords, useWords } from './words/ui.ts'

type Kind = 'ok' | 'wrong' | 'begun'

/** An invoice that only lacks what nobody has been at yet is neither right nor wrong. */
function kindOf({ valid, readable, errors, hints }: Assessment): Kind {
  if (valid) return 'ok'
  return readable && errors === 0 && hints.length > 0 ? 'begun' : 'wrong'
}

function titleOf(kind: Kind, readable: boolean, words: UiWords): string {
  if (!readable) return words.unreadable
  return { ok: words.valid, wrong: words.notValid, begun: words.begun }[kind]
}

const countsOf = ({ errors, warnings, hints }: Assessment, words: UiWords): string =>
  [
    errors > 0 && words.errors(errors),
    warnings > 0 && words.warnings(warnings),
    hints.length > 0 && words.hints(hints.length),
  ]
    .filter(Boolean)
    .join(' · ') || words.none

export function Verdict({ assessment }: { readonly assessment: Assessment }) {
  const { locale, words } = useWords()
  const { readable, data } = assessment
  const kind = kindOf(assessment)
  const title = titleOf(kind, readable, words)
  const counts = countsOf(assessment, words)
  const totals = readable ? data?.invoice.totals : undefined
  const total = totals?.invoice_total
  const toPay = totals?.total_executable_amount
  return (
    <div tabIndex={-1} class={`verdict verdict-${kind}`}>
      <SeverityIcon severity={kind === 'wrong' ? 'error' : kind === 'ok' ? 'ok' : 'begun'} />
      <div class="verdict-words">
        <p class="verdict-title">{title}</p>
        <p class="verdict-counts">{counts}</p>
      </div>
      {total === undefined ? null : (
        <p class="verdict-total">
          <span class="verdict-label">{words.total}</span>
          <strong class="verdict-sum">{money(total, locale)}</strong>
          {toPay !== undefined && toPay !== total ? (
            <span class="verdict-pay">
              {money(toPay, locale)} {words.toPay}
            </span>
          ) : null}
        </p>
      )}
      <Announcement saying={announced(title, assessment, words)} />
    </div>
  )
}

const announced = (title: string, { errors, warnings, hints }: Assessment, words: UiWords): string =>
  hints.length > 0
    ? words.announce(title, words.errors(errors), words.hints(hints.length))
    : words.announce(title, words.errors(errors), words.warnings(warnings))

/** Said once the typing pauses: nobody wants to hear every keystroke judged. */
function Announcement({ saying }: { readonly saying: string }) {
  const [said, say] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => say(saying), 700)
    return () => clearTimeout(timer)
  }, [saying])
  return (
    <p class="unseen" role="status" aria-live="polite">
      {said}
    </p>
  )
}
