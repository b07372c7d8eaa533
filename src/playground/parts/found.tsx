/** Findings, one below the other: how severe, what, and where. */
import type { ComponentChildren } from 'preact'
import type { Severity } from '../../api/index.ts'
import { useWords } from '../words/ui.ts'
import { SeverityIcon } from './icons.tsx'

/** The name of a severity for those who do not see its icon. */
export const Unseen = ({ severity }: { readonly severity: Severity }) => (
  <span class="unseen">{useWords().words[severity]}: </span>
)

interface FoundProps {
  readonly label: string
  readonly of: readonly {
    readonly severity: Severity
    readonly what: string
    readonly where: ComponentChildren
  }[]
}

export const Found = ({ label, of }: FoundProps) => (
  <ul class="found" aria-label={label}>
    {of.map(({ severity, what, where }, at) => (
      <li key={at}>
        <SeverityIcon severity={severity} />
        <span>
          <Unseen severity={severity} />
          {what} <span class="found-place">{where}</span>
        </span>
      </li>
    ))}
  </ul>
)
