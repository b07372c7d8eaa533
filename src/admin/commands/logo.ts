/** `company logo`: what stands at the head of printed invoices. */
import type { Command } from 'commander'
import { UsageError } from '../../errors/index.ts'
import { removeLogo, setLogo } from '../../server/service/company/logo.ts'
import { bytesOf } from '../input.ts'
import type { Io } from '../io.ts'
import { answer } from '../output.ts'
import { changeCompany } from '../session.ts'
import { type CompanyFlags, ofCompany } from './commands.ts'

interface LogoFlags extends CompanyFlags {
  readonly file?: string
  readonly remove?: true
}

export function addLogoCommand(company: Command, io: Io): void {
  ofCompany(company, 'logo', 'set or remove the logo of printed invoices')
    .option('--file <file>', 'PNG or JPEG of at most 512 KB; - reads the standard input')
    .option('--remove', 'print invoices without one')
    .action(async ({ company: id, file, remove, json }: LogoFlags) => {
      if ((file === undefined) === (remove === undefined))
        throw new UsageError('Say --file or --remove, one of them.')
      const bytes = file === undefined ? undefined : await bytesOf(io, file)
      const logo = await changeCompany(io, id, async (tx, { app }) => {
        if (bytes) return setLogo(tx, bytes, app.clock.stamp())
        await removeLogo(tx)
        return null
      })
      answer(io, json, { company_id: id, logo }, () =>
        logo === null
          ? `Company ${id} prints its invoices without a logo.`
          : `Company ${id} has a logo (${logo}).`,
      )
    })
}
