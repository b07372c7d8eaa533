/** The few drawings of the page; the shape says as much as the colour. */
import type { Severity } from '../../api/index.ts'
import { useWords } from '../words/ui.ts'

const MARKS = {
  ok: 'M6 10.4 8.8 13 14 7',
  begun: 'M6 10h.2M10 10h.2M14 10h.2',
  error: 'm7 7 6 6m0-6-6 6',
  warning: 'M10 7.5v5m0 2.2v.3',
}

export const SeverityIcon = ({ severity }: { readonly severity: Severity | 'ok' | 'begun' }) => (
  <svg class={`icon icon-${severity}`} viewBox="0 0 20 20" aria-hidden="true">
    {severity === 'warning' ? (
      <path d="M10 1.5 19.2 18H.8Z" fill="currentColor" />
    ) : (
      <circle cx="10" cy="10" r="9" fill="currentColor" />
    )}
    <path class="icon-mark" d={MARKS[severity]} />
  </svg>
)

/** The name of a severity for those who do not see its icon. */
export const Unseen = ({ severity }: { readonly severity: Severity }) => (
  <span class="unseen">{useWords().words[severity]}: </span>
)

export function Logo() {
  return (
    <span class="logo">
      cuadra
      <span class="logo-rule" aria-hidden="true" />
    </span>
  )
}
