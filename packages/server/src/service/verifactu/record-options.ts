/** Options that all records of a company share: software, previous record and timestamp. */
import { createHash } from 'node:crypto'
import type { Locale, ValidationItem } from '#core/invoice/index.ts'
import { createItem, messageWithoutFix } from '#core/messages/index.ts'
import { spanishTimestamp } from '#records/fiscal/index.ts'
import type { SistemaInformatico } from '#records/verifactu/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import { CODES } from '../../errors/error-codes.ts'
import type { Rows } from '../../store/store.ts'
import type { ChainName, Environment } from '../../store/tables.ts'
import type { Call } from '../access/call.ts'
import { hasAtLeastCompanies } from '../company/company.ts'
import { type ChainEnd, producerIdOf, readChain, timestampNotBefore } from './company-chains.ts'

export const sha256 = (text: string): string =>
  createHash('sha256').update(text, 'utf8').digest('hex').toUpperCase()

/** Stores that are known to have several taxpayers. Companies are never deleted, so this remains true. */
const withSeveralTaxpayers = new WeakSet<object>()

/**
 * Returns the system as this process is configured. Whether it has several taxpayers is read from the store.
 * `hasSeveralTaxpayers` is the value if the caller has already read it.
 */
export async function configuredSystem(
  { shared, companyId }: Rows,
  { system, store }: Call['app'],
  hasSeveralTaxpayers?: boolean,
): Promise<SistemaInformatico> {
  if (!withSeveralTaxpayers.has(store) && (hasSeveralTaxpayers ?? (await hasAtLeastCompanies(shared, 2))))
    withSeveralTaxpayers.add(store)
  return system.block(companyId, withSeveralTaxpayers.has(store))
}

const OTHER: Readonly<Record<ChainName, ChainName>> = { records: 'events', events: 'records' }

/**
 * Returns the system for the next record of a chain. Producer, system and installation number are those of the last
 * record of the chain; only the first record takes them from the configuration. Throws `verifactu_other_producer` if
 * the software of this process is declared by another producer.
 */
export async function systemOf(
  db: Rows,
  app: Call['app'],
  environment: Environment,
  chain: ChainName,
  end: Pick<ChainEnd<ChainName>, 'system'>,
  hasSeveralTaxpayers?: boolean,
): Promise<SistemaInformatico> {
  const now = await configuredSystem(db, app, hasSeveralTaxpayers)
  const own = end.system ?? (await readChain(db, app, environment, OTHER[chain]))?.system
  if (!own) return now
  const [received, expected] = [producerIdOf(now), producerIdOf(own)]
  if (received !== expected) throw new ApiError('verifactu_other_producer', { received, expected })
  return own.IdSistemaInformatico === now.IdSistemaInformatico
    ? { ...now, NumeroInstalacion: own.NumeroInstalacion }
    : { ...now, ...own, IndicadorMultiplesOT: now.IndicadorMultiplesOT }
}

/** Returns the problem for an error `verifactu_other_producer`; null for any other error. */
export const otherProducerItems = (error: unknown, locale: Locale): readonly ValidationItem[] | null =>
  error instanceof ApiError && error.code === 'verifactu_other_producer'
    ? [
        createItem(
          messageWithoutFix(CODES[error.code]),
          { code: error.code, path: '', extra: error.extra, severity: 'error' },
          locale,
        ),
      ]
    : null

/** Returns the timestamp or, if the invoice date has not begun yet, the first instant of that date. */
function timestampOn(date: string | undefined, timestamp: string): string {
  if (!date || date <= timestamp.slice(0, 10)) return timestamp
  // Midnight in Madrid is one or two hours before midnight UTC.
  const hours = [2, 1].map((hour) => spanishTimestamp(Date.parse(date) - hour * 3_600_000))
  return hours.find((one) => one.startsWith(date)) ?? timestamp
}

/** Returns the options of the record that follows `last`. `date` is the date of its invoice. */
export const recordOptions = (
  { app, locale }: Call,
  system: SistemaInformatico,
  last: ChainEnd<'records'>['last'],
  date?: string,
) => ({
  system,
  previous: last,
  timestamp: timestampOn(date, timestampNotBefore(app.clock.timestamp(), last)),
  hash: sha256,
  locale,
})
