/** Issued invoices in another currency: they are registered in euros, whatever their document states (art. 79.Once LIVA). */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { type CanonicalInvoice, validate } from '#engine/index.ts'
import { type FormatCode, readInvoice, writeInvoice } from '#formats/index.ts'
import { issuedRecord } from '#records/sii/index.ts'
import { qrUrlOf, registrationRecord } from '#records/verifactu/index.ts'
import { sized } from '../size.ts'
import { changed, facturae, invoiceOf, issued, LINE, type Parts } from './invoice.ts'
import { missingXmllint, schemaErrors } from './official.ts'

const FORMATS = ['ubl_2_1', 'cii_d16b', 'facturae_3_2_2'] as const
type Written = (typeof FORMATS)[number]

/** The currency of an invoice of 100.00 USD, which is 92.00 EUR. */
const USD = { invoice_currency_code: 'USD', exchange_rate: 0.92, exchange_rate_date: '2026-03-13' }
const IN_USD = {
  lines: [{ ...LINE, quantity: 2, unit_price_without_tax: 46 }],
  issue_data: { issue_date: '2026-03-16', invoice_currency: USD },
}
const EUROS = [92, 19.32, 111.32, 111.32]
const DOLLARS = [100, 21, 121, 121]

const corrective = (correction_type: 'S' | 'D') => ({
  header: {
    invoice_type_code: '03',
    invoice_series_code: 'R26',
    invoice_number: 'R26-0001',
    corrective: {
      reason_code: '01',
      invoice_number: 'F26-0006',
      invoice_issue_date: '2026-03-02',
      correction_type,
      ...(correction_type === 'S' ? { corrected_taxable_base: 50, corrected_tax_amount: 10.5 } : {}),
    },
  },
})
const RETURNED = {
  ...IN_USD,
  ...corrective('D'),
  lines: [{ ...LINE, quantity: -2, unit_price_without_tax: 46 }],
}

const DOCUMENTS: Readonly<Record<string, readonly [parts: Parts, sign: 1 | -1]>> = {
  'an invoice': [IN_USD, 1],
  'a correction by substitution': [{ ...IN_USD, ...corrective('S') }, 1],
  'a correction by differences': [RETURNED, -1],
}

function written(document: CanonicalInvoice, format: Written): string {
  const { xml, errors } = writeInvoice(document, format)
  if (xml === null) throw new Error(errors.map(({ message }) => message).join('\n'))
  return xml
}

const RATES: Readonly<Record<Written, string>> = {
  ubl_2_1:
    '<cac:TaxExchangeRate><cbc:SourceCurrencyCode>USD</cbc:SourceCurrencyCode><cbc:TargetCurrencyCode>EUR</cbc:TargetCurrencyCode><cbc:CalculationRate>0.92</cbc:CalculationRate><cbc:Date>2026-03-13</cbc:Date></cac:TaxExchangeRate>',
  cii_d16b:
    '<ram:TaxApplicableTradeCurrencyExchange><ram:SourceCurrencyCode>USD</ram:SourceCurrencyCode><ram:TargetCurrencyCode>EUR</ram:TargetCurrencyCode><ram:ConversionRate>0.92</ram:ConversionRate><ram:ConversionRateDateTime><udt:DateTimeString format="102">20260313</udt:DateTimeString></ram:ConversionRateDateTime></ram:TaxApplicableTradeCurrencyExchange>',
  facturae_3_2_2:
    '<ExchangeRateDetails><ExchangeRate>0.92</ExchangeRate><ExchangeRateDate>2026-03-13</ExchangeRateDate></ExchangeRateDetails>',
}

/** Removes from a document what it states about euros. */
const WITHOUT: Readonly<Record<Written, readonly RegExp[]>> = {
  ubl_2_1: [
    /<cbc:Note>[^<]*Tipo de cambio[^<]*<\/cbc:Note>/,
    /<cbc:TaxCurrencyCode>EUR<\/cbc:TaxCurrencyCode>/,
    /<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">[^<]*<\/cbc:TaxAmount><\/cac:TaxTotal>/,
  ],
  cii_d16b: [
    /<ram:IncludedNote><ram:Content>Tipo de cambio.*?<\/ram:IncludedNote>/,
    /<ram:TaxCurrencyCode>EUR<\/ram:TaxCurrencyCode>/,
    /<ram:TaxTotalAmount currencyID="EUR">[^<]*<\/ram:TaxTotalAmount>/,
  ],
  facturae_3_2_2: [
    /<ExchangeRateDetails>.*?<\/ExchangeRateDetails>/,
    /<EquivalentInEuros>[^<]*<\/EquivalentInEuros>/g,
  ],
}

/** Returns the document with its exchange rate, its amounts in euros, both or neither. */
function stating(xml: string, format: Written, { rate, euros }: { rate: boolean; euros: boolean }): string {
  const [note, ...others] = WITHOUT[format]
  const plain = [note, ...(euros ? [] : others)].reduce(
    (text, part) => changed(text, [required(part), '']),
    xml,
  )
  if (!rate) return plain
  const places: Readonly<Record<Written, RegExp>> = {
    ubl_2_1: /(?=<cac:TaxTotal>)/,
    cii_d16b: /(?<=<ram:InvoiceCurrencyCode>USD<\/ram:InvoiceCurrencyCode>)/,
    facturae_3_2_2: /(?=<TaxCurrencyCode>)/,
  }
  return changed(plain, [places[format], RATES[format]])
}

const totalsOf = (totals: Partial<CanonicalInvoice['invoice']['totals']> | undefined) => [
  totals?.total_gross_amount_before_taxes,
  totals?.total_tax_outputs,
  totals?.invoice_total,
  totals?.total_executable_amount,
]

/** Reads a document and validates it as its direction requires. */
function registered(xml: string, direction: 'issued' | 'received') {
  const { document, errors } = readInvoice(xml, { direction })
  const operation = direction === 'issued' ? 'import' : 'received'
  const checked = document && validate(document, { operation, today: '2026-11-28', totals: 'check' })
  return { document, reading: errors.map(({ code }) => code), checked }
}

const refused = (xml: string) =>
  readInvoice(xml, { direction: 'issued' }).errors.filter(({ severity }) => severity === 'error')

describe.each(FORMATS)('%s in dollars', (format) => {
  describe.each(Object.entries(DOCUMENTS))('%s', (_, [parts, sign]) => {
    const xml = written(issued(parts), format)
    const signed = (amounts: readonly number[]) => amounts.map((amount) => sign * amount)

    it.each([
      ['its exchange rate', { rate: true, euros: false }],
      ['its amounts in euros', { rate: false, euros: true }],
      ['both', { rate: true, euros: true }],
    ] as const)('is registered in euros if it states %s', (_stated, content) => {
      const { checked } = registered(stating(xml, format, content), 'issued')
      expect(totalsOf(checked?.data?.invoice.totals)).toEqual(signed(EUROS))
      expect(totalsOf(checked?.data?.invoice.totals.invoice_currency)).toEqual(signed(DOLLARS))
      expect(
        checked?.errors.filter(({ code }) => code !== 'corrective_substitution_amounts_required'),
      ).toEqual([])
    })

    it('is refused by name if it states neither', () => {
      const errors = refused(stating(xml, format, { rate: false, euros: false }))
      expect(errors.map(({ code }) => code)).toEqual(['format.exchange_rate_missing'])
      expect(required(errors[0]).message).toContain('USD')
    })

    it('keeps its own currency as a received invoice, which is converted when it is validated', () => {
      const { document, checked } = registered(stating(xml, format, { rate: true, euros: true }), 'received')
      expect(totalsOf(document?.invoice.totals)).toEqual(signed(DOLLARS))
      expect(totalsOf(checked?.data?.invoice.totals)).toEqual(signed(EUROS))
    })
  })

  it('is refused if its amounts in euros contradict its exchange rate', () => {
    const xml = stating(written(issued(IN_USD), format), format, { rate: true, euros: true })
    const wrong = changed(xml, [
      /(?<=currencyID="EUR">|<TotalAmount>21.00<\/TotalAmount><EquivalentInEuros>)19.32/,
      '25.32',
    ])
    expect(refused(wrong).map(({ code }) => code)).toEqual(['format.exchange_rate_mismatch'])
  })

  it('is written in its own currency, with its rate, and the tax in euros', () => {
    const xml = written(issued(IN_USD), format)
    const parts: Readonly<Record<Written, readonly string[]>> = {
      ubl_2_1: [
        '<cbc:DocumentCurrencyCode>USD</cbc:DocumentCurrencyCode><cbc:TaxCurrencyCode>EUR</cbc:TaxCurrencyCode>',
        '<cbc:TaxAmount currencyID="USD">21.00</cbc:TaxAmount>',
        '<cbc:TaxAmount currencyID="EUR">19.32</cbc:TaxAmount>',
        'Tipo de cambio: 0.92 EUR/USD (2026-03-13); base 92.00 EUR, a pagar 111.32 EUR',
      ],
      cii_d16b: [
        '<ram:TaxCurrencyCode>EUR</ram:TaxCurrencyCode><ram:InvoiceCurrencyCode>USD</ram:InvoiceCurrencyCode>',
        '<ram:TaxTotalAmount currencyID="USD">21.00</ram:TaxTotalAmount>',
        '<ram:TaxTotalAmount currencyID="EUR">19.32</ram:TaxTotalAmount>',
      ],
      facturae_3_2_2: [
        '<InvoiceCurrencyCode>USD</InvoiceCurrencyCode>',
        '<ExchangeRate>0.92</ExchangeRate><ExchangeRateDate>2026-03-13</ExchangeRateDate>',
        '<TotalAmount>21.00</TotalAmount><EquivalentInEuros>19.32</EquivalentInEuros>',
      ],
    }
    for (const part of parts[format]) expect(xml).toContain(part)
  })

  it('has the same euros in the records of both systems of the authority, and in the QR', () => {
    const { checked } = registered(written(issued(IN_USD), format), 'issued')
    const result = required(checked)
    const sii = issuedRecord(result)
    expect(sii.ok && sii.record.FacturaExpedida.ImporteTotal).toBe('111.32')
    const system = {
      NombreRazon: 'Programas Ficticios, S.L.',
      NIF: 'B12345674',
      NombreSistemaInformatico: 'Programa',
      IdSistemaInformatico: 'PF',
      Version: '1.0',
      NumeroInstalacion: '1',
      TipoUsoPosibleSoloVerifactu: 'S',
      TipoUsoPosibleMultiOT: 'N',
      IndicadorMultiplesOT: 'N',
    } as const
    const made = registrationRecord(result, {
      system,
      previous: null,
      timestamp: '2026-03-16T12:00:00+01:00',
    })
    if (!made.ok) throw new Error(JSON.stringify(made))
    const record = required(made.record.RegistroAlta)
    expect([record.CuotaTotal, record.ImporteTotal]).toEqual(['19.32', '111.32'])
    expect(qrUrlOf(record)).toContain('importe=111.32')
  })

  it('changes to another syntax in its own currency if it states no euros', () => {
    const xml = stating(written(issued(IN_USD), format), format, { rate: false, euros: false })
    const { document } = readInvoice(xml)
    const other = format === 'cii_d16b' ? 'ubl_2_1' : 'cii_d16b'
    const { xml: result } = writeInvoice(required(document), other)
    expect(result).toContain('USD')
    expect(result).not.toContain('EUR')
    expect(totalsOf(readInvoice(required(result)).document?.invoice.totals)).toEqual(DOLLARS)
  })
})

it.skipIf(missingXmllint)('UBL and CII in another currency are valid against the official schemas', () => {
  const documents = (['ubl_2_1', 'cii_d16b'] as const).flatMap((format) =>
    Object.entries(DOCUMENTS).flatMap(([name, [parts]]) => {
      const xml = written(issued(parts), format)
      return [
        [`${name} as ${format}`, xml] as const,
        [`${name} as ${format} with its rate`, stating(xml, format, { rate: true, euros: true })] as const,
      ]
    }),
  )
  expect(schemaErrors(new Map(documents))).toEqual([])
})

describe('an exchange rate', () => {
  const ubl = stating(written(issued(IN_USD), 'ubl_2_1'), 'ubl_2_1', { rate: true, euros: false })
  const rateOf = (xml: string) => readInvoice(xml).document?.invoice.issue_data.invoice_currency

  it.each([
    ['multiplies the source currency', []],
    [
      'divides it if the operator says so',
      [
        [
          '0.92</cbc:CalculationRate>',
          '1.25</cbc:CalculationRate><cbc:MathematicOperatorCode>divide</cbc:MathematicOperatorCode>',
        ],
      ],
    ],
    [
      'is inverted if its source is the euro',
      [
        ['<cbc:SourceCurrencyCode>USD', '<cbc:SourceCurrencyCode>EUR'],
        ['<cbc:TargetCurrencyCode>EUR', '<cbc:TargetCurrencyCode>USD'],
        ['>0.92<', '>1.25<'],
      ],
    ],
  ] as const)('%s', (name, changes) => {
    expect(rateOf(changed(ubl, ...changes))?.exchange_rate).toBe(name.startsWith('multiplies') ? 0.92 : 0.8)
  })

  it.each([
    [
      'for several units',
      [
        [
          '<cbc:TargetCurrencyCode>',
          '<cbc:SourceCurrencyBaseRate>100</cbc:SourceCurrencyBaseRate><cbc:TargetCurrencyCode>',
        ],
      ],
    ],
    ['to another currency than the euro', [['<cbc:TargetCurrencyCode>EUR', '<cbc:TargetCurrencyCode>GBP']]],
  ] as const)('%s is not used', (_, changes) => {
    expect(rateOf(changed(ubl, ...changes))).toEqual({ invoice_currency_code: 'USD' })
  })

  it.each(
    FORMATS.flatMap((format) =>
      ['99999999999', '12345678901234567890', '0', '-1'].map((rate) => [rate, format] as const),
    ),
  )('of %s in %s is refused', (rate, format) => {
    const inDollars = stating(written(issued(IN_USD), format), format, { rate: true, euros: false })
    const { document, errors } = readInvoice(changed(inDollars, ['0.92<', `${rate}<`]), {
      direction: 'issued',
    })
    expect(document).toBe(null)
    expect(errors.map(({ severity }) => severity)).toEqual(['error'])
    if (rate === '99999999999') expect(errors[0]?.message).toContain('more than 12 integer digits')
  })

  it('with too few decimals gives way to the amounts in euros', () => {
    const parts = {
      ...IN_USD,
      lines: [{ ...LINE, quantity: 1, unit_price_without_tax: 91743.12 }],
      issue_data: { issue_date: '2026-03-16', invoice_currency: { ...USD, exchange_rate: 0.9174312 } },
    }
    const xml = changed(facturae(parts), [/(?<=<ExchangeRate>)[\d.]+/, '0.92'])
    const { checked, reading } = registered(xml, 'issued')
    expect(totalsOf(checked?.data?.invoice.totals).slice(0, 2)).toEqual([91743.12, 19266.06])
    expect(reading).toEqual(['format.exchange_rate'])
  })
})

describe('any issued invoice in another currency whose lines are at least its discount', () => {
  const parts = fc.record({
    currency: fc.constantFrom(
      { code: 'USD', rate: 0.92 },
      { code: 'GBP', rate: 1.15342 },
      { code: 'CHF', rate: 1.0567 },
      { code: 'JPY', rate: 0.00604961 },
    ),
    lines: fc.array(
      fc.record(
        {
          quantity: fc.constantFrom(1, 2, 3, 0.5, 7),
          unit_price_without_tax: fc.integer({ min: 1, max: 9_999_999 }).map((price) => price / 10_000),
          tax_output_rate: fc.constantFrom(21, 10),
          discount_rate: fc.constantFrom(5, 12.5),
        },
        { requiredKeys: ['quantity', 'unit_price_without_tax', 'tax_output_rate'] },
      ),
      { minLength: 1, maxLength: 4 },
    ),
    discount: fc.option(fc.integer({ min: 1, max: 200 }).map((cents) => cents / 100)),
    paid: fc.option(fc.integer({ min: 1, max: 200 }).map((cents) => cents / 100)),
  })

  /** 2 x 387.3225 is rounded to 774.65 EUR; 2 x the price in GBP, converted, to 774.64 EUR. */
  const PRICE_OF_FOUR_DECIMALS = {
    currency: { code: 'GBP', rate: 1.15342 } as const,
    lines: [
      { quantity: 2, unit_price_without_tax: 387.3225, tax_output_rate: 21, discount_rate: 5 } as const,
    ],
    discount: null,
    paid: null,
  }

  it.each(FORMATS)('as %s is read with the same euros, to the cent', (format: FormatCode) => {
    fc.assert(
      fc.property(parts, ({ currency: { code, rate }, lines, discount, paid }) => {
        const document = issued({
          lines: lines.map((line) => ({ item_description: 'Servicio', ...line })),
          issue_data: {
            issue_date: '2026-03-16',
            invoice_currency: { ...USD, invoice_currency_code: code, exchange_rate: rate },
          },
          totals: {
            ...invoiceOf().invoice.totals,
            ...(discount === null ? {} : { general_discounts: [{ discount_amount: discount }] }),
            ...(paid === null
              ? {}
              : {
                  payments_on_account: [
                    { payment_on_account_date: '2026-03-01', payment_on_account_amount: paid },
                  ],
                }),
          },
        })
        fc.pre((document.invoice.totals.total_gross_amount_before_taxes ?? 0) >= 0)
        const { checked, reading } = registered(written(document, format as Written), 'issued')
        if (!checked?.data) throw new Error(JSON.stringify(reading))
        const { totals } = checked.data.invoice
        expect(totalsOf(totals)).toEqual(totalsOf(document.invoice.totals))
        expect(totalsOf(totals.invoice_currency)).toEqual(totalsOf(document.invoice.totals.invoice_currency))
      }),
      { numRuns: sized(60, 500, 20_000), examples: [[PRICE_OF_FOUR_DECIMALS]] },
    )
  })
})
