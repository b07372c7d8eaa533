/** Reads stored documents for responses. */
import { documentOf, type StoredDocument } from '../../store/invoices.ts'
import { type Call, clientOf } from '../access/call.ts'

/** Reads a document. Reading a large one from the embedded database blocks other requests, so companies take turns. */
export const readDocument = (
  call: Pick<Call, 'app' | 'store' | 'company' | 'hasLeft'>,
  invoiceId: string,
): Promise<StoredDocument> => {
  const read = () => documentOf(call.store, invoiceId)
  return call.app.store.kind === 'sqlite' ? call.app.work.inTurn(clientOf(call), read) : read()
}
