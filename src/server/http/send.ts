/** Writes answers. JSON and text leave in one piece, without a detour over objects of the web's kind. */
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Answer } from '../service/access/answer.ts'
import { type Coding, compress, isCompressible, LEAST_BYTES } from './compress.ts'

const COMMON_HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' }

export const headersOf = ({ json, headers }: Answer, requestId: string): Record<string, string> => ({
  ...COMMON_HEADERS,
  ...(json === undefined ? undefined : { 'Content-Type': 'application/json' }),
  ...headers,
  'X-Request-Id': requestId,
})

/** Text of an answer that is no file. */
export const textOf = ({ json, text }: Answer): string =>
  json === undefined ? (text ?? '') : JSON.stringify(json)

const sizeOf = (pieces: readonly (string | Uint8Array)[]): number =>
  pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)

interface Sending {
  readonly requestId: string
  readonly isHead: boolean
  /** Headers that every answer to this request has. */
  readonly always: Readonly<Record<string, string>>
  /** The coding that the client takes. */
  readonly coding?: Coding | undefined
  /** The connection is to be closed, and the end of the answer waits for this. */
  readonly rest?: (() => Promise<unknown>) | undefined
}

/** The pieces of an answer that is no stream, in the coding that the client takes; `headers` says what they are. */
async function piecesOf(answer: Answer, headers: Record<string, string>, { coding, rest }: Sending) {
  const pieces = answer.pieces ?? [textOf(answer)]
  const isLong = sizeOf(pieces) >= LEAST_BYTES
  if (!isLong || !isCompressible(headers['Content-Type']) || headers['Content-Encoding']) return pieces
  headers.Vary = 'Accept-Encoding'
  if (!coding || rest) return pieces
  headers['Content-Encoding'] = coding
  // Other bytes of the same content: the tag is weak from now on.
  if (headers.ETag?.startsWith('"')) headers.ETag = `W/${headers.ETag}`
  return [await compress(Buffer.concat(pieces.map((piece) => Buffer.from(piece))), coding, false)]
}

/** Resolves when all of the answer has been handed over. Rejects where a file cannot be read to its end. */
export async function send(outgoing: ServerResponse, answer: Answer, sending: Sending): Promise<void> {
  const { status, stream } = answer
  const { requestId, isHead, always, rest } = sending
  const headers = Object.assign(headersOf(answer, requestId), always)
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
  const pieces = await piecesOf(answer, headers, sending)
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
