/** The VeriFactu block: status, latest records of the chain, and records waiting to be sent. */
import { nameOf } from '../../parts/locale.ts'
import { DefinitionList } from '../../parts/page-parts.tsx'
import { activeCertificate } from '../load-status.ts'
import {
  Cards,
  Disclosure,
  dateText,
  Instruction,
  Muted,
  State,
  stampText,
  useView,
  WithResponse,
} from '../show.tsx'
import type { Chain, ChainRecord, RecordFacts, VerifactuConfig } from '../status-responses.ts'

const COMMANDS: Readonly<Record<string, string>> = {
  suspendido: 'certificate add --company',
  revocado: 'verifactu period open --company',
}

function Regime({ state }: { readonly state: string }) {
  const { messages, companyId } = useView()
  const help = nameOf(messages.regimeHelp, state, '')
  const command = COMMANDS[state]
  return (
    <>
      <State value={state} />
      {help !== '' && (
        <span class="help">
          <Instruction text={help} command={command && `cuadra-admin ${command} ${companyId}`} />
        </span>
      )}
    </>
  )
}

interface RecordRowProps {
  readonly number: string
  readonly record: RecordFacts
  /** States whether the record is linked to the record below it. */
  readonly linkText?: string
}

export function RecordRow({ number, record, linkText }: RecordRowProps) {
  const { messages, locale } = useView()
  return (
    <li class="link">
      <div class="line">
        <strong class="number">{number}</strong>
        <span>{nameOf(messages.kinds, record.tipo)}</span>
        <State value={record.estado} />
        <time class="when" dateTime={record.ts_gen}>
          {stampText(record.ts_gen, locale)}
        </time>
      </div>
      <div class="line small">
        <code class="hash">{record.huella}</code>
        {linkText !== undefined && <span class="help">{linkText}</span>}
      </div>
      {record.aeat_csv !== null && (
        <div class="line small">
          CSV <code>{record.aeat_csv}</code>
        </div>
      )}
    </li>
  )
}

/** Shows how many records wait to be sent, since when and why. */
function Waiting({ waiting: { records, since, next_attempt_at: next, reason } }: Pick<Chain, 'waiting'>) {
  const { messages, locale } = useView()
  if (records === 0) return null
  const attempt = next !== null && messages.nextAttempt(stampText(next, locale))
  return (
    <p class="advice" id="waiting">
      {[messages.waitSince(records, stampText(since, locale)), reason, attempt].filter(Boolean).join(' ')}
    </p>
  )
}

/** Number of records shown before expanding the list. */
const SHOWN = 4

function Records({ chain: { latest, last_hash, records, waiting } }: { readonly chain: Chain }) {
  const { messages } = useView()
  if (last_hash === null) return <Muted>{messages.noRecords}</Muted>
  const linkTextOf = ({ huella_anterior }: ChainRecord, below: ChainRecord | undefined): string => {
    if (huella_anterior === null) return messages.first
    return below?.huella === huella_anterior ? messages.linked : messages.notShown
  }
  const lines = latest.map((record, at) => (
    <RecordRow
      key={record.huella}
      number={record.num_serie}
      record={record}
      linkText={linkTextOf(record, latest[at + 1])}
    />
  ))
  const lastHash = <code class="hash">{last_hash}</code>
  return (
    <>
      <DefinitionList
        class="facts"
        facts={[
          [messages.lastHash, lastHash],
          [messages.recordCount, records],
        ]}
      />
      <Waiting waiting={waiting} />
      <h3>{messages.records}</h3>
      <ol class="cards links">{lines.slice(0, SHOWN)}</ol>
      {lines.length > SHOWN && (
        <Disclosure title={messages.moreRecords(lines.length - SHOWN)}>
          <ol class="cards links">{lines.slice(SHOWN)}</ol>
        </Disclosure>
      )}
    </>
  )
}

function Events() {
  const { messages, locale, round } = useView()
  if (round.events === null) return null
  return (
    <WithResponse of={round.events}>
      {(list) => (
        <>
          <h3>{messages.events}</h3>
          <Cards none={messages.noEvents}>
            {list.map((event) => (
              <li class="line" key={event.huella_evento}>
                <strong>{event.tipo_evento}</strong>
                <span class="when">{stampText(event.created_at, locale)}</span>
                <code class="hash">{event.huella_evento}</code>
              </li>
            ))}
          </Cards>
        </>
      )}
    </WithResponse>
  )
}

function Configuration({ config }: { readonly config: VerifactuConfig }) {
  const { messages, locale, round } = useView()
  if (!config.applicable) return <Muted>{messages.notApplicable}</Muted>
  const { mode, sandbox, updated_at, regime_state, active_certificate: active } = config
  const modeFacts =
    mode === null
      ? []
      : ([
          [messages.mode, messages.modes[mode]],
          [messages.environment, messages.environments[sandbox ? 'test' : 'production']],
          [messages.period, dateText(updated_at, locale)],
        ] as const)
  const listed = activeCertificate(round)
  const certificate = (
    <>
      <span>{active?.name ?? messages.noCertificate}</span>
      {listed && <span class="help">{messages.until(dateText(listed.valid_to, locale))}</span>}
    </>
  )
  return (
    <>
      <DefinitionList
        class="facts"
        facts={[
          [messages.regime, <Regime key="regime" state={regime_state} />],
          ...modeFacts,
          [messages.certificate, certificate],
        ]}
      />
      {config.configured && (
        <>
          <WithResponse of={round.chain}>{(chain) => <Records chain={chain} />}</WithResponse>
          <Events />
        </>
      )}
    </>
  )
}

export const ChainBlock = () => (
  <WithResponse of={useView().round.verifactu}>{(config) => <Configuration config={config} />}</WithResponse>
)
