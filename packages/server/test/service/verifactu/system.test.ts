/** @slow The system of a chain: its producer, system and installation number, and what a change of them does. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { administer } from '#test/conformance/administrator.ts'
import { hasPostgres, postgresDatabase } from '#test/conformance/postgres.ts'
import { cuadra } from '#test/entry/cli/run.ts'
import { temporaryFolder } from '#test/folders.ts'
import { companyFindings } from '../../../admin/doctor/doctor-company.ts'
import { verifyCompany } from '../../../admin/verify/verify-run.ts'
import type { App } from '../../../src/app/app.ts'
import { readConfig } from '../../../src/environment/config.ts'
import { readSystem } from '../../../src/environment/invoicing-system.ts'
import {
  beginNewChain,
  logSystemDifferences,
  systemDifference,
} from '../../../src/service/verifactu/system-change.ts'
import { closePeriod } from '../../../src/service/verifactu/verifactu-periods.ts'
import { startWatching } from '../../../src/service/verifactu/watch/watch-worker.ts'
import type { Mode } from '../../../src/store/tables.ts'
import { insertTaxpayer } from '../transmission/fixture.ts'
import { VerifactuFixture } from '../transmission/verifactu/fixture.ts'

const DECLARED = {
  system_name: 'Caja',
  system_id: 'CJ',
  version: '1.0',
  components: 'Servidor',
  verifactu_only: false,
  multi_taxpayer: true,
  signature_types: 'XAdES enveloped',
  producer_name: 'Programas, S.L.',
  producer_nif: 'B12345674',
  producer_address: 'Calle Mayor, 1, Madrid',
  date: '2026-11-01',
  place: 'Madrid, España',
}
const OTHER_PRODUCER = { ...DECLARED, producer_name: 'Otros Programas, S.L.', producer_nif: 'A58818501' }
const OTHER_SYSTEM = { ...DECLARED, system_id: 'C2' }
const NEWER_VERSION = { ...DECLARED, version: '2.0', producer_name: 'Programas Nuevos, S.L.' }

const folder = temporaryFolder()
let files = 0
const declaration = (content: object): string => {
  const file = join(folder, `declaration-${++files}.json`)
  writeFileSync(file, JSON.stringify(content))
  return file
}
const REAL = { CUADRA_AEAT: 'preproduction', CUADRA_DECLARATION: declaration(DECLARED) }

function proof(kind: 'sqlite' | 'postgres'): void {
  let fixture: VerifactuFixture
  let databaseUrl: string | undefined
  const open = async (settings: Record<string, string> = REAL, mode: Mode = 'verifactu') => {
    databaseUrl = kind === 'postgres' ? await postgresDatabase() : undefined
    fixture = await VerifactuFixture.open({ databaseUrl, settings, mode })
  }
  afterEach(() => fixture.close())

  const settingsOf = (settings: Record<string, string>) => ({
    CUADRA_LOG_LEVEL: 'silent',
    CUADRA_DATA_DIR: fixture.folder,
    ...(databaseUrl ? { CUADRA_DATABASE_URL: databaseUrl } : {}),
    ...settings,
  })
  /** A process with other settings on the same database. */
  const processWith = (settings: Record<string, string>): App => {
    const config = readConfig(settingsOf(settings))
    return { ...fixture.app, config, system: readSystem(config.declarationFile, config.installation) }
  }
  const restart = (settings: Record<string, string>): void => {
    fixture.app = processWith(settings)
  }
  const bodies = async () =>
    (await fixture.records()).map(({ record }) => {
      const { RegistroAlta, RegistroAnulacion } = JSON.parse(record)
      return RegistroAlta ?? RegistroAnulacion
    })
  const systems = async () => (await bodies()).map(({ SistemaInformatico }) => SistemaInformatico)
  const numbers = async () => (await systems()).map((one) => one.NumeroInstalacion)
  const firsts = async () =>
    (await bodies()).map(({ Encadenamiento }) => Encadenamiento.PrimerRegistro ?? '-')
  const begin = () => fixture.store.transaction((tx) => beginNewChain(tx, fixture.call, 'test'))
  const verified = async () => (await verifyCompany(fixture.app, fixture.company, 'en')).failures
  const findings = async () =>
    (await companyFindings(fixture.app, fixture.company, 'en')).filter(({ check }) => check === 'system')
  const own = (prefix: string) => `${prefix}-${fixture.company.id}`

  it('each company of a server has an installation number of its own', async () => {
    await open()
    const other = await insertTaxpayer(fixture.app, { tax_id: 'A58818501' })
    await fixture.issue(1)
    expect(await numbers()).toEqual([own('1')])
    expect(fixture.app.system.block(other.id, true).NumeroInstalacion).toBe(`1-${other.id}`)
  })

  it.each([
    ['another CUADRA_INSTALLATION', { ...REAL, CUADRA_INSTALLATION: '2' }],
    ['another system of the producer', { ...REAL, CUADRA_DECLARATION: declaration(OTHER_SYSTEM) }],
  ])('with %s, issuing and cancelling continue the chain, and start and doctor warn', async (_, settings) => {
    await open()
    const [first = ''] = await fixture.issue(1)
    restart(settings)
    await fixture.issue(1)
    await fixture.cancel(first)
    expect((await systems()).map((one) => [one.IdSistemaInformatico, one.NumeroInstalacion])).toEqual(
      Array(3).fill(['CJ', own('1')]),
    )
    expect(await firsts()).toEqual(['S', '-', '-'])
    expect(await verified()).toEqual([])
    const [warning, ...more] = await findings()
    expect([warning?.level, more]).toEqual(['warning', []])
    expect(warning?.fix?.en).toContain(`cuadra-admin verifactu begin-chain --company ${fixture.company.id}`)
    const logged: unknown[] = []
    const log = { ...fixture.app.log, warn: (...line: unknown[]) => logged.push(line) }
    await logSystemDifferences({ ...fixture.app, log })
    expect(logged).toEqual([
      [{ companies: [fixture.company.id], count: 1 }, expect.stringContaining('run cuadra-admin doctor')],
    ])
  })

  it('a new version, or a new name of the producer, is the same system', async () => {
    await open()
    await fixture.issue(1)
    restart({ ...REAL, CUADRA_DECLARATION: declaration(NEWER_VERSION) })
    await fixture.issue(1)
    expect((await systems()).map(({ Version }) => Version)).toEqual(['1.0', '2.0'])
    expect(await verified()).toEqual([])
    expect(await systemDifference(fixture.store, fixture.app)).toBe(null)
  })

  it('another producer cannot issue, takes no number, and does not prevent a cancellation', async () => {
    await open()
    const [first = ''] = await fixture.issue(1)
    restart({ ...REAL, CUADRA_DECLARATION: declaration(OTHER_PRODUCER) })
    await expect(fixture.issue(1)).rejects.toMatchObject({
      code: 'verifactu_other_producer',
      status: 503,
      extra: { received: 'A58818501', expected: 'B12345674' },
    })
    await fixture.cancel(first)
    expect((await fixture.records()).map(({ tipo }) => tipo)).toEqual(['alta'])
    expect(await findings()).toMatchObject([{ level: 'error', check: 'system' }])
    restart(REAL)
    await fixture.issue(1)
    expect((await fixture.records()).map(({ num_serie }) => num_serie)).toEqual(['F000001', 'F000002'])
  })

  it('a new chain begins with a first record, and invoices of the former chain can be cancelled', async () => {
    await open()
    const [first = '', second = ''] = await fixture.issue(3)
    restart({ ...REAL, CUADRA_DECLARATION: declaration(OTHER_PRODUCER) })
    expect(await begin()).toEqual({
      environment: 'test',
      producer: 'A58818501',
      system_id: 'CJ',
      installation: own('1'),
      former_installation: own('1'),
    })
    await fixture.cancel(first)
    await fixture.issue(1)
    await fixture.cancel(second)
    expect(await firsts()).toEqual(['S', '-', '-', 'S', '-', '-'])
    expect((await systems()).map(({ NIF }) => NIF)).toEqual([
      ...Array(3).fill('B12345674'),
      ...Array(3).fill('A58818501'),
    ])
    expect(await verified()).toEqual([])
    expect(await findings()).toEqual([])
    // A lost end of the former chain is still found.
    await fixture.store.transaction((tx) =>
      tx.delete('verifactu_records', { environment: 'test', sequence: 3 }).execute(),
    )
    expect((await verified()).map(({ code }) => code)).toContain('sequence_gap')
  })

  it('a record in the middle that claims to be the first is an error unless a chain begins there', async () => {
    await open()
    await fixture.issue(2)
    await fixture.store.transaction((tx) => tx.change('verifactu_chains', { last_record: null }, {}))
    await fixture.issue(1)
    expect(await firsts()).toEqual(['S', '-', 'S'])
    expect((await verified()).map(({ code }) => code)).toContain('chain.first_again')
  })

  it.each(['verifactu', 'no_verifactu'] as const)(
    'doctor warns of an open test period in production, in mode %s',
    async (mode) => {
      const url = { CUADRA_AEAT_VERIFACTU_URL: 'https://example.test' }
      await open({ ...REAL, ...url }, mode)
      const warnings = async () =>
        (await companyFindings(fixture.app, fixture.company, 'en')).filter(
          ({ check }) => check === 'environment',
        )
      expect(await warnings()).toEqual([])
      restart({ ...REAL, ...url, CUADRA_AEAT: 'production' })
      const [warning] = await warnings()
      expect(warning).toMatchObject({ level: 'warning' })
      expect(warning?.fix?.en).toContain(`--mode ${mode} --environment production`)
    },
  )

  it('begin-chain requires a number that the company never used', async () => {
    await open()
    await expect(begin()).rejects.toThrow('no record yet')
    await fixture.issue(1)
    await expect(begin()).rejects.toThrow('set CUADRA_INSTALLATION to another value than 1')
    restart({ ...REAL, CUADRA_INSTALLATION: '2' })
    await begin()
    await fixture.issue(1)
    restart(REAL)
    await expect(begin()).rejects.toThrow('must never be used again')
    const [warning] = await findings()
    expect(warning?.fix?.en).toContain(`because an earlier chain has the number ${own('1')}`)
    expect(await numbers()).toEqual([own('1'), own('2')])
  })

  it('a process with the former settings continues the new chain, also before its first record', async () => {
    await open()
    await fixture.issue(1)
    const former = fixture.app
    restart({ ...REAL, CUADRA_INSTALLATION: '2' })
    await begin()
    fixture.app = former
    await fixture.issue(2)
    expect(await numbers()).toEqual([own('1'), own('2'), own('2')])
    expect(await firsts()).toEqual(['S', 'S', '-'])
    expect(await verified()).toEqual([])
  })

  it('a chain that begins while invoices are issued has no fork', async () => {
    await open()
    const [first = ''] = await fixture.issue(1)
    const next = processWith({ ...REAL, CUADRA_INSTALLATION: '2' })
    const call = { ...fixture.call, app: next }
    const many = Array.from({ length: 12 }, (_, n) => fixture.issue(1, `S${n % 3}`))
    await Promise.all([
      ...many,
      fixture.store.transaction((tx) => beginNewChain(tx, call, 'test')),
      fixture.cancel(first),
    ])
    await fixture.issue(1)
    expect((await firsts()).filter((one) => one === 'S')).toHaveLength(2)
    expect(new Set(await numbers())).toEqual(new Set([own('1'), own('2')]))
    expect(await verified()).toEqual([])
  })

  it.each([
    ['the authority receives its records', REAL],
    ['the simulator receives those of another installation', { CUADRA_INSTALLATION: '2' }],
    ['the simulator receives those of another producer', { CUADRA_DECLARATION: declaration(OTHER_PRODUCER) }],
  ])('a chain of the simulator begins anew as soon as %s', async (_, settings) => {
    await open({})
    const [first = ''] = await fixture.issue(2)
    restart(settings)
    expect(await findings()).toEqual([])
    await fixture.issue(1)
    await fixture.cancel(first)
    expect(await firsts()).toEqual(['S', '-', 'S', '-'])
    // The authority has no registration that only the simulator received.
    const { SinRegistroPrevio = 'N' } = (await bodies()).at(-1)
    expect(SinRegistroPrevio).toBe(settings === REAL ? 'S' : 'N')
    expect(await verified()).toEqual([])
    // The chain stays that of the authority, also if the same data is later used with the simulator.
    restart({ ...settings, CUADRA_AEAT: 'simulator' })
    await fixture.issue(1)
    expect(await firsts()).toEqual(['S', '-', 'S', '-', '-'])
  })

  it('the system may be changed before the first record', async () => {
    await open()
    restart({ ...REAL, CUADRA_INSTALLATION: '9', CUADRA_DECLARATION: declaration(OTHER_PRODUCER) })
    await fixture.issue(1)
    expect(await systems()).toMatchObject([{ NIF: 'A58818501', NumeroInstalacion: own('9') }])
  })

  describe('without VERI*FACTU', () => {
    beforeEach(() => open(REAL, 'no_verifactu'))
    const events = async () =>
      (await fixture.store.select('verifactu_events').selectAll().orderBy('sequence').execute()).map(
        ({ record }) => JSON.parse(record).RegistroEvento.Evento,
      )
    const eventText = async () =>
      (await events())
        .map((one) => `${one.Encadenamiento.PrimerEvento ? '|' : ''}${one.TipoEvento}`)
        .join(' ')
    const serve = () => startWatching({ ...fixture.app, owner: 'elsewhere/1/1' }, { intervalMs: null })

    it('a new chain ends the former chain of events, and begins another one', async () => {
      const watch = await serve()
      await fixture.issue(2)
      restart({ ...REAL, CUADRA_INSTALLATION: '2' })
      await begin()
      await fixture.issue(1)
      await watch.stop()
      expect(await eventText()).toBe('|01 05 10 02 |01 10 02')
      const made = await events()
      expect(made.map(({ SistemaInformatico }) => SistemaInformatico.NumeroInstalacion)).toEqual([
        ...Array(4).fill(own('1')),
        ...Array(3).fill(own('2')),
      ])
      // Each summary covers the records of its own chain.
      const summaries = made.flatMap(({ DatosPropiosEvento: data }) => data?.ResumenEventos ?? [])
      expect(summaries.map((one) => one.NumeroDeRegistrosFacturacionAltaGenerados)).toEqual(['2', '1'])
      const again = await serve()
      expect(await fixture.store.select('verifactu_anomalies').selectAll().execute()).toEqual([])
      await again.stop()
      expect(await verified()).toEqual([])
    })

    it('another producer records no event, and the period can be closed', async () => {
      await fixture.issue(1)
      restart({ ...REAL, CUADRA_DECLARATION: declaration(OTHER_PRODUCER) })
      const watch = await serve()
      await watch.runPass()
      expect(await eventText()).toBe('')
      await fixture.store.transaction((tx) => closePeriod(tx, fixture.call))
      await watch.stop()
    })

    it('exports have a file for each chain, which the command line audits', async () => {
      await fixture.issue(2)
      restart({ ...REAL, CUADRA_INSTALLATION: '2' })
      await begin()
      await fixture.issue(2)
      const out = join(temporaryFolder(), 'out')
      const place = { dataDir: fixture.folder, databaseUrl }
      const days = ['--from', '2026-11-20', '--to', '2026-11-20', '--out', out, '--json']
      const of = ['--company', fixture.company.id]
      const { json, stderr } = await administer(place, ['verifactu', 'export', ...of, ...days], { env: REAL })
      expect([stderr, json.complete]).toEqual(['', true])
      expect(json.verify_with).toEqual([
        'cuadra verify-chain records.xml',
        'cuadra verify-chain records-2.xml',
      ])
      for (const command of json.verify_with)
        expect(await cuadra([...command.split(' ').slice(1), '--no-clock'], { cwd: out })).toMatchObject({
          code: 0,
          out: '✔ 2 records, 1 chain: intact\n',
        })
      const all = join(temporaryFolder(), 'all')
      await administer(place, ['export', ...of, '--out', all], { env: REAL })
      for (const name of ['chain', 'chain-2'])
        expect(
          (
            await cuadra(['verify-chain', `${name}.ndjson`, '--no-clock'], {
              cwd: join(all, 'verifactu', 'test'),
            })
          ).code,
        ).toBe(0)
    })
  })
}

describe('with SQLite', () => proof('sqlite'))
if (hasPostgres()) describe('with PostgreSQL', () => proof('postgres'))
else it.skip('with PostgreSQL: it is not installed here', () => {})
