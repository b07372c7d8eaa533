/** The commands of `cuadra-admin` (http-contract, "Starting and administering the reference server"). */
import { Command } from 'commander'
import { version as VERSION } from '../../package.json'
import type { Io } from '../io.ts'
import { addBackupCommand } from './backup.ts'
import { addCertificateCommands } from './certificate.ts'
import { addCollectionCommands } from './collection.ts'
import { addCompanyCommands } from './company.ts'
import { addDoctorCommand } from './doctor.ts'
import { addExportCommand } from './export.ts'
import { addInvoiceCommands } from './invoice.ts'
import { addKeyCommands } from './key.ts'
import { addRatesCommands } from './rates.ts'
import { addRenderCommand } from './render.ts'
import { addRestoreCommand } from './restore.ts'
import { addReturnCommands } from './return.ts'
import { addSeriesCommands } from './series.ts'
import { addSiiCommands } from './sii.ts'
import { addVerifactuCommands } from './verifactu.ts'
import { addVerifyCommand } from './verify.ts'

const EXAMPLES = `
Examples:
  cuadra-admin company create --file company.json
  cuadra-admin key create --company ID --scopes invoices:read,invoices:write --expires 2027-01-01
  cuadra-admin series configure --company ID --code F --template '{series}{number:6}' --next 101
  cuadra-admin return file --company ID --period 2026-Q3
  cuadra-admin verify
  cuadra-admin backup --into /var/backups/cuadra --keep 14

It works on the database of the server, by the same environment (CUADRA_DATA_DIR, CUADRA_DATABASE_URL), and while the
server runs. Exit codes: 0 done, 1 refused or not in order (the reason is on stderr), 2 wrong use or configuration; of doctor: 0 in
order, 1 warnings, 2 errors.`

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
  addCompanyCommands(program, io)
  addKeyCommands(program, io)
  addSeriesCommands(program, io)
  addCertificateCommands(program, io)
  addReturnCommands(program, io)
  addCollectionCommands(program, io)
  addInvoiceCommands(program, io)
  addRatesCommands(program, io)
  addRenderCommand(program, io)
  addVerifactuCommands(program, io)
  addSiiCommands(program, io)
  addExportCommand(program, io)
  addBackupCommand(program, io)
  addRestoreCommand(program, io)
  addDoctorCommand(program, io)
  addVerifyCommand(program, io)
  return program
}
