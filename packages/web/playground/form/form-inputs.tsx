/**
 * The fields of the form. Each field writes one member of the document, and removes the member if the field is emptied.
 */
import { useState } from 'preact/hooks'
import { valueAt } from '#core/invoice/pointer.ts'
import type { Problem } from '../assess/assess-problems.ts'
import type { Change } from '../document/edit-document.ts'
import { type Choice, type ChoiceContext, choicesOf } from '../messages/catalog-names.ts'
import { labelOf } from '../messages/field-labels.ts'
import { inputText, readNumber } from '../messages/message-format.ts'
import { useMessages } from '../messages/ui.ts'
import { SelectOptions } from '../parts/playground-parts.tsx'
import { Field, type FieldProps } from './field.tsx'

/** The definition of a field. Its label and choices derive from the name of the member. */
export interface FieldSpec
  extends Partial<Pick<InputProps, 'label' | 'size' | 'problems' | 'value' | 'also'>> {
  /** Path of the member, relative to its section. */
  readonly name: string
  readonly kind?: keyof typeof INPUTS
  /** Whether the member is never removed. An emptied text is then kept as `""`, and a choice has no empty option. */
  readonly required?: boolean
  /** Choices, if they differ from the catalog of the member. */
  readonly choices?: readonly Choice[]
}

interface InputProps extends Omit<FieldProps, 'children'> {
  readonly kind: string
  readonly required: boolean
  readonly value: unknown
  readonly choices: readonly Choice[]
  readonly change: (changes: readonly Change[]) => void
  /** Returns further changes to make when this value changes. */
  readonly also?: ((value: Choice['value'] | undefined) => readonly Change[]) | undefined
}

const shown = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

const TextInput = ({ kind, value, required, change, ...field }: InputProps) => (
  <Field {...field}>
    {(control) => (
      <input
        {...control}
        // The types of Preact do not accept a union of input types.
        type={kind as 'text'}
        value={shown(value)}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget: { value: typed } }) =>
          change([[field.path, typed === '' && !required ? undefined : typed]])
        }
      />
    )}
  </Field>
)

/** Displays the text as typed, and writes the number into the document. An invalid number is written as text. */
function NumberInput({ value, change, ...field }: InputProps) {
  const { locale } = useMessages()
  const [typed, setTyped] = useState<string | null>(null)
  const written = typeof value === 'number' ? inputText(value, locale) : shown(value)
  return (
    <Field {...field}>
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
            change([[field.path, text.trim() === '' ? undefined : (readNumber(text, locale) ?? text)]])
          }}
        />
      )}
    </Field>
  )
}

function SelectInput({ value, change, choices, required, also, ...field }: InputProps) {
  const { messages } = useMessages()
  const chosen = value === undefined || value === null ? '' : JSON.stringify(value)
  const listed = chosen === '' || choices.some((choice) => JSON.stringify(choice.value) === chosen)
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          value={chosen}
          onChange={({ currentTarget: { value: picked } }) => {
            const changed = choices.find((choice) => JSON.stringify(choice.value) === picked)?.value
            change([[field.path, changed], ...(also?.(changed) ?? [])])
          }}
        >
          {required && chosen !== '' ? null : <option value="">{messages.empty}</option>}
          {listed ? null : (
            <option value={chosen}>
              {shown(value)} · {messages.notListed}
            </option>
          )}
          <SelectOptions of={choices} write={JSON.stringify} />
        </select>
      )}
    </Field>
  )
}

const INPUTS = {
  text: TextInput,
  date: TextInput,
  email: TextInput,
  number: NumberInput,
  choice: SelectInput,
}

interface FieldsProps extends FormContext {
  /** Path (`base`) and value (`node`) of the object to which the fields belong. */
  readonly base: string
  readonly node: unknown
  /** The fields. `null` stands for a hidden field, so that the keys of the following fields stay stable. */
  readonly of: readonly (FieldSpec | null)[]
  readonly problems: ProblemMap
  readonly class?: string
}

/** The fields of one object of the document. */
export function Fields({ base, node, of, problems, class: className = '', change, choices }: FieldsProps) {
  const { locale } = useMessages()
  const field = ({ name, kind = 'text', required = false, ...spec }: FieldSpec, key: number) => {
    const path = `${base}/${name}`
    const [member = '', parent] = name.split('/').toReversed()
    const Input = INPUTS[kind]
    const derived = {
      label: labelOf(member, locale),
      value: valueAt(node, `/${name}`),
      problems: problemsAt(problems, [path]),
      choices: kind === 'choice' && !spec.choices ? choicesOf(member, choices, parent) : [],
    }
    return <Input key={key} {...derived} {...spec} {...{ path, kind, required, change }} />
  }
  return <div class={`fields ${className}`.trim()}>{of.map((spec, at) => spec && field(spec, at))}</div>
}

export interface FormContext {
  readonly change: (changes: readonly Change[]) => void
  /** The same object as long as language, tax group, date and direction do not change. */
  readonly choices: ChoiceContext
}

/** Problems by path. */
export type ProblemMap = ReadonlyMap<string, readonly Problem[]>

export function problemMap(problems: readonly Problem[]): ProblemMap {
  const map = new Map<string, Problem[]>()
  for (const problem of problems) {
    const at = map.get(problem.path)
    if (at) at.push(problem)
    else map.set(problem.path, [problem])
  }
  return map
}

export const problemsAt = (map: ProblemMap, paths: readonly string[]): readonly Problem[] =>
  paths.flatMap((path) => map.get(path) ?? [])
