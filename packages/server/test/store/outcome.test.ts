/**
 * The connection to PostgreSQL is lost after COMMIT was sent. The server finds out what was written, or reports that it
 * does not know. It states "Nothing was changed" only if that is true.
 */

import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { audit } from '#test/conformance/audit.ts'
import { type Answered, startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { draft, imported, nextRef, received } from '#test/conformance/invoices.ts'
import { hasPostgres, type OwnCluster, ownPostgres } from '#test/conformance/postgres.ts'
import { statusAndCode, stepsOf } from '#test/conformance/steps.ts'
import { activateVerifactu } from '#test/conformance/verifactu.ts'
import { type CommitProxy, type Cut, commitProxy } from './commit-proxy.ts'

function proof(): void {
  let cluster: OwnCluster
  let proxy: CommitProxy
  let server: TestServer
  let company: TestCompany

  beforeAll(async () => {
    cluster = ownPostgres()
    proxy = await commitProxy(join(cluster.folder, '.s.PGSQL.5432'))
    const databaseUrl = `postgresql://cuadra@127.0.0.1:${proxy.port}/postgres`
    server = await startServer({ store: 'postgres', databaseUrl })
    company = await server.company()
    await activateVerifactu(server, company.id)
  })
  afterAll(async () => {
    await server?.stop()
    await proxy?.stop()
    await cluster?.stop('immediate')
  })

  const { change } = stepsOf(() => server)
  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    server.call(method, path, { key: company.key, body, headers })
  const saved = async (): Promise<string> => (await call('PUT', '/drafts', draft())).json.id
  const rowOf = async (id: string) => {
    const own = (await server.store()).of(company.id)
    return own.find('invoices', { invoice_id: id }).select(['status', 'number']).executeTakeFirst()
  }
  const cutting = async (cut: Cut, send: () => Promise<Answered>, after = 0): Promise<Answered> => {
    const before = proxy.cuts()
    proxy.cutNext(cut, after)
    const answer = await send()
    expect(proxy.cuts(), 'the cut').toBe(before + 1)
    return answer
  }

  describe.each<Cut>(['answer', 'late'])('COMMIT is done and its answer is lost (%s)', (cut) => {
    it('an issue returns the number that was written', async () => {
      const id = await saved()
      const answer = await cutting(cut, () => call('POST', `/issued-invoices/${id}/issue`))
      expect(statusAndCode(answer)).toBe('200')
      expect(await rowOf(id)).toEqual({ status: 'issued', number: answer.json.number })
    })

    it('an issue with Idempotency-Key returns the same when it is repeated', async () => {
      const id = await saved()
      const headers = { 'Idempotency-Key': randomUUID() }
      const answer = await cutting(cut, () => call('POST', `/issued-invoices/${id}/issue`, {}, headers))
      const again = await call('POST', `/issued-invoices/${id}/issue`, {}, headers)
      expect([statusAndCode(answer), statusAndCode(again)]).toEqual(['200', '200'])
      expect(again.json).toEqual(answer.json)
    })
  })

  it.each<Cut>(['answer', 'late', 'commit'])(
    'issues that share a COMMIT each report what was written (%s)',
    async (cut) => {
      const ids = await Promise.all(Array.from({ length: 8 }, saved))
      const before = proxy.cuts()
      // The first issue runs alone, and the others wait for it.
      proxy.cutNext(cut, 1)
      const answers = await Promise.all(ids.map((id) => call('POST', `/issued-invoices/${id}/issue`)))
      expect(proxy.cuts(), 'the cut').toBe(before + 1)
      for (const [index, id] of ids.entries()) {
        const answer = required(answers[index])
        const lost = statusAndCode(answer) === '503 service_unavailable'
        expect(await rowOf(id)).toEqual(
          lost ? { status: 'draft', number: null } : { status: 'issued', number: answer.json.number },
        )
        if (lost)
          expect([cut, answer.json.detail.message]).toEqual([
            'commit',
            expect.stringContaining('Nothing was changed'),
          ])
      }
      const refused = answers.filter(({ status }) => status !== 200).length
      expect(refused > 0).toBe(cut === 'commit')
    },
  )

  it('every other change is reported as done', async () => {
    const { tax_id: taxId } = company.data
    const number = nextRef('OLD')
    const answers: string[] = []
    const lost = async (name: string, send: () => Promise<Answered>, after = 0) => {
      const answer = await cutting('answer', send, after)
      answers.push(`${name} ${statusAndCode(answer)}`)
      return answer.json
    }
    const { id } = await lost('draft', () => call('PUT', '/drafts', draft()))
    expect(await rowOf(id)).toEqual({ status: 'draft', number: null })
    // Another result than the stored one, so that the validation writes.
    await change(company.id, 'invoice_documents', { errors: '[{"code":"earlier"}]' }, { invoice_id: id })
    await lost('validate', () => call('POST', `/drafts/${id}/validate`))
    const form = new FormData()
    form.append('file', new Blob(['Albarán 1']), 'albaran.txt')
    // The first transaction announces the file.
    const document = await lost('upload', () => call('POST', `/drafts/${id}/documents`, form), 1)
    const file = `/drafts/${id}/documents/${document.public_id}`
    expect(statusAndCode(await call('GET', file))).toBe('200')
    await lost('delete a document', () => call('DELETE', file))
    expect(statusAndCode(await call('GET', file))).toBe('404 document_not_found')
    await lost('delete a draft', () => call('DELETE', `/drafts/${id}`))
    expect(await rowOf(id)).toBeUndefined()
    const old = await lost('import', () =>
      call('POST', '/issued-invoices/import', imported({ taxId, number })),
    )
    await lost('corrective', () =>
      call('POST', `/issued-invoices/${old.id}/corrective`, {
        correction_type: 'S',
        reason_code: '16',
        series_code: 'R',
        external_ref: nextRef(),
      }),
    )
    await lost('cancel', () => call('POST', `/issued-invoices/${old.id}/cancel`))
    expect(await rowOf(old.id)).toEqual({ status: 'cancelled', number })
    await lost('received', () => call('PUT', '/received-invoices', received({ taxId, number: nextRef('R') })))
    const batch = await lost(
      'batch',
      () => call('POST', '/drafts/batch', { invoices: [draft(), draft()] }),
      1,
    )
    expect(batch.accepted).toBe(2)
    expect(answers.filter((one) => !/ 20[014]$/.test(one))).toEqual([])
  })

  it('changes that concern no invoice are reported as done, too', async () => {
    const key = server.demo?.key ?? ''
    const mode = 'no_verifactu'
    const answers: string[] = []
    for (const cut of ['answer', 'late'] as const)
      for (const [method, path, body] of [
        ['PUT', '/verifactu/config', { mode }],
        ['POST', '/verifactu/sif', { tipo_evento: '01' }],
      ] as const)
        answers.push(statusAndCode(await cutting(cut, () => server.call(method, path, { key, body }))))
    // The second activation finds the period of the first, so it has written nothing that could be found.
    expect(answers).toEqual(['200', '201', '503 outcome_unknown', '201'])
    expect((await server.call('GET', '/verifactu/sif', { key })).json).toHaveLength(2)
    const lost = await cutting('commit', () =>
      server.call('POST', '/verifactu/sif', { key, body: { tipo_evento: '02' } }),
    )
    expect(statusAndCode(lost)).toBe('503 service_unavailable')
    expect((await server.call('GET', '/verifactu/sif', { key })).json).toHaveLength(2)
  }, 60_000)

  it('if COMMIT itself is lost, 503 states that nothing was changed', async () => {
    const id = await saved()
    const answer = await cutting('commit', () => call('POST', `/issued-invoices/${id}/issue`))
    expect(statusAndCode(answer)).toBe('503 service_unavailable')
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(answer.json.detail.message).toContain('Nothing was changed')
    expect(await rowOf(id)).toEqual({ status: 'draft', number: null })
    expect(statusAndCode(await call('POST', `/issued-invoices/${id}/issue`))).toBe('200')
  })

  it('if the database does not return, 503 outcome_unknown states how to find out', async () => {
    const id = await saved()
    const headers = { 'Idempotency-Key': randomUUID() }
    const answer = await cutting('answer and close', () =>
      call('POST', `/issued-invoices/${id}/issue`, {}, headers),
    )
    proxy.open()
    expect(statusAndCode(answer)).toBe('503 outcome_unknown')
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(answer.json.detail.message).not.toMatch(/nothing was changed/i)
    expect(answer.json.detail.message).toContain('Idempotency-Key')
    const again = await call('POST', `/issued-invoices/${id}/issue`, {}, headers)
    expect(statusAndCode(again)).toBe('200')
    expect(await rowOf(id)).toEqual({ status: 'issued', number: again.json.number })
  })

  it('a lost commit of the server’s own, the bucket of a limited key, does not affect the request', async () => {
    const key = await server.key(company.id, { scopes: ['*'], rate: 100 })
    const answer = await cutting('answer', () => server.call('GET', '/company', { key }))
    expect(statusAndCode(answer)).toBe('503 service_unavailable')
    expect(statusAndCode(await server.call('GET', '/company', { key }))).toBe('200')
  })

  it('nothing is lost, done twice or left behind', async () => {
    expect(await audit((await server.store()).acrossCompanies('a test'), company.id, server.dataDir)).toEqual(
      [],
    )
  })
}

if (hasPostgres()) describe('a lost answer to COMMIT', proof)
else it.skip('a lost answer to COMMIT: PostgreSQL is not installed here', () => {})
