/** What neither the specification nor the design settles, and what the engine does; each held to it by a sample. */
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
  return `**Discounts and surcharges are spread together, once.** The net amount goes over the groups in proportion to their amounts without tax (for a margin group its price, not its margin). 20.00 off and 10.00 on, over three groups of 100.00, leave ${bases.join(', ')}. Spread one after the other, cents could go to different groups.`
}

const ties = () =>
  '**Ties never depend on the order of lines.** Equal remainders go to the larger amount, then, among groups, to the higher rate, then to the text of the group key in code-point order; among lines of a group to the higher withholding rate. Only lines that are alike in all of that are told apart by position, where it changes no total. The cent is the same one when all signs are turned.'

function alone() {
  const { totals } = answer(
    draft([line(1, 100)], { totals: { total_general_discounts: 10, total_payments_on_account: 30 } }),
  )
  must(
    totals.total_gross_amount_before_taxes === 90 && totals.total_executable_amount === 78.9,
    'a total stands for its list',
  )
  return `**A total without its list stands for the list.** \`total_general_discounts\`, \`total_general_surcharges\`, \`total_payments_on_account\` and \`total_reimbursable_expenses\` are used as sent where the list that they sum up is absent. 100.00 at 21 % with \`total_general_discounts\` 10 and \`total_payments_on_account\` 30: ${euros(totals.invoice_total)} invoiced, ${euros(totals.total_executable_amount)} to pay. With the list, the list counts.`
}

const currencies = () =>
  '**A received invoice in a foreign currency is computed in both currencies.** Sent amounts are compared in their own currency, where the supplier rounded them. In euros everything follows from the converted prices and amounts that go into the calculation, so that the euro amounts are coherent; a converted total may differ by cents. A document that already carries `invoice_currency` blocks is in euros and is not converted again; a block that does not fit is the warning `invoice_currency_mismatch`.'

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
  return "**Wrong line amounts and breakdowns are reported in every mode.** `totals: 'recalculate'` is about totals only. A line amount or a breakdown entry names what the client thinks is taxed, and replacing it silently would hide a misunderstanding."
}

function keys() {
  const entry = { tax_rate: 21, taxable_base: 100, tax_amount: 21 }
  const single = answer(draft([line(1, 100)], { taxes_outputs: [{ ...entry, tax_regime_key: '11' }] }))
  must(single.lines[0].tax_regime_key === '11', 'one key in the breakdown is the key of the lines')
  return '**A regime key may come from the breakdown.** A line without a key takes the one of `taxes_outputs` where all entries name the same key; else where all entries that the line could belong to (rate, treatment, reason and what they say of the state of consumption) name the same one; else it takes `01`. Two possible keys of which one is 17 are an error, `oss_regime_key_ambiguous`; any other pair is not.'
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
  return '**A positive Spanish rate on key 17 is reported, not dropped.** The line is then taxable, and `oss_foreign_consumption_must_be_non_subject` says that it must not be. Likewise a positive rate on an operation outside the territory of Spanish VAT stays taxable.'
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
  return `**Literals.** \`007\` (${issued[0].legal_reference}) is added in both directions: on a received invoice it decides when the tax may be deducted. The others (reverse charge, the article of an exemption, margin schemes, self-billing) are added to issued invoices only, since a received one is the document of the supplier. A literal that is there already, by code or by its words, is not added again.`
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
  return '**Payments.** Without `payment_details` there is one instalment of `total_executable_amount`; one instalment without an amount gets it. Of several, each must have its own date and amount. Whether several add up to the amount to pay is not checked.'
}

export const DECISIONS = () => [
  {
    title: 'Decisions that the design left open',
    body: [
      netAdjustment(),
      ties(),
      alone(),
      currencies(),
      modes(),
      keys(),
      seventeen(),
      literals(),
      payments(),
    ]
      .map((text) => `- ${text}`)
      .join('\n'),
  },
]
