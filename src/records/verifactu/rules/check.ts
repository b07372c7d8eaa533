/** Runs the authority's checks offline on records, messages and queries. */
import { required } from '#core/errors/index.ts'
import type { Extra, Locale, ValidationItem } from '#core/invoice/index.ts'
import { createItem, ItemList, type ListCode } from '#core/messages/index.ts'
import { type Violation, violationsOf } from '#core/xml/index.ts'
import { timestampOf } from '../../fiscal/literals.ts'
import { portableSha256, type Sha256 } from '../model/hash.ts'
import type { Cabecera, CheckCode, Consulta, Envio, FiscalRecord } from '../model/verifactu-record-types.ts'
import { vocabulary } from '../model/verifactu-vocabulary.ts'
import {
  altaContext,
  type Effect,
  type ExternalFacts,
  OFFLINE_RULES,
  type OfflineRule,
  type Structural,
} from './index.ts'
import { problemOf } from './structure-checks.ts'

export interface CheckOptions {
  /** The authority's clock, a timestamp with its UTC offset. Without it, checks against the clock are skipped. */
  readonly now?: string
  /** Header of the message that will carry the record; its taxpayer must be the issuer. */
  readonly header?: Cabecera
  /** True if the chain already has records. A record marked as the first one is then reported with code 2007. */
  readonly chainStarted?: boolean
  readonly hash?: Sha256
  readonly locale?: Locale
}

/** A finding that the authority would report, with the authority's code. */
export type CheckItem = ValidationItem<CheckCode | ListCode>

type Subject = Structural['subject']

const severityOf = (rule: OfflineRule, effect: Effect): 'error' | 'warning' =>
  effect === 'accepted-with-errors' && rule.needs_subsanacion === false ? 'warning' : 'error'

function itemOf(
  rule: OfflineRule,
  path: string,
  extra: Extra | undefined,
  effect: Effect,
  locale: Locale,
  violation?: Violation,
): ValidationItem<CheckCode> {
  const { code, law, needs_subsanacion } = rule
  const field = violation?.field ?? path.slice(path.lastIndexOf('/') + 1)
  const details = {
    ...extra,
    authority_code: code,
    effect,
    ...(needs_subsanacion === undefined || effect !== rule.effect ? {} : { needs_subsanacion }),
  }
  const severity = severityOf(rule, effect)
  return createItem(
    { ...rule, fix: (violation && rule.fixOf?.(violation)) ?? rule.fix, law: `AEAT ${code}; ${law}` },
    { code: `aeat.${code}` as CheckCode, path, extra: details, severity },
    locale,
    { allowed: '', received: '', ...extra, problem: problemOf(violation, locale), field },
  )
}

class Report {
  readonly list: ItemList<CheckCode>
  /** Path of the checked record or message. */
  prefix = ''
  constructor(locale: Locale = 'en') {
    this.list = new ItemList<CheckCode>(locale)
  }
  add(
    rule: OfflineRule,
    path: string,
    extra?: Extra,
    effect: Effect = rule.effect,
    violation?: Violation,
  ): void {
    this.list.add(severityOf(rule, effect), () =>
      itemOf(rule, `${this.prefix}${path}`, extra, effect, this.list.locale, violation),
    )
  }
  /** Adds a violation of the schema under the first code that applies. */
  violation(violation: Violation, subject: Subject): void {
    const structural = { ...violation, subject, location: violation.path.replace(/\/\d+/g, '') }
    // There is always a rule: the last rules match every violation.
    const rule = required(OFFLINE_RULES.find((candidate) => candidate.structure?.(structural)))
    const { received, allowed, kind } = violation
    const extra = {
      violation: kind,
      ...(typeof received === 'string' || typeof received === 'number' ? { received } : {}),
      ...(allowed === undefined ? {} : { allowed }),
    }
    this.add(rule, violation.path, extra, rule.effect, violation)
  }
}

/**
 * Keeps one violation for each mistake. A text with a character that XML forbids also violates its list of values or
 * its pattern. A missing choice of elements and an element of that choice that is `null` are one mistake.
 */
function distinct(violations: readonly Violation[]): Violation[] {
  const paths = new Set(violations.map(({ path }) => path))
  return violations.filter((violation, i) => {
    const next = violations[i + 1]
    if (violation.kind === 'character') return next?.path !== violation.path
    if (!Array.isArray(violation.allowed)) return true
    return !violation.allowed.some((name) => paths.has(`${violation.path}/${name}`))
  })
}

/**
 * Kinds of violations that prevent the checks of the content, because an element is missing, repeated or of the wrong
 * kind.
 */
const UNREADABLE = new Set(['kind', 'missing', 'count'])

const RECORD_ROOTS = {
  alta: 'RegistroAlta',
  anulacion: 'RegistroAnulacion',
  evento: 'RegistroEvento',
} as const
const KINDS = ['alta', 'anulacion', 'evento'] as const

const surroundings = (options: CheckOptions): ExternalFacts => {
  const now = timestampOf(options.now)
  if (options.now !== undefined && now === undefined)
    throw new TypeError(
      `cuadra: option "now" is "${options.now}"; pass a timestamp with a UTC offset, such as 2027-01-31T10:00:00+01:00`,
    )
  return {
    now,
    header: options.header,
    chainStarted: options.chainStarted,
    hash: options.hash ?? portableSha256,
  }
}

/** Checks the structure first, then the content if the structure is readable. */
function check(
  root: string,
  subject: Subject,
  value: unknown,
  around: ExternalFacts,
  report: Report,
  ignore?: (violation: Violation) => boolean,
): void {
  const all = distinct(violationsOf(value, required(vocabulary().roots.get(root)).type, root))
  const violations = ignore ? all.filter((violation) => !ignore(violation)) : all
  for (const violation of violations) report.violation(violation, subject)
  if (violations.some((violation) => UNREADABLE.has(violation.kind))) return
  const context = subject === 'alta' ? altaContext(value as never, around) : { record: value, around }
  // Texts with a forbidden character are already reported; the character may cause their other faults.
  const unwritable = new Set(violations.filter(({ kind }) => kind === 'character').map(({ path }) => path))
  for (const rule of OFFLINE_RULES)
    rule[subject]?.(context as never, (path, extra, effect) => {
      if (!unwritable.has(path)) report.add(rule, path, extra, effect)
    })
}

/** Adds the faults of a record. Their paths begin with the prefix of the report. */
function addRecord(record: FiscalRecord, around: ExternalFacts, report: Report): void {
  const roots = (record ?? {}) as Readonly<Record<string, unknown>>
  const kind = KINDS.find((name) => roots[RECORD_ROOTS[name]] !== undefined) ?? 'alta'
  const root = RECORD_ROOTS[kind]
  report.prefix += `/${root}`
  check(root, kind, roots[root], around, report)
}

/**
 * Returns the problems that the tax authority would report about a record, with its own codes (`aeat.1114`). Checks
 * that need its census are skipped; without `now`, so are checks that need its clock. Items have the same form as the
 * engine's items; paths start at the record's root element.
 *
 * An empty list means that every offline check passes. Never throws for any record; throws a `TypeError` for wrong
 * options. At most 1,000 problems are listed; a last item (`too_many_errors`) states how many there were. Source: AEAT
 * validations 1.2.2 and error list (247 codes).
 *
 * @example
 * checkRecord({ RegistroAnulacion: { IDVersion: '1.1' } } as never).map((item) => item.code).includes('aeat.1251') // => true
 */
export function checkRecord(record: FiscalRecord, options: CheckOptions = {}): CheckItem[] {
  const report = new Report(options.locale)
  addRecord(record, surroundings(options), report)
  return report.list.items
}

/** Matches paths inside a record. The check of the message ignores them, because each record is checked by itself. */
const INSIDE_A_RECORD = /\/RegistroFactura\/\d+\/Registro(?:Alta|Anulacion)(\/?)/

const isInsideARecord = ({ path, kind }: Violation): boolean => {
  const inside = INSIDE_A_RECORD.exec(path)
  return inside !== null && (inside[1] === '/' || kind === 'kind')
}

/** Whether an entry of the message contains a record. The check of the message reports a missing record. */
const holdsARecord = (entry: unknown): entry is FiscalRecord => {
  const { RegistroAlta, RegistroAnulacion } = (entry ?? {}) as Readonly<Record<string, unknown>>
  return (RegistroAlta ?? RegistroAnulacion ?? null) !== null
}

/**
 * Checks a message: its header, the rules about all its records together, and each record. Paths start at the message
 * (`/RegistroFactura/3/RegistroAlta/...`).
 *
 * @example
 * const header = { ObligadoEmision: { NombreRazon: 'Tienda, S.L.', NIF: 'B77777779' } }
 * checkSubmission({ Cabecera: header, RegistroFactura: [] }).map((item) => item.code) // => ['aeat.4102']
 */
export function checkSubmission(message: Envio, options: CheckOptions = {}): CheckItem[] {
  const around = surroundings({ ...options, header: message?.Cabecera })
  const report = new Report(options.locale)
  const records: unknown = message?.RegistroFactura
  check('RegFactuSistemaFacturacion', 'envio', message, around, report, isInsideARecord)
  if (Array.isArray(records))
    records.forEach((record: unknown, i) => {
      if (report.list.isCut || !holdsARecord(record)) return
      report.prefix = `/RegistroFactura/${i}`
      addRecord(record, around, report)
    })
  return report.list.items
}

/**
 * Checks a query before it is sent. Paths start at the query.
 *
 * @example
 * const taxpayer = { NombreRazon: 'Tienda, S.L.', NIF: 'B77777779' }
 * const Cabecera = { IDVersion: '1.0', ObligadoEmision: taxpayer } as const
 * const period = { Ejercicio: '2027', Periodo: '13' } as never
 * checkQuery({ Cabecera, FiltroConsulta: { PeriodoImputacion: period } }).map((item) => item.code) // => ['aeat.1248']
 */
export function checkQuery(query: Consulta, options: CheckOptions = {}): CheckItem[] {
  const report = new Report(options.locale)
  check('ConsultaFactuSistemaFacturacion', 'consulta', query, surroundings(options), report)
  return report.list.items
}
