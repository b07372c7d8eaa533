/** Reference rates: reading of the central bank's files, rejected files, and conversion to euros. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CuadraError } from '#core/errors/index.ts'
import { multiply } from '#core/money/index.ts'
import { temporaryFolder } from '#test/folders.ts'
import { messageOf } from '#test/narrow.ts'
import { tokens } from '#test/tokens.ts'
import {
  eurosPerUnit,
  exchangeRateOn,
  loadRates,
  rateDayOf,
  rateForDocument,
} from '../../../src/service/company/exchange-rates.ts'
import { readRates } from '../../../src/service/company/rates-file.ts'
import { openStore, type Store } from '../../../src/store/store.ts'

const HISTORY = `Date,USD,JPY,BGN,\r\n2026-03-03,1.0837,160.00,N/A,\r\n2026-03-02,1.08,159.5,1.9558,\r\n`

const DAILY = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <gesmes:subject>Reference rates</gesmes:subject>
  <Cube>
    <Cube time='2026-03-04'>
      <Cube currency='USD' rate='1.0900'/>
      <Cube currency='JPY' rate='161.2'/>
    </Cube>
  </Cube>
</gesmes:Envelope>`

const refusal = (text: string): string => {
  try {
    readRates(text)
  } catch (error) {
    expect(error).toBeInstanceOf(CuadraError)
    return messageOf(error)
  }
  throw new Error('the file was read')
}

describe('rate files', () => {
  it('the published CSV is read, and rates that were not published are skipped', () => {
    expect(readRates(HISTORY)).toEqual([
      { currency: 'USD', date: '2026-03-03', rate: '1.0837' },
      { currency: 'JPY', date: '2026-03-03', rate: '160.00' },
      { currency: 'USD', date: '2026-03-02', rate: '1.08' },
      { currency: 'JPY', date: '2026-03-02', rate: '159.5' },
      { currency: 'BGN', date: '2026-03-02', rate: '1.9558' },
    ])
  })

  it('a byte order mark, blank lines and quotes are accepted', () => {
    const rates = [{ currency: 'USD', date: '2026-03-02', rate: '1.08' }]
    expect(readRates('\uFEFFDate,USD\n\n"2026-03-02","1.08"\n\n')).toEqual(rates)
    expect(readRates(`\uFEFF\n${DAILY}`)).toHaveLength(2)
  })

  it('the published XML is read, with one day or several', () => {
    expect(readRates(DAILY)).toEqual([
      { currency: 'USD', date: '2026-03-04', rate: '1.0900' },
      { currency: 'JPY', date: '2026-03-04', rate: '161.2' },
    ])
    const many = DAILY.replace(
      '</Cube>\n  </Cube>',
      "</Cube><Cube time='2026-03-03'><Cube currency='USD' rate='1'/></Cube></Cube>",
    )
    expect(readRates(many).at(-1)).toEqual({ currency: 'USD', date: '2026-03-03', rate: '1' })
  })

  it.each([
    ['', /^line 1: the file begins with ""/],
    ['<html><body>Not found</body></html>', /has no rates/],
    ['Date,USD\n', /has no rates/],
    ['USD,Date\n1.08,2026-03-02', /^line 1: the file begins with "USD", not with "Date"/],
    ['Date,USD,dollar\n', /^line 1, column 3: "dollar" is not a currency code/],
    ['Date,USD,USD\n', /^line 1, column 3: USD already has a column/],
    ['Date,USD\n2026-03-02,1.08\n02/03/2026,1.08', /^line 3, column Date: "02\/03\/2026" is not a date/],
    ['Date,USD\n2026-02-30,1.08', /^line 2, column Date: "2026-02-30"/],
    ['Date,USD,JPY\n2026-03-02,1.08,"160,5"', /^line 2, column JPY: "160,5" is neither a rate above 0/],
    ['Date,USD\n\n2026-03-02,0', /^line 3, column USD: "0" is neither a rate above 0/],
    ['Date,USD\n2026-03-02,-1', /^line 2, column USD: "-1"/],
    ['Date,USD\n2026-03-02,1e3', /^line 2, column USD: "1e3"/],
    ['Date,USD\n2026-03-02,1.08,160', /^line 2, column 3: "160" is in a column without a currency/],
    ['Date,USD\n2026-03-02,"1.08', /^line \d: .*Use the file as it was published/],
    [DAILY.replace('1.0900', 'x'), /^line 6: rate="x" of USD is not a rate above 0/],
    [DAILY.replace('2026-03-04', 'today'), /^line 5: time="today" is not a date/],
    [DAILY.replace("time='2026-03-04'", ''), /^line 6: the rate of USD is outside a Cube with a time/],
    [DAILY.replace("currency='USD'", ''), /^line 6: currency="" is not a currency code/],
    [DAILY.slice(0, -30), /^Invalid XML: /],
  ])('file %# is rejected with line and column', (text, message) => {
    expect(refusal(text)).toMatch(message)
  })
})

describe('euros from a published rate', () => {
  it('have 15 digits, for strong and weak currencies', () => {
    expect(eurosPerUnit('1.25')).toBe(0.8)
    expect(eurosPerUnit('1.0837')).toBe(0.922764602749839)
    expect(eurosPerUnit('160.00')).toBe(0.00625)
    expect(eurosPerUnit('1')).toBe(1)
    expect(eurosPerUnit('0.1')).toBe(10)
    expect(eurosPerUnit('17654.32')).toBe(0.000056643359812216)
    expect(eurosPerUnit('0.0000000003')).toBe(3333333333.33334)
  })

  it('give the same cents as dividing by the published rate, half cents included', () => {
    let seed = 7
    const next = (most: number) => {
      seed = (seed * 48271) % 2147483647
      return seed % most
    }
    const published = tokens`1.2 1.0837 0.86955 160.01 17654.32 7.4604 0.3 3 1.6 19558.3`
    for (const rate of published) {
      const [whole = '', fraction = ''] = rate.split('.')
      const units = BigInt(whole + fraction)
      const scale = 10n ** BigInt(fraction.length)
      for (let n = 0; n < 3000; n++) {
        const cents = next(n % 3 === 0 ? 1_000 : 2_000_000_000)
        const exact = (2n * BigInt(cents) * scale + units) / (2n * units)
        expect(multiply(cents / 100, eurosPerUnit(rate)), `${cents} at ${rate}`).toBe(Number(exact))
      }
    }
  })
})

describe('stored rates', () => {
  const dataDir = temporaryFolder()
  let store: Store
  beforeAll(async () => {
    store = await openStore({ dataDir })
  })
  afterAll(() => store.close())
  const stored = async () =>
    (
      await store
        .acrossCompanies('a test')
        .selectFrom('exchange_rates')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n

  it('a file is loaded, and loading it again replaces its days', async () => {
    expect(await store.transaction((tx) => loadRates(tx, HISTORY))).toBe(5)
    expect(await store.transaction((tx) => loadRates(tx, HISTORY))).toBe(5)
    expect(await store.transaction((tx) => loadRates(tx, DAILY))).toBe(2)
    expect(await stored()).toBe(7)
    expect(await store.transaction((tx) => loadRates(tx, 'Date,USD\n2026-03-04,1.10'))).toBe(1)
    expect(await stored()).toBe(7)
    expect(await exchangeRateOn(store.shared, 'USD', '2026-03-04')).toEqual({
      exchange_rate: eurosPerUnit('1.10'),
      exchange_rate_date: '2026-03-04',
    })
  })

  it('an invalid file stores nothing', async () => {
    await expect(
      store.transaction((tx) => loadRates(tx, 'Date,CHF\n2026-03-02,0.95\n2026-03-03,x')),
    ).rejects.toThrow('line 3, column CHF')
    expect(await exchangeRateOn(store.shared, 'CHF', '2026-03-02')).toBeNull()
  })

  it('the latest rate of the day or the week before applies, never a later one', async () => {
    const dayOf = async (currency: string, day: string) =>
      (await exchangeRateOn(store.shared, currency, day))?.exchange_rate_date ?? null
    expect(await dayOf('USD', '2026-03-01')).toBeNull()
    expect(await dayOf('USD', '2026-03-03')).toBe('2026-03-03')
    expect(await dayOf('BGN', '2026-03-03')).toBe('2026-03-02')
    expect(await dayOf('USD', '2026-03-11')).toBe('2026-03-04')
    expect(await dayOf('USD', '2026-03-12')).toBeNull()
    expect(await dayOf('XAF', '2026-03-03')).toBeNull()
  })

  it('a document uses the day that it states, of its operation or of issue, and none if it needs no rate', async () => {
    const document = (issue_data: object) => ({ invoice: { issue_data } })
    const usd = { invoice_currency_code: 'USD' }
    expect(rateDayOf(document({ issue_date: '2026-03-03', operation_date: '2026-03-02' }))).toBe('2026-03-02')
    const named = { ...usd, exchange_rate_date: '2026-03-04' }
    expect(rateDayOf(document({ issue_date: '2026-03-03', invoice_currency: named }))).toBe('2026-03-04')
    const found = async (issue_data: object) => rateForDocument(store.shared, document(issue_data))
    expect(await found({ issue_date: '2026-03-03', invoice_currency: usd })).toMatchObject({
      exchange_rate_date: '2026-03-03',
    })
    expect(await found({ issue_date: '2026-03-03' })).toBeNull()
    expect(
      await found({ issue_date: '2026-03-03', invoice_currency: { invoice_currency_code: 'EUR' } }),
    ).toBeNull()
    expect(
      await found({ issue_date: '2026-03-03', invoice_currency: { ...usd, exchange_rate: 0.9 } }),
    ).toBeNull()
    expect(await found({ invoice_currency: usd })).toBeNull()
    expect(await found({ issue_date: 5, invoice_currency: { invoice_currency_code: '\u0000' } })).toBeNull()
    expect(await rateForDocument(store.shared, [null])).toBeNull()
  })

  it('a history of years is loaded at once', async () => {
    const currencies = Array.from(
      { length: 40 },
      (_, n) => `A${String.fromCharCode(65 + (n % 26))}${n < 26 ? 'A' : 'B'}`,
    )
    const days = Array.from({ length: 1000 }, (_, n) =>
      new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10),
    )
    const rows = days.map((day, n) => `${day},${currencies.map((_, at) => `1.${n}${at + 1}`).join(',')},`)
    const file = `Date,${currencies.join(',')},\n${rows.join('\n')}\n`
    expect(await store.transaction((tx) => loadRates(tx, file))).toBe(40_000)
    expect((await exchangeRateOn(store.shared, 'AAA', '2020-01-01'))?.exchange_rate).toBe(
      eurosPerUnit('1.01'),
    )
  })
})
