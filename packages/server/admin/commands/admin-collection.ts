/** `collection ...`, `payment ...`: manages collections of issued invoices and payments of received invoices. */
import type { Command } from 'commander'
import { CuadraError } from '#core/errors/index.ts'
import { addPayment } from '../../src/service/sii/add-payment.ts'
import { type ListedPayment, listPayments } from '../../src/service/sii/cash-basis/list-payments.ts'
import { cancelRecordedPayment, resendRejected } from '../../src/service/sii/cash-basis/payment-commands.ts'
import type { NewPayment } from '../../src/service/sii/cash-basis/record-payment.ts'
import type { Book } from '../../src/store/tables.ts'
import { print, tableText } from '../admin-output.ts'
import { parseAccount, parseAmount, parseDay, parseUuid } from '../arguments.ts'
import type { Io } from '../io.ts'
import { parsePaymentMethod } from '../known-values.ts'
import { changeCompany, withCompany } from '../session.ts'
import { addCompanyCommand, type CompanyFlags, countText } from './commands.ts'

interface AddFlags extends CompanyFlags, Omit<NewPayment, 'invoice_id'> {
  readonly invoice: string
}

interface ListFlags extends CompanyFlags {
  readonly invoice?: string
  readonly open?: true
}

interface Group {
  readonly book: Book
  readonly day: string
}

const GROUPS: Readonly<Record<string, Group>> = {
  collection: { book: 'ISSUED', day: 'date of collection, YYYY-MM-DD' },
  payment: { book: 'RECEIVED', day: 'date of payment, YYYY-MM-DD' },
}

/** Returns the status in the SII as a short text. */
function stateOf({ sii, cancelled_at }: ListedPayment): string {
  if (!sii) return cancelled_at === null ? 'not reported' : 'cancelled'
  const state = sii.waits_for_invoice ? 'waiting for its invoice' : sii.status.replaceAll('_', ' ')
  const named = sii.error_code !== null && sii.status !== 'accepted' ? `${state} (${sii.error_code})` : state
  return cancelled_at === null ? named : `${named}, cancelled`
}

const remaining = (days: number | null): string | null =>
  days === null ? null : days < 0 ? `${countText(-days, 'day')} late` : countText(days, 'day')

function listText(rows: readonly ListedPayment[], name: string): string {
  if (rows.length === 0) return `No ${name}s.`
  const table = tableText(
    [name, 'date', 'amount', 'method', 'invoice', 'sii', 'deadline', 'left'],
    rows.map((row) => [
      row.id ?? row.kind,
      row.date,
      row.amount.toFixed(2),
      row.method,
      row.number ?? row.invoice_id,
      stateOf(row),
      row.sii?.deadline,
      remaining(row.sii?.days_remaining ?? null),
    ]),
  )
  const reasons = new Set(
    rows.flatMap(({ sii }) =>
      sii?.error_code && sii.days_remaining !== null
        ? [`${sii.error_code}: ${sii.error_description ?? ''}\n  ${sii.fix?.en ?? ''}`]
        : [],
    ),
  )
  return [table, ...reasons].join('\n')
}

/** Adds the commands of collections, or of payments. */
export function add(own: Command, io: Io): void {
  const name = own.name()
  const { book, day: dayText } = GROUPS[name] as Group

  addCompanyCommand(own, 'add', `add a ${name}; use a negative amount for a correction`)
    .requiredOption('--invoice <id>', 'id of the invoice', parseUuid)
    .requiredOption('--date <day>', dayText, parseDay)
    .requiredOption('--amount <amount>', 'euros with two decimals, such as 100.00', parseAmount)
    .requiredOption('--method <code>', 'code of the catalog payment-methods', parsePaymentMethod)
    .option('--account <account>', 'account or means of payment', parseAccount)
    .action(async ({ company, invoice, json, ...given }: AddFlags) => {
      const added = await changeCompany(io, company, async (tx, { app }) => {
        const today = app.clock.today()
        if (given.date > today)
          throw new CuadraError(
            `--date ${given.date} is in the future: today is ${today} in Madrid. Use that date or an earlier one.`,
          )
        return addPayment(tx, book, { invoice_id: invoice, ...given }, app.clock)
      })
      print(io, json, added, () => {
        const deadline = added.sii ? ` It is reported to the SII by ${added.sii.deadline}.` : ''
        return `Added ${added.amount.toFixed(2)} EUR of invoice ${added.number ?? invoice} on ${added.date}.${deadline}`
      })
    })

  addCompanyCommand(own, 'list', `list ${name}s and their status at the SII`)
    .option('--invoice <id>', 'only those of this invoice', parseUuid)
    .option('--open', 'only those that the SII does not have yet')
    .action(async ({ company, invoice, open, json }: ListFlags) => {
      const which = { ...(invoice === undefined ? {} : { invoice_id: invoice }), open: open ?? false }
      const rows = await withCompany(io, company, ({ app, store }) =>
        listPayments(store, book, app.clock.today(), which),
      )
      print(io, json, rows, () => listText(rows, name))
    })

  addCompanyCommand(own, 'cancel', `cancel a ${name} added by mistake`)
    .requiredOption(`--${name} <id>`, `id of the ${name} (\`${name} list\`)`, parseUuid)
    .action(async ({ company, json, ...given }: CompanyFlags & Readonly<Record<string, unknown>>) => {
      const cancelled = await changeCompany(io, company, (tx, { app }) =>
        cancelRecordedPayment(tx, app.clock, book, String(given[name])),
      )
      print(io, json, cancelled, () => {
        const { amount: euros, date } = cancelled
        return `Cancelled the ${name} of ${euros.toFixed(2)} EUR of ${date}. If the SII has it, the cancellation is reported automatically.`
      })
    })

  addCompanyCommand(own, 'resend', `send again the ${name}s that the SII rejected, once their cause is fixed`)
    .option('--invoice <id>', 'only those of this invoice', parseUuid)
    .action(async ({ company, invoice, json }: ListFlags) => {
      const resent = await changeCompany(io, company, (tx, { app }) =>
        resendRejected(tx, app.clock, book, invoice),
      )
      print(io, json, { resent }, () =>
        resent === 0 ? 'Nothing to send again.' : `${countText(resent, name)} waiting again.`,
      )
    })
}
