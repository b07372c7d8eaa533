/** `return file`, `unfile`: locks and unlocks the invoices of a filed tax return. */
import type { Command } from 'commander'
import { CuadraError } from '#core/errors/index.ts'
import {
  fileReturn,
  overlappingReturns,
  type Period,
  parseFilingPeriod,
  removeFiledReturn,
} from '../../src/service/invoice/filed-returns.ts'
import type { Tx } from '../../src/store/store.ts'
import { print } from '../admin-output.ts'
import type { Io } from '../io.ts'
import { parsePeriod as periodArgument } from '../known-values.ts'
import { changeCompany } from '../session.ts'
import { addCompanyCommand, type CompanyFlags, countText } from './commands.ts'

interface ReturnFlags extends CompanyFlags {
  readonly period: string
}

/** Returns the number of invoices in a period, without the invoices of excluded periods. */
const invoicesIn = (
  tx: Tx,
  { first_day, last_day }: Period,
  excluded: readonly Period[] = [],
): Promise<number> =>
  tx.countOf(
    tx
      .select('invoices')
      .where('fiscal_date', '>=', first_day)
      .where('fiscal_date', '<=', last_day)
      .where(({ and, not, between }) =>
        and(excluded.map((other) => not(between('fiscal_date', other.first_day, other.last_day)))),
      ),
  )

const fileCompanyReturn = (io: Io, { company, period }: ReturnFlags) =>
  changeCompany(io, company, async (tx, { app }) => {
    const days = await fileReturn(tx, period, app.clock.stamp())
    const done = { company_id: company, ...days, invoices: await invoicesIn(tx, days) }
    return { done, hasEnded: days.last_day < app.clock.today() }
  })

const unfileCompanyReturn = (io: Io, { company, period }: ReturnFlags) =>
  changeCompany(io, company, async (tx) => {
    if (!(await removeFiledReturn(tx, period)))
      throw new CuadraError(`The company has no filed return of ${period}. Nothing was changed.`)
    const days = parseFilingPeriod(period)
    const others = await overlappingReturns(tx, days)
    const invoices = await invoicesIn(tx, days, others)
    return { company_id: company, ...days, invoices, still_filed: others.map((other) => other.period) }
  })

export function add(returns: Command, io: Io): void {
  const command = (name: string, description: string) =>
    addCompanyCommand(returns, name, description).requiredOption(
      '--period <period>',
      'quarter (2026-Q3) or month (2026-09)',
      periodArgument,
    )

  command('file', 'lock the fiscal data of the invoices of a period').action(async (flags: ReturnFlags) => {
    const { done, hasEnded } = await fileCompanyReturn(io, flags)
    if (!hasEnded)
      io.err(
        `note: ${done.period} has not ended yet. Invoices issued until ${done.last_day} are locked as well.\n`,
      )
    print(
      io,
      flags.json,
      done,
      () =>
        `Filed ${done.period}, ${done.first_day} to ${done.last_day}: the fiscal data of ${countText(done.invoices, 'invoice')} is locked.`,
    )
  })

  command('unfile', 'unlock the fiscal data of the invoices of a period').action(
    async (flags: ReturnFlags) => {
      const done = await unfileCompanyReturn(io, flags)
      print(
        io,
        flags.json,
        done,
        () =>
          `Unfiled ${done.period}: ${countText(done.invoices, 'invoice')} may be changed again.${
            done.still_filed.length > 0 ? ` Those of ${done.still_filed.join(', ')} stay locked.` : ''
          }`,
      )
    },
  )
}
