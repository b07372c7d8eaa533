/** The chain: its regime, its end, and the records of the invoices that changed last. */
import type { VerifactuConfig } from '../answers.ts'
import { commandLine, el, filled } from '../dom.ts'
import type { Recorded } from '../load.ts'
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
  readonly record: Recorded['records'][number]
}

/** All records that are known, the newest first. */
const linksOf = (latest: readonly Recorded[]): Link[] =>
  latest
    .flatMap(({ invoice, records }) => records.map((record) => ({ number: invoice.number ?? '', record })))
    .sort((a, b) => (a.record.created_at < b.record.created_at ? 1 : -1))

/** How a record hangs together with the one that stands below it. */
function bondOf({ record }: Link, below: Link | undefined, { words }: View): string {
  if (record.huella_anterior === null) return words.first
  return below?.record.huella === record.huella_anterior ? words.linked : words.unseen
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

/** Those that are shown at once, and those that somebody opens. */
const SHOWN = 4
const MOST = 30

function chainOf(latest: readonly Recorded[], view: View): readonly Node[] {
  const links = linksOf(latest)
  const [last] = links
  if (!last) return [calm(view.words.noRecords)]
  const list = (from: number, to: number) =>
    el(
      'ol',
      { class: 'cards links' },
      ...links
        .slice(from, to)
        .map((one, at) => recordLine(one, view, bondOf(one, links[from + at + 1], view))),
    )
  const rest = Math.min(links.length, MOST) - SHOWN
  return [
    facts([[view.words.lastHash, el('code', { class: 'hash' }, last.record.huella)]]),
    el('h3', {}, view.words.records),
    list(0, SHOWN),
    ...(rest > 0 ? [opening('records', view.words.moreRecords(rest), list(SHOWN, MOST))] : []),
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
    return [about, ...answered(round.latest, words, (latest) => chainOf(latest, view)), ...eventsOf(view)]
  })
