/** The chains of a taxpayer, as they were received. */
import { required } from '../errors/index.ts'
import { spanishMoment } from '../fiscal/moment.ts'
import { ChainAudit, type ChainReport, type FiscalRecord } from '../verifactu/index.ts'
import type { SimulatorDatabase } from './database.ts'
import type { Environment } from './types.ts'
import { sha256 } from './verifactu-submission.ts'

/** Rows that are looked at together. */
const BATCH = 1000

/**
 * Audits everything that was received of a taxpayer, rejected records included: they stay in the chain. One that was
 * sent again is the same record, and counts once.
 */
export function auditChains(
  database: SimulatorDatabase,
  environment: Environment,
  taxpayer: string,
  { now, locale }: { readonly now: number; readonly locale: 'en' | 'es' },
): ChainReport {
  const audit = new ChainAudit({ split: true, now: spanishMoment(now), hash: sha256, locale })
  const seen = new Set<string>()
  let after = 0
  for (;;) {
    const rows = database.records(environment, taxpayer, { after, limit: BATCH })
    for (const { service, hash, chain, value } of rows) {
      const known = `${chain} ${hash}`
      if (service !== 'verifactu' || seen.has(known)) continue
      seen.add(known)
      audit.add(JSON.parse(value) as FiscalRecord)
    }
    if (rows.length < BATCH) return audit.end()
    after = required(rows.at(-1)).id
  }
}
