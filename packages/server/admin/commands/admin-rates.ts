/** `rates load`: loads reference rates of the European Central Bank, for received invoices in foreign currencies. */
import type { Command } from 'commander'
import { loadRates } from '../../src/service/company/exchange-rates.ts'
import { print } from '../admin-output.ts'
import { readText } from '../input.ts'
import type { Io } from '../io.ts'
import { withApp } from '../session.ts'
import { addSubcommand, countText, type Flags } from './commands.ts'

export function add(rates: Command, io: Io): void {
  addSubcommand(
    rates,
    'load',
    'store the rates of a file of the European Central Bank; existing rates are kept',
  )
    .requiredOption('--file <file>', 'eurofxref-hist.csv or .xml; - reads the standard input')
    .action(async ({ file, json }: Flags & { file: string }) => {
      const text = await readText(io, file)
      const loaded = await withApp(io, ({ store }) => store.transaction((tx) => loadRates(tx, text)))
      print(
        io,
        json,
        { rates: loaded },
        () => `The file has ${countText(loaded, 'rate')}; all of them are stored.`,
      )
    })
}
