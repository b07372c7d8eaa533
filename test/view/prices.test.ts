/** Unit prices are aligned: all have as many decimals as the one with the most. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { validate } from '#engine/index.ts'
import { viewOf } from '#view/index.ts'

const sent = JSON.parse(
  readFileSync(new URL('../../examples/02-shop-prices-with-tax.json', import.meta.url), 'utf8'),
)

/** What the column of prices says for these prices. */
function column(prices: readonly number[], language: 'es' | 'en' = 'es'): readonly unknown[] {
  const [line] = sent.invoice.lines
  const lines = prices.map((unit_price_with_tax) => ({ ...line, unit_price_with_tax }))
  const { data } = validate({ ...sent, invoice: { ...sent.invoice, lines } })
  return viewOf(required(data), { language, direction: 'issued', status: 'draft' }).lines.rows.map(
    ({ cells }) => cells.price,
  )
}

it.each([
  [
    [9.99, 18.9, 8.2],
    ['9,99', '18,90', '8,20'],
  ],
  [
    [1234.5, 0.1234, 3],
    ['1.234,5000', '0,1234', '3,0000'],
  ],
  [
    [0.0000001, 19.9],
    ['0,0000001', '19,9000000'],
  ],
  [[40], ['40,00']],
])('%j are %j', (prices, shown) => expect(column(prices)).toEqual(shown))
