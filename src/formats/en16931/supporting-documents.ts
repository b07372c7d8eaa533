/** Reads supporting documents (BG-24): embedded files, and references to other documents. */
import type { Element } from './element.ts'
import type { Attachment } from './en16931-model.ts'

export interface SupportingDocument {
  readonly id: string | undefined
  readonly description: string | undefined
  readonly uri: string | undefined
  /** The element for an embedded file, which may be absent. */
  readonly file: Element
  readonly isEmbedded: boolean
}

export const attachmentsOf = (documents: readonly SupportingDocument[]): Attachment[] =>
  documents.flatMap(({ id = '', description, file }) => {
    const data = file.content
    if (data === undefined) return []
    const fileName = file.attribute('filename') ?? id
    const contentType = file.attribute('mimeCode') ?? 'application/octet-stream'
    return { id, description, fileName, contentType, data }
  })

/** Returns the references to documents that are not embedded, as texts. */
export const referencesOf = (documents: readonly SupportingDocument[]): string[] =>
  documents.flatMap(({ id, description, uri, isEmbedded }) => {
    const texts = isEmbedded ? [] : [id, description, uri]
    return texts.filter((text) => text !== undefined).join(', ') || []
  })
