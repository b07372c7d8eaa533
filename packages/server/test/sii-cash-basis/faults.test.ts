/** Failures with collections and payments: nothing is reported twice or lost, and rejections are shown. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deletionRecord, readResponse, siiXml, submission } from '#records/sii/index.ts'
import { messageOf, recordOf } from '#test/records/sii/invoices.ts'
import { openCertificate } from '../../src/service/company/certificates.ts'
import { registerAllAccruals } from '../../src/service/sii/cash-basis/accruals.ts'
import { resendInvoice } from '../../src/service/sii/sending/sii-sender.ts'
import { documentOf } from '../../src/store/invoices.ts'
import { TAX_ID } from '../service/transmission/fixture.ts'
import { CashBasisFixture } from './fixture.ts'

let fixture: CashBasisFixture
beforeAll(async () => {
  fixture = await CashBasisFixture.open({ day: '2026-02-02' })
  // Generating keys of certificates is slow.
}, 60_000)
afterAll(() => fixture?.close())

/** Issues an invoice that the authority registers. */
async function registered(base = 1000): Promise<{ id: string; number: string }> {
  const id = await fixture.issueFor(base)
  await fixture.drain()
  return { id, number: (await fixture.http('GET', `/issued-invoices/${id}`)).json.number }
}

const heldOf = (number: string, book: 'ISSUED' | 'RECEIVED' = 'ISSUED') =>
  fixture.held(book).filter((one) => one.number === number)
const amountsOf = (number: string, book: 'ISSUED' | 'RECEIVED' = 'ISSUED') =>
  heldOf(number, book).map(({ amount }) => amount)
const movementsOf = async (id: string) =>
  (await fixture.movements()).filter(({ invoice_id }) => invoice_id === id)
const statusesOf = async (id: string) => (await movementsOf(id)).map(({ status }) => status)
const listed = async (id: string, what = 'collection') =>
  (await fixture.admin(what, 'list', '--invoice', id, '--json')).json

const LOST = { kind: 'lost_response', service: 'sii', operation: 'submission', times: 1 } as const

describe('a payment that the SII would reject', () => {
  it('is rejected when it is registered, and nothing is written', async () => {
    const { id } = await registered()
    await fixture.collect(id, '1000.00')
    const refused: [string, string, RegExp][] = [
      ['210.01', '2026-02-02', /add up to 1210\.01, more than the 1210/],
      ['-1000.01', '2026-02-02', /cannot exceed the amount collected, 1000\.00 EUR/],
      ['10.00', '2026-02-01', /earlier than the operation/],
      ['10.00', '2026-02-03', /in the future/],
    ]
    for (const [amount, date, message] of refused) {
      const { status, err } = await fixture.collect(id, amount, date)
      expect(status).toBe(1)
      expect(err).toMatch(message)
    }
    await fixture.collect(id, '-1000.00')
    await fixture.collect(id, '1210.00')
    expect((await listed(id)).map(({ amount }: { amount: number }) => amount)).toEqual([1000, -1000, 1210])
    const cancelled = (await listed(id))[0].id
    const { err } = await fixture.admin('collection', 'cancel', '--collection', cancelled)
    expect(err).toBe('')
    await fixture.drain()
  })

  it('is only stored for an invoice without key 07 or a company outside the SII', async () => {
    const supplier = await fixture.receive('P-NOTE', 100, { key: '01' })
    expect((await fixture.pay(supplier, '500.00')).json).toMatchObject({ amount: 500, sii: null })
    const left = { fiscal_systems: { sii_in_plan: false } }
    const before = await fixture.store
      .select('companies')
      .select(['tax_id', 'data'])
      .executeTakeFirstOrThrow()
    const write = (data: string) =>
      fixture.store.transaction((tx) => tx.update('companies', { tax_id: before.tax_id, data }).execute())
    await write(JSON.stringify({ ...JSON.parse(before.data), ...left }))
    const outside = await fixture.issueFor(100)
    await write(before.data)
    expect((await fixture.collect(outside, '121.00')).json).toMatchObject({ amount: 121, sii: null })
    await fixture.drain()
    expect([...(await statusesOf(supplier)), ...(await statusesOf(outside))]).toEqual([])
  })

  it('an account is reported as registered, and is limited to the length that the SII accepts', async () => {
    const { id } = await registered()
    const add = (account: string) =>
      fixture.admin(
        ...['collection', 'add', '--invoice', id, '--date', '2026-02-02', '--amount', '1.00'],
        ...['--method', '04', '--account', account],
      )
    expect((await add('x'.repeat(35))).err).toContain('1 to 34 characters')
    expect((await add('ES9121000418450200051332')).status).toBe(0)
    await fixture.drain()
    const [last] = (await fixture.submissions()).slice(-1)
    expect(last?.xml).toContain('<sii:Cuenta_O_Medio>ES9121000418450200051332</sii:Cuenta_O_Medio>')
  })
})

describe('a lost response', () => {
  it('to a collection that arrived is queried, and the collection is not reported twice', async () => {
    const { id, number } = await registered()
    await fixture.collect(id, '100.00')
    await fixture.simulator.control.inject(LOST)
    await fixture.drain()
    expect(amountsOf(number)).toEqual(['100.00'])
    expect(await statusesOf(id)).toEqual(['accepted'])
    const [last] = (await fixture.submissions()).slice(-1)
    expect(last).toMatchObject({
      kind: 'COLLECTIONS',
      global_status: 'accepted',
      csv: expect.stringMatching(/^A-/),
    })
  })

  it('to a collection that did not arrive causes one retry', async () => {
    const { id, number } = await registered()
    await fixture.collect(id, '100.00')
    await fixture.simulator.control.inject({ ...LOST, stored: false })
    await fixture.drain()
    expect(amountsOf(number)).toEqual(['100.00'])
    expect(await statusesOf(id)).toEqual(['accepted'])
  })

  it.each([true, false])(
    'to the second of two equal collections leaves both reported (arrived: %s)',
    async (stored) => {
      const { id, number } = await registered()
      await fixture.collect(id, '100.00')
      await fixture.drain()
      await fixture.collect(id, '100.00')
      await fixture.simulator.control.inject({ ...LOST, stored })
      await fixture.drain()
      expect(amountsOf(number)).toEqual(['100.00', '100.00'])
      expect(await statusesOf(id)).toEqual(['accepted', 'accepted'])
    },
  )

  it('to a payment to a supplier is handled likewise', async () => {
    const id = await fixture.receive('P-LOST', 1000)
    await fixture.drain()
    await fixture.pay(id, '1210.00')
    await fixture.simulator.control.inject(LOST)
    await fixture.drain()
    expect(amountsOf('P-LOST', 'RECEIVED')).toEqual(['1210.00'])
    expect(await statusesOf(id)).toEqual(['accepted'])
  })

  it.each([
    [true, ['100.00', '-100.00'], ['accepted', 'accepted']],
    [false, [], []],
  ] as const)(
    'to a collection of an invoice cancelled meanwhile: reversed if it arrived (%s), else never reported',
    async (stored, amounts, statuses) => {
      const { id, number } = await registered()
      await fixture.collect(id, '100.00')
      await fixture.simulator.control.inject({ ...LOST, stored })
      expect((await fixture.work()).is).toBe('later')
      expect((await fixture.http('POST', `/issued-invoices/${id}/cancel`)).status).toBe(200)
      await fixture.drain()
      expect(amountsOf(number)).toEqual(amounts)
      expect(await statusesOf(id)).toEqual(statuses)
    },
  )
})

describe('a rejected collection', () => {
  it('is shown with its reason, and is sent again on request', async () => {
    const { id, number } = await registered()
    await fixture.collect(id, '100.00')
    await fixture.simulator.control.inject({ kind: 'reject', code: 1110, number, times: 1 })
    await fixture.drain()
    expect(await statusesOf(id)).toEqual(['rejected'])
    const { out } = await fixture.admin('collection', 'list', '--open')
    expect(out).toMatch(/rejected \(1110\)/)
    expect(out).toContain('`collection resend`')
    expect((await fixture.admin('verify')).out).toContain('rejected by the SII: 1.')
    expect((await fixture.admin('collection', 'resend', '--json')).json).toEqual({ resent: 1 })
    await fixture.drain()
    expect(amountsOf(number)).toEqual(['100.00'])
    expect((await fixture.admin('collection', 'resend')).out).toContain('Nothing to send again')
  })

  it('that is cancelled is not reversed at the authority, which never had it', async () => {
    const { id, number } = await registered()
    const { json } = await fixture.collect(id, '100.00')
    await fixture.simulator.control.inject({ kind: 'reject', code: 1110, number, times: 1 })
    await fixture.drain()
    expect((await fixture.admin('collection', 'cancel', '--collection', json.id)).status).toBe(0)
    await fixture.collect(id, '70.00')
    await fixture.drain()
    expect(amountsOf(number)).toEqual(['70.00'])
    expect((await fixture.admin('collection', 'cancel', '--collection', json.id)).err).toContain(
      'already cancelled',
    )
  })

  it('does not affect the others of its message', async () => {
    const all = [await registered(), await registered(), await registered()]
    for (const { id } of all) await fixture.collect(id, '100.00')
    await fixture.simulator.control.inject({ kind: 'partial', service: 'sii', times: 1 })
    await fixture.drain()
    const statuses = (await Promise.all(all.map(({ id }) => statusesOf(id)))).flat()
    expect(statuses.filter((status) => status === 'accepted')).toHaveLength(2)
    expect(statuses.filter((status) => status === 'rejected')).toHaveLength(1)
    await fixture.admin('collection', 'resend')
    await fixture.drain()
    for (const { number } of all) expect(amountsOf(number)).toEqual(['100.00'])
  })

  it('whose invoice another program deleted is sent once the invoice is registered again', async () => {
    const { id, number } = await registered()
    await deleteElsewhere(id)
    await fixture.collect(id, '100.00')
    await fixture.drain()
    expect((await listed(id))[0].sii).toMatchObject({ status: 'rejected', error_code: '3003' })
    expect((await listed(id))[0].sii.fix.es).toContain('ha dado de baja la factura')
    // The first modification reveals that the record is missing, and is then sent as a registration.
    for (let times = 0; times < 2; times++) {
      fixture.now += 1000
      await resendInvoice(fixture.app, fixture.store, id)
      await fixture.drain()
    }
    expect(amountsOf(number)).toEqual(['100.00'])
    expect(await statusesOf(id)).toEqual(['accepted'])
  })

  it('because of its invoice has an instruction in both languages', async () => {
    const issued = [await fixture.issueFor(100), await fixture.issueFor(100), await fixture.issueFor(100)]
    const bought = [await fixture.receive('P-3006', 100), await fixture.receive('P-3007', 100)]
    await fixture.drain()
    const cases = [
      ...['3002', '3005', '3011'].map((code, index) => ({
        code,
        id: issued[index] ?? '',
        what: 'collection',
      })),
      ...['3006', '3007'].map((code, index) => ({ code, id: bought[index] ?? '', what: 'payment' })),
    ]
    for (const { id, what, code } of cases) {
      const { json } = await (what === 'payment' ? fixture.pay(id, '10.00') : fixture.collect(id, '10.00'))
      await fixture.simulator.control.inject({
        kind: 'reject',
        code: Number(code),
        number: json.number,
        times: 1,
      })
    }
    await fixture.drain()
    for (const { id, what, code } of cases) {
      const [{ sii }] = await listed(id, what)
      expect(sii).toMatchObject({ status: 'rejected', error_code: code })
      expect(sii.fix.en).toMatch(/[Rr]egister|key 07|regime key to 07/)
      expect(sii.fix.es).toMatch(/[Rr]eg[ií]str|clave 07|clave de régimen/)
    }
    for (const what of ['collection', 'payment']) await fixture.admin(what, 'resend')
    await fixture.drain()
    for (const { id } of cases) expect(await statusesOf(id)).toEqual(['accepted'])
  })

  it('waits until its invoice is registered', async () => {
    const id = await fixture.issueFor(1000)
    const { json } = await fixture.http('GET', `/issued-invoices/${id}`)
    await fixture.simulator.control.inject({ kind: 'reject', code: 1100, number: json.number, times: 1 })
    await fixture.collect(id, '100.00')
    await fixture.drain()
    expect(amountsOf(json.number)).toEqual([])
    expect((await listed(id))[0].sii).toMatchObject({ status: 'pending', waits_for_invoice: true })
    await resendInvoice(fixture.app, fixture.store, id)
    await fixture.drain()
    expect(amountsOf(json.number)).toEqual(['100.00'])
  })
})

/** Deletes an invoice at the authority, bypassing the server. */
async function deleteElsewhere(id: string): Promise<void> {
  const { canonical } = await documentOf(fixture.store, id)
  const record = recordOf(deletionRecord(JSON.parse(canonical ?? '')))
  const holder = { name: 'Empresa de Pruebas, S.L.', nif: TAX_ID }
  const message = messageOf(submission({ book: 'ISSUED', operation: 'BAJA', holder, records: [record] }))
  const [certificate] = await fixture.store.select('certificates').select('certificate_id').execute()
  const opened = await openCertificate(fixture.store, fixture.app, certificate?.certificate_id ?? 0)
  const outcome = await fixture.app.authority.send(
    { service: 'sii', book: 'issued', operation: 'submission', xml: siiXml(message), sandbox: true },
    opened,
  )
  const response = outcome.kind === 'answered' && readResponse(outcome.text)
  expect(response).toMatchObject({ ok: true, response: { global_status: 'accepted' } })
}

describe('an accrual on 31 December', () => {
  it('while no server runs until March has that date, and its deadline has passed', async () => {
    const { id, number } = await registered()
    await fixture.collect(id, '210.00')
    await fixture.drain()
    fixture.goTo('2028-03-10')
    // Two processes at once write it once.
    await Promise.all([registerAllAccruals(fixture.app), registerAllAccruals(fixture.app)])
    expect((await fixture.admin('verify')).out).toMatch(/past their SII deadline: \d+\./)
    await fixture.drain()
    expect(heldOf(number)).toEqual([
      expect.objectContaining({ amount: '210.00' }),
      { number, date: '2027-12-31', amount: '1000.00', means: '03' },
    ])
    await fixture.drain()
    expect((await movementsOf(id)).filter(({ kind }) => kind === 'accrual')).toHaveLength(1)
  })

  it('while the authority is down over New Year is neither lost nor duplicated', async () => {
    fixture.goTo('2028-06-01')
    const { id, number } = await registered(100)
    fixture.goTo('2029-12-30')
    const down = await fixture.simulator.control.inject({ kind: 'down' })
    await fixture.collect(id, '21.00')
    expect((await fixture.work()).is).toBe('later')
    fixture.goTo('2030-01-01', '00:10:00')
    expect((await fixture.work()).is).toBe('later')
    fixture.goTo('2030-01-03')
    await fixture.work()
    expect(amountsOf(number)).toEqual([])
    await fixture.simulator.control.clear(down)
    fixture.goTo('2030-01-04')
    await fixture.drain()
    expect(heldOf(number)).toEqual([
      { number, date: '2029-12-30', amount: '21.00', means: '01' },
      { number, date: '2029-12-31', amount: '100.00', means: '03' },
    ])
    expect((await movementsOf(id)).map(({ date, deadline }) => [date, deadline])).toEqual([
      ['2029-12-30', '2030-01-04'],
      ['2029-12-31', '2030-01-07'],
    ])
  })

  it('whose response is lost is queried and not reported twice', async () => {
    fixture.goTo('2030-06-03')
    const { id, number } = await registered(100)
    fixture.goTo('2032-01-02')
    await fixture.simulator.control.inject(LOST)
    await fixture.drain()
    expect(heldOf(number)).toEqual([{ number, date: '2031-12-31', amount: '121.00', means: '03' }])
    expect(await statusesOf(id)).toEqual(['accepted'])
  })
})
