/** Validates records against the official schemas, and their signatures with a second implementation. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '#test/folders.ts'
import { officialSchema } from '#test/records/verifactu/schema.ts'

/** Returns the problems that the official schema finds; none if the schemas are not installed. */
export const schemaProblems = (xml: string): readonly string[] => officialSchema?.()(xml) ?? []

export const hasXmlsec = spawnSync('xmlsec1', ['--version']).status === 0
export const noXmlsec = hasXmlsec ? '' : ' (skipped: xmlsec1 is not installed)'

const PROPERTIES = 'http://uri.etsi.org/01903/v1.3.2#:SignedProperties'

/** Returns what xmlsec1 reports of a signed text; its own certificate is trusted. */
export function xmlsecSays(xml: string): { readonly ok: boolean; readonly out: string } {
  const folder = temporaryFolder()
  const der = /<ds:X509Certificate>([^<]+)</.exec(xml)?.[1] ?? ''
  const pem = `-----BEGIN CERTIFICATE-----\n${der.replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`
  writeFileSync(join(folder, 'record.xml'), xml)
  writeFileSync(join(folder, 'certificate.pem'), pem)
  const { status, stdout, stderr } = spawnSync(
    'xmlsec1',
    ['--verify', '--pubkey-cert-pem', 'certificate.pem', '--id-attr:Id', PROPERTIES, 'record.xml'],
    { cwd: folder, encoding: 'utf8' },
  )
  return { ok: status === 0, out: stdout + stderr }
}
