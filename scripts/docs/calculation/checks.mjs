/** Figures on totals, the comparison of sent amounts, and the date that determines a rate. */
import { answer, because, codes, draft, euros, line, must, reconcile, validate } from '../sample.mjs'
import { fence } from '../text.mjs'

function totals() {
  const document = draft([line(1, 1000, { tax_withheld_rate: 15 }), line(2, 50, { tax_output_rate: 10 })], {
    totals: {
      general_discounts: [{ discount_reason: 'Pronto pago', discount_amount: 20 }],
      payments_on_account: [{ payment_on_account_date: '2026-02-01', payment_on_account_amount: 300 }],
      reimbursable_expenses: [{ reimbursable_expenses_amount: 45.5 }],
      rounding_amount: 0.01,
    },
  })
  const names = Object.keys(answer(document).totals)
    .filter((name) => name.startsWith('total_') || name === 'invoice_total')
    .map((name) => `/invoice/totals/${name}`)
  return {
    rows: because(document, names),
  }
}

const sentTotal = (lines, invoice_total, more) =>
  draft(lines, {
    totals: { total_gross_amount_before_taxes: 300, total_tax_outputs: 63, invoice_total, ...more },
  })

function sentAmounts() {
  const lines = [line(1, 100), line(1, 100), line(1, 100)]
  const near = codes(sentTotal(lines, 363.03), { totals: 'check' })
  const far = codes(sentTotal(lines, 363.04), { totals: 'check' })
  must(near.length === 0 && far.length === 1, 'the tolerance of a total is a cent per line')
  must(codes(sentTotal(lines, 363.04)).length === 0, 'recalculate says nothing about totals')
  const withheld = [line(1, 300, { tax_withheld_rate: 15 })]
  const after = validate(sentTotal(withheld, 318), { totals: 'check' }).errors.find(
    ({ extra }) => extra.case === 'after_withholding',
  )
  must(after !== undefined, 'a total after withholding is recognised')
  const oneCent = codes(draft([line(1, 100, { total_cost_without_tax: 100.01 })]))
  const twoCents = codes(draft([line(1, 100, { total_cost_without_tax: 100.02 })]))
  must(oneCent.length === 0 && twoCents.length === 1, 'a line amount may be a cent off')
  const row = reconcile(sentTotal(lines, 363.02)).find(({ path }) => path === '/invoice/totals/invoice_total')
  return {
    refusal: far[0],
    afterWithholding: fence('json', JSON.stringify(after, null, 2)),
    reconciled: fence('json', JSON.stringify(row, null, 2)),
  }
}

function dates() {
  const at = (operation_date) =>
    draft([line(1, 100, { tax_output_rate: 5 })], { issue_data: { operation_date } })
  must(codes(at('2023-05-02')).length === 0, '5 % was in force in 2023')
  const late = codes(at('2026-05-04'))
  must(late.length === 1, '5 % is not in force in 2026')
  const corrected = draft([line(-1, 100, { tax_output_rate: 5 })], {
    header: {
      invoice_type_code: '03',
      invoice_series_code: 'D',
      corrective: {
        reason_code: '02',
        invoice_series_code: 'D',
        invoice_number: '1',
        invoice_issue_date: '2023-05-02',
        correction_type: 'D',
      },
    },
  })
  must(
    codes(corrected, { today: '2026-05-04' }).length === 0,
    'a corrective invoice uses the date of the corrected one',
  )
  return {
    refusal: late[0],
    tax: euros(validate(at('2026-05-04')).data.invoice.taxes_outputs[0].tax_amount),
  }
}

export const CHECKS = { totals, sentAmounts, dates }
