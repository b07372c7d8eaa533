/**
 * An invoice under cash basis that a correction by substitution replaces: what is owed accrues once, and its collections
 * count for the correction (art. 163 terdecies Ley 37/1992). Over HTTP and the administrator's commands.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CashBasisFixture } from './fixture.ts'

let fixture: CashBasisFixture
beforeAll(async () => {
  fixture = await CashBasisFixture.open({ day: '2026-02-02' })
  // Generating keys of certificates is slow.
}, 60_000)
afterAll(() => fixture?.close())

/** Replaces an invoice of 100.00 with one of another amount. */
async function replace(id: string, base: number): Promise<string> {
  const { invoice } = (await fixture.http('GET', `/issued-invoices/${id}/canonical`)).json
  const corrective = {
    reason_code: '16',
    reason_description: 'Precio',
    correction_type: 'S',
    invoice_number: invoice.header.invoice_number,
    invoice_series_code: invoice.header.invoice_series_code,
    invoice_issue_date: invoice.issue_data.issue_date,
    corrected_taxable_base: 100,
    corrected_tax_amount: 21,
  }
  const header = { invoice_type_code: '03', invoice_series_code: 'R', corrective }
  return fixture.issueFor(base, { more: { header } })
}
const accruals = async () =>
  (await fixture.movements())
    .filter(({ kind }) => kind === 'accrual')
    .map(({ invoice_id, amount }) => [invoice_id, amount])

describe('an invoice under cash basis that another replaces', () => {
  const ids: Record<string, string> = {}

  it('takes no more collections: they are registered on the correction, for which those before count', async () => {
    ids.original = await fixture.issueFor(100)
    ids.partly = await fixture.issueFor(100)
    expect((await fixture.collect(ids.partly, '60.00')).status).toBe(0)
    await fixture.drain()
    ids.correction = await replace(ids.original, 200)
    ids.rest = await replace(ids.partly, 200)
    await fixture.drain()
    const refused = await fixture.collect(ids.original, '10.00')
    expect([refused.status, refused.err]).toEqual([
      1,
      expect.stringMatching(/has replaced this one: register it there/),
    ])
    const tooMuch = await fixture.collect(ids.rest, '182.01')
    expect([tooMuch.status, tooMuch.err]).toEqual([1, expect.stringMatching(/242\.01/)])
    expect((await fixture.collect(ids.rest, '82.00')).status).toBe(0)
  })

  it('accrues nothing on 31 December: the correction accrues what is left of its own amount', async () => {
    fixture.goTo('2028-01-01', '00:00:30')
    await fixture.drain()
    expect((await accruals()).sort()).toEqual(
      [
        [ids.correction, 242],
        [ids.rest, 100],
      ].sort(),
    )
  })

  it('accrues again if the correction is cancelled', async () => {
    fixture.goTo('2028-01-11')
    expect((await fixture.http('POST', `/issued-invoices/${ids.correction}/cancel`)).status).toBe(200)
    await fixture.drain()
    const sum = new Map<string, number>()
    for (const [id, amount] of await accruals())
      sum.set(String(id), Math.round(((sum.get(String(id)) ?? 0) + Number(amount)) * 100) / 100)
    expect(Object.fromEntries(sum)).toEqual({ [ids.correction!]: 0, [ids.rest!]: 100, [ids.original!]: 121 })
  })
})
