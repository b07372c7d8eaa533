/**
 * The official validators: xmllint with the schemas, Saxon with the rules of EN 16931. Both are in the reference
 * folder.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { required } from '#core/errors/index.ts'
import { requireFrom } from '../../scripts/dev-packages.mjs'
import { temporaryFolder } from '../folders.ts'
import { setMissing } from '../needs.ts'
import { shared } from '../shared.ts'

export const REFERENCE = fileURLToPath(shared('reference/formats/'))

/** Name of what is missing; null if everything is present. */
export const missingReference: string | null = existsSync(`${REFERENCE}en16931`) ? null : 'reference/formats'
/** Name of what the official rules need and is missing. */
export const missingRules: string | null = missingReference ?? setMissing('peers') ?? null
export const missingXmllint: string | null =
  missingReference ?? (spawnSync('xmllint', ['--version']).status === 0 ? null : 'xmllint')

const SCHEMAS: Readonly<Record<string, string>> = {
  Invoice: 'ubl-2.1/maindoc/UBL-Invoice-2.1.xsd',
  CreditNote: 'ubl-2.1/maindoc/UBL-CreditNote-2.1.xsd',
  CrossIndustryInvoice: 'cii-d16b/CrossIndustryInvoice_100pD16B.xsd',
}

const rootOf = (xml: string): string =>
  required(required(/<(?:\w+:)?(\w+)[\s>]/.exec(xml.replace(/^<\?[^>]*\?>/, '')))[1])

/** Returns the first error of the official schema for each invalid document. */
export function schemaErrors(documents: ReadonlyMap<string, string>): string[] {
  const folder = temporaryFolder()
  const byRoot = new Map<string, Map<string, string>>()
  let count = 0
  for (const [name, xml] of documents) {
    const file = join(folder, `${count++}.xml`)
    writeFileSync(file, xml)
    const files = byRoot.get(rootOf(xml)) ?? new Map<string, string>()
    byRoot.set(rootOf(xml), files.set(file, name))
  }
  return [...byRoot].flatMap(([root, files]) => {
    const schema = `${REFERENCE}xsd/${SCHEMAS[root]}`
    const { stderr } = spawnSync('xmllint', ['--noout', '--nonet', '--schema', schema, ...files.keys()], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    })
    const valid = new Set(stderr.split('\n').flatMap((line) => /^(.*) validates$/.exec(line)?.[1] ?? []))
    const why = (file: string) => stderr.split('\n').find((line) => line.startsWith(`${file}:`)) ?? 'not read'
    return [...files].filter(([file]) => !valid.has(file)).map(([file, name]) => `${name}: ${why(file)}`)
  })
}

interface Saxon {
  transform(options: object, mode: 'sync'): { principalResult: string }
}

const loaded = new Map<string, object>()

function stylesheet(kind: 'UBL' | 'CII'): object {
  const known = loaded.get(kind)
  if (known) return known
  const file = `${REFERENCE}en16931/EN16931-${kind}-validation.sef.json.gz`
  const made: object = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'))
  loaded.set(kind, made)
  return made
}

/** Returns the rules of EN 16931 that a document breaks fatally, with their messages. */
export function fatalRules(xml: string): string[] {
  const saxon: Saxon = requireFrom('peers')('saxon-js')
  const kind = rootOf(xml) === 'CrossIndustryInvoice' ? 'CII' : 'UBL'
  const { principalResult: report } = saxon.transform(
    { stylesheetInternal: stylesheet(kind), sourceText: xml, destination: 'serialized' },
    'sync',
  )
  return [...report.matchAll(/<svrl:failed-assert\b([^>]*)>([\s\S]*?)<\/svrl:failed-assert>/g)]
    .filter(([, attributes = '']) => /flag="fatal"/.test(attributes))
    .map(
      ([, attributes = '', text = '']) =>
        `${/\bid="([^"]*)"/.exec(attributes)?.[1]} ${text
          .replace(/<[^>]*>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim()}`,
    )
}
