/**
 * A year of a company under cash basis: invoices issued and received with key 07, collected and paid in parts,
 * corrected and cancelled, and the rest on 31 December of the next year. Over HTTP and the administrator's commands,
 * against the simulator. Each step builds on the previous ones.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { figure } from '#test/figures.ts'
import { officialSchema } from '#test/records/sii/schema.ts'
import { CashBasisFixture, type Stored } from './fixture.ts'

let fixture: CashBasisFixture
beforeAll(async () => {
  fixture = await CashBasisFixture.open({ day: '2026-02-02' })
  // Generating keys of certificates is slow.
}, 60_000)
afterAll(() => fixture?.close())

const ids: Record<string, string> = {}
const idOf = (name: string): string => ids[name] ?? ''
const noted = async (ran: ReturnType<CashBasisFixture['collect']>) => {
  const { status, err, json } = await ran
  expect(err).toBe('')
  expect(status).toBe(0)
  return json
}
const statesOf = async () =>
  (await fixture.movements()).map(({ date, amount, kind, status }) => [date, amount, kind, status])
const last = (book: 'ISSUED' | 'RECEIVED') => fixture.held(book).at(-1)
const inOrder = (all: readonly Stored[]) =>
  [...all].sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))

describe('a year under cash basis', () => {
  it('an invoice is registered before its collection of the same day', async () => {
    ids.parts = await fixture.issueFor(1000)
    const { sii } = await noted(fixture.collect(idOf('parts'), '200.00'))
    expect(sii).toEqual({ status: 'pending', deadline: '2026-02-06' })
    const { json } = await fixture.admin('collection', 'list', '--json')
    expect(json[0].sii).toMatchObject({ waits_for_invoice: true, days_remaining: 4 })
    await fixture.drain()
    const submissions = await fixture.submissions()
    expect(submissions.map(({ kind, operation_type }) => [kind, operation_type])).toEqual([
      ['ISSUED', 'A0'],
      ['COLLECTIONS', 'COBROS'],
    ])
    expect(fixture.held('ISSUED')).toEqual([
      { number: 'F000001', date: '2026-02-02', amount: '200.00', means: '01' },
    ])
  })

  it('parts are collected by different means, and a returned cheque is subtracted', async () => {
    fixture.goTo('2026-03-10')
    await noted(fixture.collect(idOf('parts'), '300.00', '2026-03-09', '02'))
    await noted(fixture.collect(idOf('parts'), '610.00', '2026-03-10', '11'))
    await fixture.drain()
    fixture.goTo('2026-03-12')
    await noted(fixture.collect(idOf('parts'), '-100.00', '2026-03-12', '11'))
    await fixture.drain()
    expect(fixture.held('ISSUED').slice(1)).toEqual([
      { number: 'F000001', date: '2026-03-09', amount: '300.00', means: '05' },
      { number: 'F000001', date: '2026-03-10', amount: '610.00', means: '02' },
      { number: 'F000001', date: '2026-03-12', amount: '-100.00', means: '02' },
    ])
  })

  it('payments to suppliers with key 07 are reported, others are not', async () => {
    fixture.goTo('2026-04-01')
    ids.paid = await fixture.receive('P-1', 1000)
    ids.owed = await fixture.receive('P-2', 500)
    ids.plain = await fixture.receive('P-3', 100, { key: '01' })
    await noted(fixture.pay(idOf('paid'), '605.00'))
    expect(await noted(fixture.pay(idOf('plain'), '121.00'))).toMatchObject({ sii: null })
    await fixture.drain()
    fixture.goTo('2026-06-01')
    await noted(fixture.pay(idOf('paid'), '605.00', '2026-06-01', '02'))
    fixture.goTo('2026-12-30')
    await noted(fixture.pay(idOf('owed'), '100.00'))
    await fixture.drain()
    expect(fixture.held('RECEIVED')).toEqual([
      { number: 'P-1', date: '2026-04-01', amount: '605.00', means: '01' },
      { number: 'P-1', date: '2026-06-01', amount: '605.00', means: '05' },
      { number: 'P-2', date: '2026-12-30', amount: '100.00', means: '01' },
    ])
  })

  it('cancelling an invoice reverses its collections', async () => {
    ids.cancelled = await fixture.issueFor(100)
    ids.never = await fixture.issueFor(2000)
    await noted(fixture.collect(idOf('cancelled'), '121.00'))
    await fixture.drain()
    expect(last('ISSUED')).toMatchObject({ amount: '121.00' })
    fixture.goTo('2027-01-11')
    expect((await fixture.http('POST', `/issued-invoices/${idOf('cancelled')}/cancel`)).status).toBe(200)
    await fixture.drain()
    expect(last('ISSUED')).toEqual({ number: 'F000002', date: '2027-01-11', amount: '-121.00', means: '01' })
    const { json } = await fixture.admin('collection', 'list', '--invoice', idOf('cancelled'), '--json')
    expect(
      json.map((row: { kind: string; cancelled_at: string | null }) => [row.kind, row.cancelled_at !== null]),
    ).toEqual([
      ['paid', true],
      ['correction', false],
    ])
  })

  it('nothing accrues during the last day in Madrid, and the whole rest accrues afterwards', async () => {
    fixture.goTo('2027-03-01')
    await noted(fixture.collect(idOf('parts'), '150.00'))
    await fixture.drain()
    fixture.goTo('2027-12-31', '23:59:00')
    await fixture.drain()
    expect((await fixture.movements()).filter(({ kind }) => kind === 'accrual')).toEqual([])
    fixture.goTo('2028-01-01', '00:00:30')
    await fixture.drain()
    const accruals = (await fixture.movements()).filter(({ kind }) => kind === 'accrual')
    expect(
      accruals
        .map(({ invoice_id, amount, date, deadline, status }) => [invoice_id, amount, date, deadline, status])
        .sort(),
    ).toEqual(
      [
        [idOf('parts'), 50, '2027-12-31', '2028-01-07', 'accepted'],
        [idOf('never'), 2420, '2027-12-31', '2028-01-07', 'accepted'],
        [idOf('owed'), 505, '2027-12-31', '2028-01-07', 'accepted'],
      ].sort(),
    )
    expect(inOrder(fixture.held('ISSUED').slice(-2))).toEqual([
      { number: 'F000001', date: '2027-12-31', amount: '50.00', means: '03' },
      { number: 'F000003', date: '2027-12-31', amount: '2420.00', means: '03' },
    ])
    expect(last('RECEIVED')).toEqual({ number: 'P-2', date: '2027-12-31', amount: '505.00', means: '03' })
  })

  it('a later collection is stored and not reported', async () => {
    fixture.goTo('2028-02-01')
    const before = fixture.held('ISSUED').length
    expect(await noted(fixture.collect(idOf('never'), '2420.00'))).toMatchObject({ amount: 2420, sii: null })
    await fixture.drain()
    expect(fixture.held('ISSUED')).toHaveLength(before)
    const { out } = await fixture.admin('collection', 'list', '--invoice', idOf('never'))
    expect(out).toMatch(/2028-02-01 +2420\.00 .* not reported/)
    expect(out).toMatch(/accrual .* 2027-12-31 +2420\.00 .* accepted +2028-01-07/)
  })

  it('a collection registered late for an earlier day is reported, and reduces the accrual', async () => {
    await noted(fixture.collect(idOf('parts'), '20.00', '2027-12-28'))
    await fixture.drain()
    expect(inOrder(fixture.held('ISSUED').slice(-2))).toEqual([
      { number: 'F000001', date: '2027-12-28', amount: '20.00', means: '01' },
      { number: 'F000001', date: '2027-12-31', amount: '-20.00', means: '03' },
    ])
  })

  it('the authority has every total once', async () => {
    expect((await statesOf()).filter(([, , , status]) => status !== 'accepted')).toEqual([])
    for (const [book, name] of [
      ['ISSUED', 'collection'],
      ['RECEIVED', 'payment'],
    ] as const) {
      const { json } = await fixture.admin(name, 'list', '--json')
      const ours = json.flatMap(
        (row: { number: string; date: string; amount: number; sii: object | null }) =>
          row.sii ? [`${row.number} ${row.date} ${row.amount.toFixed(2)}`] : [],
      )
      const theirs = fixture.held(book).map(({ number, date, amount }) => `${number} ${date} ${amount}`)
      expect(theirs.sort()).toEqual(ours.sort())
      const totals = new Map<string, number>()
      for (const { number, amount } of fixture.held(book))
        totals.set(number, Math.round(((totals.get(number) ?? 0) + Number(amount)) * 100) / 100)
      expect(Object.fromEntries(totals)).toEqual(
        book === 'ISSUED' ? { F000001: 1210, F000002: 0, F000003: 2420 } : { 'P-1': 1210, 'P-2': 605 },
      )
    }
    const verified = await fixture.admin('verify')
    expect(verified.status, verified.out + verified.err).toBe(0)
    expect(verified.out).not.toMatch(/past their SII|SII accepted with other|rejected by the SII/)
  })

  it.skipIf(!officialSchema)(
    'every message and every response is valid against the official schemas',
    async () => {
      const check = officialSchema!()
      const submissions = await fixture.submissions()
      const kinds = new Set(submissions.map(({ kind }) => kind))
      expect([...kinds].sort()).toEqual(['COLLECTIONS', 'ISSUED', 'PAYMENTS', 'RECEIVED'])
      for (const { xml, xml_response } of submissions) {
        expect(check(xml ?? '')).toEqual([])
        expect(check(xml_response ?? '')).toEqual([])
      }
      figure(`${submissions.length} messages of a cash-basis year valid, with their answers`)
    },
  )
})
