/** `company create`, `update`, `logo`, `list`: manages companies. */
import type { Command } from 'commander'
import { isDatabaseUnreachable } from 'cuadra-storage/storage-faults.ts'
import { CuadraError, UsageError } from '#core/errors/index.ts'
import type { App } from '../../src/app/app.ts'
import {
  allTaxpayers,
  type CompanyRecord,
  companyOf,
  companyResponse,
  createCompany,
  hasAtLeastCompanies,
  updateCompany,
} from '../../src/service/company/company.ts'
import { readCompany } from '../../src/service/company/company-files.ts'
import { removeLogo, setLogo } from '../../src/service/company/company-logo.ts'
import { openPeriodOf } from '../../src/service/verifactu/verifactu-period.ts'
import { labelledLines, print, tableText } from '../admin-output.ts'
import { parseUuid } from '../arguments.ts'
import { readBytes, readJson } from '../input.ts'
import type { Io } from '../io.ts'
import { changeCompany, databaseLocationOf, withApp } from '../session.ts'
import { addCompanyCommand, addSubcommand, type CompanyFlags, type Flags } from './commands.ts'

/**
 * Returns the fields of `GET /company`, and those that exist only in `company.json`. `plan` has the format of
 * `company.json`.
 */
const companyFacts = (company: CompanyRecord) => {
  const { plan, verified, cash_basis, oss, sii, pdf_template, delegated_signature, operated_by_partner } =
    company.data
  return {
    ...companyResponse(company),
    plan,
    verified,
    cash_basis,
    oss,
    sii,
    pdf_template,
    delegated_signature,
    operated_by_partner,
  }
}

const peopleText = ({ id, data }: CompanyRecord): string =>
  labelledLines([
    ['company', id],
    ['tax id', data.tax_id],
    ['legal name', data.legal_name],
    ['province', data.address.province_code],
    ['verified', data.verified],
    ['active', data.is_active],
    ['features', data.features.join(', ')],
  ])

type Taxpayer = Awaited<ReturnType<typeof allTaxpayers>>[number]

/** Returns a company for the list. If its shard cannot be reached, most fields are missing. */
async function listedCompany({ store, clock }: App, { taxpayer_id: id, tax_id, created_at }: Taxpayer) {
  try {
    const rows = store.of(id)
    const company = await companyOf(rows)
    if (!company) return []
    const period = await openPeriodOf(rows, clock)
    return [{ ...companyFacts(company), verifactu_mode: period?.mode ?? null, created_at }]
  } catch (error) {
    if (!isDatabaseUnreachable(error)) throw error
    return [{ id, tax_id, created_at, unreachable: true } as const]
  }
}

async function listCompanies(app: App) {
  const companies = []
  for (const one of await allTaxpayers(app.store.shared)) companies.push(...(await listedCompany(app, one)))
  return companies
}

type Listed = Awaited<ReturnType<typeof listCompanies>>[number]

const rowOf = (one: Listed) => [
  one.id,
  one.tax_id,
  ...('unreachable' in one
    ? ['(machine unreachable)', '', '', '']
    : [one.legal_name, one.verified, one.is_active, one.verifactu_mode]),
  one.created_at.slice(0, 10),
]

interface LogoFlags extends CompanyFlags {
  readonly file?: string
  readonly remove?: true
}

function addLogo(company: Command, io: Io): void {
  addCompanyCommand(company, 'logo', 'set or remove the logo of printed invoices')
    .option('--file <file>', 'PNG or JPEG of at most 512 KB; - reads the standard input')
    .option('--remove', 'remove the logo')
    .action(async ({ company: id, file, remove, json }: LogoFlags) => {
      if ((file === undefined) === (remove === undefined))
        throw new UsageError('Use either --file or --remove.')
      const bytes = file === undefined ? undefined : await readBytes(io, file)
      const logo = await changeCompany(io, id, async (tx, { app }) => {
        if (bytes) return setLogo(tx, bytes, app.clock.stamp())
        await removeLogo(tx)
        return null
      })
      print(io, json, { company_id: id, logo }, () =>
        logo === null
          ? `Company ${id} prints its invoices without a logo.`
          : `Company ${id} has a logo (${logo}).`,
      )
    })
}

export function add(company: Command, io: Io): void {
  addSubcommand(company, 'create', 'create a company from a company.json')
    .requiredOption('--file <file>', 'company.json; - reads the standard input')
    .action(async ({ file, json }: Flags & { file: string }) => {
      const data = readCompany(await readJson(io, file))
      const created = await withApp(io, async ({ store, clock, system }) => {
        if (!system.multiTaxpayer && (await hasAtLeastCompanies(store.shared, 1)))
          throw new CuadraError(
            'A company already exists, and the declaration of the system (CUADRA_DECLARATION) allows one taxpayer: its `multi_taxpayer` is false. Nothing was changed.',
          )
        return store.transaction((tx) => createCompany(tx, data, clock.stamp()))
      })
      print(io, json, companyFacts(created), () => peopleText(created))
    })

  addSubcommand(company, 'update', 'change fields of a company; null restores the default')
    .argument('<id>', 'id of the company', parseUuid)
    .requiredOption('--file <file>', 'JSON with the fields to change; - reads the standard input')
    .action(async (id: string, { file, json }: Flags & { file: string }) => {
      const patch = await readJson(io, file)
      const { changeFindings } = await import('../doctor/doctor-company.ts')
      const [updated, notes] = await withApp(io, async (app) => {
        const { store, clock } = app
        const done = await store.of(id).transaction((tx) => updateCompany(tx, patch, clock.stamp()))
        if (!done)
          throw new CuadraError(
            `No company ${id} in ${databaseLocationOf(app)}. See \`cuadra-admin company list\`.`,
          )
        return [done, await changeFindings(app, store.of(id), done)] as const
      })
      for (const { what, why, fix } of notes) io.err(`note: ${what.en}. ${why?.en} ${fix?.en}\n`)
      print(io, json, companyFacts(updated), () => peopleText(updated))
    })

  addLogo(company, io)

  addSubcommand(company, 'list', 'list all companies').action(async ({ json }: Flags) => {
    await withApp(io, async (app) => {
      const companies = await listCompanies(app)
      print(io, json, companies, () =>
        companies.length === 0
          ? `No company in ${databaseLocationOf(app)}.`
          : tableText(
              ['id', 'tax id', 'legal name', 'verified', 'active', 'VeriFactu', 'created'],
              companies.map(rowOf),
            ),
      )
    })
  })
}
