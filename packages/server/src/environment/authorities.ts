/** Reads files of trusted certificates: those for connections, and those for signatures of received invoices. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ConfigError } from './config.ts'

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/**
 * Returns the certificates of a PEM file, one text per certificate; an empty list if no file is configured. `setting`
 * is the name of the variable that contains the path. Throws a `ConfigError` if the file cannot be read or contains no
 * certificate. Otherwise the server would start, but every connection would fail.
 */
export function readAuthorities(file: string | undefined, setting = 'CUADRA_AEAT_CA_FILE'): string[] {
  if (file === undefined) return []
  const wrong = (what: string) => new ConfigError([`${setting}: ${what}`])
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw wrong(`${file} cannot be read: ${(error as Error).message}.`)
  }
  const blocks = text.match(BLOCK) ?? []
  if (blocks.length === 0)
    throw wrong(
      `${file} contains no certificate. Use PEM (-----BEGIN CERTIFICATE-----), one certificate after the other.`,
    )
  for (const [index, block] of blocks.entries()) {
    try {
      new X509Certificate(block)
    } catch {
      throw wrong(`certificate ${index + 1} of ${file} is damaged. Export it again as PEM.`)
    }
  }
  return blocks
}
