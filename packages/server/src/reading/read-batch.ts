/** Reads the body of a batch. Finds its invoices, or refuses the whole batch. */
import { createHash } from 'node:crypto'
import type { Operation } from '#core/invoice/index.ts'
import { MAX_JSON_BYTES } from '../environment/server-limits.ts'
import { invalidRequest } from '../errors/api-error.ts'
import type { Static } from '../shapes/builders.ts'
import { requireShape } from '../shapes/check-shape.ts'
import { BatchRequest } from '../shapes/schemas.ts'
import { type Batch, collectComputedFields, documentOfElement } from './batch-body.ts'
import { blankOtherRanges, type Range, rangesIn } from './ranges.ts'
import { measureBody, parseBody, type Reading } from './request-body.ts'
import { digestOf } from './sorted-json.ts'

export interface BatchReading extends Reading {
  readonly operation: Operation
  /** Whether the request has an `Idempotency-Key`, for which the digest of the body is needed. */
  readonly hasKey: boolean
}

/** Minimum number of bytes of an invoice. Its member names, numbers and prices alone take more. */
const BYTES_PER_INVOICE = 100
/** A batch of up to this many invoices is accepted here even if they are shorter than `BYTES_PER_INVOICE`. */
const ALWAYS_READ = 1000

const sizeOf = ([start, end]: Range): number => end - start

/**
 * Refuses a body with more invoices than its size can contain. Such a body is short, but reporting all its errors would
 * take long.
 */
function refuseTooMany({ bytes }: BatchReading, ranges: readonly Range[]): void {
  const most = Math.max(ALWAYS_READ, Math.ceil(bytes.length / BYTES_PER_INVOICE))
  if (ranges.length > most)
    throw invalidRequest(
      `${ranges.length} invoices in ${bytes.length} bytes; no invoice is shorter than ${BYTES_PER_INVOICE}`,
      `${ranges.length} facturas en ${bytes.length} bytes; ninguna factura ocupa menos de ${BYTES_PER_INVOICE}`,
      { max_invoices: most },
    )
}

/** Parses the body without its invoices. */
function parseRest(reading: BatchReading, ranges: readonly Range[]): Static<typeof BatchRequest> {
  const { bytes, locale } = reading
  const rest = ranges.reduce((left, range) => left - sizeOf(range), bytes.length)
  if (rest > MAX_JSON_BYTES)
    throw invalidRequest(
      `${rest} bytes are outside the list of invoices; at most ${MAX_JSON_BYTES} are read`,
      `hay ${rest} bytes fuera de la lista de facturas; se leen ${MAX_JSON_BYTES} como máximo`,
      { max_bytes: MAX_JSON_BYTES },
    )
  const value = parseBody({ ...reading, bytes: blankOtherRanges(bytes, ranges) })
  requireShape(value, BatchRequest, locale)
  return value
}

/**
 * Returns the byte ranges of the invoices of a batch, or throws the error for the client. It parses one invoice after
 * the other, because a whole parsed batch could take more memory than the process has. Invoices over their size limit
 * are not parsed here: each is refused individually when the batch is processed.
 */
export function readBatch(reading: BatchReading): Batch {
  const { bytes, operation, hasKey } = reading
  measureBody(reading)
  const ranges = rangesIn(bytes)
  refuseTooMany(reading, ranges)
  const inferred = collectComputedFields(operation)
  const digests: string[] = []
  for (const [index, range] of ranges.entries()) {
    if (sizeOf(range) > MAX_JSON_BYTES) {
      if (hasKey)
        digests.push(
          createHash('sha256')
            .update(bytes.subarray(...range))
            .digest('hex'),
        )
      continue
    }
    let value: unknown
    try {
      value = parseBody({ ...reading, bytes: bytes.subarray(...range) })
    } catch (error) {
      // Parses again, so that the same error states its position in the whole body.
      parseBody({ ...reading, bytes: blankOtherRanges(bytes, ranges, range) })
      throw error
    }
    if (hasKey) digests.push(digestOf(value))
    inferred.add(documentOfElement(value), index)
  }
  const rest = parseRest(reading, ranges)
  return {
    ranges,
    // A digest of digests, because the text of the whole sorted batch could take more memory than the batch.
    digest: hasKey ? digestOf({ ...rest, invoices: digests }) : '',
    inferred: inferred.all(),
  }
}
