/** The commands of `cuadra-admin` (http-contract, "Starting and administering the reference server"). */
import { Command } from 'commander'
import { version as VERSION } from '../../server/package.json'
import { uuid } from '../arguments.ts'
import type { Io } from '../io.ts'
import { group, leaf } from './commands.ts'

const EXAMPLES = `
Examples:
  cuadra-admin company create --file company.json
  cuadra-admin key create --company ID --scopes invoices:read,invoices:write --expires 2027-01-01
  cuadra-admin series configure --company ID --code F --template '{series}{number:6}' --next 101
  cuadra-admin return file --company ID --period 2026-Q3
  cuadra-admin verify
  cuadra-admin backup --into /var/backups/cuadra --keep 14

It works on the database of the server, by the same environment (CUADRA_DATA_DIR, CUADRA_DATABASE_URL), and while the
server runs. Exit codes: 0 done, 1 refused or not in order (the reason is on stderr), 2 wrong use or configuration, or a damaged database; of doctor: 0 in
order, 1 warnings, 2 errors.`

/** Adds options, commands and actions to a command that is listed below. */
type Add = (command: Command, io: Io) => void

/** Lists the commands as the help of the program shows them, each with what loads the rest of it. */
function listCommands(program: Command): ReadonlyMap<Command, () => Promise<Add>> {
  return new Map<Command, () => Promise<Add>>([
    [
      group(program, 'company', 'companies that the server works for'),
      async () => (await import('./company.ts')).addCompanyCommands,
    ],
    [group(program, 'key', 'API keys of companies'), async () => (await import('./key.ts')).addKeyCommands],
    [
      group(program, 'series', 'series of issued invoices'),
      async () => (await import('./series.ts')).addSeriesCommands,
    ],
    [
      group(program, 'certificate', 'certificates of companies'),
      async () => (await import('./certificate.ts')).addCertificateCommands,
    ],
    [
      group(program, 'return', 'tax returns that were filed'),
      async () => (await import('./return.ts')).addReturnCommands,
    ],
    [
      group(program, 'collection', 'collections of issued invoices'),
      async () => (await import('./collection.ts')).addCollectionCommands,
    ],
    [
      group(program, 'payment', 'payments of received invoices'),
      async () => (await import('./collection.ts')).addPaymentCommands,
    ],
    [
      group(program, 'invoice', 'drafts in a bulk issue'),
      async () => (await import('./invoice.ts')).addInvoiceCommands,
    ],
    [
      group(program, 'rates', 'reference rates of currencies'),
      async () => (await import('./rates.ts')).addRatesCommands,
    ],
    [
      leaf(program, 'render', 'print an invoice as PDF: issued, received or a draft').argument(
        '[invoice-id]',
        'id of the invoice',
        uuid,
      ),
      async () => (await import('./render.ts')).addRenderCommand,
    ],
    [
      group(program, 'verifactu', 'records for the tax authority (VERI*FACTU)'),
      async () => (await import('./verifactu.ts')).addVerifactuCommands,
    ],
    [
      group(program, 'sii', 'books for the tax authority (SII)'),
      async () => (await import('./sii.ts')).addSiiCommands,
    ],
    [
      leaf(program, 'export', 'write everything of a company into a folder, as of one moment'),
      async () => (await import('./export.ts')).addExportCommand,
    ],
    [
      leaf(
        program,
        'backup',
        'write everything of all companies into a folder, as of one moment, while servers run',
      ),
      async () => (await import('./backup.ts')).addBackupCommand,
    ],
    [
      leaf(
        program,
        'restore',
        'put a backup back into an empty data folder and an empty database, and verify it',
      ),
      async () => (await import('./restore.ts')).addRestoreCommand,
    ],
    [
      leaf(
        program,
        'doctor',
        'say what is not in order: clock, disk, certificates, chains, what waits, backups',
      ),
      async () => (await import('./doctor.ts')).addDoctorCommand,
    ],
    [
      leaf(program, 'prune', 'remove technical data that is older than a year; --dry-run only counts'),
      async () => (await import('./prune.ts')).addPruneCommand,
    ],
    [
      leaf(program, 'verify', 'recompute chains and totals, and compare everything that is stored twice'),
      async () => (await import('./verify.ts')).addVerifyCommand,
    ],
  ])
}

export function programOf(io: Io): Command {
  const program = new Command('cuadra-admin')
    .description(
      'Companies, keys, series and everything else that the HTTP interface leaves to the administrator.',
    )
    .version(VERSION, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .addHelpText('after', EXAMPLES)
    .showHelpAfterError('See cuadra-admin --help.')
    .configureOutput({ writeOut: io.out, writeErr: io.err })
    .exitOverride()
  const loads = listCommands(program)
  // Options and what a command works with are loaded with the command, and with no other one.
  return program.hook('preSubcommand', async (_, command) => (await loads.get(command)?.())?.(command, io))
}
