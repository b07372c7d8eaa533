/** What was sent to customers, or was to be: a line for each mail. Its bytes are kept only until it is out. */
import { fromJson } from '../../server/store/json.ts'
import type { Rows } from '../../server/store/store.ts'
import { inOrder } from '../pages.ts'
import type { ExportFolder } from './folder.ts'

export async function exportMails(db: Rows, folder: ExportFolder): Promise<void> {
  async function* mails() {
    for await (const row of inOrder(db.select('mails').selectAll(), 'mail_id'))
      yield {
        mail_id: row.mail_id,
        invoice_id: row.invoice_id,
        state: row.state,
        message_id: row.message_id,
        sender: row.sender,
        recipients: fromJson(row.recipients),
        subject: row.subject,
        files: fromJson(row.files),
        size: Number(row.size),
        sha256: row.sha256,
        attempts: row.attempts,
        api_key_id: row.key_id,
        refused: fromJson(row.refused),
        failure: fromJson(row.failure),
        created_at: row.created_at,
        updated_at: row.updated_at,
        sent_at: row.sent_at,
      }
  }
  await folder.lines('mails.ndjson', 'mails', mails())
}
