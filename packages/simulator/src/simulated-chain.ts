/** The audit of the chains of a taxpayer. */
import { spanishTimestamp } from '#records/fiscal/index.ts'
import { ChainAudit, type ChainReport } from '#records/verifactu/index.ts'
import type { SimulatorDatabase } from './simulator-database.ts'
import type { Environment } from './simulator-types.ts'
import { sha256 } from './verifactu-submission.ts'

/**
 * Audits all records received from a taxpayer, including rejected ones, because they stay in the chain. A record that
 * was sent several times is audited once.
 */
export function auditChains(
  database: SimulatorDatabase,
  environment: Environment,
  taxpayer: string,
  now: number,
): ChainReport {
  const audit = new ChainAudit({ split: true, now: spanishTimestamp(now), hash: sha256 })
  const seen = new Set<string>()
  for (const { hash, chain, value } of database.each('records', {
    environment,
    taxpayer,
    service: 'verifactu',
  })) {
    const known = `${chain} ${hash}`
    if (!seen.has(known)) audit.add(JSON.parse(value))
    seen.add(known)
  }
  return audit.end()
}
