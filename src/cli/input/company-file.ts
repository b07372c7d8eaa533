/** Reads `--company`. */
import type { Company } from '../../api/index.ts'
import { UsageError } from '../../errors/index.ts'
import { faultOf } from '../../json/places.ts'
import { Lines } from '../../json/position.ts'
import type { Cli } from './cli.ts'
import { readAll, shownName } from './inputs.ts'

export async function readCompany(cli: Cli, file: string): Promise<Company> {
  const text = new TextDecoder().decode(await readAll(cli, file))
  const refuse = (reason: string) => new UsageError(`--company ${shownName(file)}: ${reason}`)
  let company: unknown
  try {
    company = JSON.parse(text)
  } catch {
    const { line, column } = new Lines(text).positionOf(faultOf(text)?.offset ?? 0)
    throw refuse(
      cli.say({
        en: `not JSON, line ${line}, column ${column}`,
        es: `no es JSON, línea ${line}, columna ${column}`,
      }),
    )
  }
  if (company === null || typeof company !== 'object' || Array.isArray(company))
    throw refuse(
      cli.say({
        en: 'must hold an object in the shape of company.json',
        es: 'debe contener un objeto con la forma de company.json',
      }),
    )
  return company as Company
}
