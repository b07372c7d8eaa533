/** Findings, one below the other: how severe, what, and where. */
import type { ComponentChildren } from 'preact'
import type { Severity } from '../../api/index.ts'
import { SeverityIcon, Unseen } from './icons.tsx'

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
