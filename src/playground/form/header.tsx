/** Kind, number and dates of the invoice, and what a correction corrects. */
import { memo } from 'preact/compat'
import { valueAt } from '../../invoice/index.ts'
import { choicesOf } from '../words/catalog-names.ts'
import { labelOf } from '../words/labels.ts'
import { useWords } from '../words/ui.ts'
import { SectionProblems } from './field.tsx'
import { type FormContext, type ProblemMap, problemsAt } from './form-context.ts'
import { NumberInput, SelectInput, TextInput } from './inputs.tsx'

interface HeaderProps extends FormContext {
  readonly meta: unknown
  readonly header: unknown
  readonly issueData: unknown
  readonly problems: ProblemMap
}

const HEADER = '/invoice/header'
const DATES = '/invoice/issue_data'
const CORRECTIVE = `${HEADER}/corrective`

export const HeaderFields = memo(function HeaderFields(props: HeaderProps) {
  const { meta, header, issueData, problems, change, choices } = props
  const { locale, words } = useWords()
  const sources: Readonly<Record<string, unknown>> = { '/meta': meta, [HEADER]: header, [DATES]: issueData }
  const member = (parent: string, name: string) => {
    const path = `${parent}/${name}`
    const root = Object.keys(sources).find((known) => path.startsWith(`${known}/`))!
    const value = valueAt(sources[root], path.slice(root.length))
    return { label: labelOf(name, locale), path, value, problems: problemsAt(problems, [path]), change }
  }
  const directions = [
    { value: 'issued', name: words.issued },
    { value: 'received', name: words.receivedDirection },
  ]
  const ways = [
    { value: 'S', name: words.substitution },
    { value: 'D', name: words.differences },
  ]
  const corrects = /^0[34]$/.test(String(valueAt(header, '/invoice_type_code')))
  return (
    <fieldset class="form-section">
      <legend>{words.invoice}</legend>
      <SectionProblems problems={problemsAt(problems, ['', '/meta', '/invoice', HEADER, DATES])} />
      <div class="fields">
        <SelectInput {...member('/meta', 'direction')} choices={directions} required />
        <SelectInput
          {...member(HEADER, 'invoice_type_code')}
          choices={choicesOf('invoice_type_code', choices)}
          required
        />
        <TextInput {...member(HEADER, 'invoice_series_code')} size="small" />
        <TextInput {...member(HEADER, 'invoice_number')} />
        <TextInput {...member(DATES, 'issue_date')} kind="date" />
        <TextInput {...member(DATES, 'operation_date')} kind="date" />
        {choices.received ? <TextInput {...member(DATES, 'receipt_date')} kind="date" /> : null}
        <SelectInput {...member(DATES, 'tax_group_code')} choices={choicesOf('tax_group_code', choices)} />
        <TextInput {...member(DATES, 'invoice_description')} size="wide" />
      </div>
      {corrects ? (
        <div class="fields fields-part">
          <TextInput {...member(CORRECTIVE, 'invoice_number')} label={words.corrects} />
          <TextInput {...member(CORRECTIVE, 'invoice_issue_date')} kind="date" />
          <SelectInput {...member(CORRECTIVE, 'correction_type')} choices={ways} size="wide" />
          <SelectInput
            {...member(CORRECTIVE, 'reason_code')}
            choices={choicesOf('reason_code', choices, 'corrective')}
            size="wide"
          />
          <NumberInput {...member(CORRECTIVE, 'corrected_taxable_base')} />
          <NumberInput {...member(CORRECTIVE, 'corrected_tax_amount')} />
        </div>
      ) : null}
    </fieldset>
  )
})
