/** Receipts of the farmers' regime in the formats: none has a code for the regime. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { validate } from '#engine/index.ts'
import { type FormatCode, readInvoice, writeInvoice } from '#formats/index.ts'
import { calculated, correcting, FARM_RECEIPTS, farmLine } from '../farmers.ts'
import { changed } from './invoice.ts'

const written = (document: ReturnType<typeof calculated>, format: FormatCode = 'facturae_3_2_2'): string => {
  const { xml, errors } = writeInvoice(document, format)
  if (xml === null) throw new Error(errors.map(({ message }) => message).join('\n'))
  return xml
}

const validated = (xml: string) => {
  const { document, errors } = readInvoice(xml)
  return {
    read: errors,
    ...validate(document, { operation: 'received', today: '2026-06-30', totals: 'check' }),
  }
}

const codesOf = (items: readonly { readonly code: string }[]) => items.map(({ code }) => code)

const figuresOf = (data: ReturnType<typeof calculated> | null) => {
  const { taxes_withheld: [withheld] = [], totals } = required(data).invoice
  return [
    totals.invoice_total,
    withheld?.taxable_base,
    totals.total_taxes_withheld,
    totals.total_executable_amount,
  ]
}

const keysOf = (xml: string, direction?: 'issued') => {
  const { document } = readInvoice(xml, { direction })
  const { lines, taxes_outputs } = required(document).invoice
  return [...lines, ...(taxes_outputs ?? [])].map(({ tax_regime_key }) => tax_regime_key)
}

const RECEIPT = written(calculated([farmLine(1000, 12, 2)]))
/** The withholding as the line states it, and as the document states it. */
const OF_LINE = /<TaxesWithheld>(?:(?!<\/TaxesWithheld>).)*<\/TaxesWithheld>(?=<TaxesOutputs>)/
const OF_DOCUMENT = /<TaxesWithheld>(?:(?!<\/TaxesWithheld>).)*<\/TaxesWithheld>(?=<InvoiceTotals>)/
/** The same receipt with the withholding calculated on the price alone. */
const ON_PRICE = RECEIPT.replaceAll(
  /(<TaxesWithheld>.*?<TotalAmount>)1120.00(.*?<TotalAmount>)22.40/g,
  '$11000.00$220.00',
)
  .replaceAll('<TotalTaxesWithheld>22.40', '<TotalTaxesWithheld>20.00')
  .replaceAll('1097.60', '1100.00')

describe('a receipt of a farmer in Facturae', () => {
  it.each(Object.entries(FARM_RECEIPTS))('is read as it was written: %s', (_, [lines, figures, parts]) => {
    const { read, errors, data } = validated(written(calculated(lines, parts)))
    expect(codesOf(read)).toEqual([])
    expect(codesOf(errors)).toEqual(figures[1] === 1000 ? ['withholding_base_net'] : [])
    expect(figuresOf(data)).toEqual(figures)
  })

  it('may state the withholding only for the document, on the price with the compensation', () => {
    const { read, errors, data } = validated(changed(RECEIPT, [OF_LINE, '']))
    expect([...codesOf(read), ...codesOf(errors)]).toEqual([])
    expect(figuresOf(data)).toEqual([1120, 1120, 22.4, 1097.6])
  })

  it.each([
    ['in lines and document', ON_PRICE],
    ['only for the document', changed(ON_PRICE, [OF_LINE, ''])],
    ['only in lines and totals', changed(ON_PRICE, [OF_DOCUMENT, ''])],
  ])('keeps a withholding on the price alone, stated %s', (_, xml) => {
    const { read, errors, data } = validated(xml)
    expect(codesOf(read)).toEqual([])
    expect(codesOf(errors)).toEqual(['withholding_base_net'])
    expect(figuresOf(data)).toEqual([1120, 1000, 20, 1100])
    expect(required(data).invoice.totals.rounding_amount ?? 0).toBe(0)
  })

  it('is refused with its amounts if the withholding follows the price and the amount to pay does not', () => {
    const xml = changed(ON_PRICE, ['<TotalTaxesWithheld>20.00', '<TotalTaxesWithheld>22.40']).replaceAll(
      '1100.00',
      '1097.60',
    )
    const { document, errors } = readInvoice(xml)
    expect(document).toBeNull()
    expect(errors.map(({ code, extra }) => [code, extra?.received, extra?.expected])).toEqual([
      ['format.totals', 1000, 1120],
      ['format.totals', 20, 22.4],
    ])
  })
})

describe('the key of the farmers’ regime', () => {
  const without = [farmLine(1000, 12), farmLine(100, 10.5)]

  it.each(['facturae_3_2_2', 'ubl_2_1', 'cii_d16b'] as const)(
    'is set where %s states the compensation as the rate of the tax',
    (format) => {
      const xml = written(calculated(without), format)
      expect(keysOf(xml)).toEqual(['02', '02', '02', '02'])
      const { errors, data } = validated(xml)
      expect(codesOf(errors)).toEqual([])
      expect(required(data).invoice.totals.invoice_total).toBe(1230.5)
    },
  )

  it('is set on a correction at the compensation of the corrected receipt', () => {
    const header = correcting('D')
    const corrective = { ...header.corrective, invoice_issue_date: '2012-03-01' }
    const parts = { header: { ...header, corrective } }
    const xml = written(calculated([farmLine(-1000, 10)], parts), 'facturae_3_2_2')
    expect(keysOf(xml)).toEqual(['02', '02'])
  })

  const UBL = written(calculated([farmLine(1000, 12)]), 'ubl_2_1')
  const withNote = (xml: string, note: string) =>
    changed(xml, ['<cbc:DocumentCurrencyCode>', `<cbc:Note>${note}</cbc:Note><cbc:DocumentCurrencyCode>`])

  it('is set by the mention of the regime where the rate is not in the catalog', () => {
    const earlier = UBL.replaceAll('2026-03-10', '2007-03-10')
      .replaceAll('>12<', '>9<')
      .replaceAll('>1120.00<', '>1090.00<')
      .replaceAll('>120.00<', '>90.00<')
    expect(keysOf(earlier)).toEqual([undefined, undefined])
    expect(keysOf(withNote(earlier, 'Régimen especial de la agricultura, ganadería y pesca'))).toEqual([
      '02',
      '02',
    ])
  })

  it('is not set over the key that a mention gives', () => {
    expect(keysOf(withNote(UBL, 'Régimen especial del criterio de caja'))).toEqual(['07', '07'])
  })

  it('is not set on issued invoices, where it means exports', () => {
    expect(keysOf(UBL, 'issued')).toEqual([undefined, undefined])
  })

  it('is not set on the invoice of a foreign supplier, such as a Belgian one at 12 %', () => {
    const [supplier = ''] = /<cac:AccountingSupplierParty>.*?<\/cac:AccountingSupplierParty>/s.exec(UBL) ?? []
    const belgian = supplier.replaceAll('>ES<', '>BE<').replaceAll('12345678Z', 'BE0428759497')
    expect(keysOf(changed(UBL, [supplier, belgian]))).toEqual([undefined, undefined])
  })
})
