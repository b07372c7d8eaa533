/** Tests what `cuadra-admin prune` removes and keeps, and that a dry run only counts. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { administer } from '#test/conformance/administrator.ts'
import { startServer, type TestServer } from '#test/conformance/harness.ts'
import { tokens } from '#test/tokens.ts'

const OLD = '2019-03-01T10:00:00.000000'
const YOUNG = new Date().toISOString().replace('Z', '000')

let server: TestServer
let company: string
beforeAll(async () => {
  server = await startServer({ store: 'sqlite', check: false })
  company = (await server.company()).id
  const store = (await server.store()).of(company)
  await store.transaction(async (tx) => {
    for (const [name, created_at, reference] of [
      ['old', OLD, null],
      ['old-requirement', OLD, 'REQ-1'],
      ['young', YOUNG, null],
    ] as const)
      await tx.insert('verifactu_submissions', {
        submission_id: name,
        environment: 'test',
        submission_type: 'voluntary',
        ref_requerimiento: reference,
        record_count: 1,
        estado_envio: 'Correcto',
        aeat_csv: 'A-1',
        error_code: null,
        error_message: null,
        submitted_at: created_at,
        created_at,
        first_sequence: 1,
        last_sequence: 1,
        attempts: 1,
        xml: '<m/>',
        xml_response: '<r/>',
      })
    for (const [sha256, created_at] of [
      ['a', OLD],
      ['b', YOUNG],
    ] as const)
      await tx.insert('recognitions', {
        sha256,
        job_id: sha256,
        month: created_at.slice(0, 7),
        lease_ms: 0,
        failures: 0,
        status: 'recognized_ready',
        score: 1,
        created_at,
      })
    for (const [mail_id, created_at, state] of [
      ['old', OLD, 'sent'],
      ['waiting', OLD, 'pending'],
      ['young', YOUNG, 'sent'],
    ] as const)
      await tx.insert('mails', {
        mail_id,
        invoice_id: mail_id,
        state,
        message_id: mail_id,
        sender: 'a@b.example',
        recipients: '[]',
        subject: '',
        files: '[]',
        size: 0,
        sha256: '',
        attempts: 1,
        handed_over: 1,
        owner: null,
        due_ms: Number.MAX_SAFE_INTEGER,
        key_id: 'k',
        idempotency_key: null,
        request_hash: null,
        refused: null,
        failure: null,
        created_at,
        updated_at: created_at,
        sent_at: null,
      })
  })
}, 60_000)
afterAll(() => server?.stop())

const prune = async (...args: string[]) => {
  const { status, json, stderr } = await administer(server, tokens`prune --company ${company} --json ${args}`)
  expect([status, stderr]).toEqual([0, ''])
  const pruned: readonly { what: string; rows: number }[] = json.pruned
  return pruned.map(({ what, rows }) => `${what} ${rows}`)
}
const ALL = ['verifactu_message_bodies 1', 'sii_message_bodies 0', 'recognition_jobs 1', 'mails 1']

it('removes only old bodies, jobs and mails', async () => {
  expect(await prune('--dry-run')).toEqual(ALL)
  expect(await prune('--dry-run')).toEqual(ALL)
  expect(await prune()).toEqual(ALL)
  expect(await prune()).toEqual(ALL.map((one) => one.replace(/\d$/, '0')))
  const store = (await server.store()).of(company)
  const submissions = await store
    .select('verifactu_submissions')
    .selectAll()
    .orderBy('submission_id')
    .execute()
  expect(
    submissions.map(({ submission_id, xml, aeat_csv }) => `${submission_id} ${xml} ${aeat_csv}`),
  ).toEqual(['old null A-1', 'old-requirement <m/> A-1', 'young <m/> A-1'])
  const mails = await store.select('mails').select('mail_id').orderBy('mail_id').execute()
  expect(mails.map(({ mail_id }) => mail_id)).toEqual(['waiting', 'young'])
})

it('keeps everything from the last 90 days', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const { status, stderr } = await administer(server, ['prune', '--before', today])
  expect([status, stderr]).toEqual([2, expect.stringContaining('90 days')])
})
