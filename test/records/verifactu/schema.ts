/** The official schemas, if the reference folder exists; a user's clone works without them. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { schemaOf, type Validate } from '../../official-schema.ts'
import { shared } from '../../shared.ts'

export const reference = fileURLToPath(shared('reference/'))

const folder = `${reference}verifactu/xsd/`

/** Schema of any VeriFactu root element, with or without a SOAP envelope. Null if the reference folder is missing. */
export const officialSchema: (() => Validate) | null = existsSync(`${folder}all.xsd`)
  ? () => schemaOf(folder, 'all.xsd')
  : null
