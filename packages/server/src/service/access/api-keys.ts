/** API keys. A key is shown once, stored as a hash, and found by the ids that it contains. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { ConditionError, CuadraError } from '#core/errors/index.ts'
import { isDate } from '#core/invoice/date.ts'
import { parseAddressRanges } from '../../environment/ip-addresses.ts'
import type { Rows, Store, Tx } from '../../store/store.ts'
import { fromJson, toJson } from '../../store/stored-json.ts'
import { type CompanyRecord, parseCompanyData } from '../company/company.ts'
import { SCOPES } from './call.ts'

export interface ApiKey {
  readonly keyId: string
  readonly company: CompanyRecord
  readonly scopes: readonly string[]
  readonly allowIps: readonly string[]
  readonly ratePerMinute: number | null
}

/** `cuadra_`, company id, key id and secret. The two ids identify the row; the company id also identifies the shard. */
const FORM = /^cuadra_([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{12})\.([A-Za-z0-9_-]{43})$/

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

const packed = (uuid: string): string => Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url')

const unpacked = (text: string): string => {
  const hex = Buffer.from(text, 'base64url').toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

export interface KeyOptions {
  readonly scopes: readonly string[]
  readonly name?: string | null
  /** `YYYY-MM-DD`: the first day, in Madrid, on which the key is rejected. */
  readonly expires?: string | null
  readonly allowIps?: readonly string[]
  readonly rate?: number | null
}

const MAX_RATE = 1_000_000

function problemsOf({ scopes, expires = null, allowIps = [], rate = null }: KeyOptions): string[] {
  const problems: string[] = []
  const wrong = scopes.filter((scope) => !SCOPES.some((known) => known === scope))
  if (wrong.length > 0) problems.push(`scopes: unknown ${wrong.join(', ')}. Use ${SCOPES.join(', ')}.`)
  if (expires !== null && !isDate(expires))
    problems.push(`expires: "${expires}" is not a date. Use YYYY-MM-DD.`)
  try {
    parseAddressRanges(allowIps)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    problems.push(`allow-ip: ${error.message}`)
  }
  if (rate !== null && !(Number.isInteger(rate) && rate >= 1 && rate <= MAX_RATE))
    problems.push(
      `rate: ${rate} is out of range. Use a whole number of requests per minute from 1 to ${MAX_RATE}.`,
    )
  return problems
}

/** Returns an id that does not begin with `-`, because a command line would read it as an option (`key revoke -x`). */
function newKeyId(): string {
  let id: string
  do id = randomBytes(9).toString('base64url')
  while (id.startsWith('-'))
  return id
}

/** Creates a key. The secret `key` cannot be read again later. Throws if no request could ever use the key. */
export async function createKey(tx: Tx, options: KeyOptions, stamp: string) {
  const problems = problemsOf(options)
  if (problems.length > 0) throw new CuadraError(problems.join('\n'))
  const keyId = newKeyId()
  const secret = randomBytes(32).toString('base64url')
  const { scopes, name = null, expires = null, allowIps = [], rate = null } = options
  await tx.insert('api_keys', {
    key_id: keyId,
    name,
    secret_hash: hashOf(secret),
    scopes: toJson(scopes),
    allow_ips: toJson(allowIps),
    expires_at: expires,
    rate_per_minute: rate,
    created_at: stamp,
  })
  return {
    id: keyId,
    key: `cuadra_${packed(tx.companyId)}.${keyId}.${secret}`,
    company_id: tx.companyId,
    name,
    scopes,
    expires_at: expires,
    allow_ips: allowIps,
    rate_per_minute: rate,
  }
}

const NO_SECRET = hashOf('')

/** Returns the bytes of a SHA-256. Throws `database_damaged` if it has another length. */
function bytesOf(hash: string): Uint8Array {
  const bytes = Buffer.from(hash, 'hex')
  if (bytes.length === 32) return bytes
  throw new ConditionError('database_damaged', 'the stored hash of an API key is not a SHA-256')
}

/** Returns the API key in a header if it is valid now. The time of the comparison does not depend on the secret. */
export async function findKey(store: Store, header: string, today: string): Promise<ApiKey | undefined> {
  const form = FORM.exec(header)
  if (!form) return undefined
  const [, company = '', keyId = '', secret = ''] = form
  const companyId = unpacked(company)
  const row = await store
    .of(companyId)
    .select('api_keys', { companies: 'company_id' })
    .select([
      'secret_hash',
      'scopes',
      'allow_ips',
      'expires_at',
      'rate_per_minute',
      'revoked_at',
      'companies.data',
    ])
    .where('api_keys.key_id', '=', keyId)
    .executeTakeFirst()
  const isRight = timingSafeEqual(bytesOf(row?.secret_hash ?? NO_SECRET), bytesOf(hashOf(secret)))
  if (!row?.data || !isRight || row.revoked_at !== null) return undefined
  if (row.expires_at !== null && today >= row.expires_at) return undefined
  return {
    keyId,
    company: { id: companyId, data: parseCompanyData(row.data) },
    scopes: fromJson(row.scopes),
    allowIps: fromJson(row.allow_ips),
    ratePerMinute: row.rate_per_minute,
  }
}

/** Returns the keys of a company, oldest first, without the hashes of their secrets. */
export async function listKeys(db: Rows) {
  const rows = await db
    .select('api_keys')
    .select([
      'key_id as id',
      'name',
      'scopes',
      'allow_ips',
      'expires_at',
      'rate_per_minute',
      'created_at',
      'revoked_at',
    ])
    .orderBy('created_at')
    .orderBy('key_id')
    .execute()
  return rows.map(({ scopes, allow_ips, ...row }) => ({
    ...row,
    scopes: fromJson(scopes),
    allow_ips: fromJson(allow_ips),
  }))
}
