/** The official schemas, where the reference folder is there; a user's clone does without. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { XmlBufferInputProvider, XmlDocument, XsdValidator, xmlRegisterInputProvider } from 'libxml2-wasm'

export const reference = fileURLToPath(new URL('../../../shared/reference/', import.meta.url))

/** Every way in which the schema refuses a text; empty for a valid one. */
export type Validate = (xml: string) => string[]

const DSIG = 'http://www.w3.org/TR/xmldsig-core/xmldsig-core-schema.xsd'
const cache = new Map<string, Validate>()

/** Schemas of a folder, in memory: nothing is fetched. */
const load = (folder: string, entry: string): Validate => {
  const key = `${folder}${entry}`
  const known = cache.get(key)
  if (known) return known
  const files: Record<string, Uint8Array> = {}
  for (const name of readdirSync(folder))
    if (name.endsWith('.xsd')) files[`${folder}${name}`] = readFileSync(`${folder}${name}`)
  const signature = `${folder}xmldsig-core-schema.xsd`
  if (files[signature]) {
    // Without its document type, which points at a remote DTD.
    const text = new TextDecoder().decode(files[signature]).replace(/<!DOCTYPE[^[>]*(\[[^\]]*\])?\s*>/, '')
    files[signature] = new TextEncoder().encode(text)
    files[DSIG] = files[signature]
  }
  xmlRegisterInputProvider(new XmlBufferInputProvider(files))
  const schema = XmlDocument.fromString(new TextDecoder().decode(files[key]), { url: key })
  const validator = XsdValidator.fromDoc(schema)
  const made: Validate = (xml) => {
    const document = XmlDocument.fromString(xml)
    try {
      validator.validate(document)
      return []
    } catch (error) {
      return [(error as Error).message]
    } finally {
      document.dispose()
    }
  }
  cache.set(key, made)
  return made
}

const loader = (folder: string, entry: string): (() => Validate) | null =>
  existsSync(`${reference}${folder}${entry}`) ? () => load(`${reference}${folder}`, entry) : null

/** Any root of VeriFactu, with or without the SOAP envelope. */
export const officialSchema = loader('verifactu/xsd/', 'all.xsd')
