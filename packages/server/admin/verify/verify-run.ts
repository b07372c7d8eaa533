/** Runs all checks of `verify` on a snapshot of one company. The server may be running. */

import { isReadOnly } from 'cuadra-storage/storage-faults.ts'
import type { Locale } from '#core/invoice/index.ts'
import type { App } from '../../src/app/app.ts'
import type { CompanyRecord } from '../../src/service/company/company.ts'
import { usesSii } from '../../src/service/sii/pending-records.ts'
import { anomalyOf, moreSevere } from '../../src/service/verifactu/anomalies.ts'
import { periodForGenerating } from '../../src/service/verifactu/mode-change.ts'
import { environmentOf, openPeriodOf } from '../../src/service/verifactu/verifactu-period.ts'
import type { Checked } from '../../src/service/verifactu/watch/check-chains.ts'
import { recordCheck } from '../../src/service/verifactu/watch/record-check.ts'
import type { Rows } from '../../src/store/store.ts'
import type { ChainName, Environment, TipoAnomalia } from '../../src/store/tables.ts'
import { verifyAttachments, verifyFiles } from './verify-attachments.ts'
import { verifyCorrections } from './verify-corrections.ts'
import { verifyCollections, verifyCounts } from './verify-counts.ts'
import { verifyMessages, verifyPayments, verifySettings } from './verify-digests.ts'
import { verifyInvoices } from './verify-invoices.ts'
import { verifyNumbers } from './verify-numbers.ts'
import { verifyVerifactu } from './verify-records.ts'
import { type CheckSummary, type Failure, type Note, Report } from './verify-report.ts'
import { verifySii } from './verify-sii.ts'

const CHAINS = ['records', 'events'] as const

export interface Verified {
  readonly company_id: string
  readonly tax_id: string
  readonly legal_name: string
  readonly ok: boolean
  readonly checks: readonly CheckSummary[]
  readonly failures: readonly Failure[]
  readonly notes: readonly Note[]
}

async function verifySystems(app: App, db: Rows, { data }: CompanyRecord, report: Report) {
  if (!usesSii(data, app.clock.today())) return
  if (await openPeriodOf(db, app.clock)) report.note('verifactu_and_sii', {})
}

/** Returns the result of checking a chain in the form that system events record. */
function checkedOf(report: Report, environment: Environment, chain: ChainName): Checked {
  const { checked, signatures, end } = report.chainCounts(environment, chain)
  const types = new Map<number, TipoAnomalia>()
  for (const { sequence, code } of report.anomaliesOf(environment, chain)) {
    const type = anomalyOf(code)
    if (type !== undefined) types.set(sequence, moreSevere(type, types.get(sequence)))
  }
  return {
    chain,
    hashes: checked,
    signatures,
    ranges: [{ from: 0, to: end }],
    found: [...types].map(([sequence, type]) => ({ chain, sequence, type })),
    next: 0,
  }
}

/**
 * Records the check for anomalies and its result as events, which a system without VERI*FACTU must do. On a read-only
 * database, such as a replica, nothing is recorded, and a note is added instead.
 */
async function recordVerified(app: App, company: CompanyRecord, report: Report): Promise<void> {
  const store = app.store.of(company.id)
  if ((await openPeriodOf(store, app.clock))?.mode !== 'no_verifactu') return
  const context = { app, company, locale: report.locale, requestId: 'cuadra-admin' } as const
  try {
    await store.transaction(async (tx) => {
      const period = await periodForGenerating(tx, context)
      if (period?.mode !== 'no_verifactu') return
      const environment = environmentOf(period)
      const checked = CHAINS.map((chain) => checkedOf(report, environment, chain))
      await recordCheck(tx, context, period, checked)
    })
  } catch (error) {
    if (!isReadOnly(error)) throw error
    report.note('check_not_recorded', {})
  }
}

export async function verifyCompany(app: App, company: CompanyRecord, locale: Locale): Promise<Verified> {
  const report = new Report(locale)
  const { id, data } = company
  await app.store.snapshot(id, async (db) => {
    await verifySettings(db, report)
    await verifyInvoices(db, report)
    await verifyCorrections(db, report)
    await verifyNumbers(db, report, app.clock.today())
    await verifyCounts(db, report)
    await verifyCollections(db, report, app.clock.today())
    await verifyPayments(db, report)
    await verifyVerifactu(db, report)
    await verifySii(db, report)
    await verifyMessages(db, report)
    await verifySystems(app, db, company, report)
    await verifyAttachments(app, db, report)
  })
  await verifyFiles(app, id, report)
  await recordVerified(app, company, report)
  const { summaries, failures, notes } = report
  const { tax_id, legal_name } = data
  return { company_id: id, tax_id, legal_name, ok: failures.length === 0, checks: summaries, failures, notes }
}
