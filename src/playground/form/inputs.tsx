/** The fields of the form. Each writes one member of the document, and takes it out when emptied. */
import { useState } from 'preact/hooks'
import { valueAt } from '../../invoice/index.ts'
import type { Problem } from '../assess/problems.ts'
import type { Change } from '../document/edit.ts'
import { type Choice, type ChoiceContext, choicesOf } from '../messages/catalog-names.ts'
import { editable, readNumber } from '../messages/format.ts'
import { labelOf } from '../messages/labels.ts'
import { useMessages } from '../messages/ui.ts'
import { Options } from '../parts/parts.tsx'
import { Field, type FieldProps } from './field.tsx'

/** What a field is: everything else follows from its member. */
export interface FieldSpec
  extends Partial<Pick<InputProps, 'label' | 'size' | 'problems' | 'value' | 'also'>> {
  /** Its member, below the base of its section. */
  readonly name: string
  readonly kind?: keyof typeof INPUTS
  /** The member must be there: emptied, a text stays as an empty one, and a choice offers no "nothing". */
  readonly required?: boolean
  /** Other choices than the catalog of the member has. */
  readonly choices?: readonly Choice[]
}

interface InputProps extends Omit<FieldProps, 'children'> {
  readonly kind: string
  readonly required: boolean
  readonly value: unknown
  readonly choices: readonly Choice[]
  readonly change: (changes: readonly Change[]) => void
  /** What else is to change with it. */
  readonly also?: ((value: Choice['value'] | undefined) => readonly Change[]) | undefined
}

const shown = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

const TextInput = ({ kind, value, required, change, ...field }: InputProps) => (
  <Field {...field}>
    {(control) => (
      <input
        {...control}
        // The types of Preact know each kind of input, but no choice of them.
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

/** Keeps what is being typed as it is typed; the document has the number. What is no number goes in as text. */
function NumberInput({ value, change, ...field }: InputProps) {
  const { locale } = useMessages()
  const [typed, setTyped] = useState<string | null>(null)
  const written = typeof value === 'number' ? editable(value, locale) : shown(value)
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
          <Options of={choices} write={JSON.stringify} />
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
  /** Where the members are: their parent in the document, and what it is. */
  readonly base: string
  readonly node: unknown
  /** `null` keeps the place of a field that is not there. */
  readonly of: readonly (FieldSpec | null)[]
  readonly problems: ProblemMap
  readonly class?: string
}

/** Fields of one object of the document. */
export function Fields({ base, node, of, problems, class: among = '', change, choices }: FieldsProps) {
  const { locale } = useMessages()
  const field = ({ name, kind = 'text', required = false, ...spec }: FieldSpec, key: number) => {
    const path = `${base}/${name}`
    const [member = '', parent] = name.split('/').toReversed()
    const Input = INPUTS[kind]
    const facts = {
      label: labelOf(member, locale),
      value: valueAt(node, `/${name}`),
      problems: problemsAt(problems, [path]),
      choices: kind === 'choice' && !spec.choices ? choicesOf(member, choices, parent) : [],
    }
    return <Input key={key} {...facts} {...spec} {...{ path, kind, required, change }} />
  }
  return <div class={`fields ${among}`.trim()}>{of.map((spec, at) => spec && field(spec, at))}</div>
}

export interface FormContext {
  readonly change: (changes: readonly Change[]) => void
  /** The same object as long as language, tax group, date and direction are the same. */
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
