/** Context and components of all blocks. */
import { type ComponentChildren, createContext, type JSX } from 'preact'
import { useContext } from 'preact/hooks'
import { type Locale, nameOf } from '../parts/locale.ts'
import { toneOf } from '../parts/page-parts.tsx'
import type { Round, StatusLoader } from './load-status.ts'
import type { Call, CallFailure, CallResult } from './status-call.ts'
import type { Messages } from './status-messages.ts'

/** The context of the blocks. */
export interface View {
  readonly round: Round
  readonly messages: Messages
  readonly locale: Locale
  readonly call: Call
  readonly loader: StatusLoader
  /** Id of the company, or a placeholder, for commands. */
  readonly companyId: string
}

export const ViewContext = createContext<View | null>(null)

export function useView(): View {
  const view = useContext(ViewContext)
  if (!view) throw new Error('useView outside of ViewContext.Provider')
  return view
}

/** Parses a timestamp of the server, which is UTC without a time zone, with microseconds. */
const instantOf = (stamp: string): Date =>
  new Date(/(Z|[+-]\d\d:\d\d)$/.test(stamp) ? stamp : `${stamp.slice(0, 23)}Z`)

const languageOf = (locale: Locale): string => (locale === 'es' ? 'es-ES' : 'en-GB')

const shown = (date: Date, locale: Locale, options: Intl.DateTimeFormatOptions): string =>
  Number.isNaN(date.getTime()) ? '' : new Intl.DateTimeFormat(languageOf(locale), options).format(date)

export const timeOf = (milliseconds: number, locale: Locale): string =>
  shown(new Date(milliseconds), locale, { timeStyle: 'medium' })

export const stampText = (stamp: string | null, locale: Locale): string =>
  stamp === null ? '' : shown(instantOf(stamp), locale, { dateStyle: 'medium', timeStyle: 'short' })

export const dateText = (day: string | null, locale: Locale): string =>
  day === null ? '' : shown(instantOf(`${day.slice(0, 10)}T12:00:00.000`), locale, { dateStyle: 'medium' })

export function amountText(amount: number, currency: string, locale: Locale): string {
  try {
    return new Intl.NumberFormat(languageOf(locale), { style: 'currency', currency }).format(amount)
  } catch {
    return `${amount} ${currency}`
  }
}

export const Badge = ({ tone, text }: { readonly tone: string; readonly text: string }) => (
  <span class={`badge ${tone}`}>{text}</span>
)

/** A badge with the name of a state, or its code. */
export function State({ value }: { readonly value: string }) {
  return <Badge tone={toneOf(value)} text={nameOf(useView().messages.states, value)} />
}

/** A command on a separate line. One click selects the whole command. */
export const Command = ({ children }: { readonly children: string }) => (
  <code class="command">{children}</code>
)

interface InstructionProps {
  readonly text: string
  readonly command?: string | undefined
}

/** Shows a sentence in which `{command}` is replaced by the command. */
export function Instruction({ text, command }: InstructionProps) {
  const [before, after] = text.split('{command}')
  return (
    <>
      {before}
      {after !== undefined && command !== undefined && <Command>{command}</Command>}
      {after}
    </>
  )
}

/** Shows the failure that prevents a block from loading. */
export function CallError({ failure }: { readonly failure: CallFailure }) {
  const { messages } = useView()
  const { missing, status, message, code } = failure
  if (missing === undefined)
    return <p class="lacking">{status === 0 ? messages.unreachable : message || messages.failed(code)}</p>
  return (
    <div class="lacking">
      <p>{messages.scope(missing)}</p>
      <p>
        <Instruction text={messages.scopeHow} command={`cuadra-admin key create --scopes ${missing}`} />
      </p>
    </div>
  )
}

interface WithResponseProps<Value> {
  readonly of: CallResult<Value>
  readonly children: (value: Value) => ComponentChildren
}

/** Renders a response, or its failure. */
export const WithResponse = <Value,>({ of, children }: WithResponseProps<Value>) =>
  of.ok ? children(of.value) : <CallError failure={of.failure} />

interface RemarkProps {
  readonly text: string | null
  readonly code: string | null
  readonly class?: string
}

/** A remark on a record. Remarks of the authority have a numeric code and are in Spanish. */
export const Remark = ({ text, code, class: kind }: RemarkProps) =>
  text === null ? null : (
    <p class={kind} lang={code !== null && /^\d+$/.test(code) ? 'es' : undefined}>
      {text}
    </p>
  )

export const Code = ({ text }: { readonly text: string | null }) =>
  text === null ? null : <code>{text}</code>

export const Muted = ({ children }: { readonly children: string }) => <p class="calm">{children}</p>

/** The number of items that are not shown. */
export function HiddenCount({
  count,
  class: kind = 'help',
}: {
  readonly count: number
  readonly class?: string
}) {
  const { messages } = useView()
  return count > 0 ? <p class={kind}>{messages.more(count)}</p> : null
}

interface CardsProps {
  readonly class?: string
  /** Text for an empty list. */
  readonly none?: string
  /** Number of cards shown. The others are counted. */
  readonly max?: number
  readonly children: readonly JSX.Element[]
}

export function Cards({ class: kind = 'cards', none, max = Infinity, children }: CardsProps) {
  if (children.length === 0 && none !== undefined) return <Muted>{none}</Muted>
  return (
    <>
      <ul class={kind}>{children.slice(0, max)}</ul>
      <HiddenCount count={children.length - max} />
    </>
  )
}

interface OpeningProps {
  /** Id of the element in the page. */
  readonly name?: string
  readonly title: ComponentChildren
  readonly children: ComponentChildren
  readonly onToggle?: (isOpen: boolean) => void
}

export const Disclosure = ({ name, title, children, onToggle }: OpeningProps) => (
  <details data-key={name} onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}>
    <summary data-key={name && `${name} summary`}>{title}</summary>
    {children}
  </details>
)
