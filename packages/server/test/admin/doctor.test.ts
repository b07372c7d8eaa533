/**
 * Runs `doctor` on an installation without problems and on one with every problem, and checks the monitoring examples.
 * These tests share a file because every test file loads its imports again.
 *
 * @slow
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administer } from '#test/conformance/administrator.ts'
import { hasPostgres, postgresDatabase } from '#test/conformance/postgres.ts'
import { ROOT } from '#test/docs/markdown.ts'
import { temporaryFolder } from '#test/folders.ts'
import { tokens } from '#test/tokens.ts'
import { versionFinding } from '../../admin/doctor/doctor-database.ts'
import { readConfig } from '../../src/environment/config.ts'
import { BASELINE, FINGERPRINT, VERSION } from '../../src/store/migrate.ts'
import { Shop } from './backup/fixture.ts'
import { monitoringSuite } from './backup/suites/monitoring.ts'
import { rowsOf } from './rows.ts'

interface Found {
  readonly check: string
  readonly level: string
  readonly what: string
  readonly why?: string
  readonly fix?: string
}

const folder = temporaryFolder()
let shop: Shop
let names = 0

beforeAll(async () => {
  shop = await Shop.open('sqlite', 'verifactu')
  const { server, company } = shop
  await administer(server, ['certificate', 'add', '--company', company.id, '--demo'])
  await shop.issue()
  await administer(server, ['backup', '--out', join(folder, 'backup')])
}, 60_000)
afterAll(async () => {
  await shop?.server.stop()
})

const doctor = async (
  env: Record<string, string> = {},
  target: Parameters<typeof administer>[0] = shop.server,
  ...options: string[]
) => {
  const { status, json, stderr } = await administer(target, ['doctor', '--json', ...options], { env })
  const findings: Found[] = json.findings
  expect(Object.keys(json)).toEqual(['status', 'findings'])
  const levels = findings.map(({ level }) => level)
  expect(json.status).toBe(['error', 'warning', 'ok'].find((level) => levels.includes(level)))
  expect(status).toBe(['ok', 'warning', 'error'].indexOf(json.status))
  const page = readFileSync(`${ROOT}docs/operations.md`, 'utf8')
  for (const one of findings) {
    // The fields are stable, and the documentation describes every check.
    const more = one.level === 'ok' ? [] : ['why', 'fix']
    const names = Object.keys(one).filter((name) => name !== 'company_id')
    expect(names).toEqual(['check', 'level', 'what', ...more])
    expect(page).toMatch(new RegExp(`^\\| [^|]*\`${one.check}\``, 'm'))
    // Every placeholder has a value, except for the one in the API path.
    expect(JSON.stringify([one.what, one.why, one.fix])).not.toMatch(/\{(?!invoice_id\})\w+\}/)
  }
  // Every problem has a consequence and a fix.
  const problems = findings.filter(({ level }) => level !== 'ok')
  for (const one of problems)
    expect([one.why, one.fix]).toEqual(Array(2).fill(expect.stringMatching(/^.{5}/s)))
  return {
    status,
    stderr,
    findings,
    problems,
    of: (check: string) => findings.find((one) => one.check === check),
  }
}

/** A finding with this text. */
const finding = (level: string, what: string) => ({ level, what: expect.stringContaining(what) })

describe('an installation without problems', () => {
  it('gets exit code 0 and no warning while the server runs', async () => {
    const { status, stderr, findings, problems } = await doctor()
    expect([status, stderr, problems]).toEqual([0, '', []])
    const checks = new Set(findings.map(({ check }) => check))
    for (const check of tokens`
      disk permissions settings backup database server clock certificate chain pending`)
      expect(checks).toContain(check)
  })

  it('gets one line per check', async () => {
    const { stdout } = await administer(shop.server, ['doctor'])
    for (const line of stdout.trimEnd().split('\n')) expect(line).toMatch(/^ok {6}[a-z_]+: \S/)
  })

  if (hasPostgres())
    it('compares the clock of PostgreSQL, and reports that it keeps no data checksums', async () => {
      const other = await Shop.open('postgres')
      const { of, problems } = await doctor({}, other.server)
      expect(of('clock')).toMatchObject(finding('ok', 'that of the database differ by'))
      const read = (await other.server.store()).acrossCompanies('a test')
      const { rows } = await sql<{ data_checksums: string }>`show data_checksums`.execute(read)
      const isMissing = rows[0]?.data_checksums === 'off'
      const warning = { check: 'database', level: 'warning', what: 'PostgreSQL keeps no data checksums' }
      expect(problems.filter(({ check }) => check === 'database')).toEqual(
        isMissing ? [expect.objectContaining(warning)] : [],
      )
      await other.server.stop()
    })
  else it.skip('compares the clock of PostgreSQL: it is not installed here', () => {})
})

describe('doctor reports', () => {
  const past: Shop['server']['past'] = (change) => shop.server.past(change)
  const update: ReturnType<typeof rowsOf>['update'] = (...change) =>
    rowsOf(shop.server, shop.company).update(...change)
  const created = '2026-01-01T00:00:00.000000'

  it('pending records, a lease taken by a wrong clock, and a number dated in the future', async () => {
    await update('verifactu_records', { created_at: created })
    const queue = {
      ...{ company_id: shop.company.id, environment: 'test' as const, owner: 'elsewhere/1/x', fence: 1 },
      ...{ lease_ms: Date.now() + 86_400_000, flow_ms: 0, retry_ms: 0, pause_ms: 0, wait_seconds: 60 },
      ...{ failures: 7, delayed_to: 0, skew_ms: -90_000, updated_at: created },
    }
    await past((db) => db.insertInto('verifactu_queues').values(queue).execute())
    await update('series', { last_date: '2999-01-01' })
    const { status, of } = await doctor()
    expect(status).toBe(2)
    expect(of('pending')).toMatchObject(finding('error', '7 failed attempts'))
    expect(of('lease')?.level).toBe('warning')
    expect(of('clock_authority')).toMatchObject(finding('error', '90.0 s behind'))
    expect(of('clock_behind')?.level).toBe('error')
  })

  it('a rejected record that was not corrected, and a modified chain', async () => {
    await update('verifactu_records', { estado: 'rejected' })
    const rejected = await doctor()
    expect(rejected.of('rejected')?.fix).toContain('verifactu correct')
    expect(rejected.of('chain')?.level).toBe('ok')
    const { record } = await past((db) =>
      db.selectFrom('verifactu_records').select('record').executeTakeFirstOrThrow(),
    )
    await update('verifactu_records', { record: record.replace('121', '122') })
    expect((await doctor()).of('chain')).toMatchObject(finding('error', 'the first at number 1'))
    await update('verifactu_records', { record })
  })

  it('the same checks and levels in Spanish', async () => {
    const env = { HOST: '0.0.0.0' }
    const [english, spanish] = [await doctor(env), await doctor(env, shop.server, '--locale', 'es')]
    const shape = ({ findings }: typeof english) => findings.map(({ check, level }) => [check, level])
    expect(shape(spanish)).toEqual(shape(english))
    expect(shape(spanish)).toEqual(
      expect.arrayContaining([
        ['settings', 'warning'],
        ['lease', 'warning'],
        ['rejected', 'warning'],
        ['clock_authority', 'error'],
      ]),
    )
    for (const [index, one] of spanish.findings.entries())
      for (const name of ['what', 'why', 'fix'] as const)
        if (one[name] !== undefined) expect(one[name]).not.toBe(english.findings[index]?.[name])
    expect(spanish.of('clock_authority')?.what).toContain('90,0 s atrasado')
    expect(spanish.of('rejected')?.fix).toMatch(/ejecute .*verifactu correct/)
    const { stdout, stderr } = await administer(shop.server, ['doctor', '--locale', 'es'], { env })
    expect(stdout).toMatch(
      /^AVISO {3}rejected: La AEAT .*\n {8}empresa {3}\S+\n {8}por qué {3}\S.*\n {8}qué hacer \S/m,
    )
    expect(stderr).toMatch(/\d+ error(?:es)? y \d+ avisos?: véase más arriba\./)
  })

  it('a certificate that expires soon, has expired, or cannot be opened', async () => {
    const until = (days: number) => {
      const end = new Date(Date.now() + days * 86_400_000).toISOString()
      return update('certificates', { valid_to: `${end.slice(0, -1)}000` })
    }
    await until(20)
    expect((await doctor()).of('certificate')).toBeDefined()
    const levels = async () =>
      (await doctor()).findings.filter(({ check }) => check === 'certificate').map(({ level }) => level)
    expect(await levels()).toContain('warning')
    await until(2)
    expect(await levels()).toContain('error')
    await until(-2)
    expect((await doctor()).findings.map(({ what }) => what).join()).toContain('No valid certificate')
    await until(300)
    const { findings } = await doctor({ CUADRA_SECRET: 'ab'.repeat(32) })
    const closed = findings.find(({ what }) => what.includes('cannot be opened'))
    expect(closed).toMatchObject({ level: 'error', why: expect.stringContaining('sealed with another key') })
  })

  it('permissions, conflicting settings, and a missing backup', async () => {
    chmodSync(join(shop.server.dataDir, 'cuadra.db'), 0o644)
    const { of } = await doctor()
    expect(of('permissions')).toMatchObject(finding('error', 'Other users can read'))
    chmodSync(join(shop.server.dataDir, 'cuadra.db'), 0o600)
    const declaration = join(folder, 'declaration.json')
    writeFileSync(declaration, '{}')
    const wrong = await doctor({ CUADRA_AEAT: 'production', CUADRA_DECLARATION: declaration })
    expect(wrong.status).toBe(2)
    const open = await doctor({ HOST: '0.0.0.0' })
    expect(open.of('settings')).toMatchObject(finding('warning', 'HOST is 0.0.0.0'))
    const file = join(shop.server.dataDir, 'last-backup.json')
    const backup = { backup_id: 'x', made_at: created, out: join(folder, 'backup'), complete: true }
    writeFileSync(file, JSON.stringify(backup))
    expect((await doctor()).of('backup')?.level).toBe('error')
    writeFileSync(file, JSON.stringify({ ...backup, out: join(folder, 'gone') }))
    expect((await doctor()).of('backup')?.what).toContain('no longer exists')
  })

  it('an invalid environment, a wrong folder and an unfinished restore, without creating anything', async () => {
    const wrong = await doctor({ CUADRA_AEAT: 'productoin', PORT: 'x' })
    expect([wrong.status, wrong.findings.length]).toEqual([2, 2])
    const nowhere = { dataDir: join(folder, `n${++names}`), databaseUrl: undefined }
    expect((await doctor({}, nowhere)).of('data_folder')?.level).toBe('error')
    mkdirSync(nowhere.dataDir)
    expect((await doctor({}, nowhere)).of('database')?.what).toContain('No cuadra database')
    expect(readdirSync(nowhere.dataDir)).toEqual([])
    mkdirSync(join(nowhere.dataDir, 'restore.part'))
    expect((await doctor({}, nowhere)).of('restore')?.what).toContain('an unfinished restore')
  })

  it('tables of an earlier version, without upgrading them', async () => {
    const versions = () => past((db) => db.selectFrom('schema_migrations').selectAll().execute())
    const before = await versions()
    const config = readConfig({ CUADRA_DATA_DIR: shop.server.dataDir })
    const further = Array.from({ length: VERSION - BASELINE + 1 }, () => ['select 1'])
    expect(await versionFinding(config, further)).toMatchObject({
      check: 'database_version',
      level: 'warning',
      what: { en: `The tables have version ${VERSION}, which is earlier than that of this program` },
    })
    expect(await versions()).toEqual(before)
  })

  it.each([
    ['an unpublished version', { version: 11 }, 'were made by an unpublished earlier version'],
    ['an unpublished version before the last change', { fingerprint: 'x' }, 'were made by an unpublished'],
    ['a newer version', { version: 900 }, 'have version 900, which is newer'],
  ])('tables of %s', async (_, change, what) => {
    const set = (values: object) => past((db) => db.updateTable('schema_migrations').set(values).execute())
    await set(change)
    try {
      const { status, of } = await doctor()
      expect(status).toBe(2)
      expect(of('database_version')).toMatchObject(finding('error', what))
      expect(of('database_version')?.what).toMatch(/^The tables /)
    } finally {
      await set({ version: VERSION, fingerprint: FINGERPRINT })
    }
  })

  if (hasPostgres())
    it('an unreachable database', async () => {
      const url = (await postgresDatabase()).replace(/host=[^&]+/, 'host=%2Fnowhere')
      const { status, of } = await doctor({ CUADRA_DATABASE_URL: url })
      expect([status, of('database')?.why]).toEqual([2, expect.stringContaining('cannot be reached')])
    })
  else it.skip('an unreachable database: PostgreSQL is not installed here', () => {})
})

describe('monitoring', monitoringSuite)
