/** Writes answers. JSON and text leave in one piece, without a detour over objects of the web's kind. */
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Answer } from '../service/call.ts'

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
    const text = answer.bytes ?? textOf(answer)
    headers['Content-Length'] = String(Buffer.byteLength(text))
    outgoing.writeHead(status, headers)
    if (!rest) {
      outgoing.end(text)
      return
    }
    outgoing.write(text)
    await rest()
    outgoing.end()
  }
}
