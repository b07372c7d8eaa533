/** The chain: its regime, its end, and what waits. */
import { nameOf } from '../../parts/locale.ts'
import { Facts } from '../../parts/parts.tsx'
import type { Chain, ChainRecord, RecordFacts, VerifactuConfig } from '../answers.ts'
import { activeCertificate } from '../load.ts'
import { Answered, Calm, Cards, dateText, Instruction, Opening, State, stampText, useView } from '../show.tsx'

const COMMANDS: Readonly<Record<string, string>> = {
  suspendido: 'certificate add --company',
  revocado: 'verifactu period open --company',
}

function Regime({ state }: { readonly state: string }) {
  const { words, companyId } = useView()
  const help = nameOf(words.regimeHelp, state, '')
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

interface RecordLineProps {
  readonly number: string
  readonly record: RecordFacts
  /** How it hangs together with the record below it. */
  readonly bond?: string
}

export function RecordLine({ number, record, bond }: RecordLineProps) {
  const { words, locale } = useView()
  return (
    <li class="link">
      <div class="line">
        <strong class="number">{number}</strong>
        <span>{nameOf(words.kinds, record.tipo)}</span>
        <State value={record.estado} />
        <time class="when" dateTime={record.ts_gen}>
          {stampText(record.ts_gen, locale)}
        </time>
      </div>
      <div class="line small">
        <code class="hash">{record.huella}</code>
        {bond !== undefined && <span class="help">{bond}</span>}
      </div>
      {record.aeat_csv !== null && (
        <div class="line small">
          CSV <code>{record.aeat_csv}</code>
        </div>
      )}
    </li>
  )
}

/** How many records wait, since when, and why. */
function Waiting({ waiting: { records, since, next_attempt_at: next, reason } }: Pick<Chain, 'waiting'>) {
  const { words, locale } = useView()
  if (records === 0) return null
  const attempt = next !== null && words.nextAttempt(stampText(next, locale))
  return (
    <p class="advice" id="waiting">
      {[words.waitSince(records, stampText(since, locale)), reason, attempt].filter(Boolean).join(' ')}
    </p>
  )
}

/** How many are shown at once; the others can be opened. */
const SHOWN = 4

function Records({ chain: { latest, last_hash, records, waiting } }: { readonly chain: Chain }) {
  const { words } = useView()
  if (last_hash === null) return <Calm>{words.noRecords}</Calm>
  const bondOf = ({ huella_anterior }: ChainRecord, below: ChainRecord | undefined): string => {
    if (huella_anterior === null) return words.first
    return below?.huella === huella_anterior ? words.linked : words.unseen
  }
  const lines = latest.map((record, at) => (
    <RecordLine
      key={record.huella}
      number={record.num_serie}
      record={record}
      bond={bondOf(record, latest[at + 1])}
    />
  ))
  const lastHash = <code class="hash">{last_hash}</code>
  return (
    <>
      <Facts
        class="facts"
        facts={[
          [words.lastHash, lastHash],
          [words.recordCount, records],
        ]}
      />
      <Waiting waiting={waiting} />
      <h3>{words.records}</h3>
      <ol class="cards links">{lines.slice(0, SHOWN)}</ol>
      {lines.length > SHOWN && (
        <Opening title={words.moreRecords(lines.length - SHOWN)}>
          <ol class="cards links">{lines.slice(SHOWN)}</ol>
        </Opening>
      )}
    </>
  )
}

function Events() {
  const { words, locale, round } = useView()
  if (round.events === null) return null
  return (
    <Answered of={round.events}>
      {(list) => (
        <>
          <h3>{words.events}</h3>
          <Cards none={words.noEvents}>
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
    </Answered>
  )
}

function Configuration({ config }: { readonly config: VerifactuConfig }) {
  const { words, locale, round } = useView()
  if (!config.applicable) return <Calm>{words.notApplicable}</Calm>
  const { mode, sandbox, updated_at, regime_state, active_certificate: active } = config
  const modeFacts =
    mode === null
      ? []
      : ([
          [words.mode, words.modes[mode]],
          [words.environment, words.environments[sandbox ? 'test' : 'production']],
          [words.period, dateText(updated_at, locale)],
        ] as const)
  const listed = activeCertificate(round)
  const certificate = (
    <>
      <span>{active?.name ?? words.noCertificate}</span>
      {listed && <span class="help">{words.until(dateText(listed.valid_to, locale))}</span>}
    </>
  )
  return (
    <>
      <Facts
        class="facts"
        facts={[
          [words.regime, <Regime key="regime" state={regime_state} />],
          ...modeFacts,
          [words.certificate, certificate],
        ]}
      />
      {config.configured && (
        <>
          <Answered of={round.chain}>{(chain) => <Records chain={chain} />}</Answered>
          <Events />
        </>
      )}
    </>
  )
}

export const ChainBlock = () => (
  <Answered of={useView().round.verifactu}>{(config) => <Configuration config={config} />}</Answered>
)
