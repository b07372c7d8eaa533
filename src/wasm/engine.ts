/** The module as an object: an instance that is replaced when it traps or has grown too large. */
import type { ExplanationRow } from '../api/explain.ts'
import type { ReconciliationRow } from '../api/reconcile.ts'
import type { ValidationResult } from '../api/validate.ts'
import { CuadraError } from '../errors/index.ts'
import type { Options } from '../invoice/index.ts'
import { isRefusal, type Refusal, refusal } from '../request/refusal.ts'
import { type Abi, call, instantiate } from './instance.ts'

/** What a request is refused with: `detail` has `code`, `message` and what the code needs. */
export class RequestRefused extends CuadraError {
  override readonly name = 'RequestRefused'
  constructor(readonly detail: Refusal['detail']) {
    super(detail.message)
  }
}

/** The engine inside WebAssembly. Its answers are those of `cuadra/request`, byte for byte. */
export interface Engine {
  /** JSON in, JSON out (docs/wasm.md); never throws. */
  readonly answer: (request: string) => string
  /** As `answer`, with values. Throws `RequestRefused` where the answer is a `detail`. */
  readonly request: (op: string, document: unknown, options?: object) => unknown
  readonly validate: (document: unknown, options?: Options) => ValidationResult
  readonly explain: (document: unknown, options?: Options) => readonly ExplanationRow[]
  readonly reconcile: (document: unknown, options?: Options) => readonly ReconciliationRow[]
  /** Bytes of memory of the instance in use. */
  readonly memory: () => number
  /** How many instances there have been: one, and one more for each that was replaced. */
  readonly instances: () => number
}

/** The memory of an instance never shrinks: beyond this a new one is cheaper to keep. */
const MOST_MEMORY = 64 * 1024 * 1024

/** An engine around a compiled module. The first instance is made at once, so that a wrong module fails here. */
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
    // A trap leaves the instance in the middle of its work.
    abi = undefined
    try {
      const answered = call(used, text)
      if (used.memory.buffer.byteLength <= MOST_MEMORY) abi = used
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
