/** What goes wrong with collections and payments: nothing is told twice, nothing is lost, and what was rejected is shown. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CanonicalInvoice } from '../../../src/invoice/index.ts'
import { openCertificate } from '../../../src/server/service/company/certificates.ts'
import { accrueAll } from '../../../src/server/service/sii/cash-basis/accruals.ts'
import { sendAgain } from '../../../src/server/service/sii/sending/sender.ts'
import { documentOf } from '../../../src/server/store/invoices.ts'
import { deletionRecord, siiXml, submission } from '../../../src/sii/index.ts'
import { messageOf, recordOf } from '../../sii/invoices.ts'
import { Rig, TAX_ID } from './rig.ts'

let rig: Rig
beforeAll(async () => {
  rig = await Rig.open({ day: '2026-02-02' })
  // Keys of certificates take their time.
}, 60_000)
afterAll(() => rig?.close())

/** An invoice that the authority has. */
async function registered(base = 1000): Promise<{ id: string; number: string }> {
  const id = await rig.issue(base)
  await rig.drain()
  const { json } = await rig.http('GET', `/issued-invoices/${id}`)
  return { id, number: json.number }
}

const heldOf = (number: string, book: 'ISSUED' | 'RECEIVED' = 'ISSUED') =>
  rig.held(book).filter((one) => one.number === number)
const amountsOf = (number: string, book: 'ISSUED' | 'RECEIVED' = 'ISSUED') =>
  heldOf(number, book).map(({ amount }) => amount)
const movementsOf = async (id: string) =>
  (await rig.movements()).filter(({ invoice_id }) => invoice_id === id)
const statusesOf = async (id: string) => (await movementsOf(id)).map(({ status }) => status)
const listed = async (id: string, what = 'collection') =>
  (await rig.admin(what, 'list', '--invoice', id, '--json')).json

const LOST = { kind: 'lost_answer', service: 'sii', operation: 'submission', times: 1 } as const

describe('what the SII would refuse', () => {
  it('is refused when it is noted, and nothing is written', async () => {
    const { id } = await registered()
    await rig.collect(id, '1000.00')
    const refused: [string, string, RegExp][] = [
      ['210.01', '2026-02-02', /add up to 1210\.01, more than the 1210/],
      ['-1000.01', '2026-02-02', /takes back no more than what was collected, 1000\.00 EUR/],
      ['10.00', '2026-02-01', /earlier than the operation/],
      ['10.00', '2026-02-03', /is after today/],
    ]
    for (const [amount, date, words] of refused) {
      const { status, err } = await rig.collect(id, amount, date)
      expect(status).toBe(1)
      expect(err).toMatch(words)
    }
    await rig.collect(id, '-1000.00')
    await rig.collect(id, '1210.00')
    expect((await listed(id)).map(({ amount }: { amount: number }) => amount)).toEqual([1000, -1000, 1210])
    const cancelled = (await listed(id))[0].id
    const { err } = await rig.admin('collection', 'cancel', '--collection', cancelled)
    expect(err).toBe('')
    await rig.drain()
  })

  it('of an invoice without key 07, and of a company outside the SII, is a note', async () => {
    const supplier = await rig.receive('P-NOTE', 100, { key: '01' })
    expect((await rig.pay(supplier, '500.00')).json).toMatchObject({ amount: 500, sii: null })
    const left = { fiscal_systems: { sii_in_plan: false } }
    const before = await rig.store.select('companies').select('data').executeTakeFirstOrThrow()
    const write = (data: string) => rig.store.transaction((tx) => tx.update('companies', { data }).execute())
    await write(JSON.stringify({ ...JSON.parse(before.data), ...left }))
    const outside = await rig.issue(100)
    await write(before.data)
    expect((await rig.collect(outside, '121.00')).json).toMatchObject({ amount: 121, sii: null })
    await rig.drain()
    expect([...(await statusesOf(supplier)), ...(await statusesOf(outside))]).toEqual([])
  })

  it('an account is told as it was noted, and is no longer than the SII takes', async () => {
    const { id } = await registered()
    const add = (account: string) =>
      rig.admin(
        ...['collection', 'add', '--invoice', id, '--date', '2026-02-02', '--amount', '1.00'],
        ...['--method', '04', '--account', account],
      )
    expect((await add('x'.repeat(35))).err).toContain('1 to 34 characters')
    expect((await add('ES9121000418450200051332')).status).toBe(0)
    await rig.drain()
    const [last] = (await rig.submissions()).slice(-1)
    expect(last?.xml).toContain('<sii:Cuenta_O_Medio>ES9121000418450200051332</sii:Cuenta_O_Medio>')
  })
})

describe('an answer that is lost', () => {
  it('of a collection that arrived is asked for, and the collection is not doubled', async () => {
    const { id, number } = await registered()
    await rig.collect(id, '100.00')
    await rig.simulator.control.inject(LOST)
    await rig.drain()
    expect(amountsOf(number)).toEqual(['100.00'])
    expect(await statusesOf(id)).toEqual(['accepted'])
    const [last] = (await rig.submissions()).slice(-1)
    expect(last).toMatchObject({
      kind: 'COLLECTIONS',
      global_status: 'accepted',
      csv: expect.stringMatching(/^A-/),
    })
  })

  it('of one that did not arrive sends it again, once', async () => {
    const { id, number } = await registered()
    await rig.collect(id, '100.00')
    await rig.simulator.control.inject({ ...LOST, stored: false })
    await rig.drain()
    expect(amountsOf(number)).toEqual(['100.00'])
    expect(await statusesOf(id)).toEqual(['accepted'])
  })

  it.each([true, false])(
    'of the second of two that are alike: both are there (arrived: %s)',
    async (stored) => {
      const { id, number } = await registered()
      await rig.collect(id, '100.00')
      await rig.drain()
      await rig.collect(id, '100.00')
      await rig.simulator.control.inject({ ...LOST, stored })
      await rig.drain()
      expect(amountsOf(number)).toEqual(['100.00', '100.00'])
      expect(await statusesOf(id)).toEqual(['accepted', 'accepted'])
    },
  )

  it('of a payment to a supplier, too', async () => {
    const id = await rig.receive('P-LOST', 1000)
    await rig.drain()
    await rig.pay(id, '1210.00')
    await rig.simulator.control.inject(LOST)
    await rig.drain()
    expect(amountsOf('P-LOST', 'RECEIVED')).toEqual(['1210.00'])
    expect(await statusesOf(id)).toEqual(['accepted'])
  })

  it.each([
    [true, ['100.00', '-100.00'], ['accepted', 'accepted']],
    [false, [], []],
  ] as const)(
    'of one whose invoice is cancelled meanwhile: it is taken back if it arrived (%s), and else never told',
    async (stored, amounts, statuses) => {
      const { id, number } = await registered()
      await rig.collect(id, '100.00')
      await rig.simulator.control.inject({ ...LOST, stored })
      expect((await rig.work()).is).toBe('later')
      expect((await rig.http('POST', `/issued-invoices/${id}/cancel`)).status).toBe(200)
      await rig.drain()
      expect(amountsOf(number)).toEqual(amounts)
      expect(await statusesOf(id)).toEqual(statuses)
    },
  )
})

describe('a collection that is rejected', () => {
  it('is shown with its reason, and goes again when somebody says so', async () => {
    const { id, number } = await registered()
    await rig.collect(id, '100.00')
    await rig.simulator.control.inject({ kind: 'reject', code: 1110, number, times: 1 })
    await rig.drain()
    expect(await statusesOf(id)).toEqual(['rejected'])
    const { out } = await rig.admin('collection', 'list', '--open')
    expect(out).toMatch(/rejected \(1110\)/)
    expect(out).toContain('`collection resend`')
    expect((await rig.admin('verify')).out).toContain('rejected: 1.')
    expect((await rig.admin('collection', 'resend', '--json')).json).toEqual({ resent: 1 })
    await rig.drain()
    expect(amountsOf(number)).toEqual(['100.00'])
    expect((await rig.admin('collection', 'resend')).out).toContain('Nothing was rejected')
  })

  it('and cancelled here is not taken back from the authority, which never had it', async () => {
    const { id, number } = await registered()
    const { json } = await rig.collect(id, '100.00')
    await rig.simulator.control.inject({ kind: 'reject', code: 1110, number, times: 1 })
    await rig.drain()
    expect((await rig.admin('collection', 'cancel', '--collection', json.id)).status).toBe(0)
    await rig.collect(id, '70.00')
    await rig.drain()
    expect(amountsOf(number)).toEqual(['70.00'])
    expect((await rig.admin('collection', 'cancel', '--collection', json.id)).err).toContain(
      'cancelled already',
    )
  })

  it('leaves the others of its message alone', async () => {
    const all = [await registered(), await registered(), await registered()]
    for (const { id } of all) await rig.collect(id, '100.00')
    await rig.simulator.control.inject({ kind: 'partial', service: 'sii', times: 1 })
    await rig.drain()
    const statuses = (await Promise.all(all.map(({ id }) => statusesOf(id)))).flat()
    expect(statuses.filter((status) => status === 'accepted')).toHaveLength(2)
    expect(statuses.filter((status) => status === 'rejected')).toHaveLength(1)
    await rig.admin('collection', 'resend')
    await rig.drain()
    for (const { number } of all) expect(amountsOf(number)).toEqual(['100.00'])
  })

  it('because another program has deleted its invoice goes by itself once that is registered again', async () => {
    const { id, number } = await registered()
    await deleteElsewhere(id)
    await rig.collect(id, '100.00')
    await rig.drain()
    expect((await listed(id))[0].sii).toMatchObject({ status: 'rejected', error_code: '3003' })
    expect((await listed(id))[0].sii.mend.es).toContain('ha dado de baja la factura')
    // What is missing shows itself at the first modification, and then goes as a registration.
    for (let times = 0; times < 2; times++) {
      rig.now += 1000
      await sendAgain(rig.app, rig.store, id)
      await rig.drain()
    }
    expect(amountsOf(number)).toEqual(['100.00'])
    expect(await statusesOf(id)).toEqual(['accepted'])
  })

  it('because of its invoice says what to do, in both languages', async () => {
    const issued = [await rig.issue(100), await rig.issue(100), await rig.issue(100)]
    const bought = [await rig.receive('P-3006', 100), await rig.receive('P-3007', 100)]
    await rig.drain()
    const cases = [
      ...['3002', '3005', '3011'].map((code, index) => ({
        code,
        id: issued[index] ?? '',
        what: 'collection',
      })),
      ...['3006', '3007'].map((code, index) => ({ code, id: bought[index] ?? '', what: 'payment' })),
    ]
    for (const { id, what, code } of cases) {
      const { json } = await (what === 'payment' ? rig.pay(id, '10.00') : rig.collect(id, '10.00'))
      await rig.simulator.control.inject({
        kind: 'reject',
        code: Number(code),
        number: json.number,
        times: 1,
      })
    }
    await rig.drain()
    for (const { id, what, code } of cases) {
      const [{ sii }] = await listed(id, what)
      expect(sii).toMatchObject({ status: 'rejected', error_code: code })
      expect(sii.mend.en).toMatch(/[Rr]egister|key 07/)
      expect(sii.mend.es).toMatch(/[Rr]eg[ií]str|clave 07/)
    }
    for (const what of ['collection', 'payment']) await rig.admin(what, 'resend')
    await rig.drain()
    for (const { id } of cases) expect(await statusesOf(id)).toEqual(['accepted'])
  })

  it('waits as long as its invoice is not registered', async () => {
    const id = await rig.issue(1000)
    const { json } = await rig.http('GET', `/issued-invoices/${id}`)
    await rig.simulator.control.inject({ kind: 'reject', code: 1100, number: json.number, times: 1 })
    await rig.collect(id, '100.00')
    await rig.drain()
    expect(amountsOf(json.number)).toEqual([])
    expect((await listed(id))[0].sii).toMatchObject({ status: 'pending', waits_for_invoice: true })
    await sendAgain(rig.app, rig.store, id)
    await rig.drain()
    expect(amountsOf(json.number)).toEqual(['100.00'])
  })
})

/** Deletes an invoice at the authority past the server. */
async function deleteElsewhere(id: string): Promise<void> {
  const { canonical } = await documentOf(rig.store, id)
  const record = recordOf(deletionRecord(JSON.parse(canonical ?? '') as CanonicalInvoice))
  const holder = { name: 'Empresa de Pruebas, S.L.', nif: TAX_ID }
  const message = messageOf(submission({ book: 'ISSUED', operation: 'BAJA', holder, records: [record] }))
  const [certificate] = await rig.store.select('certificates').select('certificate_id').execute()
  const opened = await openCertificate(rig.store, rig.app, certificate?.certificate_id ?? 0)
  const outcome = await rig.app.authority.send(
    { service: 'sii', book: 'issued', operation: 'submission', xml: siiXml(message), sandbox: true },
    opened,
  )
  expect(outcome).toMatchObject({ kind: 'answered', answer: { global_status: 'accepted' } })
}

describe('31 December', () => {
  it('with nobody there until March: the record has that day, and its deadline is past', async () => {
    const { id, number } = await registered()
    await rig.collect(id, '210.00')
    await rig.drain()
    rig.goTo('2028-03-10')
    // Two processes that look at the same moment write it once.
    await Promise.all([accrueAll(rig.app), accrueAll(rig.app)])
    expect((await rig.admin('verify')).out).toMatch(/had to be told of them: \d+\./)
    await rig.drain()
    expect(heldOf(number)).toEqual([
      expect.objectContaining({ amount: '210.00' }),
      { number, date: '2027-12-31', amount: '1000.00', means: '03' },
    ])
    await rig.drain()
    expect((await movementsOf(id)).filter(({ kind }) => kind === 'accrual')).toHaveLength(1)
  })

  it('with the authority down across New Year: nothing is lost, nothing comes twice', async () => {
    rig.goTo('2028-06-01')
    const { id, number } = await registered(100)
    rig.goTo('2029-12-30')
    const down = await rig.simulator.control.inject({ kind: 'down' })
    await rig.collect(id, '21.00')
    expect((await rig.work()).is).toBe('later')
    rig.goTo('2030-01-01', '00:10:00')
    expect((await rig.work()).is).toBe('later')
    rig.goTo('2030-01-03')
    await rig.work()
    expect(amountsOf(number)).toEqual([])
    await rig.simulator.control.clear(down)
    rig.goTo('2030-01-04')
    await rig.drain()
    expect(heldOf(number)).toEqual([
      { number, date: '2029-12-30', amount: '21.00', means: '01' },
      { number, date: '2029-12-31', amount: '100.00', means: '03' },
    ])
    const deadlines = (await movementsOf(id)).map(({ date, deadline }) => [date, deadline])
    expect(deadlines).toEqual([
      ['2029-12-30', '2030-01-04'],
      ['2029-12-31', '2030-01-07'],
    ])
  })

  it('of which the answer is lost: asked for, and not doubled', async () => {
    rig.goTo('2030-06-03')
    const { id, number } = await registered(100)
    rig.goTo('2032-01-02')
    await rig.simulator.control.inject(LOST)
    await rig.drain()
    expect(heldOf(number)).toEqual([{ number, date: '2031-12-31', amount: '121.00', means: '03' }])
    expect(await statusesOf(id)).toEqual(['accepted'])
  })
})
