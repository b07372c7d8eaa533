/** `invoice queue`, `unqueue`: reserves drafts for a bulk issue, which the HTTP API does not offer. */
import type { Command } from 'commander'
import type { Action } from '../../server/service/invoice/events.ts'
import { queueInvoice, unqueueInvoice } from '../../server/service/issued/queue.ts'
import type { Tx } from '../../server/store/store.ts'
import { uuid } from '../arguments.ts'
import type { Io } from '../io.ts'
import { print } from '../output.ts'
import { actingAs, companyOfInvoice, withApp } from '../session.ts'
import { type Flags, leaf } from './commands.ts'

type Change = (tx: Tx, acting: Action, invoiceId: string) => Promise<unknown>

export function add(invoice: Command, io: Io): void {
  const command = (name: string, description: string, change: Change, status: string) =>
    leaf(invoice, name, description)
      .argument('<invoice-id>', 'id of the draft', uuid)
      .action(async (id: string, { json }: Flags) => {
        const company_id = await withApp(io, (app) =>
          app.store.transaction(async (all) => {
            const companyId = await companyOfInvoice(app, all, id)
            await change(all.of(companyId), actingAs(app), id)
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
