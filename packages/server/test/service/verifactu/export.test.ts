/** Export for the authority: as signed, audited by the command line, and sent to the simulator. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifySignature } from 'cuadra-authority/index.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { administer } from '#test/conformance/administrator.ts'
import { cuadra } from '#test/entry/cli/run.ts'
import { temporaryFolder } from '#test/folders.ts'
import { startWatching } from '../../../src/service/verifactu/watch/watch-worker.ts'
import { VerifactuFixture } from '../transmission/verifactu/fixture.ts'
import { schemaProblems } from './official.ts'

const DAY = 86_400_000
let fixture: VerifactuFixture
let folder: string
beforeEach(async () => {
  fixture = await VerifactuFixture.open({ mode: 'no_verifactu' })
  folder = temporaryFolder()
})
afterEach(() => fixture.close())

const place = () => ({ dataDir: fixture.app.config.dataDir, databaseUrl: undefined })
const exported = (...more: string[]) =>
  administer(place(), [
    'verifactu',
    'export',
    '--company',
    fixture.call.company.id,
    '--out',
    join(folder, 'out'),
    '--json',
    ...more,
  ])
const text = (name: string) => readFileSync(join(folder, 'out', name), 'utf8')
const verifyChain = (...args: string[]) =>
  cuadra(['verify-chain', '--no-clock', ...args], { cwd: join(folder, 'out') })
const eventTypes = async () =>
  (
    await fixture.call.store.select('verifactu_events').select('tipo_evento').orderBy('sequence').execute()
  ).map(({ tipo_evento }) => tipo_evento)

/** Three days with a record and events on each. */
async function threeDays() {
  const watch = await startWatching({ ...fixture.app, owner: 'elsewhere/1/1' }, { intervalMs: null })
  await fixture.issue(2)
  fixture.now += DAY
  await watch.runPass()
  const [id = ''] = await fixture.issue(2)
  await fixture.cancel(id)
  fixture.now += DAY
  await watch.runPass()
  await fixture.issue(1)
}

describe('verifactu export', () => {
  it('writes a part of both chains with the record before, which the command line audits as valid', async () => {
    await threeDays()
    const before = await eventTypes()
    const { status, json, stderr } = await exported('--from', '2026-11-21', '--to', '2026-11-21')
    expect([status, stderr]).toEqual([0, ''])
    expect(json).toMatchObject({
      registrations: 2,
      cancellations: 1,
      events: 3,
      total_tax: '42.00',
      total_amount: '242.00',
      complete: true,
      recorded_events: ['08', '09'],
      verify_with: [
        'cuadra verify-chain --after record-before.xml records.xml',
        'cuadra verify-chain --after-event event-before.xml events.xml',
      ],
    })
    for (const [at, command] of json.verify_with.entries()) {
      const { code: status, out: stdout } = await verifyChain(...command.split(' ').slice(2))
      expect([status, stdout]).toEqual([0, '✔ 3 records, 1 chain: intact\n'])
      // Without the record before it, the part is not a complete chain.
      expect((await verifyChain(at === 0 ? 'records.xml' : 'events.xml')).code).toBe(1)
    }
    const records = await fixture.records()
    expect(text('records/000000000/000000004.xml')).toBe(records[3]?.xml_sent)
    expect(await verifySignature(text('records/000000000/000000004.xml'))).toMatchObject({ valid: true })
    expect(text('LEEME.txt')).toContain('Periodo: del 21-11-2026 al 21-11-2026')
    expect(JSON.parse(text('index.json'))).toMatchObject({
      format: 'cuadra-verifactu-export',
      registrations: 2,
    })
    // The export is an event itself, valid against the official schema.
    expect(await eventTypes()).toEqual([...before, '08', '09'])
    const made = await fixture.call.store
      .select('verifactu_events')
      .select('xml')
      .orderBy('sequence')
      .execute()
    for (const { xml } of made) expect(schemaProblems(xml)).toEqual([])
    expect(made.at(-2)?.xml).toContain('DejanDeConservarse>N<')
    expect(readdirSync(folder)).toEqual(['out'])
  })

  it('reports a tampered chain as incomplete, and removes a failed export', async () => {
    await threeDays()
    await fixture.call.store.transaction(async (tx) => {
      const [, , third] = await fixture.records()
      const record = (third?.record ?? '').replace('"ImporteTotal":"121.00"', '"ImporteTotal":"12.10"')
      await tx.update('verifactu_records', { record }).where('sequence', '=', 3).execute()
    })
    const { status, stderr } = await exported('--from', '2026-11-20', '--to', '2026-11-22')
    expect(status).toBe(1)
    expect(stderr).toContain('The chain is not intact')
    expect(text('LEEME.txt')).toMatch(/ATENCIÓN: la cadena no está íntegra/)
    expect(JSON.parse(text('index.json')).complete).toBe(false)
    const again = await exported('--from', '2026-11-20', '--to', '2026-11-22')
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('is not empty')])
    expect((await exported('--from', '2026-11-22', '--to', '2026-11-20')).status).toBe(2)
    expect(readdirSync(folder)).toEqual(['out'])
  })

  it('writes the messages that reply to a request, which the simulator’s schema accepts', async () => {
    await threeDays()
    const { status, json } = await exported(
      '--from',
      '2026-11-20',
      '--to',
      '2026-11-22',
      '--request',
      'REQ123',
    )
    expect([status, json.messages]).toEqual([0, 1])
    const message = text('messages/0001.xml')
    expect(schemaProblems(message)).toEqual([])
    expect(message).toContain('RefRequerimiento>REQ123<')
    expect(message).toContain('FinRequerimiento>S<')
    expect((await verifyChain('messages/0001.xml')).out).toBe('✔ 6 records, 1 chain: intact\n')
    expect(existsSync(join(folder, 'out', 'record-before.xml'))).toBe(false)
  })

  it('of days without records is empty and makes no event', async () => {
    const { status, json } = await exported('--from', '2025-01-01', '--to', '2025-01-31')
    expect([status, json.registrations, json.recorded_events]).toEqual([0, 0, []])
  })
})
