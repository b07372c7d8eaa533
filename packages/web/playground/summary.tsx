/** The summary of the check, on the page and for screen readers. */
import { useEffect, useState } from 'preact/hooks'
import type { Assessment } from './assess/assess.ts'
import { moneyText } from './messages/message-format.ts'
import { type UiMessages, useMessages } from './messages/ui.ts'
import { SeverityIcon } from './parts/playground-parts.tsx'

type Kind = 'ok' | 'wrong' | 'unfinished'

/** An invoice is unfinished if it only lacks fields that the user has not visited yet. */
function kindOf({ valid, readable, errors, hints }: Assessment): Kind {
  if (valid) return 'ok'
  return readable && errors === 0 && hints.length > 0 ? 'unfinished' : 'wrong'
}

function titleOf(kind: Kind, readable: boolean, messages: UiMessages): string {
  if (!readable) return messages.unreadable
  return { ok: messages.valid, wrong: messages.notValid, unfinished: messages.unfinished }[kind]
}

const countsOf = ({ errors, warnings, hints }: Assessment, messages: UiMessages): string =>
  [
    errors > 0 && messages.errors(errors),
    warnings > 0 && messages.warnings(warnings),
    hints.length > 0 && messages.hints(hints.length),
  ]
    .filter(Boolean)
    .join(' · ') || messages.none

export function Summary({ assessment }: { readonly assessment: Assessment }) {
  const { locale, messages } = useMessages()
  const { readable, data } = assessment
  const kind = kindOf(assessment)
  const title = titleOf(kind, readable, messages)
  const counts = countsOf(assessment, messages)
  const totals = readable ? data?.invoice.totals : undefined
  const total = totals?.invoice_total
  const toPay = totals?.total_executable_amount
  return (
    <div tabIndex={-1} class={`summary summary-${kind}`}>
      <SeverityIcon severity={kind === 'wrong' ? 'error' : kind === 'ok' ? 'ok' : 'unfinished'} />
      <div class="summary-text">
        <p class="summary-title">{title}</p>
        <p class="summary-counts">{counts}</p>
      </div>
      {readable ? (
        <p class="summary-total">
          <span class="summary-label">{messages.total}</span>
          <strong class="summary-sum">{total === undefined ? '–' : moneyText(total, locale)}</strong>
          {toPay !== undefined && toPay !== total ? (
            <span class="summary-pay">
              {moneyText(toPay, locale)} {messages.toPay}
            </span>
          ) : null}
        </p>
      ) : null}
      <Announcement text={announcementOf(title, assessment, messages)} />
    </div>
  )
}

const announcementOf = (
  title: string,
  { errors, warnings, hints }: Assessment,
  messages: UiMessages,
): string =>
  hints.length > 0
    ? messages.announce(title, messages.errors(errors), messages.hints(hints.length))
    : messages.announce(title, messages.errors(errors), messages.warnings(warnings))

/** Announces the result to screen readers when the user stops typing. */
function Announcement({ text }: { readonly text: string }) {
  const [announcement, announce] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => announce(text), 700)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <p class="visually-hidden" role="status" aria-live="polite">
      {announcement}
    </p>
  )
}
