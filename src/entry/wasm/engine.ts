/** The WebAssembly module as an object. Its instance is replaced if it traps or grows too large. */

import { CuadraError } from '#core/errors/index.ts'
import type { Options } from '#core/invoice/index.ts'
import type { ExplanationRow, ReconciliationRow, ValidationResult } from '#engine/index.ts'
import { isRefusal, type Refusal, refusal } from '../request/refusal.ts'
import { type Abi, call, instantiate } from './instance.ts'

/** A refused request. `detail` has `code`, `message` and the values of the code. */
export class RequestRefused extends CuadraError {
  override readonly name = 'RequestRefused'
  constructor(readonly detail: Refusal['detail']) {
    super(detail.message)
  }
}

/** The engine inside WebAssembly. Its responses are byte for byte the same as those of `cuadra/request`. */
export interface Engine {
  /** Takes a request as JSON and returns the response as JSON (docs/wasm.md). Never throws. */
  readonly answer: (request: string) => string
  /** Like `answer`, with values instead of JSON. Throws `RequestRefused` if the response is a `detail`. */
  readonly request: (op: string, document: unknown, options?: object) => unknown
  readonly validate: (document: unknown, options?: Options) => ValidationResult
  readonly explain: (document: unknown, options?: Options) => readonly ExplanationRow[]
  readonly reconcile: (document: unknown, options?: Options) => readonly ReconciliationRow[]
  /** Memory of the current instance, in bytes. */
  readonly memory: () => number
  /** Number of instances created, including replacements. */
  readonly instances: () => number
}

/** Maximum memory of an instance, in bytes. Memory never shrinks, so an instance that exceeds the limit is replaced. */
const MAX_MEMORY = 64 * 1024 * 1024

/**
 * Creates an engine from a compiled module. The first instance is created at once, so that a wrong module fails here.
 */
export function engineOf(module: WebAssembly.Module): Engine {
  let abi: Abi | undefined = instantiate(module)
  let count = 1
  const current = (): Abi => {
    if (!abi) {
      abi = instantiate(module)
      count++
    }
    return abi
  }
  const answer = (text: string): string => {
    const used = current()
    // A trap leaves the instance in an undefined state, so the instance is reused only after a successful call.
    abi = undefined
    try {
      const answered = call(used, text)
      if (used.memory.buffer.byteLength <= MAX_MEMORY) abi = used
      return answered
    } catch {
      return JSON.stringify(refusal('internal', 'en'))
    }
  }
  const request = (op: string, document: unknown, options?: object): unknown => {
    const answered: unknown = JSON.parse(answer(JSON.stringify({ op, document, options })))
    if (isRefusal(answered)) throw new RequestRefused(answered.detail)
    return answered
  }
  return {
    answer,
    request,
    validate: (document, options) => request('validate', document, options) as ValidationResult,
    explain: (document, options) => request('explain', document, options) as ExplanationRow[],
    reconcile: (document, options) => request('reconcile', document, options) as ReconciliationRow[],
    memory: () => current().memory.buffer.byteLength,
    instances: () => count,
  }
}
