/** Components of the page `/status`: the sign-in form and the dashboard. */
import { useRef, useState } from 'preact/hooks'
import type { Locale } from '../parts/locale.ts'
import { QuietButton } from '../parts/page-parts.tsx'
import { SiteHeader } from '../parts/top.tsx'
import { ChainBlock } from './blocks/chain.tsx'
import { IncidentsBlock } from './blocks/incidents.tsx'
import { QueryForm, SearchForm } from './blocks/questions.tsx'
import { SiiBlock, SubmissionsBlock } from './blocks/submissions.tsx'
import { type OverallStatus, StatusBox } from './overall.tsx'
import { timeOf, type View, ViewContext } from './show.tsx'
import type { Messages } from './status-messages.ts'

interface SignInProps {
  readonly messages: Messages
  /** Why the last session ended. */
  readonly problem: string | null
  readonly onKey: (key: string) => void
}

export function SignIn({ messages, problem, onKey }: SignInProps) {
  const field = useRef<HTMLInputElement>(null)
  const [missing, setMissing] = useState(false)
  const submit = (event: Event) => {
    event.preventDefault()
    const key = field.current?.value.trim() ?? ''
    if (key !== '') return onKey(key)
    setMissing(true)
    field.current?.focus()
  }
  return (
    <main class="enter" id="main" tabIndex={-1}>
      <h1>{messages.title}</h1>
      <p class="lead">{messages.tagline}</p>
      <form class="panel" noValidate onSubmit={submit}>
        <label for="key">{messages.key}</label>
        <input
          id="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          autocapitalize="off"
          required
          aria-describedby="key-help key-problem"
          aria-invalid={missing || problem !== null || undefined}
          ref={field}
        />
        <p class="problem" id="key-problem" role="alert">
          {missing ? messages.keyMissing : problem}
        </p>
        <p class="help" id="key-help">
          {messages.keyHelp}
        </p>
        <button class="primary" type="submit">
          {messages.enter}
        </button>
      </form>
    </main>
  )
}

const BLOCKS = [
  { id: 'incidents', Block: IncidentsBlock },
  { id: 'chain', Block: ChainBlock },
  { id: 'submissions', Block: SubmissionsBlock },
  { id: 'sii', Block: SiiBlock },
] as const

interface BlocksProps {
  readonly messages: Messages
  /** Null until the data is loaded for the first time. */
  readonly view: View | null
}

const Blocks = ({ messages, view }: BlocksProps) => (
  <ViewContext.Provider value={view}>
    {BLOCKS.map(({ id, Block }) => (
      <section class="panel" id={id} key={id} aria-labelledby={`${id}-title`} hidden={!view}>
        <h2 id={`${id}-title`}>{messages[id]}</h2>
        <div class="block">{view && <Block />}</div>
      </section>
    ))}
    <section class="panel two" id="questions" hidden={!view} aria-label={`${messages.find}, ${messages.ask}`}>
      <div>
        <h2>{messages.find}</h2>
        <div id="find-place">{view && <SearchForm />}</div>
      </div>
      <div>
        <h2>{messages.ask}</h2>
        <div id="ask-place">{view && <QueryForm />}</div>
      </div>
    </section>
  </ViewContext.Provider>
)

interface DashboardProps extends BlocksProps {
  readonly overall: OverallStatus | null
  /** Why the page is not up to date; empty if it is. */
  readonly notice: string
  readonly isBusy: boolean
  /** Seconds between two refreshes of the data. */
  readonly refreshSeconds: number
  readonly onRefresh: () => void
  readonly onLeave: () => void
}

export function Dashboard(props: DashboardProps) {
  const { messages, view, overall, notice, isBusy, refreshSeconds, onRefresh, onLeave } = props
  const company = view?.round.company
  return (
    <main id="main" tabIndex={-1}>
      <div class="title">
        <div>
          <h1>{messages.title}</h1>
          <p class="lead" id="company">
            {company?.ok && `${company.value.legal_name} · ${company.value.tax_id}`}
          </p>
        </div>
        <div class="row">
          <QuietButton id="refresh" aria-busy={isBusy || undefined} onClick={onRefresh}>
            {messages.refresh}
          </QuietButton>
          <QuietButton onClick={onLeave}>{messages.leave}</QuietButton>
        </div>
      </div>
      <div id="notice">
        {notice !== '' && (
          <p class="notice" role="alert">
            {notice}
          </p>
        )}
      </div>
      <div id="overall">{overall ? <StatusBox {...overall} /> : <p class="calm">{messages.checking}</p>}</div>
      <Blocks messages={messages} view={view} />
      <p class="help" id="freshness">
        {view && `${messages.updated(timeOf(view.round.at, view.locale))} ${messages.next(refreshSeconds)}`}
      </p>
    </main>
  )
}

interface HeaderProps {
  readonly locale: Locale
  readonly onLocale: (locale: Locale) => void
}

export function Header({ locale, onLocale }: HeaderProps) {
  const other = locale === 'es' ? 'en' : 'es'
  return (
    <SiteHeader locale={locale} current="status">
      <QuietButton lang={other} id="language" onClick={() => onLocale(other)}>
        {other === 'es' ? 'Español' : 'English'}
      </QuietButton>
    </SiteHeader>
  )
}
