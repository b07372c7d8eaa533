/** The invoice as a form. It edits the same document as the JSON editor. */
import { useMemo, useRef } from 'preact/hooks'
import { valueAt } from '#core/invoice/pointer.ts'
import { LinkButton } from '../../parts/page-parts.tsx'
import type { Assessment } from '../assess/assess.ts'
import type { Change } from '../document/edit-document.ts'
import type { ChoiceContext } from '../messages/catalog-names.ts'
import { useMessages } from '../messages/ui.ts'
import { HeaderFields } from './form-header.tsx'
import { problemMap } from './form-inputs.tsx'
import { LinesFields } from './line-inputs.tsx'
import { PartyFields } from './party.tsx'
import { PaymentFields } from './payment.tsx'

interface FormProps {
  readonly assessment: Assessment
  readonly choices: ChoiceContext
  readonly change: (changes: readonly Change[]) => void
  readonly onFault: () => void
  /** Called when a field loses focus. */
  readonly onVisit: (path: string) => void
}

const pathOf = (target: EventTarget | null): string | undefined =>
  target instanceof HTMLElement ? target.dataset.path : undefined

export function Form({ assessment, choices, change, onFault, onVisit }: FormProps) {
  const { messages } = useMessages()
  const { document, problems, readable } = assessment
  const map = useMemo(() => problemMap(problems), [problems])
  const stableChoices = useRef(choices)
  const part = (path: string) => valueAt(document, path)
  const shared = { change, choices: stableChoices.current }
  if (JSON.stringify(choices) !== JSON.stringify(stableChoices.current)) {
    stableChoices.current = choices
    shared.choices = choices
  }
  return (
    <form
      class="form"
      onSubmit={(event) => event.preventDefault()}
      onFocusOut={({ target }) => {
        const path = pathOf(target)
        if (path !== undefined) onVisit(path)
      }}
      autocomplete="off"
    >
      {readable ? null : (
        <p class="note note-wrong">
          {messages.formBroken} <LinkButton onClick={onFault}>{messages.formBrokenGo}</LinkButton>
        </p>
      )}
      <fieldset class="form-all" disabled={!readable} aria-label={messages.form}>
        <HeaderFields
          {...shared}
          meta={part('/meta')}
          header={part('/invoice/header')}
          issueData={part('/invoice/issue_data')}
          problems={map}
        />
        <div class="parties">
          <PartyFields {...shared} side="supplier" party={part('/invoice/supplier')} problems={map} />
          <PartyFields {...shared} side="customer" party={part('/invoice/customer')} problems={map} />
        </div>
        <LinesFields {...shared} assessment={assessment} />
        <PaymentFields
          {...shared}
          terms={part('/invoice/payment_terms')}
          details={part('/invoice/payment_details')}
          problems={map}
        />
      </fieldset>
    </form>
  )
}
