/** What all blocks are made with. */
import type { Call, Called, Refusal } from './call.ts'
import { badge, commandLine, el, filled } from './dom.ts'
import type { Loader, Round } from './load.ts'
import type { Locale, Words } from './words.ts'

/** What a block has to work with. */
export interface View {
  readonly round: Round
  readonly words: Words
  readonly locale: Locale
  readonly call: Call
  readonly loader: Loader
  /** Of the company, or a placeholder in commands. */
  readonly companyId: string
}

/** Moments of the server have no zone and are those of UTC, with microseconds. */
const momentOf = (stamp: string): Date =>
  new Date(/(Z|[+-]\d\d:\d\d)$/.test(stamp) ? stamp : `${stamp.slice(0, 23)}Z`)

const shown = (date: Date, locale: Locale, options: Intl.DateTimeFormatOptions): string =>
  Number.isNaN(date.getTime())
    ? ''
    : new Intl.DateTimeFormat(locale === 'es' ? 'es-ES' : 'en-GB', options).format(date)

export const timeOf = (milliseconds: number, locale: Locale): string =>
  shown(new Date(milliseconds), locale, { timeStyle: 'medium' })

export const stampText = (stamp: string | null, locale: Locale): string =>
  stamp === null ? '' : shown(momentOf(stamp), locale, { dateStyle: 'medium', timeStyle: 'short' })

export const dateText = (day: string | null, locale: Locale): string =>
  day === null ? '' : shown(momentOf(`${day.slice(0, 10)}T12:00:00.000`), locale, { dateStyle: 'medium' })

export const amountText = (amount: number, currency: string, locale: Locale): string => {
  try {
    return new Intl.NumberFormat(locale === 'es' ? 'es-ES' : 'en-GB', { style: 'currency', currency }).format(
      amount,
    )
  } catch {
    return `${amount} ${currency}`
  }
}

type Tone = Parameters<typeof badge>[0]

const TONES: Readonly<Record<string, Tone>> = {
  accepted: 'good',
  Correcto: 'good',
  Correcta: 'good',
  registered: 'good',
  settled: 'good',
  habilitado: 'good',
  pending: 'wait',
  sending: 'wait',
  submitted: 'wait',
  signature_pending: 'wait',
  unknown: 'wait',
  not_received: 'wait',
  accepted_with_errors: 'warn',
  partially_accepted: 'warn',
  AceptadoConErrores: 'warn',
  AceptadaConErrores: 'warn',
  ParcialmenteCorrecto: 'warn',
  failed: 'warn',
  pendiente_mandato: 'warn',
  rejected: 'bad',
  Incorrecto: 'bad',
  suspendido: 'bad',
}

/** A state in the words of the page; one that it does not know as the server has it. */
export const state = (value: string, names: Readonly<Record<string, string>>): HTMLElement =>
  badge(TONES[value] ?? 'plain', Object.hasOwn(names, value) ? names[value]! : value)

/** Why a block has nothing to show. */
export function refused({ missing, status, message, code: said }: Refusal, words: Words): Node {
  if (missing !== undefined)
    return el(
      'div',
      { class: 'lacking' },
      el('p', {}, words.scope(missing)),
      el(
        'p',
        {},
        ...filled(words.scopeHow, { command: commandLine(`cuadra-admin key create --scopes ${missing}`) }),
      ),
    )
  return el('p', { class: 'lacking' }, status === 0 ? words.gone : message || words.failed(said))
}

/** What is made of an answer, or why there is none. */
export const answered = <Value>(
  called: Called<Value>,
  words: Words,
  make: (value: Value) => readonly Node[],
): readonly Node[] => (called.ok ? make(called.value) : [refused(called.refusal, words)])

/** What was said of something: words of the authority are Spanish, whatever the page speaks; ours have no number. */
export const told = (text: string, said: string | null, attributes: Readonly<Record<string, string>> = {}) =>
  el('p', { ...attributes, lang: said !== null && /^\d+$/.test(said) ? 'es' : undefined }, text)

/** Names and values. */
export const facts = (pairs: readonly (readonly [string, Node | string | readonly Node[]])[]): HTMLElement =>
  el(
    'dl',
    { class: 'facts' },
    ...pairs.map(([name, value]) =>
      el(
        'div',
        {},
        el('dt', {}, name),
        el('dd', {}, ...(value instanceof Node || typeof value === 'string' ? [value] : value)),
      ),
    ),
  )

export const calm = (text: string): HTMLElement => el('p', { class: 'calm' }, text)

/** Something that opens; it stays open when the block is drawn anew. */
export const opening = (key: string, title: Node | string, ...inside: Node[]): HTMLDetailsElement =>
  el('details', { 'data-key': key }, el('summary', { 'data-key': `${key} summary` }, title), ...inside)
