/** The chain: its regime, its end, and what waits. */
import type { Chain, ChainRecord, VerifactuConfig } from '../answers.ts'
import { commandLine, el, filled } from '../dom.ts'
import { answered, calm, dateText, facts, opening, stampText, state, type View } from '../show.ts'

const COMMANDS: Readonly<Record<string, string>> = {
  suspendido: 'certificate add --company',
  revocado: 'verifactu period open --company',
}

function regimeOf({ regime_state }: VerifactuConfig, { words, companyId }: View): Node[] {
  const help = words.regimeHelp[regime_state] ?? ''
  const command = COMMANDS[regime_state]
  const shown = command === undefined ? '' : commandLine(`cuadra-admin ${command} ${companyId}`)
  return [
    state(regime_state, words.regimes),
    ...(help === '' ? [] : [el('span', { class: 'help' }, ...filled(help, { command: shown }))]),
  ]
}

function certificateOf({ active_certificate }: VerifactuConfig, { round, words, locale }: View): Node[] {
  if (active_certificate === null) return [el('span', {}, words.noCertificate)]
  const found = round.certificates.ok
    ? round.certificates.value.find(({ fingerprint }) => fingerprint === active_certificate.fingerprint)
    : undefined
  return [
    el('span', {}, active_certificate.name),
    ...(found ? [el('span', { class: 'help' }, words.until(dateText(found.valid_to, locale)))] : []),
  ]
}

interface Link {
  readonly number: string
  readonly record: Omit<ChainRecord, 'sequence' | 'num_serie'>
}

/** How a record hangs together with the one that stands below it. */
function bondOf(record: ChainRecord, below: ChainRecord | undefined, { words }: View): string {
  if (record.huella_anterior === null) return words.first
  return below?.huella === record.huella_anterior ? words.linked : words.unseen
}

export function recordLine({ number, record }: Link, view: View, bond?: string): HTMLElement {
  const { words, locale } = view
  return el(
    'li',
    { class: 'link' },
    el(
      'div',
      { class: 'line' },
      el('strong', { class: 'number' }, number),
      el('span', {}, words.kinds[record.tipo] ?? record.tipo),
      state(record.estado, words.states),
      el('time', { class: 'when', datetime: record.ts_gen }, stampText(record.ts_gen, locale)),
    ),
    el(
      'div',
      { class: 'line small' },
      el('code', { class: 'hash' }, record.huella),
      bond !== undefined && el('span', { class: 'help' }, bond),
    ),
    record.aeat_csv !== null && el('div', { class: 'line small' }, 'CSV ', el('code', {}, record.aeat_csv)),
  )
}

/** How many records wait, since when, and why. */
function waitingOf({ waiting }: Chain, { words, locale }: View): HTMLElement {
  const { records, since, next_attempt_at: next, reason } = waiting
  const parts = [
    words.waitSince(records, stampText(since, locale)),
    reason ?? '',
    next === null ? '' : words.nextAttempt(stampText(next, locale)),
  ]
  return el('p', { class: 'advice', id: 'waiting' }, parts.filter((part) => part !== '').join(' '))
}

/** How many are shown at once; the others can be opened. */
const SHOWN = 4

function chainOf(chain: Chain, view: View): readonly Node[] {
  const { latest, last_hash, records, waiting } = chain
  if (last_hash === null) return [calm(view.words.noRecords)]
  const list = (from: number, to: number) =>
    el(
      'ol',
      { class: 'cards links' },
      ...latest
        .slice(from, to)
        .map((record, at) =>
          recordLine({ number: record.num_serie, record }, view, bondOf(record, latest[from + at + 1], view)),
        ),
    )
  const rest = latest.length - SHOWN
  return [
    facts([
      [view.words.lastHash, el('code', { class: 'hash' }, last_hash)],
      [view.words.columns.records, String(records)],
    ]),
    ...(waiting.records > 0 ? [waitingOf(chain, view)] : []),
    el('h3', {}, view.words.records),
    list(0, SHOWN),
    ...(rest > 0 ? [opening('records', view.words.moreRecords(rest), list(SHOWN, latest.length))] : []),
  ]
}

function eventsOf(view: View): readonly Node[] {
  const { events } = view.round
  if (events === null) return []
  return answered(events, view.words, (list) => [
    el('h3', {}, view.words.events),
    list.length === 0
      ? calm(view.words.noEvents)
      : el(
          'ul',
          { class: 'cards' },
          ...list.map((event) =>
            el(
              'li',
              { class: 'line' },
              el('strong', {}, event.tipo_evento),
              el('span', { class: 'when' }, stampText(event.created_at, view.locale)),
              el('code', { class: 'hash' }, event.huella_evento),
            ),
          ),
        ),
  ])
}

export const chainBlock = (view: View): readonly Node[] =>
  answered(view.round.verifactu, view.words, (config) => {
    const { words, locale, round } = view
    if (!config.applicable) return [calm(words.notApplicable)]
    const about = facts([
      [words.regime, regimeOf(config, view)],
      ...(config.mode === null
        ? []
        : ([
            [words.mode, words.modes[config.mode]],
            [words.environment, words.environments[config.sandbox ? 'test' : 'production'] ?? ''],
            [words.period, dateText(config.updated_at, locale)],
          ] as const)),
      [words.certificate, certificateOf(config, view)],
    ])
    if (!config.configured) return [about]
    return [about, ...answered(round.chain, words, (chain) => chainOf(chain, view)), ...eventsOf(view)]
  })
