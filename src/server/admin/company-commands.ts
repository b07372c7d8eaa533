/** `company create`, `update`, `list`. */
import type { Command } from 'commander'
import type { App } from '../app.ts'
import {
  type CompanyData,
  type CompanyRecord,
  companyAnswer,
  createCompany,
  readCompany,
  updateCompany,
} from '../service/company.ts'
import type { Reader } from '../store/store.ts'
import { uuid } from './arguments.ts'
import { type Flags, group, leaf } from './commands.ts'
import { jsonOf } from './input.ts'
import type { Io } from './io.ts'
import { answer, factsText, tableText } from './output.ts'
import { Refusal } from './refusal.ts'
import { placeOf, withApp } from './session.ts'

/** `GET /company`, and the members of `company.json` that it does not answer; `plan` is that of the file. */
const companyFacts = (company: CompanyRecord) => {
  const { plan, verified, cash_basis, oss, sii, pdf_template, delegated_signature, operated_by_partner } =
    company.data
  return {
    ...companyAnswer(company),
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
  factsText([
    ['company', id],
    ['tax id', data.tax_id],
    ['legal name', data.legal_name],
    ['province', data.address.province_code],
    ['verified', data.verified],
    ['active', data.is_active],
    ['features', data.features.join(', ')],
  ])

const anyCompany = (db: Reader) => db.selectFrom('companies').select('company_id').limit(1).executeTakeFirst()

const listed = async ({ store }: App) => {
  const companies = await store.read
    .selectFrom('companies')
    .select(['company_id', 'data', 'created_at'])
    .orderBy('created_at')
    .orderBy('company_id')
    .execute()
  const open = await store.read
    .selectFrom('verifactu_periods')
    .select(['company_id', 'mode'])
    .where('end_date', 'is', null)
    .execute()
  const modes = new Map(open.map(({ company_id, mode }) => [company_id, mode]))
  return companies.map(({ company_id, data, created_at }) => ({
    ...companyFacts({ id: company_id, data: JSON.parse(data) as CompanyData }),
    verifactu_mode: modes.get(company_id) ?? null,
    created_at,
  }))
}

export function addCompanyCommands(program: Command, io: Io): void {
  const company = group(program, 'company', 'companies that the server works for')

  leaf(company, 'create', 'create a company from a company.json')
    .requiredOption('--file <file>', 'company.json; - reads the standard input')
    .action(async ({ file, json }: Flags & { file: string }) => {
      const data = readCompany(await jsonOf(io, file))
      const created = await withApp(io, async ({ store, clock, system }) => {
        if (!system.multiTaxpayer && (await anyCompany(store.read)))
          throw new Refusal(
            'There is a company already, and the declaration of the system (CUADRA_DECLARATION) is for one taxpayer: its `multi_taxpayer` is false. Nothing was changed.',
          )
        return store.transaction((tx) => createCompany(tx, data, clock.stamp()))
      })
      answer(io, json, companyFacts(created), () => peopleText(created))
    })

  leaf(company, 'update', 'change members of a company: they are merged, and null goes back to the default')
    .argument('<id>', 'id of the company', uuid)
    .requiredOption('--file <file>', 'JSON with the members that change; - reads the standard input')
    .action(async (id: string, { file, json }: Flags & { file: string }) => {
      const patch = await jsonOf(io, file)
      const updated = await withApp(io, async (app) => {
        const { store, clock } = app
        const done = await store.transaction((tx) => updateCompany(tx, id, patch, clock.stamp()))
        if (!done)
          throw new Refusal(
            `There is no company ${id} in ${placeOf(app)}. See \`cuadra-admin company list\`.`,
          )
        return done
      })
      answer(io, json, companyFacts(updated), () => peopleText(updated))
    })

  leaf(company, 'list', 'list all companies').action(async ({ json }: Flags) => {
    await withApp(io, async (app) => {
      const companies = await listed(app)
      answer(io, json, companies, () =>
        companies.length === 0
          ? `There is no company in ${placeOf(app)}.`
          : tableText(
              ['id', 'tax id', 'legal name', 'verified', 'active', 'VeriFactu', 'created'],
              companies.map((one) => [
                one.id,
                one.tax_id,
                one.legal_name,
                one.verified,
                one.is_active,
                one.verifactu_mode,
                one.created_at.slice(0, 10),
              ]),
            ),
      )
    })
  })
}
