/** Receipts of the farmers' regime (REAGYP), with their correct figures. */
import { type CanonicalInvoice, validate } from '#engine/index.ts'

type Members = Readonly<Record<string, unknown>>

const place = (town: string, post_code: string) => ({
  address: { address: 'Calle Inventada, 7', town, post_code },
})

/** Returns a line at the compensation `rate`, with `withheld` percent of income tax. */
export const farmLine = (price: number, rate: number, withheld?: number, more: Members = {}) => ({
  item_description: 'Naranjas',
  quantity: 1,
  unit_price_without_tax: price,
  tax_output_rate: rate,
  tax_regime_key: '02',
  ...(withheld === undefined ? {} : { tax_withheld_rate: withheld }),
  ...more,
})

interface Parts {
  readonly header?: Members
  readonly issue?: Members
  readonly totals?: Members
  readonly withheld?: readonly Members[]
  readonly payment?: readonly Members[]
}

/** Returns a receipt that a cooperative received from a farmer; `parts` replace members of its blocks. */
export const farmReceipt = (lines: readonly Members[], parts: Parts = {}) => ({
  schema_version: 'json_1_1',
  meta: { direction: 'received', source_system: 'test' },
  invoice: {
    supplier: {
      person_type_code: 'F',
      tax_id: '12345678Z',
      name: 'Amparo Huerta Inventada',
      country_code: 'ES',
      person: { first_name: 'Amparo', first_surname: 'Huerta', ...place('Alzira', '46600') },
    },
    customer: {
      person_type_code: 'J',
      tax_id: 'B12345674',
      name: 'Cítricos Ficticios, S.L.',
      country_code: 'ES',
      company: place('Valencia', '46001'),
    },
    header: { invoice_type_code: '01', invoice_number: 'R-26-001', ...parts.header },
    issue_data: { issue_date: '2026-03-10', receipt_date: '2026-03-10', ...parts.issue },
    lines,
    ...(parts.withheld && { taxes_withheld: parts.withheld }),
    ...(parts.payment && { payment_details: parts.payment }),
    totals: { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0, ...parts.totals },
  },
})

/** The withholding on the price alone, as some documents state it. */
export const ON_THE_PRICE: Parts = {
  withheld: [{ tax_rate: 2, taxable_base: 1000, tax_amount: 20 }],
}

/** Header of a receipt that corrects another, by differences (D) or by substitution (S). */
export const correcting = (correction_type: 'D' | 'S') => ({
  invoice_type_code: '03',
  corrective: {
    reason_code: '20',
    invoice_number: 'R-26-000',
    invoice_issue_date: '2026-02-10',
    correction_type,
    ...(correction_type === 'S' ? { corrected_taxable_base: 400, corrected_tax_amount: 42 } : {}),
  },
})

/** Returns a receipt as the engine calculates it. */
export function calculated(lines: readonly Members[], parts?: Parts): CanonicalInvoice {
  const { data, errors } = validate(farmReceipt(lines, parts), { operation: 'received', today: '2026-06-30' })
  const refused = errors.filter(({ severity }) => severity === 'error')
  if (data === null || refused.length > 0) throw new Error(refused.map(({ message }) => message).join('\n'))
  return data
}

/** Figures of a receipt: total, base of the withholding, amount withheld, amount to pay. */
export type FarmFigures = readonly [total: number, base: number, withheld: number, payable: number]

/** Receipts by what is special about them, with their figures calculated by hand. */
export const FARM_RECEIPTS: Readonly<
  Record<string, readonly [lines: readonly Members[], figures: FarmFigures, parts?: Parts]>
> = {
  'farming, 12 % and 2 %': [[farmLine(1000, 12, 2)], [1120, 1120, 22.4, 1097.6]],
  'forestry, 12 % and 2 %': [[farmLine(15_286.56, 12, 2)], [17_120.95, 17_120.95, 342.42, 16_778.53]],
  'pigs, 10.5 % and 1 %': [[farmLine(1000, 10.5, 1)], [1105, 1105, 11.05, 1093.95]],
  'fishing, 10.5 % and 2 %': [[farmLine(333.33, 10.5, 2)], [368.33, 368.33, 7.37, 360.96]],
  'two compensations': [
    [farmLine(1000, 12, 2), farmLine(1000, 10.5, 2)],
    [2225, 2225, 44.5, 2180.5],
  ],
  'a line without withholding': [
    [farmLine(1000, 12, 2), farmLine(100, 12)],
    [1232, 1120, 22.4, 1209.6],
  ],
  'a discount of the document': [
    [farmLine(600, 12, 2), farmLine(400, 12, 2)],
    [1064, 1064, 21.28, 1042.72],
    { totals: { general_discounts: [{ discount_reason: 'Merma', discount_rate: 5 }] } },
  ],
  'a price with the compensation': [
    [farmLine(0, 12, 2, { unit_price_without_tax: undefined, unit_price_with_tax: 1120 })],
    [1120, 1120, 22.4, 1097.6],
  ],
  'a return': [[farmLine(-1000, 12, 2)], [-1120, -1120, -22.4, -1097.6]],
  'a withholding on the price alone': [[farmLine(1000, 12, 2)], [1120, 1000, 20, 1100], ON_THE_PRICE],
  'a correction by differences': [
    [farmLine(333.33, 10.5, 2, { quantity: -1 })],
    [-368.33, -368.33, -7.37, -360.96],
    { header: correcting('D') },
  ],
  'a correction by substitution': [
    [farmLine(333.33, 10.5, 2)],
    [368.33, 368.33, 7.37, 360.96],
    { header: correcting('S') },
  ],
}
