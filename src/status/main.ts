/**
 * The page of `/status`: asks for a key, asks the public interface for everything about the tax authority with it, and
 * shows it until the tab is closed. Where the server is away or says to wait, what was shown stays, and says of when.
 */
import { chainBlock } from './blocks/chain.ts'
import { incidentsBlock } from './blocks/incidents.ts'
import { askForm, findForm } from './blocks/questions.ts'
import { siiBlock } from './blocks/sii.ts'
import { submissionsBlock } from './blocks/submissions.ts'
import { caller, type Refusal } from './call.ts'
import { el } from './dom.ts'
import { Loader, obstacleIn, type Round } from './load.ts'
import { timeOf, type View } from './show.ts'
import { verdictNode, verdictOf } from './verdict.ts'
import { type Locale, preferredLocale, type Words, wordsIn } from './words.ts'

/** Seconds between two rounds. */
const EVERY = 30
/** Seconds after which a server that is away is asked again, longer each time. */
const RETRIES = [5, 10, 20, 40, 60]
const KEY = 'cuadra.status.key'
const LOCALE = 'cuadra.locale'

/** A browser may keep nothing for this page: then nothing is remembered. */
function remembered(storage: 'sessionStorage' | 'localStorage', name: string): string | null {
  try {
    return globalThis[storage].getItem(name)
  } catch {
    return null
  }
}
function remember(storage: 'sessionStorage' | 'localStorage', name: string, value: string | null): void {
  try {
    if (value === null) globalThis[storage].removeItem(name)
    else globalThis[storage].setItem(name, value)
  } catch {
    // The page works without it.
  }
}

const stored = remembered('localStorage', LOCALE)
let locale: Locale = stored === 'es' || stored === 'en' ? stored : preferredLocale(navigator.languages)

const app = document.querySelector('#app') as HTMLElement
/** Says aloud what changed; everything else is silent. */
const announcer = el('p', { class: 'unseen', role: 'status' })

interface Session {
  readonly key: string
  readonly loader: Loader
  readonly call: ReturnType<typeof caller>
  round: Round | null
  /** What keeps the page from being fresh. */
  obstacle: Refusal | null
  failures: number
  timer: ReturnType<typeof setTimeout> | undefined
  running: boolean
  said: string
}

let session: Session | null = null

const words = (): Words => wordsIn(locale)

function header(): HTMLElement {
  const other: Locale = locale === 'es' ? 'en' : 'es'
  return el(
    'header',
    { class: 'top' },
    el(
      'div',
      { class: 'top-inner' },
      el('a', { class: 'brand', href: './' }, 'cuadra'),
      el(
        'button',
        {
          class: 'quiet',
          type: 'button',
          lang: other,
          id: 'language',
          onclick: () => {
            locale = other
            remember('localStorage', LOCALE, locale)
            draw()
            if (session) void refresh()
            document.querySelector<HTMLElement>('#language')?.focus()
          },
        },
        other === 'es' ? 'Español' : 'English',
      ),
    ),
  )
}

function signIn(problem: string | null): HTMLElement {
  const text = words()
  const field = el('input', {
    id: 'key',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    autocapitalize: 'off',
    required: true,
    'aria-describedby': 'key-help key-problem',
    'aria-invalid': problem === null ? undefined : 'true',
  })
  const trouble = el('p', { class: 'problem', id: 'key-problem', role: 'alert' }, problem)
  return el(
    'main',
    { class: 'enter', id: 'main', tabindex: '-1' },
    el('h1', {}, text.title),
    el('p', { class: 'lead' }, text.tagline),
    el(
      'form',
      {
        class: 'panel',
        novalidate: true,
        onsubmit: (event) => {
          event.preventDefault()
          const key = field.value.trim()
          if (key === '') {
            trouble.replaceChildren(text.keyMissing)
            field.setAttribute('aria-invalid', 'true')
            field.focus()
          } else begin(key)
        },
      },
      el('label', { for: 'key' }, text.key),
      field,
      trouble,
      el('p', { class: 'help', id: 'key-help' }, text.keyHelp),
      el('button', { class: 'primary', type: 'submit' }, text.enter),
    ),
  )
}

const BLOCKS = [
  { id: 'incidents', title: (text: Words) => text.incidents, make: incidentsBlock },
  { id: 'chain', title: (text: Words) => text.chain, make: chainBlock },
  { id: 'submissions', title: (text: Words) => text.submissions, make: submissionsBlock },
  { id: 'sii', title: (text: Words) => text.sii, make: siiBlock },
] as const

/** What is on the page only once there is a key. */
function dashboard(): HTMLElement {
  const text = words()
  return el(
    'main',
    { id: 'main', tabindex: '-1' },
    el(
      'div',
      { class: 'title' },
      el('div', {}, el('h1', {}, text.title), el('p', { class: 'lead', id: 'company' })),
      el(
        'div',
        { class: 'row' },
        el(
          'button',
          { class: 'quiet', type: 'button', id: 'refresh', onclick: () => void refresh() },
          text.refresh,
        ),
        el('button', { class: 'quiet', type: 'button', onclick: () => end(text.left) }, text.leave),
      ),
    ),
    el('div', { id: 'notice' }),
    el('div', { id: 'verdict' }, el('p', { class: 'calm' }, text.checking)),
    ...BLOCKS.map(({ id, title }) =>
      el(
        'section',
        { class: 'panel', id, 'aria-labelledby': `${id}-title`, hidden: true },
        el('h2', { id: `${id}-title` }, title(text)),
        el('div', { class: 'block' }),
      ),
    ),
    el(
      'section',
      { class: 'panel two', id: 'questions', hidden: true, 'aria-label': `${text.find}, ${text.ask}` },
      el('div', {}, el('h2', {}, text.find), el('div', { id: 'find-place' })),
      el('div', {}, el('h2', {}, text.ask), el('div', { id: 'ask-place' })),
    ),
    el('p', { class: 'help', id: 'freshness' }),
  )
}

const viewOf = ({ round, call, loader }: Session): View | null =>
  round && {
    round,
    call,
    loader,
    words: words(),
    locale,
    companyId: round.company.ok ? round.company.value.id : 'COMPANY_ID',
  }

/** Draws a block anew, leaves open what was open, and the focus where it was. */
function replace(place: Element, nodes: readonly Node[]): void {
  const holder = document.createElement('div')
  holder.append(...nodes)
  // What has not changed is left alone: a selection in it stays.
  if (place.getAttribute('data-drawn') === holder.textContent && place.hasChildNodes()) return
  const open = new Set(
    [...place.querySelectorAll('details[open]')].map((one) => one.getAttribute('data-key')),
  )
  const focused = place.contains(document.activeElement)
    ? document.activeElement?.getAttribute('data-key')
    : null
  place.setAttribute('data-drawn', holder.textContent ?? '')
  place.replaceChildren(...holder.childNodes)
  for (const details of place.querySelectorAll('details'))
    if (open.has(details.getAttribute('data-key'))) details.open = true
  if (focused)
    for (const one of place.querySelectorAll<HTMLElement>('[data-key]'))
      if (one.getAttribute('data-key') === focused) one.focus()
}

function notice(now: Session): readonly Node[] {
  const text = words()
  if (!now.obstacle) return []
  const { status, code, message } = now.obstacle
  const what = status === 0 ? text.gone : status === 429 ? text.rateLimited : message || text.failed(code)
  const wait = waitOf(now)
  const stale =
    now.round && !now.round.company.ok ? '' : now.round ? text.stale(timeOf(now.round.at, locale)) : ''
  return [
    el('p', { class: 'notice', role: 'alert' }, [what, stale, text.again(wait)].filter(Boolean).join(' ')),
  ]
}

/** Seconds until the next round. */
const waitOf = ({ obstacle, failures }: Session): number =>
  obstacle === null
    ? EVERY
    : (obstacle.retryAfter ?? RETRIES[Math.min(failures, RETRIES.length) - 1] ?? EVERY)

function fill(now: Session): void {
  const place = (id: string): Element => document.querySelector(`#${id}`) as Element
  replace(place('notice'), notice(now))
  const view = viewOf(now)
  if (!view) return
  const { round, words: text } = view
  if (round.company.ok) {
    const { legal_name, tax_id } = round.company.value
    place('company').textContent = `${legal_name} · ${tax_id}`
  }
  const verdict = verdictOf(view)
  replace(place('verdict'), [verdictNode(verdict)])
  const said = [verdict.title, ...verdict.points.map((point) => point.text)].join('. ')
  if (said !== now.said) announcer.textContent = said
  now.said = said
  for (const { id, make } of BLOCKS) {
    const section = place(id) as HTMLElement
    section.hidden = false
    replace(section.querySelector('.block') as Element, make(view))
  }
  const questions = place('questions') as HTMLElement
  if (questions.hidden) {
    questions.hidden = false
    place('find-place').replaceChildren(findForm(view))
    place('ask-place').replaceChildren(askForm(view))
  }
  place('freshness').textContent = `${text.updated(timeOf(round.at, locale))} ${text.next(EVERY)}`
}

/** The whole page in the language of now. */
function draw(problem: string | null = null): void {
  document.documentElement.lang = locale
  document.title = `${words().title} · cuadra`
  app.replaceChildren(
    el('a', { class: 'skip', href: '#main' }, words().skip),
    header(),
    session ? dashboard() : signIn(problem),
    announcer,
  )
  if (session) fill(session)
}

/** The next round, unless the tab is out of sight: then it comes with the tab. */
function plan(now: Session): void {
  clearTimeout(now.timer)
  if (!document.hidden) now.timer = setTimeout(() => void refresh(), waitOf(now) * 1000)
}

async function refresh(): Promise<void> {
  const now = session
  if (!now || now.running) return
  now.running = true
  clearTimeout(now.timer)
  document.querySelector('#refresh')?.setAttribute('aria-busy', 'true')
  const round = await now.loader.round()
  now.running = false
  // The key may have been forgotten meanwhile.
  if (session !== now) return
  const obstacle = obstacleIn(round) ?? null
  if (obstacle?.status === 401) return end(words().unauthorized)
  now.obstacle = obstacle
  now.failures = obstacle ? now.failures + 1 : 0
  // What was shown is better than what could not be asked.
  if (!obstacle || (now.round === null && obstacle.status !== 0 && obstacle.status !== 429)) now.round = round
  fill(now)
  document.querySelector('#refresh')?.removeAttribute('aria-busy')
  plan(now)
}

function begin(key: string): void {
  remember('sessionStorage', KEY, key)
  const call = caller(key, () => locale)
  session = {
    key,
    call,
    loader: new Loader(call),
    round: null,
    obstacle: null,
    failures: 0,
    timer: undefined,
    running: false,
    said: '',
  }
  draw()
  document.querySelector<HTMLElement>('#main')?.focus()
  void refresh()
}

/** Forgets the key and everything that was shown with it. */
function end(problem: string): void {
  clearTimeout(session?.timer)
  session = null
  announcer.textContent = ''
  remember('sessionStorage', KEY, null)
  draw(problem)
  document.querySelector<HTMLElement>('#key')?.focus()
}

document.addEventListener('visibilitychange', () => {
  if (!session) return
  if (document.hidden) clearTimeout(session.timer)
  else if (Date.now() - (session.round?.at ?? 0) >= EVERY * 1000) void refresh()
  else plan(session)
})

const known = remembered('sessionStorage', KEY)
if (known) begin(known)
else draw()
