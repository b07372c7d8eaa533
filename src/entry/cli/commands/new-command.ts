/** Options of `cuadra new`. */
import type { Command } from 'commander'
import { NEW, NEW_FILE } from '../generated/texts/new.ts'
import type { Cli } from '../input/cli.ts'
import { addCommand, type CommandDefinition, withTexts } from '../input/input-flags.ts'
import type { NewFlags, NewInvoice } from './new-run.ts'

/** The invoices that `cuadra new` writes. */
export const NEW_INVOICES: readonly NewInvoice[] = ['invoice', 'ticket', 'corrective', 'received']

const OUTLINE: CommandDefinition = {
  ...NEW,
  name: 'new',
  argument: '[kind]',
  argumentChoices: NEW_INVOICES,
  options: withTexts(NEW.options, {}),
}

export function addNewCommand(cli: Cli, program: Command): void {
  addCommand(cli, program, OUTLINE).action(async (kind: NewInvoice = 'invoice', flags: NewFlags) => {
    if (flags.force && flags.out === undefined) throw cli.usageError(NEW_FILE.force_without_out)
    const { writeNewInvoice } = await import('./new-run.ts')
    await writeNewInvoice(cli, kind, flags)
    cli.setExitCode(0)
  })
}
