/** The body of a batch: refused as a whole, or taken apart into invoices that are read one by one. */
import { createHash } from 'node:crypto'
import type { Operation } from '../../invoice/index.ts'
import { invalidRequest } from '../errors/api-error.ts'
import { BatchRequest } from '../shapes/schemas.ts'
import { requireShape } from '../shapes/shape.ts'
import { type Batch, documentOfElement, inferredOf } from './batch-body.ts'
import { parseBody, type Reading } from './body.ts'

export interface BatchReading extends Reading {
  readonly operation: Operation
}

/** Names, numbers and prices alone take more. */
const BYTES_PER_INVOICE = 100
/** So many are read, however short they are. */
const ALWAYS_READ = 1000

/**
 * The invoices of a batch. What a million nothings are is quickly sent and slowly told, so a body with more invoices
 * than its size has room for is refused. Throws what to tell the client.
 */
export function readBatch(reading: BatchReading): Batch {
  const { bytes, locale, operation } = reading
  const value = parseBody(reading)
  requireShape(value, BatchRequest, locale)
  const { invoices } = value
  const most = Math.max(ALWAYS_READ, Math.ceil(bytes.length / BYTES_PER_INVOICE))
  if (invoices.length > most)
    throw invalidRequest(
      `there are ${invoices.length} invoices in ${bytes.length} bytes; no invoice is shorter than ${BYTES_PER_INVOICE}`,
      `hay ${invoices.length} facturas en ${bytes.length} bytes; ninguna factura ocupa menos de ${BYTES_PER_INVOICE}`,
      { max_invoices: most },
    )
  const documents = invoices.map(documentOfElement)
  return {
    texts: documents.map((document) => JSON.stringify(document)),
    digest: createHash('sha256').update(bytes).digest('hex'),
    inferred: inferredOf(documents, operation),
  }
}
