/** Files embedded in a document (`RelatedDocuments`). */
import { required } from '#core/errors/index.ts'
import type { EmbeddedFile, ReadingReport } from '../model/index.ts'
import { ATTACHMENT_TYPES } from './facturae-codes.ts'
import { type Cursor, optional } from './facturae-cursor.ts'

const COMPRESSED: Readonly<Record<string, readonly [type: string, extension: string]>> = {
  ZIP: ['application/zip', '.zip'],
  GZIP: ['application/gzip', '.gz'],
}
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

export function attachmentsOf(invoice: Cursor, report: ReadingReport): EmbeddedFile[] {
  const related = invoice.block('AdditionalData')?.list('RelatedDocuments', 'Attachment') ?? []
  return related.flatMap((attachment, index) => {
    const data = (attachment.text('AttachmentData') ?? '').replace(/\s+/g, '')
    if (data === '' || !BASE64.test(data)) {
      report.warn('format.omitted', attachment.path, { received: 1 })
      return []
    }
    const format = required(attachment.text('AttachmentFormat'))
    const [type, extension] = COMPRESSED[attachment.text('AttachmentCompressionAlgorithm') ?? ''] ?? [
      required(ATTACHMENT_TYPES[format]),
      '',
    ]
    const description = attachment.text('AttachmentDescription')
    return [
      {
        file_name: `attachment-${index + 1}.${format}${extension}`,
        content_type: type,
        data,
        ...optional('description', description),
      },
    ]
  })
}
