/**
 * The engine and a second implementation of the calculation, written from the law and the documents, agree on random
 * invoices. `CUADRA_SEED=4493 npx vitest run test/second` compares one invoice and prints it.
 *
 * @slowest
 */
import { describe, expect, it } from 'vitest'
import { validate } from '#engine/index.ts'
import { figure } from '../figures.ts'
import { sized } from '../size.ts'
import { calculate } from './calculate.ts'
import { compare } from './compare.ts'
import { KNOWN } from './known.ts'
import { type RandomInvoice, randomInvoice } from './random.ts'
import type { Invoice } from './sent.ts'

const COUNT = sized(500, 10_000, 1_000_000)
const ONE = process.env.CUADRA_SEED
/** The first seed. */
const FIRST = ONE ? Number(ONE) : 1

/** Properties that the random invoices must have, with the least share of invoices. */
const WANTED: Readonly<Record<string, number>> = {
  IVA: 0.5,
  IPSI: 0.02,
  'prices with tax': 0.2,
  withholding: 0.2,
  'taxes_outputs sent': 0.1,
  exempt: 0.1,
  'reverse charge': 0.05,
  'not subject': 0.05,
  'line discount': 0.1,
  'document discount': 0.1,
  'document surcharge': 0.05,
  'foreign currency': 0.05,
  'issued in a foreign currency': 0.05,
  'blocks in the original currency sent': 0.01,
  'margin scheme': 0.03,
  'sale at a loss': 0.03,
  "farmers' regime": 0.03,
  'withholding on the net base': 0.005,
  'corrective by substitution': 0.05,
  'corrective by differences': 0.05,
  'altered amount': 0.1,
  'altered totals': 0.05,
  'negative quantities': 0.05,
}

const replay = (seed: number, { document, options }: RandomInvoice): string =>
  `seed ${seed} (CUADRA_SEED=${seed} npx vitest run test/second)${
    ONE ? `\n${JSON.stringify(options)}\n${JSON.stringify(document)}` : ''
  }`

describe('the engine and the second implementation', () => {
  const share = new Map<string, number>()
  const count = (name: string) => share.set(name, (share.get(name) ?? 0) + 1)
  const compared = ONE ? 1 : COUNT

  it(`agree in every amount and every mismatch of ${compared} random invoices`, {
    timeout: 3_600_000,
  }, () => {
    const found: string[] = []
    for (let seed = FIRST; seed < FIRST + compared && found.length < 5; seed++) {
      const random = randomInvoice(seed)
      const { isValid, differences, notes } = compare(random)
      for (const feature of random.features) count(feature)
      if (isValid) count('valid')
      for (const note of notes) count(`known: ${note}`)
      if (differences.length > 0 && notes.size === 0)
        found.push([replay(seed, random), ...differences.slice(0, 10)].join('\n  '))
    }
    expect(found.join('\n')).toBe('')
    if (!ONE)
      figure(
        `${compared} invoices, ${share.get('valid')} valid; known disagreements: ${
          [...share]
            .filter(([name]) => name.startsWith('known: '))
            .map(([name, number]) => `${name.slice('known: '.length)} ${number}`)
            .join(', ') || 'none'
        }`,
      )
  })

  it.skipIf(ONE)('disagree only in the known cases, which are rare', () => {
    const known = [...share].filter(([name]) => name.startsWith('known: '))
    for (const [name, number] of known) {
      const most = (KNOWN as Readonly<Record<string, number>>)[name.slice('known: '.length)]
      expect(most, name).toBeDefined()
      // A small sample may have a few more.
      expect(number, name).toBeLessThanOrEqual(Math.max(5, COUNT * (most ?? 0)))
    }
  })

  it.skipIf(ONE)('are compared with invoices of every kind, most of them valid', () => {
    for (const [name, least] of Object.entries({ ...WANTED, valid: 0.8 }))
      expect((share.get(name) ?? 0) / COUNT, name).toBeGreaterThanOrEqual(least)
  })
})

/** The smallest documents of the cases that the law decides, with figures calculated by hand. */
describe('the second implementation', () => {
  const calculated = (direction: 'issued' | 'received', invoice: object) =>
    calculate(
      {
        schema_version: 'json_1_1',
        meta: { direction, source_system: 'test' },
        invoice: { supplier: {}, header: {}, issue_data: {}, totals: {}, ...invoice } as Invoice,
      },
      { operation: direction === 'received' ? 'received' : 'draft', totals: 'recalculate' },
    )
  const line = (fields: object) => ({ item_description: 'x', quantity: 1, ...fields })

  it.each([
    [1, 26, 0, 0, 326],
    [1, 40, 10, 2.1, 342.1],
    [-1, -26, 0, 0, -326],
    [-1, -40, -10, -2.1, -342.1],
  ])(
    'takes no tax out of a loss: %i at 300 with tax, bought for 330, surcharge %d, base %d',
    (...figures) => {
      const [quantity, charge_amount, base, tax, total] = figures
      const amounts = { unit_price_with_tax: 300, purchase_price_incl: 330, tax_output_rate: 21 }
      for (const tax_regime_key of ['03', '05']) {
        const { taxes_outputs, totals } = calculated('issued', {
          lines: [line({ quantity, ...amounts, tax_regime_key })],
          totals: { general_surcharges: [{ charge_amount }] },
        })
        expect(taxes_outputs[0]).toMatchObject({ taxable_base: base, tax_amount: tax })
        expect(totals.invoice_total).toBe(total)
      }
    },
  )

  const farm = {
    unit_price_without_tax: 1000,
    tax_output_rate: 12,
    tax_withheld_rate: 2,
    tax_regime_key: '02',
  }

  it('withholds on the price and the compensation of a farmer: 2 % of 1120 is 22.40, to pay 1097.60', () => {
    const { taxes_withheld, totals } = calculated('received', { lines: [line(farm)] })
    expect(taxes_withheld).toEqual([{ tax_rate: 2, taxable_base: 1120, tax_amount: 22.4 }])
    expect(totals.total_executable_amount).toBe(1097.6)
  })

  it('keeps a withholding on the price alone if all amounts sent agree with it', () => {
    const net = { tax_rate: 2, taxable_base: 1000, tax_amount: 20 }
    const kept = calculated('received', { lines: [line(farm)], taxes_withheld: [net] })
    expect(kept.taxes_withheld).toEqual([net])
    expect(kept.mismatches).toEqual(['withholding_base_net /invoice/taxes_withheld'])
    const mixed = { ...net, taxable_base: 1120 }
    const refused = calculated('received', { lines: [line(farm)], taxes_withheld: [mixed] })
    expect(refused.mismatches).toEqual(['taxes_withheld_mismatch /invoice/taxes_withheld/0/tax_amount'])
  })

  it('calculates an issued invoice again in its original currency, from prices and discounts at the rate', () => {
    const { lines, totals } = calculated('issued', {
      issue_data: { invoice_currency: { invoice_currency_code: 'JPY', exchange_rate: 0.006 } },
      lines: [line({ quantity: 3, unit_price_without_tax: 10, tax_output_rate: 21, discount_amount: 1 })],
      totals: { total_payments_on_account: 5 },
    })
    // 3 x 1666.66666667 - 167 = 4833; 21 % are 1015; 5 / 0.006 = 833.
    expect(lines[0]!.invoice_currency).toMatchObject({
      unit_price_without_tax: 1666.66666667,
      discount_amount: 167,
      gross_amount_without_tax: 4833,
    })
    expect(totals.invoice_currency).toMatchObject({
      total_tax_outputs: 1015,
      invoice_total: 5848,
      total_executable_amount: 5015,
    })
    expect(totals.invoice_total).toBe(35.09)
  })
})

describe('a changed cent', () => {
  it('is noticed in every total, entry and line of the engine', () => {
    const paths = [
      'totals/invoice_total',
      'totals/total_tax_outputs',
      'taxes_outputs/0/tax_amount',
      'lines/0/tax_output_base',
      'totals/invoice_currency/invoice_total',
      'taxes_outputs/0/invoice_currency/tax_amount',
      'lines/0/invoice_currency/tax_output_base',
    ]
    for (const path of paths) {
      const noticed = Array.from({ length: 50 }, (_, index) => index + 1).some((seed) => {
        const random = randomInvoice(seed)
        const before = compare(random)
        const changed = compare(random, (document, options) => {
          const result = structuredClone(validate(document, options))
          let node: any = result.data?.invoice
          const names = path.split('/')
          const last = names.pop() ?? ''
          for (const name of names) node = node?.[name]
          if (typeof node?.[last] === 'number') node[last] += 0.01
          return result
        })
        return before.differences.length === 0 && changed.differences.some((one) => one.includes(path))
      })
      expect(noticed, path).toBe(true)
    }
  })
})
