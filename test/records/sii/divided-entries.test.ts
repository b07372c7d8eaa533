/** Tests of divided entries: their parts add up to the cent for any invoice. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import type { Line } from '#core/invoice/index.ts'
import { toMinor } from '#core/money/index.ts'
import { type CanonicalInvoice, validate } from '#engine/index.ts'
import { issuedRecord, receivedRecord } from '#records/sii/index.ts'
import { divideEntries, spreadDifference } from '#records/sii/record/divided-entries.ts'
import { setTo } from '../../put.ts'
import { runs } from '../../size.ts'
import { issued, itemsOf, type Loose, line } from './invoices.ts'

const RUNS = runs(400, 20_000)

const natureOf = ({ item_type }: Line) => ({ key: item_type === 'service' ? 'services' : 'goods' })

const cents = fc.integer({ min: -500_000, max: 500_000 }).map((value) => value / 100)

const anyLine = fc.record({
  price: cents,
  rate: fc.constantFrom(21, 10, 4, 0),
  item_type: fc.constantFrom('goods', 'service', 'investment_good', undefined),
  treatment: fc.constantFrom('taxed', 'taxed', 'taxed', 'E1', 'E5', 'located', 'other', 'reversed'),
  deduction_rate: fc.constantFrom(undefined, 100, 50, 33, 0),
})

const TREATMENTS: Readonly<Record<string, object>> = {
  E1: { exemption_reason_code: 'E1' },
  E5: { exemption_reason_code: 'E5' },
  located: { non_taxable_reason: 'LOCATION_RULES' },
  other: { non_taxable_reason: 'ARTICLES_7_14_OTHER' },
  reversed: { reverse_charge: true },
}

const FOREIGN = { person_type_code: 'J', name: 'KUNDE GMBH', tax_id: 'DE136695976', country_code: 'DE' }
const OWN = { person_type_code: 'J', name: 'EMPRESA', tax_id: 'B12345674' }

const anyInvoice = (direction: 'issued' | 'received') =>
  fc
    .record({
      lines: fc.array(anyLine, { minLength: 1, maxLength: 8 }),
      withTax: fc.boolean(),
      discount: fc.option(cents, { nil: undefined }),
    })
    .map(({ lines, withTax, discount }): CanonicalInvoice => {
      const document = {
        schema_version: 'json_1_1',
        meta: { direction, source_system: 'Pruebas' },
        invoice: {
          supplier: direction === 'issued' ? OWN : FOREIGN,
          customer: direction === 'issued' ? FOREIGN : OWN,
          header: { invoice_type_code: '01', invoice_number: 'F-1', invoice_series_code: 'F' },
          issue_data: { issue_date: '2026-03-10', receipt_date: '2026-03-11' },
          lines: lines.map(({ price, rate, item_type, treatment, deduction_rate }) => ({
            item_description: 'Cosa',
            quantity: 1,
            [withTax ? 'unit_price_with_tax' : 'unit_price_without_tax']: price,
            ...(treatment === 'taxed' || treatment === 'reversed' ? { tax_output_rate: rate } : {}),
            ...TREATMENTS[treatment],
            ...(item_type === undefined ? {} : { item_type }),
            ...(direction === 'issued' || deduction_rate === undefined ? {} : { deduction_rate }),
          })),
          totals: {
            total_gross_amount_before_taxes: 0,
            total_tax_outputs: 0,
            invoice_total: 0,
            ...(discount === undefined
              ? {}
              : { general_discounts: [{ discount_amount: Math.abs(discount) }] }),
          },
        },
      }
      const { data } = validate(document, { operation: direction === 'issued' ? 'import' : 'received' })
      return required(data)
    })

const total = (values: readonly string[]) => values.reduce((sum, value) => sum + toMinor(Number(value)), 0)

/** Returns every text under one of the names, at any depth. */
const textsOf = (value: Loose, names: readonly string[]): string[] =>
  value === null || typeof value !== 'object'
    ? []
    : Object.entries(value).flatMap(([name, inner]) =>
        names.includes(name) && typeof inner === 'string' ? [inner] : textsOf(inner, names),
      )

const BASES = ['BaseImponible', 'ImportePorArticulos7_14_Otros', 'ImporteTAIReglasLocalizacion']

describe('pieces of a breakdown', () => {
  it('add up to their entries, in base, tax and surcharge', () => {
    fc.assert(
      fc.property(anyInvoice('issued'), ({ invoice }) => {
        const { pieces } = divideEntries(invoice, natureOf)
        required(invoice.taxes_outputs).forEach((entry, index) => {
          const own = pieces.filter((piece) => piece.index === index)
          expect(own.length).toBeGreaterThan(0)
          const sumOf = (field: 'base' | 'tax' | 'surcharge') =>
            own.reduce((sum, piece) => sum + piece[field], 0)
          expect(sumOf('base')).toBe(toMinor(entry.taxable_base))
          expect(sumOf('tax')).toBe(toMinor(entry.tax_amount))
          expect(sumOf('surcharge')).toBe(toMinor(entry.equivalence_surcharge_amount ?? 0))
        })
      }),
      RUNS,
    )
  })

  it('are the sums of their lines without a document discount', () => {
    fc.assert(
      fc.property(anyInvoice('issued'), ({ invoice }) => {
        if (invoice.totals.general_discounts) return
        const { pieces } = divideEntries(invoice, natureOf)
        for (const category of ['goods', 'services']) {
          const lines = invoice.lines.filter((one) => natureOf(one).key === category)
          const own = pieces.filter((piece) => piece.category.key === category)
          const bases = lines.reduce((sum, one) => sum + toMinor(required(one.tax_output_base)), 0)
          expect(own.reduce((sum, piece) => sum + piece.base, 0)).toBe(bases)
        }
      }),
      RUNS,
    )
  })

  it('have a tax within a cent or two of base x rate', () => {
    fc.assert(
      fc.property(anyInvoice('issued'), ({ invoice }) => {
        for (const { base, tax, entry } of divideEntries(invoice, natureOf).pieces)
          expect(Math.abs(tax - (base * entry.tax_rate) / 100)).toBeLessThanOrEqual(2)
      }),
      RUNS,
    )
  })

  it('of a group split by the client keep the bases of rows and the sums of categories, with surcharge on goods', () => {
    const positive = fc.integer({ min: 1, max: 1_000_000 })
    fc.assert(
      fc.property(
        positive,
        positive,
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (goods, services, part) => {
          const whole = goods + services
          const surcharged = Math.max(1, Math.min(whole - 1, Math.round(whole * part)))
          const euros = (value: number) => value / 100
          const entry = (base: number) => ({
            tax_rate: 21,
            taxable_base: euros(base),
            tax_amount: Math.round(base * 0.21) / 100,
          })
          const lines = [
            line(euros(goods), 21, { item_type: 'goods' }),
            line(euros(services), 21, { item_type: 'service' }),
          ]
          const { invoice } = issued(
            lines,
            setTo('taxes_outputs', [
              { ...entry(surcharged), equivalence_surcharge: 5.2 },
              entry(whole - surcharged),
            ]),
          )
          const { pieces, overdrawn } = divideEntries(invoice, natureOf, ({ key }) => key === 'goods')
          const sumOf = (keep: (piece: (typeof pieces)[number]) => boolean) =>
            pieces.filter(keep).reduce((sum, piece) => sum + piece.base, 0)
          expect(sumOf(({ index }) => index === 0)).toBe(surcharged)
          expect(sumOf(({ index }) => index === 1)).toBe(whole - surcharged)
          expect(overdrawn).toEqual(surcharged > goods ? [0] : [])
          if (surcharged > goods) return
          expect(sumOf(({ category }) => category.key === 'services')).toBe(services)
          expect(pieces.filter(({ index, category }) => index === 0 && category.key === 'services')).toEqual(
            [],
          )
        },
      ),
      RUNS,
    )
  })

  it('of entries that a client split into several of one rate keep their bases and the sums of categories', () => {
    const lines = [
      line(100, 21, { item_type: 'goods' }),
      line(40, 21, { item_type: 'service' }),
      line(20, 21, { item_type: 'service' }),
    ]
    const { invoice } = issued(
      lines,
      setTo(
        'taxes_outputs',
        [80, 50, 30].map((base) => ({
          tax_rate: 21,
          taxable_base: base,
          tax_amount: Math.round(base * 21) / 100,
        })),
      ),
    )
    expect(required(invoice.taxes_outputs)).toHaveLength(3)
    expect(
      divideEntries(invoice, natureOf).pieces.map(({ index, category, base, tax }) => [
        index,
        category.key,
        base,
        tax,
      ]),
    ).toEqual([
      [0, 'goods', 5000, 1050],
      [0, 'services', 3000, 630],
      [1, 'goods', 3125, 656],
      [1, 'services', 1875, 394],
      [2, 'goods', 1875, 394],
      [2, 'services', 1125, 236],
    ])
  })

  it('keep a cent of tax and of surcharge whose category has no base', () => {
    const lines = [
      line(5, 21, { item_type: 'goods' }),
      line(-5, 21, { item_type: 'goods' }),
      line(0.02, 21, { item_type: 'service' }),
    ]
    for (const field of ['tax_amount', 'equivalence_surcharge_amount'] as const) {
      const { invoice } = issued(lines)
      const [entry] = required(invoice.taxes_outputs)
      Object.assign(required(entry), { tax_amount: 0, [field]: 0.01 })
      const { pieces } = divideEntries(invoice, natureOf)
      const sumOf = (part: 'base' | 'tax' | 'surcharge') =>
        pieces.reduce((sum, piece) => sum + piece[part], 0)
      expect(['base' as const, 'tax' as const, 'surcharge' as const].map(sumOf)).toEqual(
        field === 'tax_amount' ? [2, 1, 0] : [2, 0, 1],
      )
    }
  })

  it('keep both sides of a sale and a return that cancel out', () => {
    const { invoice } = issued([
      line(100, 21, { item_type: 'service' }),
      line(-100, 21, { item_type: 'goods' }),
    ])
    const { pieces } = divideEntries(invoice, natureOf)
    expect(pieces.map(({ category, base, tax }) => [category.key, base, tax])).toEqual([
      ['goods', -10000, -2100],
      ['services', 10000, 2100],
    ])
  })
})

describe('records of any invoice', () => {
  it('issued by operation: the parts add up to the breakdown, and the breakdown to the total', () => {
    fc.assert(
      fc.property(anyInvoice('issued'), (document) => {
        const result = issuedRecord(document)
        if (!result.ok) throw new Error(JSON.stringify(result.items))
        const { TipoDesglose, ImporteTotal } = result.record.FacturaExpedida
        const bases = total(textsOf(TipoDesglose, BASES))
        const taxes = total(textsOf(TipoDesglose, ['CuotaRepercutida']))
        const { taxes_outputs: entries, totals } = document.invoice
        expect(bases).toBe(required(entries).reduce((sum, entry) => sum + toMinor(entry.taxable_base), 0))
        expect(taxes).toBe(toMinor(totals.total_tax_outputs))
        expect(bases + taxes).toBe(toMinor(Number(ImporteTotal)))
      }),
      RUNS,
    )
  })

  it('received: bases and taxes add up to the total, and the deduction never exceeds the tax', () => {
    fc.assert(
      fc.property(anyInvoice('received'), fc.constantFrom(undefined, 100, 37, 0), (document, pro_rata) => {
        const result = receivedRecord(document, pro_rata === undefined ? {} : { pro_rata })
        // Four rates, twice if some lines are investment goods, exceed the limit of a record.
        if (!result.ok) {
          expect(itemsOf(result)).toEqual(['sii.too_many_details /invoice/taxes_outputs'])
          return
        }
        const { DesgloseFactura, ImporteTotal, CuotaDeducible } = result.record.FacturaRecibida
        const bases = total(textsOf(DesgloseFactura, ['BaseImponible']))
        const taxes = textsOf(DesgloseFactura, ['CuotaSoportada'])
        expect(bases + total(taxes)).toBe(toMinor(Number(ImporteTotal)))
        const { lines, totals } = document.invoice
        if (!totals.general_discounts && lines.every((one) => required(one.tax_output_base) >= 0))
          expect(toMinor(Number(CuotaDeducible))).toBeLessThanOrEqual(total(taxes) + 1)
        if (pro_rata === 0) expect(CuotaDeducible).toBe('0.00')
      }),
      RUNS,
    )
  })
})

describe('spreadDifference', () => {
  it('adds up to the total, and keeps shares that already do', () => {
    const amount = fc.integer({ min: -1e9, max: 1e9 })
    fc.assert(
      fc.property(amount, fc.array(amount, { minLength: 1, maxLength: 9 }), (wanted, shares) => {
        expect(spreadDifference(wanted, shares).reduce((sum, share) => sum + share, 0)).toBe(wanted)
        const own = shares.reduce((sum, share) => sum + share, 0)
        expect(spreadDifference(own, shares)).toEqual(shares)
      }),
      RUNS,
    )
  })
})
