/** Kind, number and dates of the invoice, and what a correction corrects. */
import { memo } from 'preact/compat'
import { valueAt } from '../../invoice/index.ts'
import { choicesOf } from '../words/catalog-names.ts'
import { useWords } from '../words/ui.ts'
import { SectionProblems } from './field.tsx'
import { type FormContext, membersOf, type ProblemMap, problemsAt } from './form-context.ts'
import { NumberInput, SelectInput, TextInput } from './inputs.tsx'

interface HeaderProps extends FormContext {
  readonly meta: unknown
  readonly header: unknown
  readonly issueData: unknown
  readonly problems: ProblemMap
}

const HEADER = '/invoice/header'
const DATES = '/invoice/issue_data'

export const HeaderFields = memo(function HeaderFields(props: HeaderProps) {
  const { meta, header, issueData, problems, change, choices } = props
  const { locale, words } = useWords()
  const shared = { problems, locale, change }
  const metaMember = membersOf({ base: '/meta', node: meta, ...shared })
  const headerMember = membersOf({ base: HEADER, node: header, ...shared })
  const dateMember = membersOf({ base: DATES, node: issueData, ...shared })
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
        <SelectInput {...metaMember('direction')} choices={directions} required />
        <SelectInput
          {...headerMember('invoice_type_code')}
          choices={choicesOf('invoice_type_code', choices)}
          required
        />
        <TextInput {...headerMember('invoice_series_code')} size="small" />
        <TextInput {...headerMember('invoice_number')} />
        <TextInput {...dateMember('issue_date')} kind="date" />
        <TextInput {...dateMember('operation_date')} kind="date" />
        {choices.received ? <TextInput {...dateMember('receipt_date')} kind="date" /> : null}
        <SelectInput {...dateMember('tax_group_code')} choices={choicesOf('tax_group_code', choices)} />
        <TextInput {...dateMember('invoice_description')} size="wide" />
      </div>
      {corrects ? (
        <div class="fields fields-part">
          <TextInput {...headerMember('corrective/invoice_number')} label={words.corrects} />
          <TextInput {...headerMember('corrective/invoice_issue_date')} kind="date" />
          <SelectInput {...headerMember('corrective/correction_type')} choices={ways} size="wide" />
          <SelectInput
            {...headerMember('corrective/reason_code')}
            choices={choicesOf('reason_code', choices, 'corrective')}
            size="wide"
          />
          <NumberInput {...headerMember('corrective/corrected_taxable_base')} />
          <NumberInput {...headerMember('corrective/corrected_tax_amount')} />
        </div>
      ) : null}
    </fieldset>
  )
})
