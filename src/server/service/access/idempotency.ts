/**
 * `Idempotency-Key`: the first answer that says "done" is given again for a day. It is stored in the transaction that
 * does the work, so a crash leaves either both or nothing, and two requests at once cannot both do it.
 */
import { createHash } from 'node:crypto'
import { ApiError, invalidRequest, refusalOf } from '../../errors/api-error.ts'
import { fromJson, toJson } from '../../store/json.ts'
import type { Transaction, Tx } from '../../store/store.ts'
import type { Answer, Encoded } from './answer.ts'
import type { Call } from './call.ts'

const DAY = 86_400_000
const REPLAYED = 'Idempotent-Replayed'
/** What a key may look like: printable, without blanks. */
export const KEY_FORM = '^[!-~]{1,200}$'
const FORM = new RegExp(KEY_FORM)

/** A key, and what tells its request from another one. */
export interface Claim {
  readonly keyId: string
  readonly idempotencyKey: string
  readonly requestHash: string
  readonly now: number
}

/** The header, or undefined. Throws for one that could not be stored. */
export function idempotencyKeyOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  if (FORM.test(header)) return header
  throw invalidRequest(
    'Idempotency-Key has 1 to 200 printable characters without blanks',
    'Idempotency-Key tiene de 1 a 200 caracteres imprimibles sin espacios',
    { header: 'Idempotency-Key' },
  )
}

/** What makes two requests the same: method, address as sent, and body. */
const hashOf = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex')
}

/**
 * Takes the key for this transaction. Answers what was answered before, or null: the work is to be done. Throws
 * `idempotency_key_reused` when it came with another request.
 */
async function take(tx: Tx, { keyId, idempotencyKey, requestHash, now }: Claim): Promise<Encoded | null> {
  const fresh = { request_hash: requestHash, status: null, headers: null, body: null, created_ms: now }
  // Another transaction with the same key is waited for here.
  const isTaken = await tx.upsert(
    'idempotency_keys',
    { key_id: keyId, idempotency_key: idempotencyKey, ...fresh },
    (on) =>
      on.doUpdateSet(fresh).where(({ eb, or }) =>
        or([
          eb('idempotency_keys.created_ms', '<', now - DAY),
          // A refusal that an earlier version kept.
          eb('idempotency_keys.status', '>=', 400),
        ]),
      ),
  )
  if (isTaken) return null
  const earlier = await tx
    .select('idempotency_keys')
    .selectAll()
    .where('key_id', '=', keyId)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirstOrThrow()
  if (earlier.request_hash !== requestHash) throw new ApiError('idempotency_key_reused')
  if (earlier.status === null) return null
  return {
    status: earlier.status,
    ...(earlier.body === null ? {} : { text: earlier.body }),
    headers: {
      ...fromJson(earlier.headers),
      [REPLAYED]: 'true',
    },
  }
}

/** Whether the key of a call has an answer. Which request it belongs to is seen when it is claimed. */
export async function isAnswered({ app, store, keyId, idempotencyKey }: Call): Promise<boolean> {
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

/** Stores the answer under a key that this transaction has claimed. */
export async function settle(
  tx: Tx,
  { keyId, idempotencyKey }: Claim,
  { status, json, headers = {} }: Answer,
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

/** Gives back a key whose work was refused before anything of it was done. */
export async function release(tx: Tx, { keyId, idempotencyKey, requestHash }: Claim): Promise<void> {
  await tx
    .delete('idempotency_keys')
    .where('key_id', '=', keyId)
    .where('idempotency_key', '=', idempotencyKey)
    .where('request_hash', '=', requestHash)
    .where('status', 'is', null)
    .execute()
}

/** One request under its key. Without a key it is done every time that it comes. */
export class Once {
  constructor(
    private readonly call: Call,
    readonly claim: Claim | null,
  ) {}

  /** Takes the key for this transaction. Returns the earlier response, or null: the work is to be done. */
  async take(tx: Tx): Promise<Encoded | null> {
    return this.claim && take(tx, this.claim)
  }

  /** Does the work in a transaction and stores its response with it, unless there is one already. */
  async within<A extends Answer>(tx: Tx, work: () => Promise<A>): Promise<A | Encoded> {
    const earlier = await this.take(tx)
    if (earlier) return earlier
    const answer = await work()
    if (this.claim) await settle(tx, this.claim, answer)
    return answer
  }

  /** Returns the earlier response before anything long is begun for another one. */
  async earlier(): Promise<Encoded | null> {
    if (!(await isAnswered(this.call))) return null
    return this.call.store.transaction((tx) => this.take(tx))
  }

  /**
   * Does work of several transactions. The key is taken before it begins, so that it cannot serve for another request;
   * of two requests at the same time both get the response of the first one. After a crash in between the work is done
   * again, which is why it must be repeatable by itself.
   */
  async around<A extends Answer>(work: () => Promise<A>): Promise<A | Encoded> {
    const { claim, call } = this
    if (!claim) return work()
    const { store, app, requestId } = call
    const earlier = await store.transaction((tx) => take(tx, claim), { isOwn: true })
    if (earlier) return earlier
    const answer = await work().catch(async (error: unknown) => {
      if (refusalOf(error).status < 500) await store.transaction((tx) => release(tx, claim))
      throw error
    })
    try {
      return await store.transaction((tx) => this.within(tx, async () => answer))
    } catch (error) {
      // The work is done: that its answer could not be kept is no reason to say that nothing was changed.
      app.log.error({ request_id: requestId, err: error }, 'an answer could not be kept')
      return answer
    }
  }
}

/** A request under its key. `content` tells it, beside its address, from another one with the same key. */
export function once(call: Call, ...content: readonly (string | Uint8Array)[]): Once {
  const { idempotencyKey, keyId, requestIdentity = [], app } = call
  if (idempotencyKey === undefined) return new Once(call, null)
  const requestHash = hashOf(...requestIdentity, ...content)
  return new Once(call, { keyId, idempotencyKey, requestHash, now: app.clock.now() })
}

/** Removes what is older than a day. */
export async function forget(all: Transaction, now: number): Promise<void> {
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
