/** What stands below the totals: payment, the mentions of the law. */
import type { CanonicalInvoice } from '../../invoice/index.ts'
import { choicesOf } from '../words/catalog-names.ts'
import { day, money } from '../words/format.ts'
import { labelOf } from '../words/labels.ts'
import { useWords } from '../words/ui.ts'

interface FootProps {
  readonly invoice: CanonicalInvoice['invoice']
}

const spaced = (iban: string): string => iban.replace(/(.{4})(?=.)/g, '$1 ')

export function PaperFoot({ invoice }: FootProps) {
  const { locale, words } = useWords()
  const { payment_details: details = [], payment_terms: terms, legal_literals: literals = [] } = invoice
  const methods = choicesOf('payment_method_code', { locale, group: 'IVA', date: '', received: false })
  const exemptions = invoice.lines.flatMap((line) => line.exemption_reason_text ?? [])
  const mentions = [...new Set([...literals.map((literal) => literal.legal_reference), ...exemptions])]
  const notes = invoice.additional_data?.invoice_additional_information
  return (
    <div class="paper-foot">
      {terms || details.length > 0 ? (
        <div>
          <p class="paper-small">{labelOf('payment_details', locale)}</p>
          {terms ? <p>{terms}</p> : null}
          {details.map((detail, index) => {
            const method = methods.find(({ value }) => value === detail.payment_method_code)?.name
            const account = detail.iban_account_to_be_credited ?? detail.iban_account_to_be_debited
            const parts = [
              detail.payment_method_label ?? method,
              detail.installment_due_date && `${words.dueOn} ${day(detail.installment_due_date)}`,
              detail.installment_amount !== undefined && money(detail.installment_amount, locale),
              account && `IBAN ${spaced(account)}`,
            ]
            return <p key={index}>{parts.filter(Boolean).join(' · ')}</p>
          })}
        </div>
      ) : null}
      {mentions.length > 0 || notes ? (
        <div>
          <p class="paper-small">{labelOf('legal_literals', locale)}</p>
          {mentions.map((mention) => (
            <p key={mention}>{mention}</p>
          ))}
          {notes ? <p>{notes}</p> : null}
        </div>
      ) : null}
    </div>
  )
}
