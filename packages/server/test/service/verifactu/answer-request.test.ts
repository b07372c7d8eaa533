/** @slow Replies to requests of the authority: every record once, whatever is asked for and whatever fails. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { administer, administerAside } from '#test/conformance/administrator.ts'
import { hasPostgres, postgresDatabase } from '#test/conformance/postgres.ts'
import { pathAndFolder } from '#test/folders.ts'
import { ALL } from '#test/size.ts'
import { until } from '#test/until.ts'
import { blockedMessage } from '../../../src/service/transmission/blocked.ts'
import { incidentsOf } from '../../../src/service/verifactu/queries.ts'
import { answerRequest } from '../../../src/service/verifactu/sending/answer-request.ts'
import * as a from '../transmission/verifactu/authority.ts'
import { VerifactuFixture } from '../transmission/verifactu/fixture.ts'
import { SimulatedFixture } from '../transmission/verifactu/simulated.ts'

const DAY = 86_400_000
let fixture: VerifactuFixture
beforeEach(async () => {
  fixture = await VerifactuFixture.open({ mode: 'no_verifactu' })
})
afterEach(() => fixture.close())

/** Waits as a command does, on the clock of the fixture. */
const pause = async (milliseconds: number) => {
  fixture.now += milliseconds
}
const answer = (from: string, to: string, reference = 'REQ1', owner = 'one') =>
  answerRequest(
    fixture.sending(owner),
    fixture.call.company,
    { environment: 'test', reference, from, to },
    pause,
  )
const everything = () => answer('2026-11-20', '2026-11-22')

/** Two, three and one records on three days from 20 November 2026 on. */
async function threeDays() {
  await fixture.issue(2)
  fixture.now += DAY
  const [id = ''] = await fixture.issue(2)
  await fixture.cancel(id)
  fixture.now += DAY
  await fixture.issue(1)
}

/** The hashes of all records, in order, that the authority should have. */
const hashes = async () => (await fixture.records()).map(({ huella }) => huella)

/** Copies the first record until there are this many, since signing takes long. */
async function copyTo(count: number) {
  const [record] = await fixture.records()
  if (!record) throw new Error('there is a record')
  const { company_id: _, ...own } = record
  await fixture.store.transaction(async (tx) => {
    for (let sequence = 2; sequence <= count; sequence++)
      await tx.insert('verifactu_records', { ...own, sequence, record_id: `copy-${sequence}` })
  })
}

describe('the reply to a request', () => {
  it('sends the records as stored, stores the response, and does not change the chain', async () => {
    await threeDays()
    const before = await fixture.records()
    const done = await everything()
    expect(done).toMatchObject({ records: 6, sent: 6, messages: 1, accepted: 6, rejected: 0, blocked: null })
    expect(done.csv).toHaveLength(1)
    expect(await fixture.records()).toEqual(before)
    expect(await fixture.submissions()).toMatchObject([
      {
        submission_type: 'requerimiento',
        ref_requerimiento: 'REQ1',
        record_count: 6,
        estado_envio: 'Correcto',
      },
    ])
  })

  it('sends earlier days after later days under the same reference', async () => {
    await threeDays()
    expect(await answer('2026-11-22', '2026-11-22')).toMatchObject({ records: 1, sent: 1 })
    expect(await answer('2026-11-20', '2026-11-20')).toMatchObject({ records: 2, sent: 2 })
    expect(await everything()).toMatchObject({ records: 6, sent: 3, messages: 3, accepted: 6 })
    expect(fixture.authority.stored.toSorted()).toEqual((await hashes()).toSorted())
  })

  it('sends each record of overlapping periods once for each reference', async () => {
    await threeDays()
    expect(await answer('2026-11-20', '2026-11-21')).toMatchObject({ records: 5, sent: 5 })
    expect(await answer('2026-11-21', '2026-11-22')).toMatchObject({ records: 4, sent: 1 })
    expect(fixture.authority.stored).toEqual(await hashes())
    expect(await answer('2026-11-20', '2026-11-22', 'OTRO2')).toMatchObject({ records: 6, sent: 6 })
  })

  it('reports what was sent earlier when it is repeated after the end', async () => {
    await threeDays()
    const { sent: _, ...done } = await everything()
    expect(await everything()).toEqual({ ...done, sent: 0 })
    expect(fixture.authority.messages).toHaveLength(1)
  })

  it('refuses a period without records, and states which days have some', async () => {
    await threeDays()
    await expect(answer('2025-11-20', '2025-11-22')).rejects.toThrow(
      'No record was generated from 2025-11-20 to 2025-11-22: nothing was sent, and the request is still unanswered. The records without VERI*FACTU in the test environment are from 2026-11-20 to 2026-11-22: check --from and --to.',
    )
    expect(await fixture.submissions()).toEqual([])
  })

  it('refuses a period whose records belong to VERI*FACTU', async () => {
    await fixture.close()
    fixture = await VerifactuFixture.open()
    await fixture.issue(2)
    await expect(everything()).rejects.toThrow(
      'All 2 records generated from 2026-11-20 to 2026-11-22 belong to VERI*FACTU, which sends them without a request: nothing was sent',
    )
  })

  it('sends FinRequerimiento S with the last message only, after the wait that the authority asks for', async () => {
    await fixture.issue(1)
    await copyTo(1500)
    const waits: number[] = []
    const done = await answerRequest(
      fixture.sending(),
      fixture.call.company,
      { environment: 'test', reference: 'REQ1', from: '2026-11-20', to: '2026-11-20' },
      async (milliseconds) => {
        waits.push(milliseconds)
        await pause(milliseconds)
      },
    )
    expect(done).toMatchObject({ records: 1500, sent: 1500, messages: 2, blocked: null })
    expect(waits).toEqual([60_000])
    const messages = (await fixture.submissions()).toSorted(
      (one, other) => Number(one.first_sequence) - Number(other.first_sequence),
    )
    expect(messages.map(({ xml }) => /FinRequerimiento>(.)</.exec(xml ?? '')?.[1])).toEqual(['N', 'S'])
  })

  it('fails if earlier runs sent all records of the period, but announced more', async () => {
    await fixture.issue(1)
    await copyTo(1500)
    fixture.authority.script.push(a.normally, a.down)
    expect(await everything()).toMatchObject({ sent: 1000, blocked: { reason: 'unreachable' } })
    await fixture.store.transaction((tx) =>
      tx
        .update('verifactu_records', { ts_gen: '2026-11-21T09:00:00+01:00' })
        .where('sequence', '>', 1000)
        .execute(),
    )
    await expect(answer('2026-11-20', '2026-11-20')).rejects.toThrow(
      'announces more (FinRequerimiento N). Nothing was sent. Run the command with the whole period of the request.',
    )
    expect(await everything()).toMatchObject({ records: 1500, sent: 500, messages: 2, blocked: null })
  })

  it('sends again only the records that a response does not mention', async () => {
    await threeDays()
    fixture.authority.script.push(
      a.changed((text) =>
        text.replaceAll(
          /<r:RespuestaLinea>(?:(?!<\/r:RespuestaLinea>).)*F000004.*?<\/r:RespuestaLinea>/g,
          '',
        ),
      ),
    )
    const cut = await everything()
    expect(cut).toMatchObject({ records: 5, sent: 5, blocked: { reason: 'request_incomplete' } })
    expect(cut.blocked && blockedMessage(cut.blocked, 'en')).toBe(
      'The response of the tax authority states nothing about 1 of the 6 records of the message.',
    )
    expect(await everything()).toMatchObject({ records: 6, sent: 1, blocked: null })
  })

  it.each([
    ['an outage', a.down, 'unreachable', 'failed'],
    ['a lost response', a.answerLost, 'unknown', 'unknown'],
    ['a page in place of a response', a.page, 'unknown', 'unknown'],
    ['a rejected reference', a.fault(4122), 'request_fault', 'failed'],
    ['a fault of the service', a.fault(null, 'Server'), 'request_fault_service', 'failed'],
  ])(
    'stops at %s with its reason, and continues in the same submission when repeated',
    async (_, happening, reason, status) => {
      await threeDays()
      fixture.authority.script.push(happening)
      const stopped = await everything()
      expect(stopped).toMatchObject({ records: 0, sent: 0, blocked: { reason } })
      for (const locale of ['en', 'es'] as const)
        expect(stopped.blocked && blockedMessage(stopped.blocked, locale)).not.toMatch(
          /automatic|automátic|send-now|queried before|se consultan antes/,
        )
      expect(await fixture.submissions()).toMatchObject([{ estado_envio: status, attempts: 1 }])
      expect(await everything()).toMatchObject({ records: 6, sent: 6, blocked: null })
      expect(await fixture.submissions()).toMatchObject([
        { estado_envio: expect.stringMatching(/Correcto$/), attempts: 2, error_code: null },
      ])
    },
  )

  it('does not name the queue or its records without a certificate', async () => {
    await threeDays()
    fixture.now = Date.UTC(2036, 0, 1)
    const { blocked } = await everything()
    expect(blocked && blockedMessage(blocked, 'en')).toBe(
      'The request of the tax authority cannot be answered: the company has no valid certificate. Add one with `cuadra-admin certificate add`.',
    )
  })

  it('waits while another process sends for the company', async () => {
    await threeDays()
    const [first, second] = await Promise.all([
      everything(),
      answer('2026-11-20', '2026-11-22', 'REQ1', 'two'),
    ])
    expect(first.sent + second.sent).toBe(6)
    expect([first.records, second.records]).toEqual([6, 6])
    expect(fixture.authority.stored).toEqual(await hashes())
  })
})

describe('answer-request', () => {
  const days = ['--from', '2026-11-20', '--to', '2026-11-20']
  const command = (name: string, ...args: string[]) =>
    administer({ dataDir: fixture.app.config.dataDir, databaseUrl: undefined }, [
      'verifactu',
      name,
      '--company',
      fixture.call.company.id,
      ...days,
      ...args,
    ])

  it('accepts a reference of up to 18 letters and digits, as the tax authority does', async () => {
    for (const reference of ['', '   ', 'A'.repeat(19), 'A\nB', '2026/RGE-1', 'REQ 1', 'ñ'])
      for (const name of ['answer-request', 'export'])
        expect(await command(name, '--request', reference, '--out', 'folder')).toMatchObject({
          status: 2,
          stderr: expect.stringContaining('up to 18 letters and digits'),
        })
  })

  it('trims the reference, so that a blank does not make another one', async () => {
    await fixture.issue(1)
    const out = join(fixture.app.config.dataDir, 'requested')
    expect(await command('export', '--request', ' REQ1 ', '--out', out)).toMatchObject({ status: 0 })
    expect(await readFile(join(out, 'messages/0001.xml'), 'utf8')).toContain('RefRequerimiento>REQ1<')
  })
})

describe('the incidents', () => {
  it('do not contain a reply to a request, whose command has reported the failure', async () => {
    await threeDays()
    fixture.authority.script.push(a.fault(4122))
    const { blocked } = await everything()
    expect(blocked && blockedMessage(blocked, 'en')).toMatch(
      /request: 4122: "[^"]+"\. The reference of the request /,
    )
    expect(blocked && blockedMessage(blocked, 'es')).toMatch(
      /requerimiento: 4122: «[^»]+»\. La referencia del /,
    )
    expect(await incidentsOf(fixture.call, 200)).toEqual({ items: [], total: 0 })
  })
})

const ADMIN = fileURLToPath(new URL('../../../../../dist/server/admin.js', import.meta.url))

/** Kills a process with a message in flight, and runs two others at once. */
async function killed(databaseUrl: string | undefined): Promise<void> {
  const own = await SimulatedFixture.open({ isReal: true, wait: 0, databaseUrl })
  try {
    const taxpayer = await own.company(undefined, 'no_verifactu')
    await taxpayer.issue(3)
    const day = own.app.clock.today()
    const place = { dataDir: join(own.folder, 'data'), databaseUrl }
    const env = { CUADRA_AEAT_VERIFACTU_URL: own.simulator.url, CUADRA_AEAT_CA_FILE: own.simulator.caFile }
    const args = ['verifactu', 'answer-request', '--company', taxpayer.company.id]
    const options = ['--request', 'REQ7', '--from', day, '--to', day, '--json']
    const { control } = own.simulator
    await control.inject({ kind: 'slow', seconds: 60, stored: true, times: 1 })
    const child = spawn(process.execPath, [ADMIN, ...args, ...options], {
      env: {
        ...pathAndFolder(),
        ...env,
        CUADRA_DATA_DIR: place.dataDir,
        ...(databaseUrl ? { CUADRA_DATABASE_URL: databaseUrl } : {}),
      },
      stdio: 'ignore',
    })
    const received = () => control.records({ taxpayer: taxpayer.taxId }).length
    await until(() => received() === 3, 'the message has arrived')
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    expect(await taxpayer.submissions()).toMatchObject([{ estado_envio: 'sending', xml_response: null }])
    const both = await Promise.all([1, 2].map(() => administerAside(place, [...args, ...options], { env })))
    expect(both.map(({ status, stderr }) => [status, stderr.replace(/^Another process.*\n/, '')])).toEqual([
      [0, ''],
      [0, ''],
    ])
    expect(both.map(({ json }) => json.records)).toEqual([3, 3])
    expect(both.map(({ json }) => json.sent).toSorted()).toEqual([0, 3])
    // The killed message and its repetition: no query returns what arrived of the first.
    expect(received()).toBe(6)
    expect(await taxpayer.submissions()).toMatchObject([
      { estado_envio: expect.stringMatching(/Correcto$/), attempts: 2 },
    ])
  } finally {
    await own.close()
  }
}

describe('a process that is killed with a message in flight', () => {
  it(
    'leaves its records to the next command; two at once send each of them once (SQLite)',
    () => killed(undefined),
    60_000,
  )

  it.skipIf(!ALL || !hasPostgres())(
    'leaves its records to the next command; two at once send each of them once (PostgreSQL)',
    async () => killed(await postgresDatabase()),
    60_000,
  )
})
