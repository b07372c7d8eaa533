/** Shapes of what changes issued invoices. */
import { catalog } from '../../catalogs/index.ts'
import { component, named } from './components.ts'
import { NOT_BLANK, STORABLE } from './invoice-schemas.ts'
import { either, listOf, oneOf, optional, type Schema, type Static, textOf } from './kinds.ts'

const amount = named<number>('Common/$defs/amount')
const decimal = named<number>('Common/$defs/decimal')
/** A text of blanks only is none. */
const text = (maxLength: number) => textOf({ maxLength, pattern: NOT_BLANK })

const none: Schema = { type: 'null' }

export const DifferenceLine = component('DifferenceLine', {
  description: text(2500),
  quantity: decimal,
  unit_price_without_tax: decimal,
  tax_output_rate: optional({
    description: 'An addition: needed where the corrected invoice has several kinds of tax.',
    ...either(named<number>('Common/$defs/percent')),
  }),
})

export const CorrectiveRequest = component('CorrectiveRequest', {
  correction_type: { description: 'S by substitution, D by differences.', ...oneOf('S', 'D') },
  reason_code: { description: 'Code of the catalog correction-reasons, 01 to 25.', ...text(60) },
  series_code: text(60),
  external_ref: { description: 'Of the new draft; not inherited.', ...text(60) },
  reason_description: optional(either(textOf({ maxLength: 2500, pattern: STORABLE }))),
  lines: optional({
    description: 'With D: the differences, signed. With S the lines of the original are taken.',
    ...either(listOf(DifferenceLine, { maxItems: 20_000 })),
  }),
  corrected_taxable_base: optional({
    description: 'With S; by default the original’s.',
    ...either(amount),
  }),
  corrected_tax_amount: optional({ description: 'With S; by default the original’s.', ...either(amount) }),
})
export type DifferenceLine = Static<typeof DifferenceLine>
export type CorrectiveRequest = Static<typeof CorrectiveRequest>

/**
 * What a corrective asks for beside its shape; it is answered with `corrective_draft_invalid`, which says why it cannot
 * be built.
 */
export const BUILDABLE_CORRECTIVE: Schema = {
  allOf: [CorrectiveRequest],
  properties: { reason_code: { enum: catalog('correction-reasons').map(({ code }) => code) } },
  anyOf: [
    {
      properties: { correction_type: { const: 'S' }, lines: either({ type: 'array', maxItems: 0 }) },
    },
    {
      required: ['lines'],
      properties: {
        correction_type: { const: 'D' },
        lines: { type: 'array', minItems: 1 },
        corrected_taxable_base: none,
        corrected_tax_amount: none,
      },
    },
  ],
}
