/** The controls of the form. Each writes one member of the document, and takes it out when emptied. */
import { useState } from 'preact/hooks'
import type { Problem } from '../assess/problems.ts'
import type { Change } from '../document/edit.ts'
import { Options } from '../parts/options.tsx'
import type { Choice } from '../words/catalog-names.ts'
import { editable, readNumber } from '../words/format.ts'
import { useWords } from '../words/ui.ts'
import { Field } from './field.tsx'

interface InputProps {
  readonly label: string
  readonly path: string
  readonly value: unknown
  readonly problems: readonly Problem[]
  readonly change: (changes: readonly Change[]) => void
  readonly size?: 'wide' | 'small' | undefined
}

type TextProps = InputProps & {
  readonly kind?: 'text' | 'date' | 'email'
  /** For members that must be there: emptied, they stay as an empty text. */
  readonly keep?: boolean
}

const shown = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

export function TextInput({
  label,
  path,
  value,
  problems,
  change,
  size,
  kind = 'text',
  keep = false,
}: TextProps) {
  return (
    <Field label={label} path={path} problems={problems} size={size}>
      {(control) => (
        <input
          {...control}
          // The types of Preact know each kind of input, but no choice of them.
          type={kind as 'text'}
          value={shown(value)}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget: { value: typed } }) =>
            change([[path, typed === '' && !keep ? undefined : typed]])
          }
        />
      )}
    </Field>
  )
}

/** Keeps what is being typed as it is typed; the document has the number. What is no number goes in as text. */
export function NumberInput({ label, path, value, problems, change, size }: InputProps) {
  const { locale } = useWords()
  const [typed, setTyped] = useState<string | null>(null)
  const written = typeof value === 'number' ? editable(value, locale) : shown(value)
  return (
    <Field label={label} path={path} problems={problems} size={size}>
      {(control) => (
        <input
          {...control}
          type="text"
          inputMode="decimal"
          autocomplete="off"
          class="number"
          value={typed ?? written}
          onBlur={() => setTyped(null)}
          onInput={({ currentTarget: { value: text } }) => {
            setTyped(text)
            change([[path, text.trim() === '' ? undefined : (readNumber(text, locale) ?? text)]])
          }}
        />
      )}
    </Field>
  )
}

type SelectProps = InputProps & {
  readonly choices: readonly Choice[]
  /** No choice for "nothing". */
  readonly required?: boolean
  /** What else is to change with it. */
  readonly also?: (value: Choice['value'] | undefined) => readonly Change[]
}

export function SelectInput(props: SelectProps) {
  const { label, path, value, problems, change, size, choices, required = false, also } = props
  const { words } = useWords()
  const chosen = value === undefined || value === null ? '' : JSON.stringify(value)
  const listed = chosen === '' || choices.some((choice) => JSON.stringify(choice.value) === chosen)
  return (
    <Field label={label} path={path} problems={problems} size={size}>
      {(control) => (
        <select
          {...control}
          value={chosen}
          onChange={({ currentTarget: { value: picked } }) => {
            const changed = picked === '' ? undefined : (JSON.parse(picked) as Choice['value'])
            change([[path, changed], ...(also?.(changed) ?? [])])
          }}
        >
          {required && chosen !== '' ? null : <option value="">{words.empty}</option>}
          {listed ? null : (
            <option value={chosen}>
              {shown(value)} · {words.notListed}
            </option>
          )}
          <Options of={choices} write={JSON.stringify} />
        </select>
      )}
    </Field>
  )
}
