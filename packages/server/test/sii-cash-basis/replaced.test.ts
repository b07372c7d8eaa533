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

describe('a ticket under cash basis that a full invoice replaces (F3)', () => {
  const sell = async () => {
    const id = await fixture.issueFor(100, {
      more: { header: { invoice_type_code: '02', invoice_series_code: 'T' }, customer: undefined },
    })
    const { invoice } = (await fixture.http('GET', `/issued-invoices/${id}/canonical`)).json
    return { id, number: invoice.header.invoice_number }
  }
  const exchange = ({ number }: { readonly number: string }) =>
    fixture.issueFor(100, { more: { additional_data: { related_invoice: { number } } } })
  /** Returns what has accrued of these invoices, added up. */
  const accruedOf = async (...ids: readonly string[]) => {
    const all = await accruals()
    return ids.map((id) =>
      all.reduce(
        (sum, [of, amount]) => (of === id ? Math.round((sum + Number(amount)) * 100) / 100 : sum),
        0,
      ),
    )
  }
  const found: Record<string, { id: string; number: string; full: string }> = {}

  it('takes no more collections: they are registered on the full invoice, for which those before count', async () => {
    fixture.goTo('2028-12-28')
    for (const name of ['unpaid', 'partly', 'cancelled']) found[name] = { ...(await sell()), full: '' }
    expect((await fixture.collect(found.partly!.id, '21.00')).status).toBe(0)
    await fixture.drain()
    fixture.goTo('2029-01-09')
    for (const one of Object.values(found)) one.full = await exchange(one)
    await fixture.drain()
    const refused = await fixture.collect(found.unpaid!.id, '10.00')
    expect([refused.status, refused.err]).toEqual([
      1,
      expect.stringMatching(/has replaced this one: register it there/),
    ])
    const tooMuch = await fixture.collect(found.partly!.full, '100.01')
    expect([tooMuch.status, tooMuch.err]).toEqual([1, expect.stringMatching(/121\.01/)])
    expect((await fixture.collect(found.partly!.full, '30.00')).status).toBe(0)
    await fixture.drain()
  })

  it('accrues nothing: the full invoice accrues what is left, by the year of the sale', async () => {
    fixture.goTo('2030-01-02', '00:00:30')
    await fixture.drain()
    const { unpaid, partly } = found
    expect(await accruedOf(unpaid!.id, unpaid!.full, partly!.id, partly!.full)).toEqual([0, 121, 0, 70])
    expect(fixture.held('ISSUED').filter(({ number }) => number === unpaid!.number)).toEqual([])
  })

  it('accrues again, and takes collections, if the full invoice is cancelled', async () => {
    const { cancelled } = found
    expect((await fixture.http('POST', `/issued-invoices/${cancelled!.full}/cancel`)).status).toBe(200)
    await fixture.drain()
    expect(await accruedOf(cancelled!.id, cancelled!.full)).toEqual([121, 0])
    fixture.goTo('2030-01-08')
    const again = await sell()
    const full = await exchange(again)
    expect((await fixture.collect(again.id, '10.00')).status).toBe(1)
    expect((await fixture.http('POST', `/issued-invoices/${full}/cancel`)).status).toBe(200)
    expect((await fixture.collect(again.id, '10.00')).status).toBe(0)
  })
})

it('two corrections of a supplier that name each other are known and accrue nothing', async () => {
  fixture.goTo('2031-02-04')
  const naming = (number: string, other: string) =>
    fixture.receive(number, 100, {
      more: {
        header: {
          invoice_type_code: '03',
          invoice_number: number,
          corrective: {
            reason_code: '16',
            correction_type: 'S',
            invoice_number: other,
            invoice_issue_date: '2031-02-04',
            corrected_taxable_base: 100,
            corrected_tax_amount: 21,
          },
        },
      },
    })
  const ids = [await naming('P-1', 'P-2'), await naming('P-2', 'P-1')]
  fixture.goTo('2033-01-01', '00:00:30')
  await fixture.drain()
  expect((await fixture.movements()).filter(({ invoice_id }) => ids.includes(String(invoice_id)))).toEqual([])
})
