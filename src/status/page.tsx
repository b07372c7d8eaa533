/** The page of `/status` as it is drawn: the form for a key, or everything that was fetched with one. */
import { useRef, useState } from 'preact/hooks'
import type { Locale } from '../parts/locale.ts'
import { Quiet } from '../parts/parts.tsx'
import { ChainBlock } from './blocks/chain.tsx'
import { IncidentsBlock } from './blocks/incidents.tsx'
import { AskForm, FindForm } from './blocks/questions.tsx'
import { SiiBlock, SubmissionsBlock } from './blocks/sent.tsx'
import { timeOf, type View, ViewContext } from './show.tsx'
import { type Verdict, VerdictBox } from './verdict.tsx'
import type { Words } from './words.ts'

interface SignInProps {
  readonly words: Words
  /** Why the last key is gone. */
  readonly problem: string | null
  readonly onKey: (key: string) => void
}

export function SignIn({ words, problem, onKey }: SignInProps) {
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
      <h1>{words.title}</h1>
      <p class="lead">{words.tagline}</p>
      <form class="panel" noValidate onSubmit={submit}>
        <label for="key">{words.key}</label>
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
          {missing ? words.keyMissing : problem}
        </p>
        <p class="help" id="key-help">
          {words.keyHelp}
        </p>
        <button class="primary" type="submit">
          {words.enter}
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
  readonly words: Words
  /** Nothing is to be seen before it is there. */
  readonly view: View | null
}

const Blocks = ({ words, view }: BlocksProps) => (
  <ViewContext.Provider value={view}>
    {BLOCKS.map(({ id, Block }) => (
      <section class="panel" id={id} key={id} aria-labelledby={`${id}-title`} hidden={!view}>
        <h2 id={`${id}-title`}>{words[id]}</h2>
        <div class="block">{view && <Block />}</div>
      </section>
    ))}
    <section class="panel two" id="questions" hidden={!view} aria-label={`${words.find}, ${words.ask}`}>
      <div>
        <h2>{words.find}</h2>
        <div id="find-place">{view && <FindForm />}</div>
      </div>
      <div>
        <h2>{words.ask}</h2>
        <div id="ask-place">{view && <AskForm />}</div>
      </div>
    </section>
  </ViewContext.Provider>
)

interface DashboardProps extends BlocksProps {
  readonly verdict: Verdict | null
  /** Why the page is not up to date; empty where it is. */
  readonly notice: string
  readonly isBusy: boolean
  /** Seconds between two rounds. */
  readonly every: number
  readonly onRefresh: () => void
  readonly onLeave: () => void
}

export function Dashboard(props: DashboardProps) {
  const { words, view, verdict, notice, isBusy, every, onRefresh, onLeave } = props
  const company = view?.round.company
  return (
    <main id="main" tabIndex={-1}>
      <div class="title">
        <div>
          <h1>{words.title}</h1>
          <p class="lead" id="company">
            {company?.ok && `${company.value.legal_name} · ${company.value.tax_id}`}
          </p>
        </div>
        <div class="row">
          <Quiet id="refresh" aria-busy={isBusy || undefined} onClick={onRefresh}>
            {words.refresh}
          </Quiet>
          <Quiet onClick={onLeave}>{words.leave}</Quiet>
        </div>
      </div>
      <div id="notice">
        {notice !== '' && (
          <p class="notice" role="alert">
            {notice}
          </p>
        )}
      </div>
      <div id="verdict">{verdict ? <VerdictBox {...verdict} /> : <p class="calm">{words.checking}</p>}</div>
      <Blocks words={words} view={view} />
      <p class="help" id="freshness">
        {view && `${words.updated(timeOf(view.round.at, view.locale))} ${words.next(every)}`}
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
    <header class="top">
      <div class="top-inner">
        <a class="brand" href="./">
          cuadra
        </a>
        <Quiet lang={other} id="language" onClick={() => onLocale(other)}>
          {other === 'es' ? 'Español' : 'English'}
        </Quiet>
      </div>
    </header>
  )
}
