/** The answer in one glance, and for those who listen. */
import { useEffect, useState } from 'preact/hooks'
import type { Assessment } from './assess/assess.ts'
import { money } from './messages/format.ts'
import { type UiMessages, useMessages } from './messages/ui.ts'
import { SeverityIcon } from './parts/parts.tsx'

type Kind = 'ok' | 'wrong' | 'begun'

/** An invoice that only lacks what nobody has been at yet is neither right nor wrong. */
function kindOf({ valid, readable, errors, hints }: Assessment): Kind {
  if (valid) return 'ok'
  return readable && errors === 0 && hints.length > 0 ? 'begun' : 'wrong'
}

function titleOf(kind: Kind, readable: boolean, messages: UiMessages): string {
  if (!readable) return messages.unreadable
  return { ok: messages.valid, wrong: messages.notValid, begun: messages.begun }[kind]
}

const countsOf = ({ errors, warnings, hints }: Assessment, messages: UiMessages): string =>
  [
    errors > 0 && messages.errors(errors),
    warnings > 0 && messages.warnings(warnings),
    hints.length > 0 && messages.hints(hints.length),
  ]
    .filter(Boolean)
    .join(' · ') || messages.none

export function Verdict({ assessment }: { readonly assessment: Assessment }) {
  const { locale, messages } = useMessages()
  const { readable, data } = assessment
  const kind = kindOf(assessment)
  const title = titleOf(kind, readable, messages)
  const counts = countsOf(assessment, messages)
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
          <span class="verdict-label">{messages.total}</span>
          <strong class="verdict-sum">{money(total, locale)}</strong>
          {toPay !== undefined && toPay !== total ? (
            <span class="verdict-pay">
              {money(toPay, locale)} {messages.toPay}
            </span>
          ) : null}
        </p>
      )}
      <Announcement saying={announced(title, assessment, messages)} />
    </div>
  )
}

const announced = (title: string, { errors, warnings, hints }: Assessment, messages: UiMessages): string =>
  hints.length > 0
    ? messages.announce(title, messages.errors(errors), messages.hints(hints.length))
    : messages.announce(title, messages.errors(errors), messages.warnings(warnings))

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
