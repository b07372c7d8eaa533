/** `invoice queue`, `unqueue`: reserves drafts for a bulk issue, which the HTTP interface does not offer. */
import type { Command } from 'commander'
import type { Acting } from '../service/events.ts'
import { queueInvoice, unqueueInvoice } from '../service/queue.ts'
import type { Tx } from '../store/store.ts'
import { uuid } from './arguments.ts'
import { type Flags, group, leaf } from './commands.ts'
import type { Io } from './io.ts'
import { answer } from './output.ts'
import { Refusal } from './refusal.ts'
import { actingAs, companyOfInvoice, withApp } from './session.ts'

type Change = (tx: Tx, acting: Acting, invoiceId: string) => Promise<unknown>

export function addInvoiceCommands(program: Command, io: Io): void {
  const invoice = group(program, 'invoice', 'drafts in a bulk issue')
  const command = (name: string, description: string, change: Change, status: string) =>
    leaf(invoice, name, description)
      .argument('<invoice-id>', 'id of the draft', uuid)
      .action(async (id: string, { json }: Flags) => {
        const company_id = await withApp(io, (app) =>
          app.store.transaction(async (tx) => {
            const companyId = await companyOfInvoice(app, tx.db, id)
            await change(tx, actingAs(app, companyId), id).catch((error: Error) => {
              // What the queue refuses is said in words; what the database says has a name of its own.
              throw error.constructor === Error ? new Refusal(error.message) : error
            })
            return companyId
          }),
        )
        answer(
          io,
          json,
          { id, company_id, status },
          () => `Invoice ${id} of company ${company_id} is ${status}.`,
        )
      })
  command('queue', 'reserve a draft: its series issues nothing else meanwhile', queueInvoice, 'queued')
  command('unqueue', 'make it a draft again', unqueueInvoice, 'draft')
}
