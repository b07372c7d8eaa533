/** Writes answers. JSON and text leave in one piece, without a detour over objects of the web's kind. */
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Answer } from '../service/access/answer.ts'

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

interface Sending {
  readonly requestId: string
  readonly isHead: boolean
  /** The connection is to be closed, and the end of the answer waits for this. */
  readonly rest?: (() => Promise<unknown>) | undefined
}

/** Resolves when all of the answer has been handed over. Rejects where a file cannot be read to its end. */
export async function send(
  outgoing: ServerResponse,
  answer: Answer,
  { requestId, isHead, rest }: Sending,
): Promise<void> {
  const { status, stream } = answer
  const headers = headersOf(answer, requestId)
  if (rest) headers.Connection = 'close'
  if (isHead || status === 204 || status === 304) {
    ;(stream as { destroy?: () => void } | undefined)?.destroy?.()
    outgoing.writeHead(status, headers).end()
  } else if (stream) {
    outgoing.writeHead(status, headers)
    await pipeline(stream, outgoing)
  } else {
    const pieces = answer.pieces ?? [textOf(answer)]
    headers['Content-Length'] = String(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0))
    outgoing.writeHead(status, headers)
    if (!rest) {
      for (const piece of pieces.slice(0, -1)) outgoing.write(piece)
      outgoing.end(pieces.at(-1))
      return
    }
    for (const piece of pieces) outgoing.write(piece)
    await rest()
    outgoing.end()
  }
}
