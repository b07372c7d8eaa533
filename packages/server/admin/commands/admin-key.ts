/** `key create`, `list`, `revoke`: manages API keys. */
import type { Command } from 'commander'
import { CuadraError } from '#core/errors/index.ts'
import type { App } from '../../src/app/app.ts'
import { createKey, listKeys } from '../../src/service/access/api-keys.ts'
import { labelledLines, print, tableText } from '../admin-output.ts'
import { parseAddresses, parseDay, parseRateLimit } from '../arguments.ts'
import type { Io } from '../io.ts'
import { parseScopes } from '../known-values.ts'
import { databaseLocationOf, requireCompany, withApp, withCompany } from '../session.ts'
import { addCompanyCommand, addSubcommand, type CompanyFlags, companyOption, type Flags } from './commands.ts'

interface CreateFlags extends CompanyFlags {
  readonly scopes: readonly string[]
  readonly name?: string
  readonly expires?: string
  readonly allowIp?: readonly string[]
  readonly rate?: number
}

interface RevokeFlags extends Flags {
  readonly company?: string
}

async function createCompanyKey(app: App, flags: CreateFlags) {
  const { company, expires, name, allowIp, rate: perMinute } = flags
  const today = app.clock.today()
  if (expires !== undefined && expires <= today)
    throw new CuadraError(
      `--expires ${expires} is not after today (${today}), so the key would never work. Use a later date.`,
    )
  return app.store.of(company).transaction(async (tx) => {
    await requireCompany(app, tx)
    const options = { name, expires, allowIps: allowIp, rate: perMinute }
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
    return createKey(tx, { scopes: flags.scopes, ...given }, app.clock.stamp())
  })
}

const stateOf = (row: { revoked_at: string | null; expires_at: string | null }, today: string): string =>
  row.revoked_at !== null
    ? 'revoked'
    : row.expires_at !== null && row.expires_at <= today
      ? 'expired'
      : 'active'

const listCompanyKeys = (io: Io, company_id: string) =>
  withCompany(io, company_id, async ({ app, store }) => {
    const keys = await listKeys(store)
    const today = app.clock.today()
    return keys.map(({ id, name, scopes, ...key }) => ({
      id,
      company_id,
      name,
      state: stateOf(key, today),
      scopes,
      expires_at: key.expires_at,
      allow_ips: key.allow_ips,
      rate_per_minute: key.rate_per_minute,
      created_at: key.created_at,
      revoked_at: key.revoked_at,
    }))
  })

async function revokeCompanyKey(app: App, keyId: string, companyId: string | undefined) {
  return app.store.transaction(async (all) => {
    let query = all
      .acrossCompanies('the administrator names a key by its id alone')
      .selectFrom('companies')
      .innerJoin('api_keys', 'api_keys.company_id', 'companies.company_id')
      .select(['api_keys.company_id', 'api_keys.revoked_at'])
      .where('api_keys.key_id', '=', keyId)
    if (companyId !== undefined) query = query.where('companies.company_id', '=', companyId)
    const key = await query.executeTakeFirst()
    if (!key)
      throw new CuadraError(`No key ${keyId} in ${databaseLocationOf(app)}. See \`cuadra-admin key list\`.`)
    if (key.revoked_at !== null)
      throw new CuadraError(`The key ${keyId} was already revoked on ${key.revoked_at}.`)
    const revoked_at = app.clock.stamp()
    await all.of(key.company_id).change('api_keys', { revoked_at }, { key_id: keyId })
    return { id: keyId, company_id: key.company_id, revoked_at }
  })
}

export function add(key: Command, io: Io): void {
  addCompanyCommand(key, 'create', 'create a key, shown only once')
    .requiredOption('--scopes <list>', 'scopes of the key, separated by commas; * for all', parseScopes)
    .option('--name <text>', 'name in lists')
    .option('--expires <day>', 'first day on which it no longer works, YYYY-MM-DD', parseDay)
    .option(
      '--allow-ip <range>',
      'address or range it may be used from; repeat it, or separate by commas',
      parseAddresses,
    )
    .option('--rate <number>', 'requests per minute (default: unlimited)', parseRateLimit)
    .action(async (flags: CreateFlags) => {
      const made = await withApp(io, (app) => createCompanyKey(app, flags))
      print(
        io,
        flags.json,
        made,
        () =>
          `${labelledLines([
            ['key', made.key],
            ['id', made.id],
            ['scopes', made.scopes.join(', ')],
            ['expires', made.expires_at ?? 'never'],
            ['from', made.allow_ips.join(', ') || 'anywhere'],
            ['per minute', made.rate_per_minute ?? 'unlimited'],
          ])}Store the key now: it is not shown again.`,
      )
    })

  addCompanyCommand(key, 'list', 'list the keys of a company, never their secrets').action(
    async ({ company, json }: CompanyFlags) => {
      const keys = await listCompanyKeys(io, company)
      print(io, json, keys, () =>
        keys.length === 0
          ? 'The company has no key.'
          : tableText(
              ['id', 'name', 'state', 'scopes', 'expires', 'from', 'per minute', 'created'],
              keys.map((one) => [
                one.id,
                one.name,
                one.state,
                one.scopes.join(','),
                one.expires_at,
                one.allow_ips.join(','),
                one.rate_per_minute,
                one.created_at.slice(0, 10),
              ]),
            ),
      )
    },
  )

  addSubcommand(key, 'revoke', 'revoke a key immediately')
    .argument('<key-id>', 'id of the key (`key list`), not the key itself')
    .addOption(companyOption())
    .action(async (keyId: string, { company, json }: RevokeFlags) => {
      const done = await withApp(io, (app) => revokeCompanyKey(app, keyId, company))
      print(io, json, done, () => `Revoked ${done.id} of company ${done.company_id}.`)
    })
}
