/** Events of the built server after it is killed or stopped. */
import { afterEach, beforeEach, expect } from 'vitest'
import { type FiscalRecord, verifyChain } from '../../../../src/verifactu/index.ts'
import { administer } from '../../../conformance/administrator.ts'
import { startServer, type TestServer } from '../../../conformance/harness.ts'
import { temporaryFolder } from '../../../folders.ts'
import { itInAll } from '../../../size.ts'

let dataDir: string
let servers: TestServer[]
beforeEach(() => {
  dataDir = temporaryFolder()
  servers = []
})
afterEach(async () => {
  await Promise.all(servers.map(({ stop }) => stop()))
})

const start = async (): Promise<TestServer> => {
  const server = await startServer({ store: 'sqlite', dataDir })
  servers.push(server)
  return server
}

itInAll(
  'the start after kill -9 reports a missing end, an orderly stop does not, and two servers are one system',
  async () => {
    const first = await start()
    const { id, key } = await first.company()
    await administer(first, ['certificate', 'add', '--company', id, '--demo'])
    const opened = await administer(first, [
      'verifactu',
      'period',
      'open',
      '--company',
      id,
      '--mode',
      'no_verifactu',
    ])
    expect(opened.stderr).toBe('')
    const events = async (server: TestServer) => {
      const { json } = await server.call('GET', '/verifactu/sif', { key })
      return (json as { tipo_evento: string }[]).map(({ tipo_evento }) => tipo_evento).reverse()
    }
    expect(await events(first)).toEqual(['01'])
    const beside = await start()
    expect(await events(beside)).toEqual(['01'])
    await beside.stop()
    expect(await events(first)).toEqual(['01'])
    await first.kill()

    const second = await start()
    const after = await events(second)
    expect(after).toEqual(['01', '01', '05'])
    await second.stop()
    const third = await start()
    expect(await events(third)).toEqual([...after, '10', '02', '01', '05'])
    const rows = await (await third.store())
      .of(id)
      .select('verifactu_events')
      .select(['tipo_evento', 'record'])
      .orderBy('sequence')
      .execute()
    const records = rows.map(({ record }) => JSON.parse(record) as FiscalRecord)
    expect(verifyChain(records).items).toEqual([])
    const said = rows
      .filter(({ tipo_evento }) => tipo_evento === '01')
      .map(({ record }) => JSON.parse(record).RegistroEvento.Evento.OtrosDatosEvento ?? null)
    expect(said).toEqual([null, expect.stringContaining('La parada anterior no quedó registrada'), null])
  },
  60_000,
)
