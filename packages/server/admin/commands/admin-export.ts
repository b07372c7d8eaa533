/** `export`: writes all data of a company as files that can be read without the server. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { isDiskFull } from 'cuadra-storage/storage-faults.ts'
import { CuadraError } from '#core/errors/index.ts'
import type { App } from '../../src/app/app.ts'
import { labelledLines, print } from '../admin-output.ts'
import type { Io } from '../io.ts'
import { requireCompany, withApp } from '../session.ts'
import { type CompanyFlags, companyOption, countText } from './commands.ts'

interface ExportFlags extends CompanyFlags {
  readonly out: string
}

async function exportToFolder(app: App, { company, out }: ExportFlags) {
  await requireCompany(app, app.store.of(company))
  const { ExportFolder, exportCompany } = await import('../export/export-company.ts')
  const folder = await ExportFolder.make(resolve(out))
  try {
    const exported_at = app.clock.stamp()
    const problems = await app.store.snapshot(company, async (db) =>
      exportCompany(app, db, await requireCompany(app, db), folder),
    )
    const about = { format: 'cuadra-export', version: 1, company_id: company, exported_at, problems }
    const counts = await folder.finish(about)
    return { ...about, out: resolve(out), counts }
  } catch (error) {
    await folder.abandon()
    if (isDiskFull(error))
      throw new CuadraError(
        `The disk is full: ${resolve(out)} is incomplete (no index.json). Remove it, free space and try again.`,
      )
    throw error
  }
}

export function add(command: Command, io: Io): void {
  command
    .addOption(companyOption().makeOptionMandatory())
    .requiredOption('--out <folder>', 'new or empty folder')
    .action(async (flags: ExportFlags) => {
      const done = await withApp(io, (app) => exportToFolder(app, flags))
      print(io, flags.json, done, () =>
        labelledLines([
          ['folder', done.out],
          ...Object.entries(done.counts).map(([name, count]) => [name.replaceAll('_', ' '), count] as const),
        ]),
      )
      const { problems } = done
      if (problems.length > 0)
        throw new CuadraError(
          `${countText(problems.length, 'document')} could not be exported as stored or attached; index.json lists them. First: ${problems[0]}. Run \`cuadra-admin verify\`.`,
        )
    })
}
