/** `verifactu compare`: compares the records of the tax authority with the records stored here. */
import type { Command } from 'commander'
import { CuadraError, UsageError } from '#core/errors/index.ts'
import { blockedMessage } from '../../src/service/transmission/blocked.ts'
import type { Environment } from '../../src/store/tables.ts'
import { print, tableText } from '../admin-output.ts'
import { patternParser } from '../arguments.ts'
import type { Io } from '../io.ts'
import { type OfCompany, withCompany } from '../session.ts'
import {
  addCompanyCommand,
  type CompanyFlags,
  counterCommand,
  countText,
  environmentOption,
} from './commands.ts'

interface CompareFlags extends CompanyFlags {
  readonly from?: string
  readonly to?: string
  readonly environment?: Environment
}

const month = patternParser(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'Use a month YYYY-MM.')
const MOST_MONTHS = 60

/**
 * Returns the requested environment, or by default that of the latest period. Throws if the company never had a period.
 */
export async function environmentFor(
  { app, store }: Pick<OfCompany, 'app' | 'store'>,
  wanted: Environment | undefined,
  without: string,
): Promise<Environment> {
  const { environmentNow } = await import('../../src/service/verifactu/verifactu-period.ts')
  const environment = wanted ?? (await environmentNow(store, app.clock))
  if (environment === null) throw new CuadraError(`The company has never kept VeriFactu records: ${without}.`)
  return environment
}

async function compareCompany(own: OfCompany, flags: CompareFlags) {
  const { app, store, company } = own
  const { compareWithAuthority, monthsFrom } = await import(
    '../../src/service/verifactu/sending/compare-verifactu.ts'
  )
  const { wireOf } = await import('../../src/service/verifactu/sending/verifactu-sender.ts')
  const { countersToAdvance } = await import('../backup/since.ts')
  const environment = await environmentFor(own, flags.environment, 'the tax authority has none of it')
  const to = flags.to ?? app.clock.today().slice(0, 7)
  const from = flags.from ?? to
  const months = monthsFrom(from, to)
  if (months.length === 0) throw new UsageError(`--to ${to} is before --from ${from}.`)
  if (months.length > MOST_MONTHS)
    throw new UsageError(`The range has ${months.length} months. Use at most ${MOST_MONTHS}.`)
  if (!app.reachesAuthority())
    throw new CuadraError('No simulator is running with this data folder. Start the server, then try again.')
  const found = await compareWithAuthority({ app, wire: wireOf(app) }, store, company, environment, months)
  if ('reason' in found) throw new CuadraError(blockedMessage(found, 'en'))
  return { environment, ...found, ...(await countersToAdvance(store, found.missing)) }
}

type Found = Awaited<ReturnType<typeof compareCompany>>

function foundText(
  { environment, months, authority_count, missing, changed, counters_to_advance, unmatched }: Found,
  id: string,
): string {
  const lines = [
    `${environment}, ${months[0]} to ${months.at(-1)}: the tax authority has ${countText(authority_count, 'invoice')}.`,
  ]
  const of = (title: string, all: Found['missing']) => {
    if (all.length === 0) return
    lines.push(title)
    lines.push(
      tableText(
        ['number', 'date', 'total', 'state'],
        all.map((one) => [one.num_serie, one.fecha_expedicion, one.importe_total, one.estado]),
      ).trimEnd(),
    )
  }
  of('Missing here:', missing)
  of('Here, but without the last record:', changed)
  for (const one of counters_to_advance) lines.push(counterCommand(id, one))
  for (const { num_serie } of unmatched)
    lines.push(`${num_serie} fits no series here. Set the counter of its series.`)
  if (missing.length + changed.length === 0) lines.push('All of them are here with their last record.')
  return lines.join('\n')
}

export function addCompareCommand(verifactu: Command, io: Io): void {
  addCompanyCommand(
    verifactu,
    'compare',
    'compare with the records of the authority, and list what is missing here',
  )
    .option('--from <month>', 'first month, YYYY-MM (default: this month)', month)
    .option('--to <month>', 'last month, YYYY-MM (default: this month)', month)
    .addOption(environmentOption())
    .action(async (flags: CompareFlags) => {
      const found = await withCompany(io, flags.company, (own) => compareCompany(own, flags))
      print(io, flags.json, found, () => foundText(found, flags.company))
      const missing = found.missing.length + found.changed.length
      if (missing > 0)
        throw new CuadraError(
          `${countText(missing, 'invoice')} of the tax authority missing or outdated here. See above.`,
        )
    })
}
