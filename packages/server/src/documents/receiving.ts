/** Receives the body of a request within its time limit, or reports why it did not arrive. */
import type { IncomingMessage } from 'node:http'
import { ApiError, invalidRequest } from '../errors/api-error.ts'

/** Whether the client sends a body. */
export const hasBody = (incoming: IncomingMessage): boolean =>
  incoming.headers['transfer-encoding'] !== undefined || Number(incoming.headers['content-length'] ?? 0) > 0

/** Requests whose client waits for `100 Continue`. The server sends it only when it reads the body. */
const waiting = new WeakMap<IncomingMessage, () => void>()

/** Sets how to send `100 Continue` when the body is read. */
export const deferContinue = (incoming: IncomingMessage, sendContinue: () => void): void => {
  waiting.set(incoming, sendContinue)
}

/** Whether the client still waits for `100 Continue`. */
export const awaitsContinue = (incoming: IncomingMessage): boolean => waiting.has(incoming)

/** Event emitted on a request whose body has invalid framing. Node reports this error only on the connection. */
export const MALFORMED = 'malformed'
const malformed = new WeakSet<IncomingMessage>()
export const isMalformed = (incoming: IncomingMessage): boolean => malformed.has(incoming)

/** Marks a body as malformed. Reading the body then fails, now or when it starts. */
export function markMalformed(incoming: IncomingMessage): void {
  malformed.add(incoming)
  incoming.emit(MALFORMED)
}

const interrupted = () => invalidRequest('the body is incomplete', 'el cuerpo está incompleto')

export interface ReceiveOptions {
  /** Time limit for the whole body, in seconds. */
  readonly seconds: number
  /** Ends reading when aborted; the reason of the signal is thrown. */
  readonly signal?: AbortSignal
}

/** Calls `take` with each chunk of a body until its end. If `take` throws, reading ends with that error. */
export function receive(
  incoming: IncomingMessage,
  { seconds, signal }: ReceiveOptions,
  take: (chunk: Buffer) => void,
): Promise<void> {
  if (incoming.destroyed) return Promise.reject(interrupted())
  waiting.get(incoming)?.()
  waiting.delete(incoming)
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      incoming.off('data', onData).off('end', onEnd).off(MALFORMED, onMalformed)
      incoming.off('error', onBroken).off('close', onBroken)
      signal?.removeEventListener('abort', onAbort)
      settle()
    }
    const fail = (error: unknown) => {
      incoming.pause()
      finish(() => reject(error))
    }
    const onData = (chunk: Buffer) => {
      try {
        take(chunk)
      } catch (error) {
        fail(error)
      }
    }
    const onEnd = () => finish(resolve)
    const onBroken = () => finish(() => reject(interrupted()))
    const onMalformed = () => fail(new ApiError('bad_request', {}, { Connection: 'close' }))
    const onAbort = () => fail(signal?.reason)
    const timer = setTimeout(
      () => fail(new ApiError('request_timeout', { seconds }, { Connection: 'close' })),
      seconds * 1000,
    )
    incoming.on('data', onData).on('end', onEnd).on(MALFORMED, onMalformed)
    incoming.on('error', onBroken).on('close', onBroken)
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
    else if (malformed.has(incoming)) onMalformed()
  })
}
