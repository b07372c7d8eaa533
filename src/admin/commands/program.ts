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

const ofInvoice: typeof leaf = (parent, name, description) =>
  leaf(parent, name, description).argument('[invoice-id]', 'id of the invoice', uuid)

/** The module of a command: it adds options, commands and actions to the command that is listed below. */
type Load = () => Promise<{ readonly add: (command: Command, io: Io) => void }>

/** Commands as the help of the program shows them, each with what loads the rest of it. */
const COMMANDS: readonly (readonly [make: typeof group, name: string, description: string, load: Load])[] = [
  [group, 'company', 'companies that the server works for', () => import('./company.ts')],
  [group, 'key', 'API keys of companies', () => import('./key.ts')],
  [group, 'series', 'series of issued invoices', () => import('./series.ts')],
  [group, 'certificate', 'certificates of companies', () => import('./certificate.ts')],
  [group, 'return', 'tax returns that were filed', () => import('./return.ts')],
  [group, 'collection', 'collections of issued invoices', () => import('./collection.ts')],
  [group, 'payment', 'payments of received invoices', () => import('./collection.ts')],
  [group, 'invoice', 'drafts in a bulk issue', () => import('./invoice.ts')],
  [group, 'rates', 'reference rates of currencies', () => import('./rates.ts')],
  [ofInvoice, 'render', 'print an invoice as PDF: issued, received or a draft', () => import('./render.ts')],
  [group, 'verifactu', 'records for the tax authority (VERI*FACTU)', () => import('./verifactu.ts')],
  [group, 'sii', 'books for the tax authority (SII)', () => import('./sii.ts')],
  [
    leaf,
    'export',
    'write everything of a company into a folder, as of one moment',
    () => import('./export.ts'),
  ],
  [
    leaf,
    'backup',
    'write everything of all companies into a folder, as of one moment, while servers run',
    () => import('./backup.ts'),
  ],
  [
    leaf,
    'restore',
    'put a backup back into an empty data folder and an empty database, and verify it',
    () => import('./restore.ts'),
  ],
  [
    leaf,
    'doctor',
    'say what is not in order: clock, disk, certificates, chains, what waits, backups',
    () => import('./doctor.ts'),
  ],
  [
    leaf,
    'prune',
    'remove technical data that is older than a year; --dry-run only counts',
    () => import('./prune.ts'),
  ],
  [
    leaf,
    'verify',
    'recompute chains and totals, and compare everything that is stored twice',
    () => import('./verify.ts'),
  ],
]

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
  const loads = new Map(
    COMMANDS.map(([make, name, description, load]) => [make(program, name, description), load]),
  )
  // Options and what a command works with are loaded with the command, and with no other one.
  return program.hook('preSubcommand', async (_, command) => (await loads.get(command)?.())?.add(command, io))
}
