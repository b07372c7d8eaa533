/** A field of the form: label, control and problems. */
import type { ComponentChildren } from 'preact'
import { button } from '../../parts/page-parts.tsx'
import type { Problem } from '../assess/assess-problems.ts'
import { plainProblem } from '../messages/plain-language.ts'
import { useMessages } from '../messages/ui.ts'
import { SeverityIcon, SeverityLabel } from '../parts/playground-parts.tsx'

const fieldId = (path: string): string => `field${path.replace(/\W/g, '-')}`

/** Attributes that link a control to its label and its problems. */
interface ControlProps {
  readonly id: string
  readonly 'data-path': string
  readonly 'aria-invalid'?: boolean
  readonly 'aria-describedby'?: string
}

export interface FieldProps {
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
      {/* The element has its height even without problems, so that the form does not move when a problem appears. */}
      <div class="field-note">
        {problems.length > 0 ? <FieldProblems id={`${id}-problems`} problems={problems} /> : null}
      </div>
    </div>
  )
}

interface FieldProblemsProps {
  readonly id?: string
  readonly problems: readonly Problem[]
}

function FieldProblems({ id, problems }: FieldProblemsProps) {
  const { locale } = useMessages()
  return (
    <ul class="field-problems" id={id}>
      {problems.map((problem) => {
        const { severity, code } = problem
        const { message, fix } = plainProblem(problem, locale)
        return (
          <li key={code} class={`text-${severity}`}>
            <SeverityIcon severity={severity} />
            <span>
              <SeverityLabel severity={severity} />
              {message} {fix}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/**
 * Shows the number of problems of a section, and expands to show them. Keeps its height even without problems.
 */
export function SectionProblems({ problems }: Pick<FieldProblemsProps, 'problems'>) {
  const { messages } = useMessages()
  const wrong = problems.some(({ severity }) => severity === 'error')
  return (
    <div class="section-note">
      {problems.length > 0 ? (
        <details>
          <summary class={`text-${wrong ? 'error' : 'warning'}`}>
            <SeverityIcon severity={wrong ? 'error' : 'warning'} />
            <span>{messages.seeMore(problems.length)}</span>
          </summary>
          <FieldProblems problems={problems} />
        </details>
      ) : null}
    </div>
  )
}

export const AddButton = button('add')

interface RemoveProps {
  readonly name: string
  readonly disabled?: boolean
  readonly onClick: () => void
}

export const RemoveButton = ({ name, ...props }: RemoveProps) => (
  <button type="button" class="remove" aria-label={name} title={name} {...props}>
    ×
  </button>
)
