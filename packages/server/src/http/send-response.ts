/** Writes responses directly to Node's stream, without the `Response` objects of the Fetch API. */
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { ApiResponse } from '../service/access/http-response.ts'
import { type Coding, compress, isCompressible, MIN_BYTES } from './compress.ts'

const COMMON_HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' }

export const headersOf = ({ json, headers }: ApiResponse, requestId: string): Record<string, string> => ({
  ...COMMON_HEADERS,
  ...(json === undefined ? undefined : { 'Content-Type': 'application/json' }),
  ...headers,
  'X-Request-Id': requestId,
})

/** Returns the text of a response that is not a stream. */
export const textOf = ({ json, text }: ApiResponse): string =>
  json === undefined ? (text ?? '') : JSON.stringify(json)

const sizeOf = (pieces: readonly (string | Uint8Array)[]): number =>
  pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)

interface Sending {
  readonly requestId: string
  readonly isHead: boolean
  /** Headers that every response to this request has. */
  readonly always: Readonly<Record<string, string>>
  /** The content coding that the client accepts. */
  readonly coding?: Coding | undefined
  /** If set, the connection must close, and the response must end only after this function has resolved. */
  readonly rest?: (() => Promise<unknown>) | undefined
}

/**
 * Returns the body of a response that is not a stream, compressed if the client accepts this. Adds the headers that
 * describe the compression to `headers`.
 */
async function piecesOf(response: ApiResponse, headers: Record<string, string>, { coding, rest }: Sending) {
  const pieces = response.pieces ?? [textOf(response)]
  const isLong = sizeOf(pieces) >= MIN_BYTES
  if (!isLong || !isCompressible(headers['Content-Type']) || headers['Content-Encoding']) return pieces
  headers.Vary = 'Accept-Encoding'
  if (!coding || rest) return pieces
  headers['Content-Encoding'] = coding
  // A weak tag is sent, because compression changes the bytes.
  if (headers.ETag?.startsWith('"')) headers.ETag = `W/${headers.ETag}`
  return [await compress(Buffer.concat(pieces.map((piece) => Buffer.from(piece))), coding, false)]
}

/** Sends a response. Rejects if a file cannot be read to its end. */
export async function send(outgoing: ServerResponse, response: ApiResponse, sending: Sending): Promise<void> {
  const { status, stream } = response
  const { requestId, isHead, always, rest } = sending
  const headers = Object.assign(headersOf(response, requestId), always)
  if (rest) headers.Connection = 'close'
  if (isHead || status === 204 || status === 304) {
    ;(stream as { destroy?: () => void } | undefined)?.destroy?.()
    outgoing.writeHead(status, headers).end()
    return
  }
  if (stream) {
    outgoing.writeHead(status, headers)
    return pipeline(stream, outgoing)
  }
  const pieces = await piecesOf(response, headers, sending)
  headers['Content-Length'] = String(sizeOf(pieces))
  outgoing.writeHead(status, headers)
  for (const piece of pieces.slice(0, -1)) outgoing.write(piece)
  const last = pieces.at(-1)
  if (!rest) {
    outgoing.end(last)
    return
  }
  if (last !== undefined) outgoing.write(last)
  await rest()
  outgoing.end()
}
