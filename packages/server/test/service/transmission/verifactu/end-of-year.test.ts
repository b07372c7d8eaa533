/** The end of a year of VERI*FACTU is announced in its last message (web service design, FechaFinVeriFactu). */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { spanishTimestamp } from '#records/fiscal/timestamp.ts'
import { checkSubmission, type Envio, readVerifactu } from '#records/verifactu/index.ts'
import {
  changePeriod,
  closePeriod,
  openPeriod,
  withdrawChange,
} from '../../../../src/service/verifactu/verifactu-periods.ts'
import * as a from './authority.ts'
import { VerifactuFixture } from './fixture.ts'

let fixture: VerifactuFixture
let sent: Envio[]
beforeEach(async () => {
  fixture = await VerifactuFixture.open()
  fixture.now = Date.UTC(2026, 11, 31, 20)
  sent = []
})
afterEach(() => fixture.close())

const close = () => fixture.call.store.transaction((tx) => closePeriod(tx, fixture.call))
/** Records sent messages, and lets the authority process them. */
const listen = (...first: a.Happening[]) => {
  const keeping =
    (then: a.Happening): a.Happening =>
    (deliver, xml) => {
      sent.push(readVerifactu(xml).document?.value as Envio)
      return then(deliver, xml)
    }
  fixture.authority.script.push(...[...first, a.normally, a.normally].map(keeping))
}
const ends = () => sent.map(({ Cabecera }) => Cabecera.RemisionVoluntaria?.FechaFinVeriFactu ?? null)

it('records pending when the period closes on 31 December are sent with the last day, which the authority accepts', async () => {
  await fixture.issue(2)
  await close()
  listen()
  await fixture.drain()
  expect(ends()).toEqual(['31-12-2026'])
  expect(await fixture.states()).toEqual(['accepted', 'accepted'])
  expect(checkSubmission(sent[0]!, { now: spanishTimestamp(fixture.now) })).toEqual([])
})

it('a message retried in the new year also has the last day, and its incident', async () => {
  await fixture.issue(1)
  await close()
  listen(a.down)
  await fixture.step()
  fixture.now = Date.UTC(2027, 0, 2, 9)
  await fixture.drain()
  expect(sent.at(-1)?.Cabecera.RemisionVoluntaria).toEqual({
    FechaFinVeriFactu: '31-12-2026',
    Incidencia: 'S',
  })
  expect(checkSubmission(sent.at(-1)!, { now: spanishTimestamp(fixture.now) })).toEqual([])
})

it('nothing is announced before the period closes, on another day, or if it continues', async () => {
  listen()
  await fixture.issue(1)
  await fixture.drain()
  await fixture.issue(1)
  fixture.now = Date.UTC(2027, 2, 3, 9)
  await close()
  listen()
  await fixture.drain()
  await fixture.call.store.transaction((tx) =>
    openPeriod(tx, fixture.call, { mode: 'verifactu', sandbox: true }),
  )
  fixture.now = Date.UTC(2027, 11, 31, 9)
  await fixture.issue(1)
  await close()
  await fixture.call.store.transaction((tx) =>
    openPeriod(tx, fixture.call, { mode: 'verifactu', sandbox: true }),
  )
  listen()
  await fixture.drain()
  expect(ends()).toEqual([null, null, null])
})

it('the end of a period states whether a message announced it, also when it is withdrawn', async () => {
  const inTx = fixture.call.store.transaction.bind(fixture.call.store)
  const plan = () =>
    inTx((tx) => changePeriod(tx, fixture.call, { mode: 'no_verifactu', from: '2027-01-01' }))
  expect(await plan()).toMatchObject({ end_announced: 'not_announced', unresolved: 0 })
  expect(await inTx((tx) => withdrawChange(tx, fixture.call))).toMatchObject({
    end_announced: 'not_announced',
  })
  await fixture.issue(1)
  expect(await plan()).toMatchObject({ end_announced: 'pending' })
  listen()
  await fixture.drain()
  expect(ends()).toEqual(['31-12-2026'])
  expect(await inTx((tx) => withdrawChange(tx, fixture.call))).toMatchObject({ end_announced: 'announced' })
  expect(await close()).toMatchObject({ end_announced: 'announced' })
})

it('of several messages the last one announces it', async () => {
  await fixture.issue(2)
  await close()
  const refused = a.fault(4102, 'Client')
  listen(refused)
  await fixture.drain()
  expect(sent.map(({ RegistroFactura }) => RegistroFactura.length)).toEqual([2, 1, 1])
  expect(ends()).toEqual(['31-12-2026', null, '31-12-2026'])
})

it('a planned end is announced on its last day, in each message that has all pending records', async () => {
  fixture.now = Date.UTC(2026, 11, 30, 20)
  await fixture.call.store.transaction((tx) =>
    changePeriod(tx, fixture.call, { mode: 'no_verifactu', from: '2027-01-01' }),
  )
  listen()
  await fixture.issue(1)
  await fixture.drain()
  fixture.now = Date.UTC(2026, 11, 31, 20)
  listen()
  await fixture.issue(1)
  await fixture.drain()
  // Midnight passes before the last record is sent, and no act has made the change yet.
  await fixture.issue(1)
  fixture.now = Date.UTC(2026, 11, 31, 23, 0, 1)
  listen()
  await fixture.drain()
  expect(ends()).toEqual([null, '31-12-2026', '31-12-2026'])
})
