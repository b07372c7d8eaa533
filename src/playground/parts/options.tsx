/** The choices of a list. */
import type { Choice } from '../words/catalog-names.ts'

interface OptionsProps {
  readonly of: readonly Choice[]
  /** How a value is written; as it is where nothing else is asked for. */
  readonly write?: (value: Choice['value']) => string
}

export const Options = ({ of, write = String }: OptionsProps) => (
  <>
    {of.map(({ value, name }) => (
      <option key={value} value={write(value)}>
        {name}
      </option>
    ))}
  </>
)
