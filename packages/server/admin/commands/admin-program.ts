/** Builds the program `cuadra-admin`. */
import { Command } from 'commander'
import { problemsAddress } from '#core/site/index.ts'
import { version as VERSION } from '../../package.json'
import { parseUuid } from '../arguments.ts'
import type { Io } from '../io.ts'
import { addCommandGroup, addSubcommand } from './commands.ts'

const EXAMPLES = `
Examples:
  cuadra-admin company create --file company.json
  cuadra-admin key create --company ID --scopes invoices:read,invoices:write --expires 2027-01-01
  cuadra-admin series configure --company ID --code F --template '{series}{number:6}' --next 101
  cuadra-admin return file --company ID --period 2026-Q3
  cuadra-admin verify
  cuadra-admin backup --into /var/backups/cuadra --keep 14

It uses the database of the server through the same environment variables (CUADRA_DATA_DIR, CUADRA_DATABASE_URL), also
while the server runs. Exit codes: 0 done, 1 rejected or problems found (reason on stderr), 2 usage or configuration
error, or damaged database. Exit codes of doctor: 0 no problems, 1 warnings, 2 errors.`

const ofInvoice: typeof addSubcommand = (parent, name, description) =>
  addSubcommand(parent, name, description).argument('[invoice-id]', 'id of the invoice', parseUuid)

/** Loads the module of a command, which adds options, subcommands and actions. */
type Load = () => Promise<{ readonly add: (command: Command, io: Io) => void }>

/** The commands as the help shows them, each with the loader of its module. */
const COMMANDS: readonly (readonly [
  make: typeof addCommandGroup,
  name: string,
  description: string,
  load: Load,
])[] = [
  [addCommandGroup, 'company', 'manage companies', () => import('./admin-company.ts')],
  [addCommandGroup, 'key', 'manage API keys', () => import('./admin-key.ts')],
  [addCommandGroup, 'series', 'configure series of issued invoices', () => import('./admin-series.ts')],
  [addCommandGroup, 'certificate', 'manage certificates', () => import('./admin-certificate.ts')],
  [addCommandGroup, 'return', 'lock and unlock filed tax returns', () => import('./admin-return.ts')],
  [
    addCommandGroup,
    'collection',
    'manage collections of issued invoices',
    () => import('./admin-collection.ts'),
  ],
  [addCommandGroup, 'payment', 'manage payments of received invoices', () => import('./admin-collection.ts')],
  [
    addCommandGroup,
    'invoice',
    'reserve drafts for a bulk issue, and cancel invoices of a period',
    () => import('./admin-invoice.ts'),
  ],
  [addCommandGroup, 'rates', 'load reference exchange rates', () => import('./admin-rates.ts')],
  [
    ofInvoice,
    'render',
    'print an invoice as PDF: issued, received or a draft',
    () => import('./admin-render.ts'),
  ],
  [addCommandGroup, 'verifactu', 'send and manage VeriFactu records', () => import('./admin-verifactu.ts')],
  [addCommandGroup, 'sii', 'send books to the SII', () => import('./admin-sii.ts')],
  [addSubcommand, 'books', 'write the VAT books of a company as XLSX', () => import('./admin-books.ts')],
  [addSubcommand, 'export', 'write all data of a company to a folder', () => import('./admin-export.ts')],
  [
    addSubcommand,
    'backup',
    'back up all data to a folder, also while servers run',
    () => import('./admin-backup.ts'),
  ],
  [
    addSubcommand,
    'restore',
    'restore a backup into an empty data folder and database, and verify it',
    () => import('./admin-restore.ts'),
  ],
  [
    addSubcommand,
    'doctor',
    'find problems: clock, disk, certificates, chains, pending records, backups',
    () => import('./admin-doctor.ts'),
  ],
  [addSubcommand, 'prune', 'remove technical data older than a year', () => import('./admin-prune.ts')],
  [
    addSubcommand,
    'verify',
    'recompute chains and totals, and compare all data stored twice',
    () => import('./admin-verify.ts'),
  ],
]

export function programOf(io: Io): Command {
  const program = new Command('cuadra-admin')
    .description(
      'Administers the server: companies, keys, series, backups and everything else outside of the HTTP API.',
    )
    .version(VERSION, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .addHelpText(
      'after',
      `${EXAMPLES}${problemsAddress === undefined ? '' : `\nReport problems at ${problemsAddress}.`}`,
    )
    .showHelpAfterError('See cuadra-admin --help.')
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      outputError: (text, write) => write(text.replace(/^error: /, 'cuadra-admin: ')),
    })
    .exitOverride()
  const loads = new Map(
    COMMANDS.map(([make, name, description, load]) => [make(program, name, description), load]),
  )
  // Loads only the module of the command that runs.
  return program.hook('preSubcommand', async (_, command) => (await loads.get(command)?.())?.add(command, io))
}
