/** Authenticates requests and checks their permissions. */
import type { BlockList } from 'node:net'
import type { App } from '../../app/app.ts'
import type { createBodyMemory } from '../../documents/body-memory.ts'
import { clientAddress, hasAddress, parseAddressRanges } from '../../environment/ip-addresses.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Scope } from '../../service/access/call.ts'
import type { createKeyCache } from '../../service/access/key-cache.ts'
import { headerOf, type Incoming } from './incoming.ts'
import type { createRateLimit } from './rate-limit.ts'
import type { Route } from './route.ts'

export interface Guard {
  readonly app: App
  readonly findKey: ReturnType<typeof createKeyCache>
  readonly limit: ReturnType<typeof createRateLimit>
  readonly trusted: BlockList
  readonly holdBody: ReturnType<typeof createBodyMemory>
}

const allows = (scopes: readonly string[], wanted: Scope): boolean =>
  scopes.includes('*') || scopes.includes(wanted)

/** Checks the API key (401), plan (402), IP address (403), rate limit (429) and scope (403), in this order. */
export async function authenticate(
  { app, findKey, limit, trusted }: Guard,
  { incoming, always }: Incoming,
  { scope }: Route,
) {
  const header = headerOf(incoming, 'x-api-key') ?? ''
  const key = await findKey(header, app.clock.today())
  if (!key?.company.data.is_active) throw new ApiError('unauthorized')
  if (!key.company.data.plan.api) throw new ApiError('feature_outside_plan', { feature: 'api' })
  if (key.allowIps.length > 0) {
    const peer = incoming.socket.remoteAddress ?? ''
    const address = clientAddress(peer, headerOf(incoming, 'x-forwarded-for'), trusted)
    if (!hasAddress(parseAddressRanges(key.allowIps), address))
      throw new ApiError('ip_forbidden', { address })
  }
  const { keyId, ratePerMinute } = key
  if (ratePerMinute !== null) {
    await limit({ companyId: key.company.id, keyId, ratePerMinute }, (left) => {
      always['RateLimit-Policy'] = `"default";q=${ratePerMinute};w=60`
      always.RateLimit = `"default";r=${left.remaining};t=${left.seconds}`
    })
  }
  if (scope !== null && !allows(key.scopes, scope)) throw new ApiError('scope_missing', { missing: scope })
  return key
}
