/** Official XML schemas held in memory: nothing is fetched. */

import { readdirSync, readFileSync } from 'node:fs'
import { XmlBufferInputProvider, XmlDocument, XsdValidator, xmlRegisterInputProvider } from 'libxml2-wasm'
import { messageOf } from './narrow.ts'

/** Every way in which the schema refuses a text; empty for a valid one. */
export type Validate = (xml: string) => string[]

const DSIG = 'http://www.w3.org/TR/xmldsig-core/xmldsig-core-schema.xsd'
const made = new Map<string, Validate>()

/** Returns a validator of the schema `entry` in a folder of schemas; `text` replaces a schema that is not a file. */
export function schemaOf(folder: string, entry: string, text?: string): Validate {
  const url = `${folder}${entry}`
  const known = made.get(url)
  if (known) return known
  const files: Record<string, Uint8Array> = {}
  for (const name of readdirSync(folder))
    if (name.endsWith('.xsd')) files[`${folder}${name}`] = readFileSync(`${folder}${name}`)
  const signature = files[`${folder}xmldsig-core-schema.xsd`]
  if (signature) {
    // Without its document type, which points at a remote DTD.
    const plain = new TextDecoder().decode(signature).replace(/<!DOCTYPE[^[>]*(\[[^\]]*\])?\s*>/, '')
    files[DSIG] = new TextEncoder().encode(plain)
    files[`${folder}xmldsig-core-schema.xsd`] = files[DSIG]
  }
  xmlRegisterInputProvider(new XmlBufferInputProvider(files))
  const schema = XmlDocument.fromString(text ?? new TextDecoder().decode(files[url]), { url })
  const validator = XsdValidator.fromDoc(schema)
  const validate: Validate = (xml) => {
    const document = XmlDocument.fromString(xml)
    try {
      validator.validate(document)
      return []
    } catch (error) {
      return [messageOf(error)]
    } finally {
      document.dispose()
    }
  }
  made.set(url, validate)
  return validate
}
