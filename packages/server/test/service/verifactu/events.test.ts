/** Events that a running server makes without VERI*FACTU, on a clock that tests move. @slow */
import { randomUUID } from 'node:crypto'
import { verifySignature } from 'cuadra-authority/index.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { type FiscalRecord, verifyChain } from '#records/verifactu/index.ts'
import { hasPostgres, postgresDatabase } from '#test/conformance/postgres.ts'
import { itInAll, LONG } from '#test/size.ts'
import type { App } from '../../../src/app/app.ts'
import { writeHeartbeat } from '../../../src/service/verifactu/processes.ts'
import { incidentsOf } from '../../../src/service/verifactu/queries.ts'
import { emitEvent, listEvents } from '../../../src/service/verifactu/requested-events.ts'
import { recordRestore } from '../../../src/service/verifactu/sif-events.ts'
import { openPeriodOf } from '../../../src/service/verifactu/verifactu-period.ts'
import { closePeriod, openPeriod } from '../../../src/service/verifactu/verifactu-periods.ts'
import { rangesOf } from '../../../src/service/verifactu/watch/check-chains.ts'
import { checkStartedEvents } from '../../../src/service/verifactu/watch/record-check.ts'
import { startWatching, type Watch } from '../../../src/service/verifactu/watch/watch-worker.ts'
import { VerifactuFixture } from '../transmission/verifactu/fixture.ts'
import { hasXmlsec, noXmlsec, schemaProblems, xmlsecSays } from './official.ts'

const HOUR = 3_600_000

function proof(kind: 'sqlite' | 'postgres'): void {
  let fixture: VerifactuFixture
  const watches: Watch[] = []
  beforeEach(async () => {
    fixture = await VerifactuFixture.open({
      databaseUrl: kind === 'postgres' ? await postgresDatabase() : undefined,
      mode: 'no_verifactu',
    })
  })
  afterEach(async () => {
    for (const watch of watches.splice(0)) await watch.stop()
    await fixture.close()
  })

  /** A second process, on another machine, so that only its missing heartbeat shows that it ended. */
  const process = (name: string): App => ({ ...fixture.app, owner: `elsewhere/${name}/${name}` })
  const apps = new Map<Watch, App>()
  const serve = async (app: App = process('1')): Promise<Watch> => {
    const watch = await startWatching(app, { intervalMs: null })
    watches.push(watch)
    apps.set(watch, app)
    return watch
  }
  /** Ends the process without notice. */
  const crash = (watch: Watch): void => void watches.splice(watches.indexOf(watch), 1)
  /** Lets time pass. Passes are made every minute; the given watches first write their heartbeats, then make a pass. */
  const pass = async (milliseconds: number, ...active: Watch[]): Promise<void> => {
    for (let left = milliseconds; left > 0; left -= HOUR / 2) {
      fixture.now += Math.min(HOUR / 2, left)
      for (const watch of active) await writeHeartbeat(apps.get(watch) ?? fixture.app)
      for (const { runPass } of active) await runPass()
    }
  }
  const events = () => fixture.call.store.select('verifactu_events').selectAll().orderBy('sequence').execute()
  const types = async (): Promise<string> => (await events()).map(({ tipo_evento }) => tipo_evento).join(' ')
  const evento = (row: { readonly record: string }) => JSON.parse(row.record).RegistroEvento.Evento
  const last = async (type: string) => {
    const found = (await events()).filter(({ tipo_evento }) => tipo_evento === type).at(-1)
    return found && evento(found)
  }
  const audit = async () =>
    verifyChain((await events()).map(({ record }): FiscalRecord => JSON.parse(record))).items
  const tamper = (sequence: number, from: string, to: string) =>
    fixture.call.store.transaction(async (tx) => {
      const { record } = await tx
        .find('verifactu_records', { sequence })
        .select('record')
        .executeTakeFirstOrThrow()
      expect(record).toContain(from)
      const changed = record.replace(from, to)
      await tx.update('verifactu_records', { record: changed }).where('sequence', '=', sequence).execute()
    })
  const incidents = async (locale: 'en' | 'es' = 'es') =>
    (await incidentsOf({ ...fixture.call, locale }, 200)).items

  it('start, check, summary and end are chained, signed, and valid against the official schema', async () => {
    const watch = await serve()
    const ids = await fixture.issue(3)
    await fixture.cancel(ids[1] ?? '')
    fixture.now += HOUR
    await watch.stop()
    expect(await types()).toBe('01 05 10 02')
    expect(await audit()).toEqual([])
    const { ResumenEventos: summary } = (await last('10')).DatosPropiosEvento
    const records = await fixture.records()
    expect(summary).toMatchObject({
      TipoEvento: [
        { TipoEvento: '01', NumeroDeEventos: '1' },
        { TipoEvento: '05', NumeroDeEventos: '1' },
      ],
      RegistroFacturacionInicialPeriodo: { NumSerieFactura: 'F000001', Huella: records[0]?.huella },
      RegistroFacturacionFinalPeriodo: { NumSerieFactura: 'F000002', Huella: records[3]?.huella },
      NumeroDeRegistrosFacturacionAltaGenerados: '3',
      SumaCuotaTotalAlta: '63.00',
      SumaImporteTotalAlta: '363.00',
      NumeroDeRegistrosFacturacionAnulacionGenerados: '1',
    })
    for (const { xml } of await events()) {
      expect(schemaProblems(xml)).toEqual([])
      expect(await verifySignature(xml)).toMatchObject({ valid: true, profile: 'EPES' })
    }
  })

  it('several processes make one sequence of events: one start, one summary, one end', async () => {
    const three = await Promise.all(['1', '2', '3'].map((name) => serve(process(name))))
    expect(await types()).toBe('01 05')
    await Promise.all([fixture.issue(2, 'A'), pass(6 * HOUR, ...three)])
    expect((await types()).split(' ').filter((type) => type === '10')).toHaveLength(1)
    // The owner of the company leaves and the others go on: operation has not ended.
    await three[0]?.stop()
    const before = await types()
    await pass(HOUR, ...three.slice(1))
    expect(await types()).toBe(before)
    // When all leave at once, the end is recorded once.
    await Promise.all(three.slice(1).map(({ stop }) => stop()))
    watches.splice(0)
    expect(await types()).toBe(`${before} 10 02`)
    expect(await audit()).toEqual([])
  })

  it('a crash while another process runs is not an end, and that process takes over', async () => {
    const [first, second] = [await serve(process('1')), await serve(process('2'))]
    await pass(HOUR, first, second)
    crash(first)
    await pass(HOUR, second)
    expect(await types()).toBe('01 05')
    await second.stop()
    watches.splice(0)
    expect(await types()).toBe('01 05 10 02')
  })

  it('after a crash the start states that the end is missing, with the time of the last heartbeat', async () => {
    const first = await serve(process('1'))
    await pass(2 * 60_000, first)
    crash(first)
    fixture.now += HOUR
    await serve(process('2'))
    expect(await types()).toBe('01 05 01 05')
    const { OtrosDatosEvento: text } = await last('01')
    expect(text).toBe('La parada anterior no quedó registrada; última actividad: 2026-11-20T10:02:00+01:00')
    expect(text.length).toBeLessThanOrEqual(100)
    for (const { xml } of await events()) expect(schemaProblems(xml)).toEqual([])
  })

  itInAll('a tampered row causes one event, and an incident for as long as it lasts', async () => {
    const watch = await serve()
    await fixture.issue(4)
    await tamper(2, '"ImporteTotal":"121.00"', '"ImporteTotal":"12.10"')
    await pass(6 * HOUR, watch)
    expect(await types()).toBe('01 05 03 05 04 10')
    expect((await last('04')).DatosPropiosEvento.DeteccionAnomaliasRegFacturacion).toEqual({
      TipoAnomalia: '01',
      OtrosDatosAnomalia: '2: su huella no corresponde a su contenido',
      RegistroFacturacionAnomalo: {
        IDEmisorFactura: 'B77777779',
        NumSerieFactura: 'F000002',
        FechaExpedicionFactura: '20-11-2026',
      },
    })
    for (const { xml } of await events()) expect(schemaProblems(xml)).toEqual([])
    await pass(12 * HOUR, watch)
    expect((await types()).split(' ').filter((type) => type === '04')).toHaveLength(1)
    expect(await incidents()).toMatchObject([
      { num_serie: 'F000002', estado_registro: 'anomaly', codigo_error: 'anomaly_01' },
    ])
    // Invoices can still be issued.
    await fixture.issue(1)
    expect(await fixture.records()).toHaveLength(5)
    // Once the row is restored, the incident disappears; tampering again is reported again.
    await tamper(2, '"ImporteTotal":"12.10"', '"ImporteTotal":"121.00"')
    await pass(6 * HOUR, watch)
    expect(await incidents()).toEqual([])
    await tamper(2, '"ImporteTotal":"121.00"', '"ImporteTotal":"99.00"')
    await pass(6 * HOUR, watch)
    expect((await types()).split(' ').filter((type) => type === '04')).toHaveLength(2)
    expect(await incidents('en')).toHaveLength(1)
  })

  // The rest does not depend on the store.
  if (kind === 'postgres') return

  it.skipIf(!hasXmlsec)(`xmlsec1 verifies their signatures${noXmlsec}`, async () => {
    await (await serve()).stop()
    for (const { xml } of await events()) {
      const { ok, out } = xmlsecSays(xml)
      expect(out).toContain('SignedInfo References (ok/all): 2/2')
      expect(ok).toBe(true)
      expect(xmlsecSays(xml.replace('>CU<', '>XX<')).ok).toBe(false)
    }
  })

  it('a summary is made within every six hours of operation, even an empty one', async () => {
    const watch = await serve()
    await pass(6 * HOUR, watch)
    expect(await types()).toBe('01 05 05 10')
    await fixture.issue(1)
    await pass(6 * HOUR, watch)
    expect(await types()).toBe('01 05 05 10 03 05 10')
    expect((await last('10')).DatosPropiosEvento.ResumenEventos).toMatchObject({
      NumeroDeRegistrosFacturacionAltaGenerados: '1',
      TipoEvento: [
        { TipoEvento: '03', NumeroDeEventos: '1' },
        { TipoEvento: '05', NumeroDeEventos: '1' },
      ],
    })
    expect(await audit()).toEqual([])
  })

  it('the six hours continue across crashes and restarts, without the time in between', async () => {
    const first = await serve(process('1'))
    await pass(3 * HOUR, first)
    crash(first)
    fixture.now += 10 * HOUR
    const second = await serve(process('2'))
    expect(await types()).toBe('01 05 01 05')
    await pass(2.5 * HOUR, second)
    expect(await types()).toBe('01 05 01 05')
    await pass(0.5 * HOUR, second)
    expect(await types()).toBe('01 05 01 05 05 10')
  })

  it('an orderly end and a new start report no missing end', async () => {
    await (await serve(process('1'))).stop()
    await serve(process('2'))
    expect(await types()).toBe('01 05 10 02 01 05')
    expect((await last('01')).OtrosDatosEvento).toBeUndefined()
  })

  it.each([
    ['a record that was deleted', '04', '04', 3],
    ['the last record that was deleted', '05', '04', 4],
    ['a signature that was taken away', '02', '04', 2],
    ['an event that was changed', '01', '06', 1],
  ] as const)('a check finds %s', async (what, type, event, sequence) => {
    const watch = await serve()
    await fixture.issue(4)
    await fixture.call.store.transaction(async (tx) => {
      if (what.includes('deleted'))
        await tx.delete('verifactu_records', { sequence: what.includes('last') ? 4 : 2 }).execute()
      if (what.includes('signature')) {
        const { xml_sent } = (await fixture.records())[1]!
        const bare = (xml_sent ?? '').replace(/<ds:Signature .*<\/ds:Signature>/s, '')
        await tx.update('verifactu_records', { xml_sent: bare }).where('sequence', '=', 2).execute()
      }
      if (what.includes('event')) {
        const [first] = await events()
        const record = (first?.record ?? '').replace('"TipoEvento":"01"', '"TipoEvento":"02"')
        await tx.update('verifactu_events', { record }).where('sequence', '=', 1).execute()
      }
    })
    await pass(6 * HOUR, watch)
    const made = await last(event)
    expect(Object.values(made.DatosPropiosEvento)[0]).toMatchObject({
      TipoAnomalia: type,
      OtrosDatosAnomalia: expect.stringMatching(new RegExp(`^${sequence}: `)),
    })
    for (const { xml } of await events()) expect(schemaProblems(xml)).toEqual([])
  })

  itInAll('anomalies beyond the limit of events are counted in the last one', async () => {
    const watch = await serve()
    await fixture.issue(1)
    const [{ sequence: _, record_id: _id, ...one } = (await fixture.records())[0]!] = await fixture.records()
    await fixture.call.store.transaction(async (tx) => {
      const rows = Array.from({ length: 24 }, (_, at) => ({
        ...one,
        company_id: undefined,
        sequence: at + 2,
        record_id: randomUUID(),
        record: '{',
      }))
      await tx.insert(
        'verifactu_records',
        rows.map(({ company_id: _, ...row }) => row),
      )
      await tx.change('verifactu_chains', { sequence: 25, last_record: '{' }, { chain: 'records' })
    })
    await pass(6 * HOUR, watch)
    expect((await types()).split(' ').filter((type) => type === '04')).toHaveLength(20)
    expect(
      (await last('04')).DatosPropiosEvento.DeteccionAnomaliasRegFacturacion.OtrosDatosAnomalia,
    ).toContain('(y 4 más)')
    expect(await incidents()).toHaveLength(24)
    await pass(6 * HOUR, watch)
    expect((await types()).split(' ').filter((type) => type === '04')).toHaveLength(20)
  })

  it('a clock that is set back causes no fork, delays no summary, and is reported', async () => {
    const watch = await serve()
    await fixture.issue(1)
    await pass(3 * HOUR, watch)
    fixture.now -= 2 * HOUR
    await watch.runPass()
    await fixture.issue(1)
    await pass(3 * HOUR, watch)
    expect((await types()).split(' ').filter((type) => type === '10')).toHaveLength(1)
    expect(await audit()).toEqual([])
    const timestamps = (await events()).map(({ fecha_hora_huso_gen_evento }) => fecha_hora_huso_gen_evento)
    expect(timestamps).toEqual([...timestamps].sort())
  })

  it('without a valid certificate the start waits, and an anomaly is an incident whose event follows later', async () => {
    const valid = await fixture.call.store
      .select('certificates')
      .select(['valid_to'])
      .executeTakeFirstOrThrow()
    const until = (valid_to: string) =>
      fixture.call.store.transaction((tx) => tx.update('certificates', { valid_to }).execute())
    await until('2020-01-01T00:00:00.000000')
    const watch = await serve()
    expect(await types()).toBe('')
    await until(valid.valid_to)
    await watch.runPass()
    expect(await types()).toBe('01 05')
    await fixture.issue(2)
    await tamper(1, '"ImporteTotal":"121.00"', '"ImporteTotal":"12.10"')
    await until('2020-01-01T00:00:00.000000')
    await pass(6 * HOUR, watch)
    expect(await types()).toBe('01 05')
    expect(await incidents()).toHaveLength(1)
    await until(valid.valid_to)
    await watch.runPass()
    expect(await types()).toBe('01 05 03 05 04 10')
    expect(await incidents()).toHaveLength(1)
  })

  it('opening and closing a period while a server runs starts and ends operation', async () => {
    const change = <T>(work: (tx: Parameters<typeof closePeriod>[0]) => Promise<T>) =>
      fixture.call.store.transaction(work)
    await serve()
    await fixture.issue(1)
    await change((tx) => closePeriod(tx, fixture.call))
    expect(await types()).toBe('01 05 10 02')
    await change((tx) => openPeriod(tx, fixture.call, { mode: 'verifactu', sandbox: true }))
    await fixture.issue(2)
    await change((tx) => closePeriod(tx, fixture.call))
    expect(await types()).toBe('01 05 10 02')
    await change((tx) => openPeriod(tx, fixture.call, { mode: 'no_verifactu', sandbox: true }))
    expect(await types()).toBe('01 05 10 02 01')
    await fixture.issue(1)
    await change((tx) => closePeriod(tx, fixture.call))
    // Records made under VERI*FACTU in between are in no summary.
    expect((await last('10')).DatosPropiosEvento.ResumenEventos).toMatchObject({
      NumeroDeRegistrosFacturacionAltaGenerados: '1',
    })
    expect(await audit()).toEqual([])
  })

  it('while a shard is unreachable, events are recorded company by company', async () => {
    const away = () => {
      throw Object.assign(new Error('connection to the remote node failed'), { code: '08006' })
    }
    const store = Object.assign(Object.create(fixture.app.store), {
      acrossCompanies: away,
      transaction: async () => away(),
    })
    await startWatching({ ...process('1'), store }, { intervalMs: null })
    expect(await types()).toBe('01 05')
  })

  it('a period opened while a server runs is checked once at the next pass', async () => {
    await fixture.call.store.transaction((tx) => closePeriod(tx, fixture.call))
    const watch = await serve(fixture.app)
    await fixture.call.store.transaction((tx) =>
      openPeriod(tx, fixture.call, { mode: 'no_verifactu', sandbox: true }),
    )
    expect(await types()).toBe('01')
    await watch.runPass()
    expect(await types()).toBe('01 05')
    await pass(HOUR, watch)
    expect(await types()).toBe('01 05')
  })

  it('events are listed in the order of the chain if the clock was set back', async () => {
    const watch = await serve()
    fixture.now -= 12 * HOUR
    await fixture.call.store.transaction((tx) => emitEvent(tx, fixture.call, '01'))
    await fixture.call.store.transaction((tx) =>
      tx.update('verifactu_events', { created_at: '2020' }).where('sequence', '=', 3).execute(),
    )
    const hashes = (await events()).map(({ huella_evento }) => huella_evento).reverse()
    expect((await listEvents(fixture.call, 200)).map(({ huella_evento }) => huella_evento)).toEqual(hashes)
    await watch.runPass()
  })

  it('a start requested right after the automatic one returns that event, and a requested end lasts', async () => {
    const ask = (type: '01' | '02') =>
      fixture.call.store.transaction((tx) => emitEvent(tx, fixture.call, type))
    await fixture.call.store.transaction((tx) => closePeriod(tx, fixture.call))
    const watch = await serve()
    await fixture.call.store.transaction((tx) =>
      openPeriod(tx, fixture.call, { mode: 'no_verifactu', sandbox: true }),
    )
    expect(await types()).toBe('01')
    const first = await ask('01')
    expect(await types()).toBe('01')
    expect(first.huella_evento).toBe((await events())[0]?.huella_evento)
    await ask('01')
    await ask('02')
    await pass(HOUR, watch)
    expect(await types()).toBe('01 01 02')
    await ask('01')
    await watch.stop()
    watches.splice(0)
    expect(await types()).toBe('01 01 02 01 10 02')
  })

  it('restoring a backup records its event', async () => {
    await serve()
    await fixture.call.store.transaction(async (tx) => {
      const period = await openPeriodOf(tx, fixture.app.clock)
      return recordRestore(tx, fixture.call, period!, '2026-11-19T03:00:00+01:00')
    })
    expect((await last('07')).OtrosDatosEvento).toBe('Copia de seguridad de 2026-11-19T03:00:00+01:00')
    expect(schemaProblems(required((await events()).at(-1)).xml)).toEqual([])
  })
}

describe('events of a running server on the embedded database', () => proof('sqlite'))
if (hasPostgres() && LONG) describe('events of a running server on PostgreSQL', () => proof('postgres'))
else
  it.skip('events of a running server on PostgreSQL: in npm run test:long, where it is installed', () => {})

describe('the extent of a check', () => {
  it('a long chain is checked in ranges, its newest records every time', () => {
    expect(rangesOf(0, 0)).toEqual({ ranges: [], next: 0 })
    expect(rangesOf(10_000, 0)).toEqual({ ranges: [{ from: 1, to: 10_000 }], next: 0 })
    const seen = new Set<number>()
    let next = 0
    let rounds = 0
    do {
      const due = rangesOf(23_000, next)
      for (const { from, to } of due.ranges) for (let at = from; at <= to; at++) seen.add(at)
      expect(due.ranges.at(-1)).toEqual({ from: 18_001, to: 23_000 })
      next = due.next
      rounds++
    } while (next !== 0)
    expect([seen.size, rounds]).toEqual([23_000, 4])
  })

  it('a number with more digits than an event holds is split into several events', () => {
    const numbers = checkStartedEvents({ chain: 'events', hashes: 250_000, signatures: 100_000 }).map(
      ({ data }) =>
        Object.values(data?.LanzamientoProcesoDeteccionAnomaliasRegEvento ?? {}).filter((one) => one !== 'S'),
    )
    expect(numbers.map(([hashes, signatures]) => [hashes, signatures])).toEqual([
      ['99999', '99999'],
      ['99999', '1'],
      ['50002', '0'],
    ])
  })
})
