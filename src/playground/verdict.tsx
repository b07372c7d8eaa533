/** The answer in one glance, and for those who listen. */
import { useEffect, useState } from 'preact/hooks'
import type { Assessment } from './assess/assess.ts'
import { SeverityIcon } from './parts/icons.tsx'
import { money } from './words/format.ts'
import { useWords } from './words/ui.ts'

export function Verdict({ assessment }: { readonly assessment: Assessment }) {
  const { locale, words } = useWords()
  const { readable, valid, errors, warnings, data } = assessment
  const title = readable ? (valid ? words.valid : words.notValid) : words.unreadable
  const totals = readable ? data?.invoice.totals : undefined
  const total = totals?.invoice_total
  const toPay = totals?.total_executable_amount
  return (
    <div tabIndex={-1} class={`verdict ${valid ? 'verdict-ok' : 'verdict-wrong'}`}>
      <SeverityIcon severity={valid ? 'ok' : 'error'} />
      <div class="verdict-words">
        <p class="verdict-title">{title}</p>
        <p class="verdict-counts">
          {errors + warnings === 0
            ? words.none
            : [errors && words.errors(errors), warnings && words.warnings(warnings)]
                .filter(Boolean)
                .join(' · ')}
        </p>
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
      <Announcement title={title} errors={errors} warnings={warnings} />
    </div>
  )
}

interface AnnouncementProps {
  readonly title: string
  readonly errors: number
  readonly warnings: number
}

/** Said once the typing pauses: nobody wants to hear every keystroke judged. */
function Announcement({ title, errors, warnings }: AnnouncementProps) {
  const { words } = useWords()
  const [said, say] = useState('')
  const saying = words.announce(title, words.errors(errors), words.warnings(warnings))
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
