/**
 * The page `/status`: signs in with an API key and shows the status of the fiscal records. While the server is
 * unavailable, the page keeps showing the last data with their time.
 */
import { render } from 'preact'
import { type Locale, preferredLocale } from '../parts/locale.ts'
import { readStored, storeText } from '../parts/stored.ts'
import { type Round, roundFailure, StatusLoader } from './load-status.ts'
import { overallStatus } from './overall.tsx'
import { Dashboard, Header, SignIn } from './page.tsx'
import { timeOf, type View } from './show.tsx'
import { type Call, type CallFailure, createApiCaller } from './status-call.ts'
import { type Messages, messagesIn } from './status-messages.ts'

/** Seconds between two refreshes of the data. */
const REFRESH_SECONDS = 30
/** Seconds until the next attempt, by the number of consecutive failures. */
const RETRY_SECONDS = [5, 10, 20, 40, 60]
const KEY = 'status.key'

interface Session {
  readonly loader: StatusLoader
  readonly call: Call
  round: Round | null
  /** Failure of the last refresh. */
  failure: CallFailure | null
  failures: number
  timer: ReturnType<typeof setTimeout> | undefined
  running: boolean
}

let locale = preferredLocale()
let session: Session | null = null
/** The current text for screen readers. */
let announced = ''

const messages = (): Messages => messagesIn(locale)

const viewOf = ({ round, call, loader }: Session): View | null =>
  round && {
    round,
    call,
    loader,
    messages: messages(),
    locale,
    companyId: round.company.ok ? round.company.value.id : 'COMPANY_ID',
  }

/** Seconds until the next refresh. */
const waitOf = ({ failure, failures }: Session): number =>
  failure === null
    ? REFRESH_SECONDS
    : (failure.retryAfter ?? RETRY_SECONDS[Math.min(failures, RETRY_SECONDS.length) - 1] ?? REFRESH_SECONDS)

function noticeOf(now: Session): string {
  const text = messages()
  if (!now.failure) return ''
  const { status, code, message } = now.failure
  const what =
    status === 0 ? text.unreachable : status === 429 ? text.rateLimited : message || text.failed(code)
  const stale = now.round?.company.ok ? text.stale(timeOf(now.round.at, locale)) : ''
  return [what, stale, text.again(waitOf(now))].filter(Boolean).join(' ')
}

const app = document.querySelector<HTMLElement>('#app')

/** Renders the page. */
function draw(problem: string | null = null): void {
  document.documentElement.lang = locale
  document.title = `${messages().title} · cuadra`
  const view = session && viewOf(session)
  const overall = view && overallStatus(view)
  if (overall) announced = [overall.title, ...overall.tasks.map(({ text }) => text)].join('. ')
  const page = (
    <>
      <a class="skip" href="#main">
        {messages().skip}
      </a>
      <Header locale={locale} onLocale={changeLocale} />
      {session ? (
        <Dashboard
          key={locale}
          messages={messages()}
          view={view}
          overall={overall}
          notice={noticeOf(session)}
          isBusy={session.running}
          refreshSeconds={REFRESH_SECONDS}
          onRefresh={refresh}
          onLeave={() => end(messages().left)}
        />
      ) : (
        <SignIn key={`${locale} ${problem}`} messages={messages()} problem={problem} onKey={begin} />
      )}
      {/* The only live region: screen readers announce its changes. */}
      <p class="visually-hidden" role="status">
        {announced}
      </p>
    </>
  )
  if (app) render(page, app)
}

function changeLocale(other: Locale): void {
  locale = other
  storeText('localStorage', 'locale', locale)
  draw()
  void refresh()
}

/** Schedules the next refresh. A hidden tab is refreshed when it becomes visible. */
function plan(now: Session): void {
  clearTimeout(now.timer)
  if (!document.hidden) now.timer = setTimeout(() => void refresh(), waitOf(now) * 1000)
}

async function refresh(): Promise<void> {
  const now = session
  if (!now || now.running) return
  now.running = true
  clearTimeout(now.timer)
  draw()
  const round = await now.loader.round()
  now.running = false
  // Ignores the responses if the user signed out while they were loading.
  if (session !== now) return
  const failure = roundFailure(round) ?? null
  if (failure?.status === 401) return end(messages().unauthorized)
  now.failure = failure
  now.failures = failure ? now.failures + 1 : 0
  // After a failure, keep the last data.
  if (!failure || (now.round === null && failure.status !== 0 && failure.status !== 429)) now.round = round
  draw()
  plan(now)
}

function begin(key: string): void {
  storeText('sessionStorage', KEY, key)
  const call = createApiCaller(key, () => locale)
  session = {
    call,
    loader: new StatusLoader(call),
    round: null,
    failure: null,
    failures: 0,
    timer: undefined,
    running: false,
  }
  draw()
  document.querySelector<HTMLElement>('#main')?.focus()
  void refresh()
}

/** Signs out: removes the key and the data. */
function end(problem: string): void {
  clearTimeout(session?.timer)
  session = null
  announced = ''
  storeText('sessionStorage', KEY, null)
  draw(problem)
  document.querySelector<HTMLElement>('#key')?.focus()
}

document.addEventListener('visibilitychange', () => {
  if (!session) return
  if (document.hidden) clearTimeout(session.timer)
  else if (Date.now() - (session.round?.at ?? 0) >= REFRESH_SECONDS * 1000) void refresh()
  else plan(session)
})

const known = readStored('sessionStorage', KEY)
if (known) begin(known)
else draw()
