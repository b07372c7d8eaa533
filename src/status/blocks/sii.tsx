/** The SII: enrolment, what is due until when, and what was sent. */
import { nameOf } from '../../parts/locale.ts'
import { Facts } from '../../parts/parts.tsx'
import type { SiiConfig, SiiDue } from '../answers.ts'
import { Answered, Badge, Calm, Cards, dateText, Instruction, useView } from '../show.tsx'
import { SiiSubmissions } from './submissions.tsx'

const MOST = 12

const toneOf = (days: number) => (days < 0 ? 'bad' : days <= 1 ? 'warn' : 'plain')

function DueLine({ due }: { readonly due: SiiDue }) {
  const { round, words, locale } = useView()
  const { invoice_public_id: id, book_type: book, deadline, days_remaining: days } = due
  return (
    <li class="line">
      <strong class="number">{round.numbers.get(id) ?? id}</strong>
      <span>{words.books[book]}</span>
      <time dateTime={deadline}>{dateText(deadline, locale)}</time>
      <Badge tone={toneOf(days)} text={words.days(days)} />
    </li>
  )
}

function Due({ items }: { readonly items: readonly SiiDue[] }) {
  const { words, companyId } = useView()
  if (items.length === 0) return <Calm>{words.nothingDue}</Calm>
  return (
    <>
      {items.some(({ days_remaining }) => days_remaining < 0) && (
        <p class="advice">
          <Instruction
            text={words.overdueHelp}
            command={`cuadra-admin sii send-now --company ${companyId}`}
          />
        </p>
      )}
      <Cards most={MOST}>
        {items.map((one) => (
          <DueLine key={`${one.book_type} ${one.invoice_public_id}`} due={one} />
        ))}
      </Cards>
    </>
  )
}

function Enrolment({ config }: { readonly config: SiiConfig }) {
  const { words, locale } = useView()
  const { enrollment_status: status, auto_submit, environment, enrollment_periods: periods } = config
  const since = periods
    .filter(({ end_date }) => end_date === null)
    .map(({ start_date }) => dateText(start_date, locale))
    .join(', ')
  return (
    <Facts
      class="facts"
      facts={[
        [words.enrolment, nameOf(words.enrolments, status)],
        ...(since === '' ? [] : [[words.period, since] as const]),
        [words.automatic, auto_submit ? words.automatics.yes : words.automatics.no],
        [words.environment, nameOf(words.environments, environment)],
      ]}
    />
  )
}

export function SiiBlock() {
  const { round, words } = useView()
  return (
    <Answered of={round.sii}>
      {(config) =>
        config.enrollment_status === 'not_applicable' &&
        !(round.due.ok && round.due.value.items.length > 0) ? (
          <Calm>{words.siiNot}</Calm>
        ) : (
          <>
            <Enrolment config={config} />
            <h3>{words.due}</h3>
            <Answered of={round.due}>{({ items }) => <Due items={items} />}</Answered>
            <h3>{words.siiSubmissions}</h3>
            <SiiSubmissions />
          </>
        )
      }
    </Answered>
  )
}
