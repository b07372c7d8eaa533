/**
 * `Idempotency-Key`: for a day, a repeated request gets the first successful response again. The response is stored in
 * the transaction that does the work. So a crash leaves both or neither, and simultaneous requests write only once.
 */
import { createHash } from 'node:crypto'
import { ApiError, invalidRequest, toApiError } from '../../errors/api-error.ts'
import { fromJson, toJson } from '../../store/json.ts'
import type { Transaction, Tx } from '../../store/store.ts'
import type { Call } from './call.ts'
import type { ApiResponse, EncodedResponse } from './response.ts'

const DAY = 86_400_000
const REPLAYED = 'Idempotent-Replayed'
/** The form of a key: printable characters without blanks. */
export const KEY_FORM = '^[!-~]{1,200}$'
const FORM = new RegExp(KEY_FORM)

/** A key, and the hash that distinguishes its request from others. */
export interface Claim {
  readonly keyId: string
  readonly idempotencyKey: string
  readonly requestHash: string
  readonly now: number
}

/** Returns the header, or undefined. Throws for a key that cannot be stored. */
export function idempotencyKeyOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  if (FORM.test(header)) return header
  throw invalidRequest(
    'Idempotency-Key must have 1 to 200 printable characters without spaces',
    'Idempotency-Key debe tener de 1 a 200 caracteres imprimibles sin espacios',
    { header: 'Idempotency-Key' },
  )
}

/** Hashes the parts that identify a request: method, address as sent, and body. */
const hashOf = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex')
}

/**
 * Claims the key in a transaction. Returns the earlier response, or null if the work is still to be done. Throws
 * `idempotency_key_reused` if the key belongs to another request.
 */
async function take(
  tx: Tx,
  { keyId, idempotencyKey, requestHash, now }: Claim,
): Promise<EncodedResponse | null> {
  const fresh = { request_hash: requestHash, status: null, headers: null, body: null, created_ms: now }
  // The insert waits for any other transaction with the same key.
  const isTaken = await tx.upsert(
    'idempotency_keys',
    { key_id: keyId, idempotency_key: idempotencyKey, ...fresh },
    (on) => on.doUpdateSet(fresh).where('idempotency_keys.created_ms', '<', now - DAY),
  )
  if (isTaken) return null
  const earlierResponse = await tx
    .select('idempotency_keys')
    .selectAll()
    .where('key_id', '=', keyId)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirstOrThrow()
  if (earlierResponse.request_hash !== requestHash) throw new ApiError('idempotency_key_reused')
  if (earlierResponse.status === null) return null
  return {
    status: earlierResponse.status,
    ...(earlierResponse.body === null ? {} : { text: earlierResponse.body }),
    headers: {
      ...fromJson(earlierResponse.headers),
      [REPLAYED]: 'true',
    },
  }
}

/** Whether a response is stored for the key of a call. Only `claimKey` checks that the request is the same. */
export async function hasResponse({ app, store, keyId, idempotencyKey }: Call): Promise<boolean> {
  if (idempotencyKey === undefined) return false
  const row = await store
    .select('idempotency_keys')
    .select('status')
    .where('key_id', '=', keyId)
    .where('idempotency_key', '=', idempotencyKey)
    .where('created_ms', '>=', app.clock.now() - DAY)
    .executeTakeFirst()
  return row?.status != null
}

/** Stores the response under a key that this transaction has claimed. */
export async function settle(
  tx: Tx,
  { keyId, idempotencyKey }: Claim,
  { status, json, headers = {} }: ApiResponse,
): Promise<void> {
  await tx
    .update('idempotency_keys', {
      status,
      headers: toJson({ 'Content-Type': 'application/json', ...headers }),
      body: json === undefined ? null : JSON.stringify(json),
    })
    .where('key_id', '=', keyId)
    .where('idempotency_key', '=', idempotencyKey)
    .execute()
}

/** Releases a key whose request was rejected before any of its work was done. */
export async function release(tx: Tx, { keyId, idempotencyKey, requestHash }: Claim): Promise<void> {
  await tx
    .delete('idempotency_keys')
    .where('key_id', '=', keyId)
    .where('idempotency_key', '=', idempotencyKey)
    .where('request_hash', '=', requestHash)
    .where('status', 'is', null)
    .execute()
}

/** A request with its idempotency key. Without a key, every request does the work. */
export class IdempotentRequest {
  constructor(
    private readonly call: Call,
    readonly claim: Claim | null,
  ) {}

  /** Claims the key in a transaction. Returns the earlier response, or null if the work is still to be done. */
  async claimKey(tx: Tx): Promise<EncodedResponse | null> {
    return this.claim && take(tx, this.claim)
  }

  /** Does the work in a transaction and stores its response, unless an earlier one is stored. */
  async runInTransaction<A extends ApiResponse>(
    tx: Tx,
    work: () => Promise<A>,
  ): Promise<A | EncodedResponse> {
    const earlierResponse = await this.claimKey(tx)
    if (earlierResponse) return earlierResponse
    const response = await work()
    if (this.claim) await settle(tx, this.claim, response)
    return response
  }

  /** Returns the earlier response, to check before starting long work. */
  async earlierResponse(): Promise<EncodedResponse | null> {
    if (!(await hasResponse(this.call))) return null
    return this.call.store.transaction((tx) => this.claimKey(tx))
  }

  /**
   * Does work that takes several transactions. The key is claimed first, so that no other request can use it. Of two
   * simultaneous requests, both get the response that is stored first. A request that is repeated after a crash does
   * the work again, so the work must be repeatable.
   */
  async run<A extends ApiResponse>(work: () => Promise<A>): Promise<A | EncodedResponse> {
    const { claim, call } = this
    if (!claim) return work()
    const { store, app, requestId } = call
    const earlier = await store.transaction((tx) => take(tx, claim), { isOwn: true })
    if (earlier) return earlier
    const response = await work().catch(async (error: unknown) => {
      if (toApiError(error).status < 500) await store.transaction((tx) => release(tx, claim))
      throw error
    })
    try {
      return await store.transaction((tx) => this.runInTransaction(tx, async () => response))
    } catch (error) {
      // The work is done, so the client gets its response although it could not be stored.
      app.log.error({ request_id: requestId, err: error }, 'an idempotent response could not be stored')
      return response
    }
  }
}

/** Returns a request with its key. `content` and the address distinguish it from another request with the same key. */
export function idempotentRequest(
  call: Call,
  ...content: readonly (string | Uint8Array)[]
): IdempotentRequest {
  const { idempotencyKey, keyId, requestIdentity = [], app } = call
  if (idempotencyKey === undefined) return new IdempotentRequest(call, null)
  const requestHash = hashOf(...requestIdentity, ...content)
  return new IdempotentRequest(call, { keyId, idempotencyKey, requestHash, now: app.clock.now() })
}

/** Deletes keys older than a day. */
export async function deleteExpiredKeys(all: Transaction, now: number): Promise<void> {
  const companies = await all
    .acrossCompanies('the sweeper looks after every company; it forgets one by one')
    .selectFrom('idempotency_keys')
    .select('company_id')
    .distinct()
    .where('created_ms', '<', now - DAY)
    .execute()
  for (const { company_id } of companies)
    await all
      .of(company_id)
      .delete('idempotency_keys')
      .where('created_ms', '<', now - DAY)
      .execute()
}
