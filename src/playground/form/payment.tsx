/** How and when the invoice is paid. */
import { memo } from 'preact/compat'
import { valueAt } from '../../invoice/index.ts'
import { choicesOf } from '../words/catalog-names.ts'
import { labelOf } from '../words/labels.ts'
import { useWords } from '../words/ui.ts'
import { type FormContext, type ProblemMap, problemsAt } from './form-context.ts'
import { NumberInput, SelectInput, TextInput } from './inputs.tsx'

interface PaymentProps extends FormContext {
  readonly terms: unknown
  readonly details: unknown
  readonly problems: ProblemMap
}

const TERMS = '/invoice/payment_terms'
const DETAILS = '/invoice/payment_details'
/** Payment by transfer. */
const TRANSFER = '04'

export const PaymentFields = memo(function PaymentFields(props: PaymentProps) {
  const { terms, details, problems, change, choices } = props
  const { locale, words } = useWords()
  const entries = Array.isArray(details) ? details : []
  return (
    <fieldset class="form-section">
      <legend>{labelOf('payment_details', locale)}</legend>
      <div class="fields">
        <TextInput
          label={labelOf('payment_terms', locale)}
          path={TERMS}
          value={terms}
          problems={problemsAt(problems, [TERMS])}
          change={change}
          size="wide"
        />
      </div>
      {entries.map((entry, index) => {
        const base = `${DETAILS}/${index}`
        const member = (name: string) => {
          const path = `${base}/${name}`
          const value = valueAt(entry, `/${name}`)
          return { label: labelOf(name, locale), path, value, problems: problemsAt(problems, [path]), change }
        }
        const debited = valueAt(entry, '/iban_account_to_be_debited') !== undefined
        return (
          <fieldset class="line-card" key={index}>
            <legend>{words.paymentTitle(index + 1)}</legend>
            <div class="fields">
              <SelectInput
                {...member('payment_method_code')}
                choices={choicesOf('payment_method_code', choices)}
              />
              <TextInput {...member('installment_due_date')} kind="date" />
              <NumberInput {...member('installment_amount')} size="small" />
              <TextInput
                {...member(debited ? 'iban_account_to_be_debited' : 'iban_account_to_be_credited')}
                size="wide"
              />
            </div>
            <div class="line-foot">
              <button
                type="button"
                class="remove"
                aria-label={words.removePayment(index + 1)}
                title={words.removePayment(index + 1)}
                onClick={() => change([[entries.length === 1 ? DETAILS : base, undefined]])}
              >
                ×
              </button>
            </div>
          </fieldset>
        )
      })}
      <button
        type="button"
        class="add"
        onClick={() => change([[`${DETAILS}/${entries.length}`, { payment_method_code: TRANSFER }]])}
      >
        + {words.addPayment}
      </button>
    </fieldset>
  )
})
