/**
 * A year under cash basis as a company lives it: invoices issued and received with key 07, collected and paid in parts,
 * corrected, cancelled, and what is left on 31 December of the next year. Over HTTP, by the administrator's commands,
 * against the simulator. The steps follow each other.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { required } from '../../../src/errors/index.ts'
import { officialSchema } from '../../sii/schema.ts'
import { Rig, type Stored } from './rig.ts'

let rig: Rig
beforeAll(async () => {
  rig = await Rig.open({ day: '2026-02-02' })
  // Keys of certificates take their time.
}, 60_000)
afterAll(() => rig?.close())

const ids: Record<string, string> = {}
const idOf = (name: string): string => ids[name] ?? ''
const noted = async (ran: ReturnType<Rig['collect']>) => {
  const { status, err, json } = await ran
  expect(err).toBe('')
  expect(status).toBe(0)
  return json
}
const statesOf = async () =>
  (await rig.movements()).map(({ date, amount, kind, status }) => [date, amount, kind, status])
const last = (book: 'ISSUED' | 'RECEIVED') => rig.held(book).at(-1)
const inOrder = (all: readonly Stored[]) =>
  [...all].sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))

describe('a year under cash basis', () => {
  it('an invoice goes first, and what is collected of it the same day waits for that', async () => {
    ids.parts = await rig.issue(1000)
    const { sii } = await noted(rig.collect(idOf('parts'), '200.00'))
    expect(sii).toEqual({ status: 'pending', deadline: '2026-02-06' })
    const { json } = await rig.admin('collection', 'list', '--json')
    expect(json[0].sii).toMatchObject({ waits_for_invoice: true, days_remaining: 4 })
    await rig.drain()
    const submissions = await rig.submissions()
    expect(submissions.map(({ kind, operation_type }) => [kind, operation_type])).toEqual([
      ['ISSUED', 'A0'],
      ['COLLECTIONS', 'COBROS'],
    ])
    expect(rig.held('ISSUED')).toEqual([
      { number: 'F000001', date: '2026-02-02', amount: '200.00', means: '01' },
    ])
  })

  it('parts are collected by different means, and a cheque that came back is taken off again', async () => {
    rig.goTo('2026-03-10')
    await noted(rig.collect(idOf('parts'), '300.00', '2026-03-09', '02'))
    await noted(rig.collect(idOf('parts'), '610.00', '2026-03-10', '11'))
    await rig.drain()
    rig.goTo('2026-03-12')
    await noted(rig.collect(idOf('parts'), '-100.00', '2026-03-12', '11'))
    await rig.drain()
    expect(rig.held('ISSUED').slice(1)).toEqual([
      { number: 'F000001', date: '2026-03-09', amount: '300.00', means: '05' },
      { number: 'F000001', date: '2026-03-10', amount: '610.00', means: '02' },
      { number: 'F000001', date: '2026-03-12', amount: '-100.00', means: '02' },
    ])
  })

  it('invoices of suppliers with key 07 are paid, and those without it are nothing to the SII', async () => {
    rig.goTo('2026-04-01')
    ids.paid = await rig.receive('P-1', 1000)
    ids.owed = await rig.receive('P-2', 500)
    ids.plain = await rig.receive('P-3', 100, { key: '01' })
    await noted(rig.pay(idOf('paid'), '605.00'))
    expect(await noted(rig.pay(idOf('plain'), '121.00'))).toMatchObject({ sii: null })
    await rig.drain()
    rig.goTo('2026-06-01')
    await noted(rig.pay(idOf('paid'), '605.00', '2026-06-01', '02'))
    rig.goTo('2026-12-30')
    await noted(rig.pay(idOf('owed'), '100.00'))
    await rig.drain()
    expect(rig.held('RECEIVED')).toEqual([
      { number: 'P-1', date: '2026-04-01', amount: '605.00', means: '01' },
      { number: 'P-1', date: '2026-06-01', amount: '605.00', means: '05' },
      { number: 'P-2', date: '2026-12-30', amount: '100.00', means: '01' },
    ])
  })

  it('an invoice that is cancelled is taken back with all that was collected of it', async () => {
    ids.cancelled = await rig.issue(100)
    ids.never = await rig.issue(2000)
    await noted(rig.collect(idOf('cancelled'), '121.00'))
    await rig.drain()
    expect(last('ISSUED')).toMatchObject({ amount: '121.00' })
    rig.goTo('2027-01-11')
    expect((await rig.http('POST', `/issued-invoices/${idOf('cancelled')}/cancel`)).status).toBe(200)
    await rig.drain()
    expect(last('ISSUED')).toEqual({ number: 'F000002', date: '2027-01-11', amount: '-121.00', means: '01' })
    const { json } = await rig.admin('collection', 'list', '--invoice', idOf('cancelled'), '--json')
    expect(
      json.map((row: { kind: string; cancelled_at: string | null }) => [row.kind, row.cancelled_at !== null]),
    ).toEqual([
      ['paid', true],
      ['correction', false],
    ])
  })

  it('nothing accrues while the last day lasts in Madrid, and everything that is left once it is over', async () => {
    rig.goTo('2027-03-01')
    await noted(rig.collect(idOf('parts'), '150.00'))
    await rig.drain()
    rig.goTo('2027-12-31', '23:59:00')
    await rig.drain()
    expect((await rig.movements()).filter(({ kind }) => kind === 'accrual')).toEqual([])
    rig.goTo('2028-01-01', '00:00:30')
    await rig.drain()
    const accruals = (await rig.movements()).filter(({ kind }) => kind === 'accrual')
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
    expect(inOrder(rig.held('ISSUED').slice(-2))).toEqual([
      { number: 'F000001', date: '2027-12-31', amount: '50.00', means: '03' },
      { number: 'F000003', date: '2027-12-31', amount: '2420.00', means: '03' },
    ])
    expect(last('RECEIVED')).toEqual({ number: 'P-2', date: '2027-12-31', amount: '505.00', means: '03' })
  })

  it('what is collected later is kept and not reported', async () => {
    rig.goTo('2028-02-01')
    const before = rig.held('ISSUED').length
    expect(await noted(rig.collect(idOf('never'), '2420.00'))).toMatchObject({ amount: 2420, sii: null })
    await rig.drain()
    expect(rig.held('ISSUED')).toHaveLength(before)
    const { out } = await rig.admin('collection', 'list', '--invoice', idOf('never'))
    expect(out).toMatch(/2028-02-01 +2420\.00 .* not reported/)
    expect(out).toMatch(/accrual .* 2027-12-31 +2420\.00 .* accepted +2028-01-07/)
  })

  it('what is noted late of a day before is reported, and what had accrued for it is taken off', async () => {
    await noted(rig.collect(idOf('parts'), '20.00', '2027-12-28'))
    await rig.drain()
    expect(inOrder(rig.held('ISSUED').slice(-2))).toEqual([
      { number: 'F000001', date: '2027-12-28', amount: '20.00', means: '01' },
      { number: 'F000001', date: '2027-12-31', amount: '-20.00', means: '03' },
    ])
  })

  it('the books of the authority are ours: every total is reported, once', async () => {
    expect((await statesOf()).filter(([, , , status]) => status !== 'accepted')).toEqual([])
    for (const [book, name] of [
      ['ISSUED', 'collection'],
      ['RECEIVED', 'payment'],
    ] as const) {
      const { json } = await rig.admin(name, 'list', '--json')
      const ours = json.flatMap(
        (row: { number: string; date: string; amount: number; sii: object | null }) =>
          row.sii ? [`${row.number} ${row.date} ${row.amount.toFixed(2)}`] : [],
      )
      const theirs = rig.held(book).map(({ number, date, amount }) => `${number} ${date} ${amount}`)
      expect(theirs.sort()).toEqual(ours.sort())
      const totals = new Map<string, number>()
      for (const { number, amount } of rig.held(book))
        totals.set(number, Math.round(((totals.get(number) ?? 0) + Number(amount)) * 100) / 100)
      expect(Object.fromEntries(totals)).toEqual(
        book === 'ISSUED' ? { F000001: 1210, F000002: 0, F000003: 2420 } : { 'P-1': 1210, 'P-2': 605 },
      )
    }
    const verified = await rig.admin('verify')
    expect(verified.status, verified.out + verified.err).toBe(0)
    expect(verified.out).not.toContain('SII')
  })

  it.skipIf(!officialSchema)(
    'every message and every answer is valid against the official schemas',
    async () => {
      const check = required(officialSchema)()
      const submissions = await rig.submissions()
      const kinds = new Set(submissions.map(({ kind }) => kind))
      expect([...kinds].sort()).toEqual(['COLLECTIONS', 'ISSUED', 'PAYMENTS', 'RECEIVED'])
      for (const { xml, xml_response } of submissions) {
        expect(check(xml ?? '')).toEqual([])
        expect(check(xml_response ?? '')).toEqual([])
      }
      console.log(`sii: ${submissions.length} messages of a cash-basis year valid, with their answers`)
    },
  )
})
