/** Shows why there is no record, or the context of a record: timestamp, chain and system. */

import { valueAt } from '#core/invoice/pointer.ts'
import type { ValidationItem } from '#engine/index.ts'
import { LinkButton, PrimaryButton } from '../../parts/page-parts.tsx'
import { systemOf } from '../company/checked-company.ts'
import { dateText } from '../messages/message-format.ts'
import { fieldLocation, plainSentence } from '../messages/plain-language.ts'
import { useMessages } from '../messages/ui.ts'
import { CodeLink, Findings } from '../parts/playground-parts.tsx'
import { outputMessages } from './output-messages.ts'
import type { Obstacle } from './output-records.ts'
import type { OutputProps } from './props.ts'

/** Shows why no record is generated. If number and date are missing, offers to enter them. */
export function NoRecord({ obstacle, ...props }: OutputProps & { readonly obstacle: Obstacle }) {
  const { assessment, settings, onChange } = props
  const own = outputMessages[useMessages().locale]
  const series = valueAt(assessment.document, '/invoice/header/invoice_series_code')
  const given = valueAt(assessment.document, '/invoice/header/invoice_number')
  const number = typeof given === 'string' ? given : `${typeof series === 'string' ? `${series}-` : ''}1`
  const { today } = settings
  const issue = () =>
    onChange([
      ['/invoice/header/invoice_number', number],
      ['/invoice/issue_data/issue_date', today],
    ])
  return (
    <div class="note">
      <p>{own[obstacle]}</p>
      {obstacle === 'needsNumber' && settings.operation !== 'draft' ? (
        <p>
          <PrimaryButton onClick={issue}>{own.issueIt(number, dateText(today))}</PrimaryButton>
        </p>
      ) : null}
    </div>
  )
}

interface RefusedProps {
  readonly items: readonly ValidationItem[]
  readonly plain: boolean
}

/** Shows the problems that prevent a record. */
export function RefusalProblems({ items, plain }: RefusedProps) {
  const { locale } = useMessages()
  const own = outputMessages[locale]
  const whereOf = ({ code, path }: ValidationItem) =>
    plain ? (
      path.startsWith('/invoice') && fieldLocation(path, locale)
    ) : (
      <>
        <CodeLink code={code}>
          <code>{code}</code>
        </CodeLink>{' '}
        <code>{path}</code>
      </>
    )
  const found = items.map((item) => ({
    severity: item.severity,
    message: plain ? plainSentence(item.message, locale) : item.message,
    where: whereOf(item),
  }))
  return (
    <div class="note">
      <p>{own.notYet}</p>
      <Findings label={own.notYet} of={found} />
    </div>
  )
}

/** Shows timestamp, position in the chain and system of a record. */
export function Provenance(
  props: OutputProps & { readonly timestamp: string; readonly onAgain: () => void },
) {
  const { settings, timestamp, onAgain } = props
  const own = outputMessages[useMessages().locale]
  const { previous_number: number, verifactu } = settings.company
  return (
    <p class="hint">
      {own.timestamp(timestamp)} {number ? own.linked(number) : own.first}{' '}
      {systemOf(settings.company).isExample ? own.exampleSystem : null}{' '}
      {verifactu === 'no' ? own.unsigned : null} <LinkButton onClick={onAgain}>{own.again}</LinkButton>
    </p>
  )
}
