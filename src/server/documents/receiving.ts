/** The body of a request, piece by piece while it arrives: within its time, or with the reason why not. */
import type { IncomingMessage } from 'node:http'
import { ApiError, invalidRequest } from '../errors/api-error.ts'

/** Whether the client sends a body at all. */
export const hasBody = (incoming: IncomingMessage): boolean =>
  incoming.headers['transfer-encoding'] !== undefined || Number(incoming.headers['content-length'] ?? 0) > 0

/** Bodies that wait for `100 Continue`: a request that is refused without its body never gets one. */
const waiting = new WeakMap<IncomingMessage, () => void>()

/** Says how the client is told to send its body, once somebody reads it. */
export const deferContinue = (incoming: IncomingMessage, sendContinue: () => void): void => {
  waiting.set(incoming, sendContinue)
}

/** Whether the client still waits for a word before it sends its body. */
export const awaitsContinue = (incoming: IncomingMessage): boolean => waiting.has(incoming)

/** Event of a body whose framing is broken: Node says it of the connection only. */
export const MALFORMED = 'malformed'
const malformed = new WeakSet<IncomingMessage>()
export const isMalformed = (incoming: IncomingMessage): boolean => malformed.has(incoming)

/** Says of a body that nothing that can be read will follow: now, or as soon as somebody reads it. */
export function markMalformed(incoming: IncomingMessage): void {
  malformed.add(incoming)
  incoming.emit(MALFORMED)
}

const interrupted = () =>
  invalidRequest('the body broke off before its end', 'el cuerpo se interrumpió antes de su fin')

export interface Receiving {
  /** The whole body has to arrive within this time. */
  readonly seconds: number
  /** Ends the reading; its reason is what is thrown. */
  readonly signal?: AbortSignal
}

/** Hands on a body piece by piece until its end. What `take` throws ends it. */
export function receive(
  incoming: IncomingMessage,
  { seconds, signal }: Receiving,
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
