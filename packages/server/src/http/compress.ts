/** Content codings of responses (RFC 9110, section 8.4.1). */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Coding = 'br' | 'gzip'

/** Minimum number of bytes to compress. In a shorter response, the extra headers are as long as the bytes saved. */
export const MIN_BYTES = 1024

const CODINGS: readonly Coding[] = ['br', 'gzip']
const COMPRESSIBLE = /json|text|xml|javascript/
const REFUSED = /^q=0(?:\.0*)?$/

/**
 * Returns the best content coding that the client accepts; undefined if it accepts no compression.
 *
 * For example, `codingFor('gzip;q=0, br')` is `br`.
 */
export function codingFor(accepted: string | undefined): Coding | undefined {
  if (accepted === undefined) return undefined
  const taken = accepted
    .toLowerCase()
    .split(',')
    .map((one) => one.split(';').map((part) => part.trim()))
    .filter(([, quality = '']) => !REFUSED.test(quality))
    .map(([name]) => name)
  return CODINGS.find((coding) => taken.includes(coding))
}

export const isCompressible = (contentType = ''): boolean => COMPRESSIBLE.test(contentType)

const asBrotli = promisify(brotliCompress)
const asGzip = promisify(gzip)

/** Compresses bytes outside the event loop. Cached content (`isKept`) is compressed more slowly, to a smaller size. */
export const compress = (bytes: Uint8Array, coding: Coding, isKept: boolean): Promise<Buffer> =>
  coding === 'br'
    ? asBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: isKept ? 9 : 4 } })
    : asGzip(bytes, { level: isKept ? 9 : 5 })
