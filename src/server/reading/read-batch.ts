/** Reads the body of a batch. Refuses the whole batch, or splits it into invoices. */
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

/** Minimum bytes of an invoice: its names, numbers and prices alone take more. */
const BYTES_PER_INVOICE = 100
/** A batch of up to this many invoices is accepted even if they are shorter. */
const ALWAYS_READ = 1000

/**
 * Returns the invoices of a batch, or throws the refusal. Refuses a body with more invoices than its size can contain:
 * a million empty entries are quick to send, but slow to report.
 */
export function readBatch(reading: BatchReading): Batch {
  const { bytes, locale, operation } = reading
  const value = parseBody(reading)
  requireShape(value, BatchRequest, locale)
  const { invoices } = value
  const most = Math.max(ALWAYS_READ, Math.ceil(bytes.length / BYTES_PER_INVOICE))
  if (invoices.length > most)
    throw invalidRequest(
      `${invoices.length} invoices in ${bytes.length} bytes; no invoice is shorter than ${BYTES_PER_INVOICE}`,
      `${invoices.length} facturas en ${bytes.length} bytes; ninguna factura ocupa menos de ${BYTES_PER_INVOICE}`,
      { max_invoices: most },
    )
  const documents = invoices.map(documentOfElement)
  return {
    texts: documents.map((document) => JSON.stringify(document)),
    digest: createHash('sha256').update(bytes).digest('hex'),
    inferred: inferredOf(documents, operation),
  }
}
