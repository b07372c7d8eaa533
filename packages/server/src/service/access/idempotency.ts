/**
 * `Idempotency-Key`: for a day, a repeated request gets the first successful response again, with any API key of the
 * company. The response is stored in the same transaction as the work. After a crash, both or neither are stored, and
 * of simultaneous requests with the same key, only one does the work.
 */
import { createHash, randomUUID } from 'node:crypto'
import { hasEnded } from '../../environment/process-owner.ts'
import { ApiError, invalidRequest, RETRY_LATER_HEADERS } from '../../errors/api-error.ts'
import type { CompanyRow, Rows, Transaction, Tx } from '../../store/store.ts'
import { fromJson, toJson } from '../../store/stored-json.ts'
import type { Call } from './call.ts'
import type { ApiResponse, EncodedResponse } from './http-response.ts'

const DAY = 86_400_000
/** Milliseconds after which a claim that its process has not renewed is no longer valid. */
const LEASE_MS = 60_000
const REPLAYED = 'Idempotent-Replayed'
/** Pattern of idempotency keys: printable characters without blanks. */
export const KEY_FORM = '^[!-~]{1,200}$'
const FORM = new RegExp(KEY_FORM)

/** An idempotency key, and the hash that identifies its request. */
export interface Claim {
  readonly idempotencyKey: string
  readonly requestHash: string
  readonly now: number
  /** The name of the request. Set if its work takes several transactions. */
  readonly owner?: string
}

/** Returns the value of the header; undefined if it was not sent. Throws if the value is not a valid key. */
export function idempotencyKeyOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  if (FORM.test(header)) return header
  throw invalidRequest(
    'Idempotency-Key must have 1 to 200 printable characters without spaces',
    'Idempotency-Key debe tener de 1 a 200 caracteres imprimibles sin espacios',
    { header: 'Idempotency-Key' },
  )
}

/** Hashes the parts that identify a request: method, path, query and body. */
const hashOf = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex')
}

const AT_WORK = {
  en: 'The request with this Idempotency-Key is still being processed. Send it again in a few seconds to get its response.',
  es: 'La petición con esta Idempotency-Key aún se está procesando. Repítala dentro de unos segundos para obtener su respuesta.',
}

/** Returns the name of the process, which is the first part of a request's name. */
const processOf = (owner: string): string => owner.slice(0, owner.lastIndexOf('/'))

/** Renews the claim of a request whose work is in progress. */
const renew = (tx: Tx, { idempotencyKey, owner }: Claim, now: number): Promise<unknown> =>
  tx
    .update('idempotency_keys', { created_ms: now, owner: owner ?? null })
    .where('idempotency_key', '=', idempotencyKey)
    .where('status', 'is', null)
    .execute()

/** Whether another request is working with the same key, in this process or another. */
function isAtWork({ owner, created_ms }: CompanyRow<'idempotency_keys'>, claim: Claim): boolean {
  if (owner === null || owner === claim.owner || Math.abs(claim.now - created_ms) > LEASE_MS) return false
  return processOf(owner) === processOf(claim.owner ?? '') || !hasEnded(owner)
}

/**
 * Claims the key in a transaction. Returns the earlier response, or null if the work must still be done. Throws
 * `idempotency_key_reused` if a different request has used the key, and `invoice_race_condition` while the same request
 * is in progress.
 */
async function take(tx: Tx, claim: Claim): Promise<EncodedResponse | null> {
  const { idempotencyKey, requestHash, now, owner = null } = claim
  const fresh = { request_hash: requestHash, status: null, headers: null, body: null, created_ms: now, owner }
  // The insert waits for any other transaction with the same key.
  const isTaken = await tx.upsert('idempotency_keys', { idempotency_key: idempotencyKey, ...fresh }, (on) =>
    on.doUpdateSet(fresh).where('idempotency_keys.created_ms', '<', now - DAY),
  )
  if (isTaken) return null
  const earlierResponse = await tx
    .find('idempotency_keys', { idempotency_key: idempotencyKey })
    .selectAll()
    .executeTakeFirstOrThrow()
  if (earlierResponse.request_hash !== requestHash) throw new ApiError('idempotency_key_reused')
  if (earlierResponse.status === null) {
    if (isAtWork(earlierResponse, claim))
      throw new ApiError('invoice_race_condition', { message: AT_WORK }, RETRY_LATER_HEADERS)
    if (owner) await renew(tx, claim, now)
    return null
  }
  return {
    status: earlierResponse.status,
    ...(earlierResponse.body === null ? {} : { text: earlierResponse.body }),
    headers: {
      ...fromJson(earlierResponse.headers),
      [REPLAYED]: 'true',
    },
  }
}

/** Whether a response is stored for the key of a call. Only `claimKey` checks that the requests are equal. */
export async function hasResponse({ app, store, idempotencyKey }: Call): Promise<boolean> {
  if (idempotencyKey === undefined) return false
  const row = await store
    .find('idempotency_keys', { idempotency_key: idempotencyKey })
    .select('status')
    .where('created_ms', '>=', app.clock.now() - DAY)
    .executeTakeFirst()
  return row?.status != null
}

/** Stores the response under a key that this transaction has claimed. */
export async function storeResponse(
  tx: Tx,
  { idempotencyKey }: Claim,
  { status, json, headers = {} }: ApiResponse,
): Promise<void> {
  await tx.change(
    'idempotency_keys',
    {
      status,
      headers: toJson({ 'Content-Type': 'application/json', ...headers }),
      body: json === undefined ? null : JSON.stringify(json),
    },
    { idempotency_key: idempotencyKey },
  )
}

/** Releases a key whose request failed before any of its work was stored. */
export async function releaseKey(tx: Tx, { idempotencyKey, requestHash }: Claim): Promise<void> {
  await tx
    .delete('idempotency_keys', { idempotency_key: idempotencyKey, request_hash: requestHash })
    .where('status', 'is', null)
    .execute()
}

/** A request with its idempotency key. Requests without a key always do the work. */
export class IdempotentRequest {
  constructor(
    private readonly call: Call,
    readonly claim: Claim | null,
  ) {}

  /** Claims the key in a transaction. Returns the earlier response, or null if the work must still be done. */
  async claimKey(tx: Tx): Promise<EncodedResponse | null> {
    return this.claim && take(tx, this.claim)
  }

  /** Does the work in a transaction and stores its response. If an earlier response is stored, returns that instead. */
  async runInTransaction<A extends ApiResponse>(
    tx: Tx,
    work: () => Promise<A>,
  ): Promise<A | EncodedResponse> {
    const earlierResponse = await this.claimKey(tx)
    if (earlierResponse) return earlierResponse
    const response = await work()
    if (this.claim) await storeResponse(tx, this.claim, response)
    return response
  }

  /** Returns the earlier response, if any. Call it before starting long work. */
  async earlierResponse(): Promise<EncodedResponse | null> {
    if (!(await hasResponse(this.call))) return null
    return this.call.store.transaction((tx) => this.claimKey(tx))
  }

  /**
   * Does work that takes several transactions. The key is claimed first, so that no other request can use it. After a
   * crash, a repeated request does the work again, so doing it twice must have the same result.
   */
  async run<A extends ApiResponse>(work: () => Promise<A>): Promise<A | EncodedResponse> {
    if (!this.claim) return work()
    const { store, app, requestId } = this.call
    const claim = { ...this.claim, owner: `${app.owner}/${randomUUID()}` }
    const earlier = await store.transaction((tx) => take(tx, claim), { isOwn: true })
    if (earlier) return earlier
    const renewal = setInterval(() => {
      store
        .transaction((tx) => renew(tx, claim, app.clock.now()), { isOwn: true })
        .catch((error) => app.log.error({ err: error }, 'an idempotency key could not be held'))
    }, LEASE_MS / 3).unref()
    const response = await work()
      .catch(async (error: unknown) => {
        // If the database is unavailable, the claim expires on its own.
        await store.transaction((tx) => releaseKey(tx, claim)).catch(() => undefined)
        throw error
      })
      .finally(() => clearInterval(renewal))
    try {
      await store.transaction((tx) => storeResponse(tx, claim, response))
      return response
    } catch (error) {
      // The work is done, so the client gets its response although it could not be stored.
      app.log.error({ request_id: requestId, err: error }, 'an idempotent response could not be stored')
      return response
    }
  }
}

/** Returns a request with its key. Pass the content of a batch or a form, because only its handler reads the body. */
export function idempotentRequest(
  call: Call,
  ...content: readonly (string | Uint8Array)[]
): IdempotentRequest {
  const { idempotencyKey, requestIdentity = [], app } = call
  if (idempotencyKey === undefined) return new IdempotentRequest(call, null)
  const requestHash = hashOf(...requestIdentity, ...content)
  return new IdempotentRequest(call, { idempotencyKey, requestHash, now: app.clock.now() })
}

/** Stores a response for a day, under a name that clients cannot use as a key. */
export const storeNamedResponse = async (
  tx: Tx,
  name: string,
  json: unknown,
  now: number,
): Promise<unknown> => {
  const row = {
    request_hash: '',
    status: 200,
    headers: null,
    body: JSON.stringify(json),
    created_ms: now,
    owner: null,
  }
  return tx.upsert('idempotency_keys', { idempotency_key: name, ...row }, (on) => on.doUpdateSet(row))
}

/** Returns the response stored under a name; undefined if it is older than a day. */
export async function storedResponse(db: Rows, name: string, now: number): Promise<unknown> {
  const row = await db
    .find('idempotency_keys', { idempotency_key: name })
    .select('body')
    .where('created_ms', '>=', now - DAY)
    .executeTakeFirst()
  return row?.body ? JSON.parse(row.body) : undefined
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
