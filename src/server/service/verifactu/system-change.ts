/**
 * A change of the invoicing system: the configuration of this process differs from the system that made the records of
 * a company. The chain keeps its system until an administrator begins a new one.
 */
import { CuadraError } from '../../../errors/index.ts'
import type { SistemaInformatico } from '../../../verifactu/index.ts'
import type { App } from '../../app/app.ts'
import { fromJson } from '../../store/json.ts'
import type { Rows, Tx } from '../../store/store.ts'
import type { Environment } from '../../store/tables.ts'
import type { Call } from '../access/call.ts'
import { collectFromReachable } from '../company/company.ts'
import {
  beginChain,
  type ChainSystem,
  isSameSystem,
  laterStarts,
  lockChain,
  producerOf,
  readChain,
  systemIn,
} from './chain.ts'
import { periodForAct } from './mode-change.ts'
import { beginPeriod, endPeriod } from './operation.ts'
import { environmentOf, openPeriodOf, requireOpen } from './period.ts'
import { configuredSystem } from './record-options.ts'

/** The system of a chain, and a different one in the configuration. */
export interface SystemDifference {
  readonly environment: Environment
  readonly chain: ChainSystem
  readonly configured: SistemaInformatico
  /** Whether the producers differ, so that no record can be made. */
  readonly isOtherProducer: boolean
  /** Whether an earlier chain has the configured number, so that no chain can begin with it. */
  readonly wasUsed: boolean
}

/** Compares the system of the open period's chain with the configuration; null if they agree or there is no record. */
export async function systemDifference(
  db: Rows,
  app: Pick<App, 'config' | 'system' | 'clock'>,
): Promise<SystemDifference | null> {
  const period = await openPeriodOf(db, app.clock)
  if (!period) return null
  const environment = environmentOf(period)
  const chain =
    (await readChain(db, app, environment, 'records'))?.system ??
    (await readChain(db, app, environment, 'events'))?.system
  const configured = app.system.block(db.companyId, false)
  if (!chain || isSameSystem(chain, configured)) return null
  return {
    environment,
    chain,
    configured,
    isOtherProducer: producerOf(chain) !== producerOf(configured),
    wasUsed: await wasUsed(db, environment, configured),
  }
}

/** Companies named in a line of the log. */
const MOST_NAMED = 20

/** Logs which companies have records of another system than the configured one. */
export async function logSystemDifferences(app: App): Promise<void> {
  const found = await collectFromReachable(app, async (own) => {
    const difference = await systemDifference(own, app)
    return difference ? [{ id: own.companyId, isOtherProducer: difference.isOtherProducer }] : []
  })
  const log = (level: 'error' | 'warn', isOther: boolean, message: string): void => {
    const companies = found.filter(({ isOtherProducer }) => isOtherProducer === isOther).map(({ id }) => id)
    if (companies.length > 0)
      app.log[level]({ companies: companies.slice(0, MOST_NAMED), count: companies.length }, message)
  }
  log(
    'error',
    true,
    'the producer of CUADRA_DECLARATION differs from that of the records, so these companies cannot issue: run cuadra-admin doctor',
  )
  log(
    'warn',
    false,
    'CUADRA_INSTALLATION or CUADRA_DECLARATION differs from the records, whose chain continues as before: run cuadra-admin doctor',
  )
}

/** Whether an earlier chain of the company was made by a system. */
async function wasUsed(db: Rows, environment: Environment, system: SistemaInformatico): Promise<boolean> {
  for (const chain of ['records', 'events'] as const) {
    const firsts = [1, ...(await laterStarts(db, environment, chain))]
    const records = await db
      .find(`verifactu_${chain}`, { environment })
      .select('record')
      .where('sequence', 'in', firsts)
      .execute()
    if (records.some(({ record }) => isSameSystem(systemIn(fromJson(record)), system))) return true
  }
  return false
}

/** The system of a new chain. */
export interface NewChain {
  readonly environment: Environment
  readonly producer: string
  readonly system_id: string
  readonly installation: string
  readonly former_installation: string
}

/**
 * Begins a new chain of records and of events with the configured system. The records of the former chain stay, and its
 * invoices can be corrected and cancelled in the new one. Throws if the configured system is not a new one.
 */
export async function beginNewChain(tx: Tx, call: Call, environment: Environment): Promise<NewChain> {
  const { app } = call
  const period = await periodForAct(tx, call)
  // Every transaction that locks both locks the records first.
  const records = await lockChain(tx, app, environment, 'records')
  const events = await lockChain(tx, app, environment, 'events')
  const former = records.system ?? events.system
  if (!former)
    throw new CuadraError(
      'The chain has no record yet: the first record begins it with the configuration of the server. Nothing was changed.',
    )
  const system = await configuredSystem(tx, app)
  const { installation } = app.config
  if (isSameSystem(former, system))
    throw new CuadraError(
      `The chain already belongs to the configured system, with the number ${system.NumeroInstalacion}. A new chain requires a new number: set CUADRA_INSTALLATION to another value than ${installation}, for this command and for every server. Nothing was changed.`,
    )
  if (await wasUsed(tx, environment, system))
    throw new CuadraError(
      `The number ${system.NumeroInstalacion} was used by an earlier chain, and a number must never be used again. Set CUADRA_INSTALLATION to a new value. Nothing was changed.`,
    )
  const isOpen = period !== null && environmentOf(period) === environment
  if (isOpen) await requireOpen(tx, { mode: period.mode, environment })
  if (isOpen) await endPeriod(tx, call, period)
  for (const chain of ['events', 'records'] as const) await beginChain(tx, app, environment, chain, system)
  if (isOpen) await beginPeriod(tx, call, period)
  return {
    environment,
    producer: producerOf(system),
    system_id: system.IdSistemaInformatico,
    installation: system.NumeroInstalacion,
    former_installation: former.NumeroInstalacion,
  }
}
