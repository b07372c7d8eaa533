/** Prints figures, account numbers and short invoices from canonical invoices instead of handwritten views. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { validate } from '#engine/index.ts'
import { sized } from '#test/size.ts'
import { textsOf } from '#test/view/texts-of.ts'
import { type InvoiceView, type ViewOptions, viewOf } from '#view/index.ts'
import type { Item } from '../src/box.ts'
import { designAndPaletteOf, TEMPLATES } from '../src/designs.ts'
import { renderPdf } from '../src/index.ts'
import { layOut } from '../src/layout.ts'
import { printableWidthOf } from '../src/layout-context.ts'
import { POPPLER, textOf } from './tools.ts'

const DESIGNS = ['classic-blue', 'modern-green', 'compact-wine'] as const
const LANGUAGES = ['es', 'en', 'es-en'] as const
const IBAN = 'ES9121000418450200051332'
const QR = {
  content:
    'https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B12345674&numserie=F26000017&fecha=05-03-2026&importe=1694.00',
  above: 'QR tributario:',
  below: 'VERI*FACTU',
}

const pagesOf = (view: InvoiceView, template: string): Item[][] => {
  const { design, palette } = required(designAndPaletteOf(template))
  const document = { type: 'Document', children: [] } as const
  return layOut({
    view,
    design,
    palette,
    logo: null,
    document: { ...document, children: [] },
    width: printableWidthOf(design),
  })
}

const textsOn = (pages: readonly (readonly Item[])[]): string[] =>
  pages.flat().flatMap((item) => (item.kind === 'text' ? [item.text] : []))

type Members = Record<string, unknown>

/** Returns an invoice with calculated amounts. */
function invoiceOf(lines: readonly Members[], members: Members = {}): CanonicalInvoice {
  const { data, errors } = validate({
    schema_version: 'json_1_1',
    meta: { direction: 'issued', source_system: 'test', external_ref: 'T-1' },
    invoice: {
      supplier: { person_type_code: 'J', name: 'Olivares del Sur, S.L.', tax_id: 'B12345674' },
      customer: { person_type_code: 'F', name: 'Carmen Ibáñez Toro', tax_id: '34567890V' },
      header: { invoice_type_code: '01', invoice_series_code: 'F' },
      issue_data: { operation_date: '2026-03-05' },
      lines,
      totals: { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0 },
      ...members,
    },
  })
  expect(
    errors.filter(({ severity }) => severity === 'error').map(({ code, path }) => `${code} ${path}`),
  ).toEqual([])
  const { invoice, ...rest } = required(data)
  return {
    ...rest,
    invoice: {
      ...invoice,
      header: { ...invoice.header, invoice_number: 'F26000017' },
      issue_data: { ...invoice.issue_data, issue_date: '2026-03-05' },
    },
  }
}

const seen = (document: CanonicalInvoice, options: Partial<ViewOptions> = {}): InvoiceView =>
  viewOf(document, { language: 'es', direction: 'issued', status: 'issued', ...options })

const line = fc.record(
  {
    item_description: fc.constantFrom(
      'Detergente líquido para ropa, garrafa de 3 l',
      'Tornillo',
      'Montaje e instalación de la maquinaria en la nave del cliente',
    ),
    article_code: fc.constantFrom('DRO-1101', 'REFERENCIA-LARGA-000123'),
    quantity: fc.integer({ min: 1, max: 9_999 }),
    unit_price_without_tax: fc.integer({ min: 1, max: 999_999_999 }).map((cents) => cents / 100),
    discount_rate: fc.constantFrom(5, 12.5),
    tax_output_rate: fc.constantFrom(21, 10, 4),
  },
  { requiredKeys: ['item_description', 'quantity', 'unit_price_without_tax', 'tax_output_rate'] },
)

const SURCHARGES: Readonly<Record<number, number>> = { 21: 5.2, 10: 1.4, 4: 0.5 }

const amountOf = fc.integer({ min: 1, max: 999_999_999 }).map((cents) => cents / 100)

const instalment = fc.record({
  installment_due_date: fc.constant('2026-04-05'),
  payment_method_code: fc.constant('04'),
  iban_account_to_be_credited: fc.constant(IBAN),
  installment_amount: amountOf,
})

const spacedIban = IBAN.replace(/(.{4})(?=.)/g, '$1 ')
/** Free text with figures, as users write it. */
const remark = fc
  .tuple(fc.integer({ min: 0, max: 40 }), amountOf)
  .map(
    ([length, value]) =>
      `${'según '.repeat(length)}el 12,5 % (1.234.${String(Math.floor(value) % 1000).padStart(3, '0')},50 €) a la cuenta ${spacedIban} desde el 05/03/2026`,
  )

/** Random members of an invoice, such as general discounts or a corrected invoice. */
const members = fc.record(
  {
    payment_terms: remark,
    payment_details: fc.array(instalment, { maxLength: 3 }),
    issue_data: fc.constant({
      operation_date: '2026-03-05',
      invoicing_period_start_date: '2026-02-01',
      invoicing_period_end_date: '2026-02-28',
    }),
    additional_data: remark.map((text) => ({ invoice_additional_information: text })),
    general_discounts: fc.constant([{ discount_reason: 'Descuento por volumen', discount_rate: 4 }]),
    reimbursable_expenses: amountOf.map((value) => [
      {
        invoice_number: 'OVP-2026-0388',
        issue_date: '2026-03-01',
        description: 'Tasa municipal por ocupación de la vía pública',
        reimbursable_expenses_amount: value,
      },
    ]),
  },
  { requiredKeys: [] },
)

const corrective = fc.record({
  invoice_number: fc.constant('F26000001'),
  invoice_issue_date: fc.constant('2026-01-05'),
  reason_code: fc.constant('01'),
  correction_type: fc.constantFrom('S' as const, 'D' as const),
  corrected_taxable_base: amountOf,
  corrected_tax_amount: amountOf,
  tax_period: fc.constant({ start_date: '2026-01-01', end_date: '2026-01-31' }),
})

/** Matches IBANs, dates, amounts and percentages with their unit, and tax ids. */
const FIGURES =
  /[A-Z]{2}\d{2}(?: [A-Z\d]{4}){3,7}|\d\d\/\d\d\/\d{4}|-?\d[\d.,]*(?: [€%])?|\b[A-Z]?\d{7,8}[A-Z]?\b/g

const flat = (text: string): string => text.replace(/\s/g, ' ')

/** Removes from a view what the page does not print as text: QR contents and running sums of pages. */
const printed = ({ lines, payment, ...view }: InvoiceView) => ({
  ...view,
  lines: { ...lines, rows: lines.rows.map((row) => ({ ...row, running: '' })) },
  payment: payment && { ...payment, transfers: payment.transfers.map(({ below }) => below) },
  qr: null,
})

/** Returns the figures in all texts of a view. */
const figuresOf = (view: InvoiceView): string[] => [
  ...new Set(textsOf(printed(view)).flatMap((text) => flat(text).match(FIGURES) ?? [])),
]

/** A random invoice in a random language, with amounts of up to seven digits. */
const anyView = fc
  .tuple(
    fc.array(line, { minLength: 1, maxLength: 4 }),
    members,
    fc.option(corrective, { nil: undefined }),
    fc.boolean(),
    fc.constantFrom(...LANGUAGES),
  )
  .map(([lines, { general_discounts, reimbursable_expenses, ...more }, corrected, isRetailer, language]) => {
    const document = invoiceOf(lines, {
      ...more,
      totals: {
        total_gross_amount_before_taxes: 0,
        total_tax_outputs: 0,
        invoice_total: 0,
        ...(general_discounts && { general_discounts }),
        ...(reimbursable_expenses && { reimbursable_expenses }),
      },
    })
    const { invoice } = document
    if (isRetailer)
      for (const entry of invoice.taxes_outputs ?? [])
        Object.assign(entry, {
          equivalence_surcharge: SURCHARGES[entry.tax_rate],
          equivalence_surcharge_amount: Math.round(entry.taxable_base * 5.2) / 100,
        })
    const header = corrected ? { ...invoice.header, corrective: corrected } : invoice.header
    return seen({ ...document, invoice: { ...invoice, header } }, { language, qr: QR })
  })

describe('figures', () => {
  it('are never split across lines, in any design and language, whatever their size', () => {
    fc.assert(
      fc.property(anyView, fc.constantFrom(...DESIGNS), (view, design) => {
        const shown = textsOn(pagesOf(view, design)).map(flat).join('\n')
        expect(figuresOf(view).filter((figure) => !shown.includes(figure))).toEqual([])
      }),
      { numRuns: sized(60, 300, 3000) },
    )
  })

  it.skipIf(!POPPLER)('are found unbroken by pdftotext', async () => {
    await fc.assert(
      fc.asyncProperty(anyView, fc.constantFrom(...TEMPLATES), async (view, template) => {
        const text = flat(textOf(await renderPdf(view, { template, timestamp: '2026-03-05T12:00:00Z' })))
        expect(figuresOf(view).filter((figure) => !text.includes(figure))).toEqual([])
      }),
      { numRuns: sized(8, 60, 300) },
    )
  })

  it('move the article references below the descriptions if they have ten digits in every column', () => {
    const view = seen(
      invoiceOf([
        {
          item_description: 'Tornillo',
          article_code: 'REFERENCIA-LARGA-000123',
          quantity: 1234.125,
          unit_of_measure: '33',
          unit_price_without_tax: 1_234_567.123456,
          discount_rate: 12.5,
          tax_output_rate: 21,
        },
      ]),
    )
    const shown = textsOn(pagesOf(view, 'modern-blue')).map(flat)
    expect(shown.join(' ')).toContain('Referencia: REFERENCIA-LARGA-000123')
    for (const figure of figuresOf(view)) expect(shown.join('\n')).toContain(figure)
  })
})

describe('a short invoice', () => {
  const lines = [1, 2, 3].map((at) => ({
    item_description: `Servicio ${at} del mes, según contrato`,
    quantity: at,
    unit_price_without_tax: 100 * at,
    tax_output_rate: 21,
  }))
  const payment_details = [
    { installment_due_date: '2026-04-05', payment_method_code: '04', iban_account_to_be_credited: IBAN },
  ]

  it.each(DESIGNS)(
    'fits on one page in every language, with QR, transfer and register entry: %s',
    (design) => {
      const document = invoiceOf(lines, { payment_details })
      const foot = ['Inscrita en el Registro Mercantil de Jaén, tomo 100, folio 1, hoja J-1000']
      for (const language of LANGUAGES)
        expect([language, pagesOf(seen(document, { language, qr: QR, foot }), design).length]).toEqual([
          language,
          1,
        ])
    },
  )

  it.each(DESIGNS)('fits on one page with two transfers, an advance and a disbursement: %s', (design) => {
    const file = new URL('../../../examples/14-document-discounts.json', import.meta.url)
    const { data } = validate(JSON.parse(readFileSync(file, 'utf8')))
    expect(pagesOf(seen(required(data), { qr: QR }), design)).toHaveLength(1)
  })

  it('has no payment section if it has no terms, date, method, account or link', () => {
    const document = invoiceOf(lines)
    expect(seen(document).payment).toBeNull()
    const paymentLink = 'https://pagos.example/F26000017'
    expect(seen(document, { paymentLink }).payment).toMatchObject({
      instalments: [],
      link: { url: paymentLink },
    })
    expect(seen(document, { paymentLink, status: 'cancelled' }).payment).toBeNull()
  })

  it('has a code with date and amount for each instalment, ordered by due date', () => {
    const shared = { payment_method_code: '04', iban_account_to_be_credited: IBAN }
    const document = invoiceOf(lines, {
      payment_details: [
        { ...shared, installment_due_date: '2026-05-05', installment_amount: 694 },
        { ...shared, installment_due_date: '2026-04-05', installment_amount: 1000 },
      ],
    })
    const view = seen(document)
    expect(view.payment?.transfers.map(({ below }) => flat(below))).toEqual([
      '05/04/2026 · 1.000,00 €',
      '05/05/2026 · 694,00 €',
    ])
    for (const design of DESIGNS)
      expect(
        pagesOf(view, design)
          .flat()
          .filter(({ kind }) => kind === 'modules'),
      ).toHaveLength(2)
  })

  it('prints the equivalence surcharge separately from the tax', () => {
    const file = new URL('../../../examples/03-equivalence-surcharge.json', import.meta.url)
    const { data } = validate(JSON.parse(readFileSync(file, 'utf8')))
    expect(seen(required(data)).sums.map(({ label, value }) => `${label.text} ${flat(value)}`)).toEqual([
      'Total antes de impuestos 355,09',
      'Total IVA 53,00',
      'Total recargo de equivalencia 11,02',
      'Total factura 419,11 €',
    ])
  })
})
