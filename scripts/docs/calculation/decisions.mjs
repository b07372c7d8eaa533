/** Figures on decisions that the specification leaves open, each verified by a sample. */
import { answer, codes, draft, euros, line, must, received } from '../sample.mjs'

function netAdjustment() {
  const lines = [line(1, 100), line(1, 100, { tax_output_rate: 10 }), line(1, 100, { tax_output_rate: 4 })]
  const { taxes_outputs } = answer(
    draft(lines, {
      totals: {
        general_discounts: [{ discount_reason: 'Rappel', discount_amount: 20 }],
        general_surcharges: [{ charge_reason: 'Portes', charge_amount: 10 }],
      },
    }),
  )
  const bases = taxes_outputs.map(({ taxable_base }) => euros(taxable_base))
  must(bases.join() === '96.66,96.67,96.67', 'the net adjustment is spread once')
  return {
    bases: bases.join(', '),
  }
}

function alone() {
  const { totals } = answer(
    draft([line(1, 100)], { totals: { total_general_discounts: 10, total_payments_on_account: 30 } }),
  )
  must(
    totals.total_gross_amount_before_taxes === 90 && totals.total_executable_amount === 78.9,
    'a total stands for its list',
  )
  return {
    total: euros(totals.invoice_total),
    payable: euros(totals.total_executable_amount),
  }
}

function modes() {
  const document = draft([line(1, 100, { tax_output_base: 90 })], {
    taxes_outputs: [{ tax_rate: 21, taxable_base: 90, tax_amount: 18.9 }],
  })
  const found = codes(document)
  must(
    found.some((item) => item.startsWith('line_amount_mismatch')) &&
      found.some((item) => item.startsWith('taxes_outputs_mismatch')),
    'mismatches are reported in every mode',
  )
}

function keys() {
  const entry = { tax_rate: 21, taxable_base: 100, tax_amount: 21 }
  const single = answer(draft([line(1, 100)], { taxes_outputs: [{ ...entry, tax_regime_key: '11' }] }))
  must(single.lines[0].tax_regime_key === '11', 'one key in the breakdown is the key of the lines')
}

function seventeen() {
  const customer = {
    person_type_code: 'F',
    name: 'Claire Exemple',
    country_code: 'FR',
    person: { first_name: 'Claire', first_surname: 'Exemple' },
  }
  const found = codes(draft([line(1, 100, { tax_regime_key: '17' })], { customer }))
  must(
    found.some((item) => item.startsWith('oss_foreign_consumption_must_be_non_subject')),
    'key 17 with a Spanish rate is reported',
  )
}

function literals() {
  const cash = { tax_regime_key: '07' }
  const issued = answer(draft([line(1, 100, cash)])).legal_literals
  const incoming = answer(received([line(1, 100, cash)])).legal_literals
  must(issued[0].code === '007' && incoming[0].code === '007', 'literal 007 is added in both directions')
  const reverse = { reverse_charge: true }
  const mention = answer(draft([line(1, 100, reverse)])).legal_literals
  must(
    mention.length === 1 && !answer(received([line(1, 100, reverse)])).legal_literals,
    'other literals only on issued invoices',
  )
  return {
    reference: issued[0].legal_reference,
  }
}

function payments() {
  const none = answer(draft([line(1, 100)])).payment_details
  const one = answer(
    draft([line(1, 100)], { payment_details: [{ payment_method_code: '04' }] }),
  ).payment_details
  must(
    none[0].installment_amount === 121 && one[0].installment_amount === 121,
    'a single instalment is the amount to pay',
  )
}

export const DECISIONS = { netAdjustment, alone, modes, keys, seventeen, literals, payments }
