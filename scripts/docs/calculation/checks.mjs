/** Totals, how sent amounts are compared, and the day that decides a rate. */
import { answer, because, codes, draft, euros, line, must, reconcile, validate } from '../sample.mjs'
import { fence, table } from '../text.mjs'

function totals() {
  const document = draft([line(1, 1000, { tax_withheld_rate: 15 }), line(2, 50, { tax_output_rate: 10 })], {
    totals: {
      general_discounts: [{ discount_reason: 'Pronto pago', discount_amount: 20 }],
      payments_on_account: [{ payment_on_account_date: '2026-02-01', payment_on_account_amount: 300 }],
      reimbursable_expenses: [{ reimbursable_expenses_amount: 45.5 }],
      rounding_amount: 0.05,
    },
  })
  const names = Object.keys(answer(document).totals)
    .filter((name) => name.startsWith('total_') || name === 'invoice_total')
    .map((name) => `/invoice/totals/${name}`)
  return {
    title: 'Totals',
    body: [
      'Totals are sums of amounts that are in cents already, so nothing is rounded here. 1,000.00 at 21 % with 15 % withheld, 100.00 at 10 %, 20.00 off, 300.00 paid before, 45.50 of expenses to reimburse and 0.05 of rounding:',
      because(document, names),
      '`invoice_total` is before withholding, and does not contain payments, expenses or rounding; `total_executable_amount` does. `total_tax_outputs` is Spanish tax with the surcharge; foreign tax has its own total.',
    ],
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
  const [after] = validate(sentTotal(withheld, 318), { totals: 'check' }).errors
  must(after.extra.case === 'after_withholding', 'a total after withholding is recognised')
  const oneCent = codes(draft([line(1, 100, { total_cost_without_tax: 100.01 })]))
  const twoCents = codes(draft([line(1, 100, { total_cost_without_tax: 100.02 })]))
  must(oneCent.length === 0 && twoCents.length === 1, 'a line amount may be a cent off')
  const row = reconcile(sentTotal(lines, 363.02)).find(({ path }) => path === '/invoice/totals/invoice_total')
  return {
    title: 'Amounts that were sent: recalculate, check, tolerances',
    body: [
      table(
        ['Sent', 'May be off by', 'Else', 'When'],
        [
          ['amount of a line', '0.01', '`line_amount_mismatch`', 'always'],
          [
            'entry of `taxes_outputs`',
            '0.01 per line of the group, at least 0.01',
            '`taxes_outputs_mismatch`',
            'always',
          ],
          [
            'entry of `taxes_withheld`',
            '0.01 per line of the group, at least 0.01',
            '`taxes_withheld_mismatch`',
            'always',
          ],
          ['`consumption_tax_amount` of a line', '0.01', '`consumption_tax_amount_mismatch`', 'always'],
          [
            'a total',
            '0.01 per line of the invoice, at least 0.01',
            '`totals_mismatch`',
            "only with `totals: 'check'`",
          ],
        ],
      ),
      'An entry of `taxes_outputs` stands for the group that it names exactly: without `tax_regime_key` that is key 01, without a consumption field the group that has none. What is left goes to the groups that it does not contradict, so that the bases agree as well as they can; bases are those after document discounts, and the order of the entries decides nothing. An exempt entry needs its reason only where its lines do not say it (`exemption_reason_required`).',
      `\`totals: 'recalculate'\`, the default, replaces the totals that were sent. \`'check'\` compares them. With three lines of 100.00, an \`invoice_total\` of 363.03 passes and 363.04 is \`${far[0]}\`. ` +
        'A draft or an invoice to be issued then carries the computed amounts. An import or a received invoice keeps the amounts that were sent, because the document of another system is not rewritten; what was not sent is filled in.',
      'The usual mistake of sending the total after withholding is named as such:',
      fence('json', JSON.stringify(after, null, 2)),
      '`reconcile` lists every amount sent beside the computed one, whatever the mode:',
      fence('json', JSON.stringify(row, null, 2)),
    ],
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
  must(codes(corrected, { today: '2026-05-04' }).length === 0, 'a corrective is judged on the corrected day')
  return {
    title: 'The day that decides a rate',
    body: [
      'Rates, surcharges, withholding rates, membership of the Union, cash-basis periods and the one-stop shop are judged on one day, the first of these that is known:',
      [
        '1. `issue_data.operation_date`;',
        '2. on a corrective, the end of `corrective.tax_period` but never after the issue date, then `corrective.invoice_issue_date`;',
        '3. `issue_data.issue_date`;',
        '4. the option `today`;',
        '5. none: then the rows of the catalogs that have no end.',
      ].join('\n'),
      `5 % with an operation on 2023-05-02 is known; on 2026-05-04 it is \`${late[0]}\`. A corrective written in 2026 of an invoice of 2023-05-02 may use 5 %. ` +
        'The engine reads no clock: the same document and options give the same answer on any day.',
      `Amounts do not depend on the day: an unknown rate is reported, and computed with. The 5 % line above has ${euros(validate(at('2026-05-04')).data.invoice.taxes_outputs[0].tax_amount)} of tax either way.`,
    ],
  }
}

export const checks = () => [totals(), sentAmounts(), dates()]
