import { describe, expect, it } from 'vitest'
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { sum, toMinor, toNumber } from '#core/money/index.ts'
import { amountText, dateText, languageFor, viewOf } from '#view/index.ts'
import { goldenInvoices } from '../engine/golden-invoices.ts'
import { tokens } from '../tokens.ts'
import { textsOf } from './texts-of.ts'

/** Members that are data for programs: a page has no use for them. */
const NOT_PRINTED = new Set(['schema_version', 'meta', 'tax_category_code'])

/** What the document says as text: ids, numbers, dates, and whatever people wrote. */
const SAID = new Set(tokens`
  tax_id name address address_2 post_code town value centre_code invoice_number invoice_series_code
  item_description article_code legal_reference exemption_reason_text tax_regime_description description
  discount_reason charge_reason reason_description payment_terms electronic_mail telephone
  invoice_description`)
const DATE = /^\d{4}-\d\d-\d\d$/

interface Leaf {
  readonly path: string
  readonly name: string
  readonly value: string | number
}

function leaves(value: unknown, path = '', name = ''): Leaf[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ path, name, value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value)
    .filter(([member]) => !NOT_PRINTED.has(member))
    .flatMap(([member, one]) => leaves(one, `${path}/${member}`, Array.isArray(value) ? name : member))
}

/** Totals and the amounts of every group. Those of lines have their own tests. */
const isAmount = ({ path, value }: Leaf): boolean =>
  typeof value === 'number' &&
  value !== 0 &&
  (path.startsWith('/invoice/totals/') || path.startsWith('/invoice/payment_details/')) &&
  !path.endsWith('_rate')

/** The total of the taxes is printed without the equivalence surcharge, and the surcharge apart. */
function partsOf({ path, value }: Leaf, { invoice }: CanonicalInvoice): number[] {
  const whole = value as number
  if (path !== '/invoice/totals/total_tax_outputs') return [whole]
  const cents = (invoice.taxes_outputs ?? []).map((one) => toMinor(one.equivalence_surcharge_amount ?? 0))
  const surcharge = sum(cents)
  return surcharge === 0 ? [whole] : [toMinor(whole) - surcharge, surcharge].map((one) => toNumber(one))
}

const golden = goldenInvoices().map(({ name, invoice }) => ({ name, invoice }))
const isMargin = (key: string | undefined) => key === '03' || key === '05'

describe.each(['es', 'en', 'es-en'] as const)('the page in %s', (language) => {
  it('has every total, tax id, number and date of every golden invoice, and every text of it', () => {
    const missing: string[] = []
    for (const { name, invoice } of golden) {
      const { direction } = invoice.meta
      const view = viewOf(invoice, { language, direction, status: direction })
      const texts = textsOf(view).join('\n')
      // On an issued margin invoice, the hidden amounts could reveal the tax.
      const hides =
        direction === 'issued' && invoice.invoice.lines.some((line) => isMargin(line.tax_regime_key))
      for (const leaf of leaves(invoice)) {
        const { path, value } = leaf
        const locale = language === 'en' ? 'en' : 'es'
        const decimals = path.includes('/invoice_currency/') ? 0 : 2
        if (isAmount(leaf) && !(hides && /gross|tax_outputs/.test(path))) {
          for (const part of partsOf(leaf, invoice)) {
            const written = amountText(Math.abs(part), locale, decimals)
            if (!texts.includes(written)) missing.push(`${name} ${path} ${written}`)
          }
        }
        if (typeof value !== 'string') continue
        const written = DATE.test(value) ? dateText(value) : SAID.has(leaf.name) ? value : ''
        if (!texts.includes(written)) missing.push(`${name} ${path} ${written}`)
      }
    }
    expect(missing).toEqual([])
  })

  it('has no text made from an absent value', () => {
    for (const { name, invoice } of golden) {
      const { direction } = invoice.meta
      const texts = textsOf(viewOf(invoice, { language, direction, status: direction }))
      expect(
        texts.filter((text) => /undefined|null|NaN|\[object/.test(text)),
        name,
      ).toEqual([])
    }
  })
})

describe('the language of a page', () => {
  const from = (country_code: string) => languageFor({ customer: { name: 'N', country_code } })
  it('is Spanish for Spanish-speaking countries, and bilingual elsewhere', () => {
    expect([languageFor({}), from('ES'), from('MX')]).toEqual(['es', 'es', 'es'])
    expect([from('DE'), from('PT')]).toEqual(['es-en', 'es-en'])
  })
})
