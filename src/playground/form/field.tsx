/** A label, a control and what is wrong with its value. */
import type { ComponentChildren } from 'preact'
import type { Problem } from '../assess/problems.ts'
import { SeverityIcon } from '../parts/icons.tsx'
import { useWords } from '../words/ui.ts'

export const fieldId = (path: string): string => `field${path.replace(/\W/g, '-')}`

/** Attributes that tie a control to its label and its problems. */
export interface ControlProps {
  readonly id: string
  readonly 'data-path': string
  readonly 'aria-invalid'?: boolean
  readonly 'aria-describedby'?: string
}

interface FieldProps {
  readonly label: string
  readonly path: string
  readonly problems: readonly Problem[]
  readonly size?: 'wide' | 'small' | undefined
  readonly children: (control: ControlProps) => ComponentChildren
}

export function Field({ label, path, problems, size, children }: FieldProps) {
  const id = fieldId(path)
  const wrong = problems.some(({ severity }) => severity === 'error')
  const described = problems.length > 0 ? { 'aria-describedby': `${id}-problems`, 'aria-invalid': wrong } : {}
  return (
    <div class={`field ${size ? `field-${size}` : ''} ${problems.length > 0 ? 'field-marked' : ''}`}>
      <label for={id}>{label}</label>
      {children({ id, 'data-path': path, ...described })}
      {problems.length > 0 ? <FieldProblems id={`${id}-problems`} problems={problems} /> : null}
    </div>
  )
}

interface FieldProblemsProps {
  readonly id?: string
  readonly problems: readonly Problem[]
}

export function FieldProblems({ id, problems }: FieldProblemsProps) {
  const { words } = useWords()
  if (problems.length === 0) return null
  return (
    <ul class="field-problems" id={id}>
      {problems.map(({ severity, code, what, mend }) => (
        <li key={code} class={`text-${severity}`}>
          <SeverityIcon severity={severity} />
          <span>
            <span class="unseen">{words[severity]}: </span>
            {what} {mend}
          </span>
        </li>
      ))}
    </ul>
  )
}
