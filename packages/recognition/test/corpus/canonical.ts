/** Writes the documents of the corpus as structured data, as other software embeds it in a PDF. */
import { validate } from '#engine/index.ts'
import { type FormatCode, writeInvoice } from '#formats/index.ts'
import type { Party, Truth } from './truth.ts'

const PROVINCES: Readonly<Record<string, string>> = {
  '08': 'Barcelona',
  '28': 'Madrid',
  '41': 'Sevilla',
  '46': 'Valencia',
}

function partyOf({ tax_id, name, street, town }: Party) {
  const [post_code = '', ...rest] = town.split(' ')
  const address = {
    address: street,
    post_code,
    town: rest.join(' '),
    country_subdivision: { name: PROVINCES[post_code.slice(0, 2)] },
  }
  const isPerson = /^\d/.test(tax_id)
  const [first_name, first_surname, second_surname] = name.split(' ')
  return {
    person_type_code: isPerson ? 'F' : 'J',
    tax_id,
    name,
    ...(isPerson
      ? { person: { first_name, first_surname, second_surname, address } }
      : { company: { address } }),
  }
}

/** Returns the expected content as XML in the given format. */
export function xmlOf(truth: Truth, format: FormatCode): Uint8Array {
  const { data, errors } = validate(
    {
      schema_version: 'json_1_1',
      meta: { direction: 'issued', source_system: 'corpus' },
      invoice: {
        supplier: partyOf(truth.supplier),
        customer: truth.customer ? partyOf(truth.customer) : undefined,
        header: { invoice_type_code: '01', invoice_series_code: 'S', invoice_number: truth.number },
        issue_data: { issue_date: truth.issue_date },
        lines: truth.items.map(({ text, quantity, price, rate }) => ({
          item_description: text,
          quantity,
          unit_price_without_tax: price,
          tax_output_rate: rate ?? 0,
          ...(truth.withheld ? { tax_withheld_rate: truth.withheld.rate } : {}),
        })),
        totals: { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0 },
        payment_details: [
          {
            payment_method_code: '04',
            payment_method_label: 'Transferencia',
            ...(truth.iban ? { iban_account_to_be_credited: truth.iban } : {}),
            ...(truth.due_date ? { installment_due_date: truth.due_date } : {}),
          },
        ],
      },
    },
    { operation: 'import' },
  )
  if (data === null) throw new Error(errors.map(({ path, message }) => `${path}: ${message}`).join('\n'))
  const { xml, errors: refused } = writeInvoice(data, format)
  if (xml === null) throw new Error(refused.map(({ message }) => message).join('\n'))
  return new TextEncoder().encode(xml)
}
