/** The calculated amounts, each with its explanation. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { valueAt } from '#core/invoice/pointer.ts'
import { FixButton } from '../../parts/page-parts.tsx'
import type { Assessment } from '../assess/assess.ts'
import type { Change } from '../document/edit-document.ts'
import { labelOf } from '../messages/field-labels.ts'
import { plainNumberText } from '../messages/message-format.ts'
import { useMessages } from '../messages/ui.ts'
import { useStableCallback } from '../parts/hooks.ts'
import { AmountRow, LineAmounts } from './amount-row.tsx'
import { Breakdown } from './breakdown-table.tsx'
import { type Explanations, useExplanations } from './explanations.ts'

/** The totals, in the order of an invoice. Totals that are not in `ALWAYS_SHOWN` are hidden if they are 0. */
const TOTALS: readonly (readonly [name: string, sign: '' | '−' | '+', kind: 'part' | 'sum' | 'total'])[] = [
  ['total_gross_amount', '', 'part'],
  ['total_general_discounts', '−', 'part'],
  ['total_general_surcharges', '+', 'part'],
  ['total_gross_amount_before_taxes', '', 'sum'],
  ['total_tax_outputs', '+', 'part'],
  ['total_consumption_taxes', '+', 'part'],
  ['invoice_total', '', 'total'],
  ['total_taxes_withheld', '−', 'part'],
  ['total_payments_on_account', '−', 'part'],
  ['total_reimbursable_expenses', '+', 'part'],
  ['rounding_amount', '+', 'part'],
  ['total_executable_amount', '', 'total'],
]

const ALWAYS_SHOWN = new Set([
  'total_gross_amount_before_taxes',
  'total_tax_outputs',
  'invoice_total',
  'total_executable_amount',
])

interface TotalsProps {
  readonly assessment: Assessment
  readonly onField: (path: string) => void
  readonly onChange: (changes: readonly Change[]) => void
}

/** Returns the open explanation and the open line, and the navigation between them. */
function useOpening(assessment: Assessment, onField: (path: string) => void) {
  const [open, setOpen] = useState<string | null>(null)
  const [line, setLine] = useState<number | null>(null)
  const explanations = useExplanations(assessment, open !== null || line !== null)
  const pendingPath = useRef<string | null>(null)

  // A click on a calculated amount opens its explanation, on an entered amount its field.
  const onInput = useStableCallback((path: string) => {
    if (!explanations.byPath.has(path)) return onField(path)
    const index = /^\/invoice\/lines\/(\d+)\//.exec(path)?.[1]
    if (index !== undefined) setLine(Number(index))
    pendingPath.current = path
    setOpen(path)
  })
  useEffect(() => {
    if (pendingPath.current !== open || open === null) return
    pendingPath.current = null
    const button = document.querySelector<HTMLElement>(`[data-amount="${CSS.escape(open)}"]`)
    button?.focus()
    button?.scrollIntoView({ block: 'nearest' })
  }, [open])
  return { explanations, line, setLine, opening: { open, onOpen: setOpen, onInput } }
}

interface AmountsProps {
  readonly data: NonNullable<Assessment['data']>
  readonly explanations: Explanations
  readonly opening: ReturnType<typeof useOpening>['opening']
}

function TotalAmounts({ data, explanations, opening }: AmountsProps) {
  const { locale } = useMessages()
  const { totals, taxes_withheld: withheld = [] } = data.invoice
  const amounts = totals as object as Readonly<Record<string, unknown>>
  return (
    <ul class="amounts">
      {TOTALS.map(([name, sign, kind]) => {
        const value = amounts[name]
        if (typeof value !== 'number' || (value === 0 && !ALWAYS_SHOWN.has(name))) return null
        const path = name === 'rounding_amount' ? undefined : `/invoice/totals/${name}`
        const rate =
          name === 'total_taxes_withheld' && withheld.length === 1
            ? ` (${plainNumberText(withheld[0]!.tax_rate, locale)} %)`
            : ''
        return (
          <AmountRow
            key={name}
            row={path ? explanations.byPath.get(path) : undefined}
            path={path}
            name={labelOf(name, locale) + rate}
            value={value}
            sign={value === 0 ? '' : sign}
            kind={kind}
            {...opening}
          />
        )
      })}
    </ul>
  )
}

function WithheldAmounts({ data, explanations, opening }: AmountsProps) {
  const { locale, messages } = useMessages()
  const { taxes_withheld: withheld = [] } = data.invoice
  if (withheld.length === 0) return null
  return (
    <section class="block" aria-labelledby="withheld-title">
      <h2 id="withheld-title">{labelOf('taxes_withheld', locale)}</h2>
      <ul class="amounts">
        {withheld.map((entry, index) => (
          <AmountRow
            key={entry.tax_rate}
            row={explanations.byPath.get(`/invoice/taxes_withheld/${index}/tax_amount`)}
            path={`/invoice/taxes_withheld/${index}/tax_amount`}
            name={`${messages.withholding} ${plainNumberText(entry.tax_rate, locale)} %`}
            value={entry.tax_amount}
            {...opening}
          />
        ))}
      </ul>
    </section>
  )
}

export function Totals({ assessment, onField, onChange }: TotalsProps) {
  const { messages } = useMessages()
  const { data, document: sent } = assessment
  const { explanations, line, setLine, opening } = useOpening(assessment, onField)
  const stale = useMemo(() => staleTotals(sent, data), [sent, data])
  if (!data) return <p class="note">{messages.noTotals}</p>
  const { taxes_outputs: outputs = [], lines } = data.invoice
  const parts = { data, explanations, opening }
  return (
    <div>
      {assessment.readable ? null : <p class="note">{messages.outdated}</p>}
      <section class="block" aria-labelledby="totals-title">
        <h2 id="totals-title">{messages.totals}</h2>
        <TotalAmounts {...parts} />
        {stale.length > 0 ? (
          <p class="stale">
            {messages.stale(stale.length)}{' '}
            <FixButton onClick={() => onChange(stale)}>{messages.writeTotals}</FixButton>
          </p>
        ) : null}
        <p class="hint">{messages.explainHint}</p>
      </section>
      <Breakdown entries={outputs} explanations={explanations} {...opening} />
      <WithheldAmounts {...parts} />
      <section class="block" aria-labelledby="lines-title">
        <h2 id="lines-title">{messages.linesTitle}</h2>
        <ol class="lines">
          {lines.map((one, index) => {
            const { open } = opening
            const inside = open?.startsWith(`/invoice/lines/${index}/`) ? open : null
            return (
              <LineAmounts
                key={index}
                line={one}
                index={index}
                rows={explanations.lines[index] ?? []}
                unfolded={line === index}
                onUnfold={setLine}
                {...opening}
                open={inside}
              />
            )
          })}
        </ol>
      </section>
    </div>
  )
}

/**
 * Returns the changes that correct the totals. Returns an empty list for a foreign currency, because the calculated
 * totals are in euros.
 */
export function staleTotals(sent: unknown, data: CanonicalInvoice | null): readonly Change[] {
  if (!data || data.invoice.issue_data.invoice_currency !== undefined) return []
  const totals = valueAt(sent, '/invoice/totals')
  if (totals === null || typeof totals !== 'object') return []
  const computed: object = data.invoice.totals
  return Object.entries(totals).flatMap(([name, value]) => {
    const right = (computed as Readonly<Record<string, unknown>>)[name]
    const differs = typeof value === 'number' && typeof right === 'number' && value !== right
    return differs ? [[`/invoice/totals/${name}`, right] as const] : []
  })
}
