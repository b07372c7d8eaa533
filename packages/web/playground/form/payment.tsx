/** Method and dates of payment. */
import { memo } from 'preact/compat'
import { valueAt } from '#core/invoice/pointer.ts'
import { labelOf } from '../messages/field-labels.ts'
import { useMessages } from '../messages/ui.ts'
import { AddButton, RemoveButton } from './field.tsx'
import { Fields, type FormContext, type ProblemMap } from './form-inputs.tsx'

interface PaymentProps extends FormContext {
  readonly terms: unknown
  readonly details: unknown
  readonly problems: ProblemMap
}

const DETAILS = '/invoice/payment_details'
/** Code of payment by bank transfer. */
const TRANSFER = '04'

export const PaymentFields = memo(function PaymentFields(props: PaymentProps) {
  const { terms, details, problems, ...context } = props
  const { locale, messages } = useMessages()
  const entries = Array.isArray(details) ? details : []
  return (
    <fieldset class="form-section">
      <legend>{labelOf('payment_details', locale)}</legend>
      <Fields
        base="/invoice"
        node={{ payment_terms: terms }}
        of={[{ name: 'payment_terms', size: 'wide' }]}
        problems={problems}
        {...context}
      />
      {entries.map((entry, index) => {
        const base = `${DETAILS}/${index}`
        const isDebited = valueAt(entry, '/iban_account_to_be_debited') !== undefined
        return (
          <fieldset class="line-card" key={index}>
            <legend>{messages.paymentTitle(index + 1)}</legend>
            <Fields
              base={base}
              node={entry}
              of={[
                { name: 'payment_method_code', kind: 'choice' },
                { name: 'installment_due_date', kind: 'date' },
                { name: 'installment_amount', kind: 'number', size: 'small' },
                { name: `iban_account_to_be_${isDebited ? 'debited' : 'credited'}`, size: 'wide' },
              ]}
              problems={problems}
              {...context}
            />
            <div class="line-foot">
              <RemoveButton
                name={messages.removePayment(index + 1)}
                onClick={() => context.change([[entries.length === 1 ? DETAILS : base, undefined]])}
              />
            </div>
          </fieldset>
        )
      })}
      <AddButton
        onClick={() => context.change([[`${DETAILS}/${entries.length}`, { payment_method_code: TRANSFER }]])}
      >
        + {messages.addPayment}
      </AddButton>
    </fieldset>
  )
})
