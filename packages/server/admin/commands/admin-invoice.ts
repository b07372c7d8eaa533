/** `invoice queue`, `unqueue`, `cancel`: operations on many invoices that the HTTP API does not offer. */
import type { Command } from 'commander'
import { CuadraError, UsageError } from '#core/errors/index.ts'
import { IN_FORCE } from '../../src/service/invoice/corrections.ts'
import type { Action } from '../../src/service/invoice/events.ts'
import { cancelInvoice } from '../../src/service/issued/cancel.ts'
import { queueInvoice, unqueueInvoice } from '../../src/service/issued/issue-queue.ts'
import type { CompanyStore, Tx } from '../../src/store/store.ts'
import { print } from '../admin-output.ts'
import { parseDay, parseUuid } from '../arguments.ts'
import type { Io } from '../io.ts'
import { administratorAction, callOf, companyOfInvoice, withApp, withCompany } from '../session.ts'
import { addCompanyCommand, addSubcommand, type CompanyFlags, countText, type Flags } from './commands.ts'

type Change = (tx: Tx, acting: Action, invoiceId: string) => Promise<unknown>

interface CancelFlags extends CompanyFlags {
  readonly from: string
  readonly to: string
  readonly series?: string
  readonly dryRun?: true
}

/** Returns the invoices in force that were issued here between two days, in the order of issue. */
function invoicesBetween(store: CompanyStore, { from, to, series }: CancelFlags) {
  const query = store
    .find('invoices', { direction: 'issued', imported: 0 })
    .select(['invoice_id as id', 'number'])
    .where('status', 'in', IN_FORCE)
    .where('issue_date', '>=', from)
    .where('issue_date', '<=', to)
    .orderBy('issue_date')
    .orderBy('number')
  return (series === undefined ? query : query.where('document_series', '=', series)).execute()
}

/** Cancels invoices one by one, so that a repeated run continues after an error. Returns the cancelled invoices. */
const cancelInvoices = (io: Io, flags: CancelFlags) =>
  withCompany(io, flags.company, async (own) => {
    const found = await invoicesBetween(own.store, flags)
    if (!flags.dryRun)
      for (const { id } of found)
        await own.store.transaction((tx) => cancelInvoice(tx, callOf(own), id, administratorAction(own.app)))
    return found
  })

function addCancel(invoice: Command, io: Io): void {
  addCompanyCommand(invoice, 'cancel', 'cancel all invoices in force that were issued here between two days')
    .requiredOption('--from <day>', 'first day of issue, YYYY-MM-DD', parseDay)
    .requiredOption('--to <day>', 'last day, YYYY-MM-DD', parseDay)
    .option('--series <code>', 'only this series')
    .option('--dry-run', 'list the invoices without cancelling them')
    .action(async (flags: CancelFlags) => {
      if (flags.to < flags.from) throw new UsageError(`--to ${flags.to} is before --from ${flags.from}.`)
      const invoices = await cancelInvoices(io, flags)
      if (invoices.length === 0)
        throw new CuadraError(
          `Company ${flags.company} has no invoice in force that was issued here from ${flags.from} to ${flags.to}.`,
        )
      const cancelled = !flags.dryRun
      print(io, flags.json, { company_id: flags.company, cancelled, invoices }, () =>
        [
          ...invoices.map(({ number }) => number),
          `${countText(invoices.length, 'invoice')}${cancelled ? ' cancelled' : ', none cancelled (--dry-run)'}.`,
        ].join('\n'),
      )
    })
}

export function add(invoice: Command, io: Io): void {
  addCancel(invoice, io)

  const command = (name: string, description: string, change: Change, status: string) =>
    addSubcommand(invoice, name, description)
      .argument('<invoice-id>', 'id of the draft', parseUuid)
      .action(async (id: string, { json }: Flags) => {
        const company_id = await withApp(io, (app) =>
          app.store.transaction(async (all) => {
            const companyId = await companyOfInvoice(app, all, id)
            await change(all.of(companyId), administratorAction(app), id)
            return companyId
          }),
        )
        print(
          io,
          json,
          { id, company_id, status },
          () => `Invoice ${id} of company ${company_id} is ${status}.`,
        )
      })
  command(
    'queue',
    'reserve a draft for a bulk issue; its series issues nothing else meanwhile',
    queueInvoice,
    'queued',
  )
  command('unqueue', 'release a reserved draft', unqueueInvoice, 'draft')
}
