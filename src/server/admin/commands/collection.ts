/** `collection add`: what was collected of an issued invoice, and when. */
import type { Command } from 'commander'
import { CuadraError } from '../../../errors/index.ts'
import { addCollection } from '../../service/issued/collections.ts'
import type { NewPayment } from '../../service/sii/cash-basis/noting.ts'
import { amount, day, method, uuid } from '../arguments.ts'
import type { Io } from '../io.ts'
import { answer } from '../output.ts'
import { requireCompany, withApp } from '../session.ts'
import { type CompanyFlags, group, ofCompany } from './commands.ts'

interface AddFlags extends CompanyFlags, Omit<NewPayment, 'invoice_id'> {
  readonly invoice: string
}

export function addCollectionCommands(program: Command, io: Io): void {
  const collection = group(program, 'collection', 'collections of issued invoices')

  ofCompany(collection, 'add', 'note a collection; a correction is a negative amount')
    .requiredOption('--invoice <id>', 'id of the invoice', uuid)
    .requiredOption('--date <day>', 'day on which it was collected, YYYY-MM-DD', day)
    .requiredOption('--amount <amount>', 'euros with two decimals, such as 100.00', amount)
    .requiredOption('--method <code>', 'code of the catalog payment-methods', method)
    .action(async ({ company, invoice, json, ...given }: AddFlags) => {
      const added = await withApp(io, (app) =>
        app.store.of(company).transaction(async (tx) => {
          await requireCompany(app, tx)
          const { date } = given
          const today = app.clock.today()
          if (date > today)
            throw new CuadraError(`--date ${date} is after today, ${today} in Madrid. Correct it.`)
          return addCollection(tx, { invoice_id: invoice, ...given }, app.clock)
        }),
      )
      answer(
        io,
        json,
        added,
        () => `Noted ${added.amount.toFixed(2)} EUR of invoice ${added.number ?? invoice} on ${added.date}.`,
      )
    })
}
