/** Type, number and dates of the invoice, and the invoice that it corrects. */
import { memo } from 'preact/compat'
import { valueAt } from '#core/invoice/pointer.ts'
import { useMessages } from '../messages/ui.ts'
import { SectionProblems } from './field.tsx'
import { Fields, type FormContext, type ProblemMap, problemsAt } from './form-inputs.tsx'

interface HeaderProps extends FormContext {
  readonly meta: unknown
  readonly header: unknown
  readonly issueData: unknown
  readonly problems: ProblemMap
}

const SECTIONS = ['', '/meta', '/invoice', '/invoice/header', '/invoice/issue_data']

export const HeaderFields = memo(function HeaderFields(props: HeaderProps) {
  const { meta, header, issueData, problems, ...context } = props
  const { messages } = useMessages()
  const node = { meta, invoice: { header, issue_data: issueData } }
  const directions = [
    { value: 'issued', name: messages.issued },
    { value: 'received', name: messages.receivedDirection },
  ]
  const methods = [
    { value: 'S', name: messages.substitution },
    { value: 'D', name: messages.differences },
  ]
  const place = { base: '', node, problems, ...context }
  const isCorrective = /^0[34]$/.test(String(valueAt(header, '/invoice_type_code')))
  return (
    <fieldset class="form-section">
      <legend>{messages.invoice}</legend>
      <SectionProblems problems={problemsAt(problems, SECTIONS)} />
      <Fields
        {...place}
        of={[
          { name: 'meta/direction', kind: 'choice', choices: directions, required: true },
          { name: 'invoice/header/invoice_type_code', kind: 'choice', required: true },
          { name: 'invoice/header/invoice_series_code', size: 'small' },
          { name: 'invoice/header/invoice_number' },
          { name: 'invoice/issue_data/issue_date', kind: 'date' },
          { name: 'invoice/issue_data/operation_date', kind: 'date' },
          context.choices.received ? { name: 'invoice/issue_data/receipt_date', kind: 'date' } : null,
          { name: 'invoice/issue_data/tax_group_code', kind: 'choice', size: 'wide' },
          { name: 'invoice/issue_data/invoice_description', size: 'wide' },
        ]}
      />
      {isCorrective ? (
        <Fields
          {...place}
          class="fields-part"
          of={[
            { name: 'invoice/header/corrective/invoice_number', label: messages.corrects },
            { name: 'invoice/header/corrective/invoice_issue_date', kind: 'date' },
            {
              name: 'invoice/header/corrective/correction_type',
              kind: 'choice',
              choices: methods,
              size: 'wide',
            },
            { name: 'invoice/header/corrective/reason_code', kind: 'choice', size: 'wide' },
            { name: 'invoice/header/corrective/corrected_taxable_base', kind: 'number' },
            { name: 'invoice/header/corrective/corrected_tax_amount', kind: 'number' },
          ]}
        />
      ) : null}
    </fieldset>
  )
})
