/** Reads the file given with `--company`. */
import type { Company } from '#engine/index.ts'
import { isObject } from '#records/fiscal/index.ts'
import { USAGE } from '../generated/texts/usage.ts'
import type { Cli } from './cli.ts'
import { jsonIn, parsedJson, readAll, shownName } from './inputs.ts'

export async function readCompany(cli: Cli, file: string): Promise<Company> {
  const about = `--company ${shownName(file)}`
  const company = parsedJson(cli, about, jsonIn(file, new TextDecoder().decode(await readAll(cli, file))))
  if (isObject(company)) return company as unknown as Company
  throw cli.usageErrorAbout(about, USAGE.not_a_company)
}
