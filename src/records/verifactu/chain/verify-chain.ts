/**
 * Audits a chain offline and record by record. Finds tampering, breaks, gaps, forks, wrong order, a wrong first record
 * and wrong clocks. Memory does not grow with the chain: only the last 50,000 to 100,000 records are remembered.
 */
import { required } from '#core/errors/index.ts'
import { type Extra, type Locale, MAX_ITEMS, OptionError, type ValidationItem } from '#core/invoice/index.ts'
import { createItem, isText } from '#core/messages/index.ts'
import { checkMembers } from '../../fiscal/check-options.ts'
import { timestampOf } from '../../fiscal/literals.ts'
import { portableSha256, type Sha256, trimmed } from '../model/hash.ts'
import type { Evento, FiscalRecord, RegistroAnterior } from '../model/verifactu-record-types.ts'
import {
  type Entry,
  EVENT_LINK_FIELDS,
  entryOf,
  identityOf,
  LINK_FIELDS,
  nameOf,
  trimmedText,
} from './chain-entry.ts'
import { CHAIN_CODES, type ChainCode, UNCERTAIN } from './chain-items.ts'
import { Chain, CLOCK_TOLERANCE_MS, type Report } from './state.ts'
import { type Budget, SEARCH_BUDGET } from './suspects.ts'

export interface ChainOptions {
  /** Link that the first record must have. It points to the last record before this part of the chain. */
  readonly after?: RegistroAnterior
  /** Link that the first event must have. It points to the last event before this part of the chain of events. */
  readonly after_event?: NonNullable<Evento['Encadenamiento']['EventoAnterior']>
  /** Current time with its UTC offset; records with a later timestamp are reported. */
  readonly now?: string
  /** Audits every taxpayer and installation as a separate chain. Default: all records are one chain. */
  readonly split?: boolean
  /**
   * True if the chain may continue under another taxpayer or installation (a merger), as with the option
   * `chain_continues` of records. If the link is correct, the change is then a warning instead of an error.
   */
  readonly chain_continues?: boolean
  readonly hash?: Sha256
  readonly locale?: Locale
  /** Called with each finding as soon as it is certain; the report keeps the first 1,000. */
  readonly onItem?: (item: ValidationItem<ChainCode>) => void
}

export interface ChainReport {
  /** True if no finding is an error. */
  readonly valid: boolean
  readonly records: number
  readonly chains: number
  /** The first 1,000 findings, in the order of the records. `found` is the number of all findings. */
  readonly items: readonly ValidationItem<ChainCode>[]
  readonly found: number
  /** Link to the last invoice record, for the next record or the audit of the next part. */
  readonly last: RegistroAnterior | null
}

const CHAIN_OPTIONS = {
  after: 'object',
  after_event: 'object',
  now: 'text',
  split: 'boolean',
  chain_continues: 'boolean',
  hash: 'function',
  locale: ['en', 'es'],
  onItem: 'function',
} as const

/** Key of the chain of invoices without `split`. */
const INVOICES = 'invoices'

const OWNER = [
  'NIF',
  'SistemaInformatico/NIF',
  'SistemaInformatico/IdSistemaInformatico',
  'SistemaInformatico/NumeroInstalacion',
] as const

/** Returns taxpayer and installation, the owner of a chain, in the order of `OWNER`. */
const ownerOf = ({ taxpayer, system }: Entry): readonly string[] => [
  taxpayer,
  trimmedText(system.NIF) || trimmedText((system.IDOtro as { ID?: unknown } | null | undefined)?.ID),
  trimmedText(system.IdSistemaInformatico),
  trimmedText(system.NumeroInstalacion),
]

/** Returns the position of the record that a finding concerns. */
const recordOf = ({ extra }: ValidationItem<ChainCode>): number => Number(required(extra).record)

/**
 * Audits a chain record by record: call `add` with each record in the order of the file, then `end`.
 *
 * Findings name the record (by position and invoice), the field, and the next step. No record causes an exception. A
 * chain cannot show changes to fields outside the hash (names, description); use the signature or the authority's copy
 * to find them. A breakdown that does not add up to the totals is a warning.
 */
export class ChainAudit {
  readonly #options: ChainOptions
  readonly #hash: Sha256
  readonly #locale: Locale
  readonly #chains = new Map<string, Chain>()
  readonly #budget: Budget = { left: SEARCH_BUDGET }
  readonly #items: ValidationItem<ChainCode>[] = []
  /**
   * Current owners. Invoices and events have the same owner, or one each if chains may continue under another owner.
   */
  readonly #owners = new Map<string, readonly string[]>()
  #records = 0
  #found = 0
  #errors = 0
  /** The chain of the last invoice record. */
  #last: Chain | undefined
  /** Latest instant that is not treated as future. */
  readonly #latest: number

  /** Throws an `OptionError` if `now` is not a timestamp with an offset, or another option is invalid. */
  constructor(options: ChainOptions = {}) {
    checkMembers(options, CHAIN_OPTIONS, 'options of the audit')
    const { after, after_event } = options
    if (after && LINK_FIELDS.some((field) => typeof after[field] !== 'string'))
      throw new OptionError({
        en: `option "after" is not a link; pass linkOf(the previous record), with ${LINK_FIELDS.join(', ')}`,
        es: `la opción «after» no es un enlace; indique linkOf(el registro anterior), con ${LINK_FIELDS.join(', ')}`,
      })
    if (after_event && EVENT_LINK_FIELDS.some((field) => typeof after_event[field] !== 'string'))
      throw new OptionError({
        en: `option "after_event" is not a link; pass ${EVENT_LINK_FIELDS.join(', ')} of the previous event`,
        es: `la opción «after_event» no es un enlace; indique ${EVENT_LINK_FIELDS.join(', ')} del evento anterior`,
      })
    if (options.now !== undefined && timestampOf(options.now) === undefined)
      throw new OptionError({
        en: `option "now" is "${options.now}"; pass a timestamp with a UTC offset, such as 2027-01-31T10:00:00+01:00`,
        es: `la opción «now» es «${options.now}»; indique una fecha y hora con huso horario, como 2027-01-31T10:00:00+01:00`,
      })
    if (options.split && options.chain_continues)
      throw new OptionError({
        en: 'options "split" and "chain_continues" cannot be combined; pass only one',
        es: 'las opciones «split» y «chain_continues» no pueden combinarse; indique solo una',
      })
    this.#options = options
    this.#hash = options.hash ?? portableSha256
    this.#locale = options.locale ?? 'en'
    this.#latest = (timestampOf(options.now) ?? Number.POSITIVE_INFINITY) + CLOCK_TOLERANCE_MS
  }

  add(record: FiscalRecord): void {
    const at = this.#records++
    const entry = entryOf(record, at, this.#hash)
    if (isText(entry)) {
      this.#push('chain.unreadable', `/${at}`, { reason: entry, record: at }, `#${at}`)
      return
    }
    const split = this.#options.split ?? false
    const owner = ownerOf(entry)
    const family = entry.kind === 'evento' ? 'events' : INVOICES
    const key = split ? `${family} ${owner.join(' ')}` : family
    const chain = this.#chains.get(key) ?? this.#begin(key, family)
    if (!split) this.#checkOwner(entry, owner, family, chain.previous)
    chain.add(entry)
    if (family === INVOICES) this.#last = chain
  }

  #begin(key: string, family: string): Chain {
    const report: Report = (code, about, path, extra) =>
      this.#push(code, `/${about.at}/${about.root}${path}`, { ...extra, record: about.at }, nameOf(about))
    const { after, after_event } = this.#options
    const link =
      family === INVOICES
        ? after && LINK_FIELDS.map((field) => trimmed(after[field]))
        : after_event && EVENT_LINK_FIELDS.map((field) => trimmed(after_event[field]))
    const chain = new Chain(report, this.#options.now, this.#latest, this.#hash, this.#budget, link)
    this.#chains.set(key, chain)
    return chain
  }

  end(): ChainReport {
    for (const chain of this.#chains.values()) chain.end()
    const items = [...this.#items].sort((a, b) => recordOf(a) - recordOf(b))
    const last = this.#last?.previous
    const link = last && identityOf(last)
    return {
      valid: this.#errors === 0,
      records: this.#records,
      chains: this.#chains.size,
      items,
      found: this.#found,
      last: link
        ? {
            IDEmisorFactura: required(link[0]),
            NumSerieFactura: required(link[1]),
            FechaExpedicionFactura: required(link[2]),
            Huella: required(link[3]),
          }
        : null,
    }
  }

  /**
   * Checks that the record has the current owner. With `chain_continues`, a correctly linked record may change the
   * owner.
   */
  #checkOwner(entry: Entry, owner: readonly string[], family: string, before: Entry | undefined): void {
    const continues = this.#options.chain_continues ?? false
    const whose = continues ? family : ''
    const known = this.#owners.get(whose) ?? owner
    const handed = continues && before !== undefined && entry.link?.at(-1) === before.stored
    this.#owners.set(whose, handed ? owner : known)
    for (let i = 0; i < OWNER.length; i++) {
      const [received, expected] = [required(owner[i]), required(known[i])]
      if (received === expected) continue
      const field = required(OWNER[i])
      const path = field === 'NIF' ? '' : `/${field}`
      const extra = { field, received, expected, record: entry.at }
      const code = handed ? 'chain.continued' : 'chain.other_chain'
      this.#push(code, `/${entry.at}/${entry.root}${path}`, extra, nameOf(entry))
    }
  }

  #push(code: ChainCode, path: string, extra: Extra, name: string): void {
    const { severity } = CHAIN_CODES[code]
    const messageText = extra.certain === false ? UNCERTAIN : CHAIN_CODES[code]
    const finding = { code, path, extra: { ...extra, name }, severity }
    const item = createItem(messageText, finding, this.#locale, { record: name })
    this.#found++
    if (severity === 'error') this.#errors++
    if (this.#items.length < MAX_ITEMS) this.#items.push(item)
    this.#options.onItem?.(item)
  }
}

/**
 * Audits the records of a chain in the given order: registrations and cancellations as one chain, events as another.
 *
 * Paths begin with the position of the record (`/3/RegistroAlta/...`). For files of any size use `ChainAudit`. Source:
 * RD 1007/2023 art. 8.2; Orden HAC/1177/2024 arts. 6 to 8; `EventosSIF.xsd`, types of anomalies.
 *
 * @example
 * verifyChain([{} as never]).items.map((item) => `${item.code} ${item.path}`) // => ['chain.unreadable /0']
 */
export function verifyChain(records: Iterable<FiscalRecord>, options: ChainOptions = {}): ChainReport {
  if (typeof records?.[Symbol.iterator] !== 'function')
    throw new TypeError('cuadra: verifyChain needs the records as a list, in the order of the chain')
  const audit = new ChainAudit(options)
  for (const record of records) audit.add(record)
  return audit.end()
}
