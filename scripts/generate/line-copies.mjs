/**
 * Copies of a line: what every line of an answer has, in the contract's order, then the client's own members in the
 * client's order. An object made of a spread takes five times as long to build as one whose members are written out, so
 * that the commonest orders are written out here; any other is spread.
 */
import { BANNER, write } from './files.mjs'

/** A text or number that is computed later. An amount that is still NaN afterwards was not sent. */
const COMPUTED = {
  sequence_number: 0,
  tax_treatment_code: "''",
  tax_regime_key: "''",
  total_cost_without_tax: 'NaN',
  gross_amount_without_tax: 'NaN',
  total_cost_with_tax: 'NaN',
  gross_amount_with_tax: 'NaN',
  tax_output_base: 'NaN',
  tax_output_amount: 'NaN',
  taxable: true,
  exempt: false,
  tax_category_code: "''",
  tax_output_code: "''",
}

/** Orders of members; those with a question mark may be missing. */
const ORDERS = [
  'item_description article_code? quantity unit_of_measure? unit_price_without_tax tax_output_rate',
  'item_description quantity unit_price_with_tax tax_output_rate',
]

/** Every order with and without what may be missing. */
const spelledOut = (order) =>
  order
    .split(' ')
    .reduce(
      (orders, name) =>
        name.endsWith('?')
          ? orders.flatMap((before) => [before, [...before, name.slice(0, -1)]])
          : orders.map((before) => [...before, name]),
      [[]],
    )

const copyOf = (rest) =>
  `(sent) => ({ ${Object.entries(COMPUTED)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')}, ${rest} })`

export const lineCopies = () => {
  const copies = ORDERS.flatMap(spelledOut).map((names) =>
    copyOf(names.map((name) => `${name}: sent.${name}`).join(', ')),
  )
  write(
    'src/invoice/generated/line-copies.js',
    `// ${BANNER}
/** What every line has comes first: so many members. */
export const FIRST_MEMBERS = ${Object.keys(COMPUTED).length}
export const spreadLine = ${copyOf('...sent')}
export const lineCopies = [
${copies.map((copy) => `  ${copy},\n`).join('')}]
`,
  )
  write(
    'src/invoice/generated/line-copies.d.ts',
    `// ${BANNER}
import type { Line } from './types.ts'
export declare const FIRST_MEMBERS: number
export declare const spreadLine: (sent: Line) => Line
export declare const lineCopies: ReadonlyArray<(sent: Line) => Line>
`,
  )
}
