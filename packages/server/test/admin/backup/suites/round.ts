/** A backup made while invoices are issued is complete, and a server can continue from it on another machine. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FiscalRecord, verifyChain } from '#records/verifactu/index.ts'
import { administer, administerAside } from '#test/conformance/administrator.ts'
import { draft } from '#test/conformance/invoices.ts'
import { temporaryFolder } from '#test/folders.ts'
import { itInAll, LONG } from '#test/size.ts'
import { until } from '#test/until.ts'
import {
  emptyTarget,
  type Kind,
  killedWhen,
  partsIn,
  restoreAndAccept,
  Shop,
  serve,
  type Target,
} from '../fixture.ts'

export function roundSuite(kind: Kind, into: Kind): void {
  const folder = temporaryFolder()
  let shop: Shop
  let target: Target
  /** Invoice numbers acknowledged before the backup began. */
  let before: string[]
  beforeAll(async () => {
    shop = await Shop.open(kind, 'verifactu')
    for (let n = 0; n < 5; n++) await shop.issue()
  }, 60_000)
  afterAll(async () => {
    await shop?.server.stop()
  })

  it('is made while invoices are issued, and does not block them', async () => {
    let isOver = false
    const issuing = shop.issueUntil(() => isOver, LONG ? 16 : 2)
    const wanted = shop.numbers.length + (LONG ? 500 : 2)
    await until(() => shop.numbers.length >= wanted, 'invoices are issued')
    before = [...shop.numbers]
    const made = await administerAside(shop.server, ['backup', '--out', join(folder, 'one'), '--json'])
    const after = shop.numbers.length
    isOver = true
    await issuing
    expect([made.status, made.stderr]).toEqual([0, ''])
    expect(after).toBeGreaterThan(before.length)
    expect(made.json).toMatchObject({ companies: 2, problems: [], removed: [] })
    expect(made.json.records).toBeGreaterThanOrEqual(before.length)
    // Other users cannot read the backup, and no temporary folder remains.
    expect(statSync(join(folder, 'one')).mode & 0o777).toBe(0o700)
    expect(partsIn(folder)).toEqual([])
  })

  it('is complete after a restore: rows, files, chains, and every value that `verify` recalculates', async () => {
    target = await emptyTarget(into, join(folder, 'data'))
    const done = await restoreAndAccept(join(folder, 'one'), target)
    const company = done.companies.find((one: { company_id: string }) => one.company_id === shop.company.id)
    expect(company).toMatchObject({ ok: true, failures: [] })
    const checked = Object.fromEntries(
      company.checks.map((one: { check: string; checked: number }) => [one.check, one.checked]),
    )
    expect(checked.records).toBeGreaterThanOrEqual(before.length)
    expect(checked.attachments).toBe(done.files)
    expect(existsSync(join(target.dataDir, 'restore.part'))).toBe(false)
  })

  if (!LONG && kind === 'postgres') {
    it.skip('continues after a restore, and survives killed programs: on PostgreSQL only with npm run test:long', () => {})
    return
  }

  it('has every acknowledged invoice, continues with the next number, and has an intact chain', async () => {
    const server = await serve(target)
    try {
      const { key, id } = shop.company
      const { json } = await server.call('GET', '/issued-invoices?limit=500&status=issued', { key })
      const numbers: string[] = json.items.map(({ number }: { number: string }) => number)
      for (const number of before.slice(-100)) expect(numbers).toContain(number)
      const { json: saved } = await server.call('PUT', '/drafts', { key, body: draft({ series: 'F' }) })
      const issued = await server.call('POST', `/issued-invoices/${saved.id}/issue`, { key })
      expect(issued.json.number).toBe(`F${String(json.total + 1).padStart(6, '0')}`)
      const rows = await (await server.store())
        .of(id)
        .select('verifactu_records')
        .select('record')
        .orderBy('sequence')
        .execute()
      expect(rows).toHaveLength(json.total + 1)
      expect(verifyChain(rows.map(({ record }): FiscalRecord => JSON.parse(record))).items).toEqual([])
      expect(await administer(server, ['verify'])).toMatchObject({ status: 0, stderr: '' })
    } finally {
      await server.stop()
    }
  })

  it('leaves no incomplete backup under its name when killed, and can be made again', async () => {
    const out = join(folder, 'two')
    for (const after of LONG ? [0, 10, 20, 30, 60] : [30]) {
      const part = () => partsIn(folder).length > 0
      await killedWhen(shop.server, ['backup', '--out', out], part, after)
      expect(existsSync(out) && !existsSync(join(out, 'manifest.json'))).toBe(false)
    }
    if (!existsSync(out)) {
      const next = await administer(shop.server, ['backup', '--out', out])
      expect([next.status, next.stderr]).toEqual([0, ''])
    }
    expect(readdirSync(out).sort()).toEqual(['files', 'files.ndjson.gz', 'manifest.json', 'tables'])
  })

  itInAll(
    'is restored by the same command again after a killed restore, and no server starts in between',
    async () => {
      for (const after of LONG ? [0, 20, 40, 80, 160, 320] : [40]) {
        const target = await emptyTarget(into, join(folder, `killed-${after}`))
        const part = join(target.dataDir, 'restore.part')
        await killedWhen(target, ['restore', '--from', join(folder, 'two')], () => existsSync(part), after)
        if (existsSync(part)) {
          await expect(serve(target)).rejects.toThrow('contains an unfinished restore')
          const { status, stderr } = await administer(target, ['company', 'list'])
          expect([status, stderr]).toEqual([1, expect.stringContaining('contains an unfinished restore')])
          const again = await administer(target, ['restore', '--from', join(folder, 'two'), '--json'])
          expect([again.status, again.stderr]).toEqual([0, ''])
        }
        await expect(serve(target)).rejects.toThrow('restore --accept')
        const accepted = await administer(target, ['restore', '--accept', '--anyway'])
        expect([accepted.status, accepted.stderr]).toEqual([0, ''])
        expect(await administer(target, ['verify'])).toMatchObject({ status: 0, stderr: '' })
      }
    },
  )
}
