/** The operation date of a corrective invoice: one derivation for the engine's rates, VeriFactu and SII. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { validate } from '#engine/index.ts'
import { issuedRecord } from '#records/sii/index.ts'
import { registrationRecord } from '#records/verifactu/index.ts'
import { setAll } from '../../put.ts'
import { BASE, type Loose, OPTIONS } from '../verifactu/invoice.ts'

const correcting = (more: object) => ({
  'header/invoice_type_code': '03',
  'header/corrective': { reason_code: '20', correction_type: 'D', invoice_number: 'O-1', ...more },
})

/** An invoice issued on 20 March 2026 that corrects the one of 10 February. */
function corrective(more: object, operationDate?: string) {
  const document: Loose = structuredClone(BASE)
  setAll({
    ...correcting({ invoice_issue_date: '2026-02-10', ...more }),
    'issue_data/issue_date': '2026-03-20',
    'issue_data/operation_date': operationDate,
    'lines/0/quantity': -2,
    totals: { total_gross_amount_before_taxes: -200, total_tax_outputs: -42, invoice_total: -242 },
  })(document.invoice)
  const { data: answer, errors } = validate(document, { operation: 'import', today: '2026-03-20' })
  // The records refuse a later invoice too, for documents whose errors the caller has handled.
  expect(errors.filter(({ code }) => code !== 'corrected_invoice_not_earlier')).toEqual([])
  return required(answer)
}

const RECORD_OPTIONS = { ...OPTIONS, timestamp: '2026-03-20T10:00:00+01:00' }
const on = (day: string) => [{ invoice_number: 'O-2', issue_date: day }]
const period = (end: string) => ({ tax_period: { start_date: '2026-01-01', end_date: end } })

/** `FechaOperacion` in both systems, or why there is no record. */
const days = (invoice: Loose, corrects?: ReturnType<typeof on>) => {
  const given = corrects ? { corrects } : {}
  const verifactu = registrationRecord(invoice, { ...RECORD_OPTIONS, ...given })
  const sii = issuedRecord(invoice, given)
  const code = (items: readonly { code: string; path: string }[]) =>
    items.map((item) => `${item.code} ${item.path}`)
  return [
    verifactu.ok ? verifactu.record.RegistroAlta.FechaOperacion : code(verifactu.items),
    sii.ok ? sii.record.FacturaExpedida.FechaOperacion : code(sii.items),
  ]
}

describe('FechaOperacion of a corrective invoice', () => {
  it.each([
    ['the date of the corrected invoice', {}, undefined, undefined, '10-02-2026'],
    ['the end of the corrected period', period('2026-01-31'), undefined, undefined, '31-01-2026'],
    [
      'of a period that ends with the issue, the day of issue',
      period('2026-03-20'),
      undefined,
      undefined,
      undefined,
    ],
    [
      'of a period that ends after the issue, the day of issue',
      period('2026-03-31'),
      undefined,
      undefined,
      undefined,
    ],
    ['of several invoices, the latest', {}, on('2026-02-25'), undefined, '25-02-2026'],
    [
      'of several invoices, the one that the invoice names if it is the latest',
      {},
      on('2026-02-01'),
      undefined,
      '10-02-2026',
    ],
    [
      'of a period and an invoice after it, the latest',
      period('2026-01-31'),
      on('2026-02-25'),
      undefined,
      '25-02-2026',
    ],
    [
      'of a period that is not over and an invoice, the day of issue',
      period('2026-03-31'),
      on('2026-02-25'),
      undefined,
      undefined,
    ],
    [
      'the operation date, where the invoice says one',
      period('2026-03-31'),
      on('2026-02-25'),
      '2026-02-05',
      '05-02-2026',
    ],
  ] as const)('%s', (_, more, corrects, operationDate, expected) => {
    const invoice = corrective(more, operationDate)
    expect(days(invoice, corrects)).toEqual([expected, expected])
  })

  it('is refused in both systems with the same message if the corrected invoice is later', () => {
    const place = '/invoice/header/corrective/invoice_issue_date'
    const invoice = corrective({ invoice_issue_date: '2026-03-21' })
    expect(days(invoice)).toEqual([[`record.corrected_later ${place}`], [`sii.corrected_later ${place}`]])
    expect(days(corrective({}), on('2026-03-22'))).toEqual([
      ['record.corrected_later /corrects/0/issue_date'],
      ['sii.corrected_later /corrects/0/issue_date'],
    ])
    const [verifactu, sii] = [registrationRecord(invoice, RECORD_OPTIONS), issuedRecord(invoice)]
    if (verifactu.ok || sii.ok) throw new Error('made')
    expect(verifactu.items[0]?.message).toBe(required(sii.items[0]).message)
    expect(verifactu.items[0]?.message).toContain(
      'dated 2026-03-21, after the corrective invoice (2026-03-20)',
    )
    // A day of its own settles it.
    expect(days(corrective({ invoice_issue_date: '2026-03-21' }, '2026-03-01'))).toEqual([
      '01-03-2026',
      '01-03-2026',
    ])
  })
})

describe('rates of a corrective invoice', () => {
  /** 5 % was a rate until 30 September 2024. */
  const rate = (end: string, issued: string) => {
    const document = structuredClone(BASE)
    const tax_period = { start_date: '2024-09-01', end_date: end }
    setAll({
      ...correcting({ invoice_issue_date: '2024-09-01', tax_period }),
      'issue_data/issue_date': issued,
      'lines/0/tax_output_rate': 5,
      totals: { total_gross_amount_before_taxes: 200, total_tax_outputs: 10, invoice_total: 210 },
    })(document.invoice)
    return validate(document, { operation: 'import', today: '2026-03-20' }).errors.map((item) => item.code)
  }

  it('apply at the end of the period, but never after the issue date', () => {
    expect(rate('2024-09-30', '2024-09-20')).toEqual([])
    expect(rate('2024-10-31', '2024-09-20')).toEqual([])
    expect(rate('2024-10-31', '2024-11-20')).toEqual(['tax_rate_unknown'])
  })
})
