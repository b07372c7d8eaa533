/** Schemas of what changes issued invoices. */
import { catalog } from '../../catalogs/index.ts'
import { NOT_BLANK, STORABLE } from './invoice-schemas.ts'
import type { Schema } from './route.ts'

const number: Schema = { $ref: '#/components/schemas/Common/$defs/amount' }
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] })
/** A text of blanks only is none. */
const text = (maxLength: number): Schema => ({ type: 'string', maxLength, pattern: NOT_BLANK })

const none: Schema = { type: 'null' }

/**
 * What a corrective asks for beside its shape; it is answered with `corrective_draft_invalid`, which says why it cannot
 * be built.
 */
export const BUILDABLE_CORRECTIVE: Schema = {
  allOf: [{ $ref: '#/components/schemas/CorrectiveRequest' }],
  properties: { reason_code: { enum: catalog('correction-reasons').map(({ code }) => code) } },
  anyOf: [
    {
      properties: { correction_type: { const: 'S' }, lines: orNull({ type: 'array', maxItems: 0 }) },
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

export const ISSUED_SCHEMAS: Readonly<Record<string, Schema>> = {
  DifferenceLine: {
    type: 'object',
    additionalProperties: false,
    required: ['description', 'quantity', 'unit_price_without_tax'],
    properties: {
      description: text(2500),
      quantity: { $ref: '#/components/schemas/Common/$defs/decimal' },
      unit_price_without_tax: { $ref: '#/components/schemas/Common/$defs/decimal' },
      tax_output_rate: {
        description: 'An addition: needed where the corrected invoice has several kinds of tax.',
        ...orNull({ $ref: '#/components/schemas/Common/$defs/percent' }),
      },
    },
  },
  CorrectiveRequest: {
    type: 'object',
    additionalProperties: false,
    required: ['correction_type', 'reason_code', 'series_code', 'external_ref'],
    properties: {
      correction_type: {
        description: 'S by substitution, D by differences.',
        type: 'string',
        enum: ['S', 'D'],
      },
      reason_code: { description: 'Code of the catalog correction-reasons, 01 to 25.', ...text(60) },
      series_code: text(60),
      external_ref: { description: 'Of the new draft; not inherited.', ...text(60) },
      reason_description: orNull({ type: 'string', maxLength: 2500, pattern: STORABLE }),
      lines: {
        description: 'With D: the differences, signed. With S the lines of the original are taken.',
        ...orNull({
          type: 'array',
          maxItems: 20_000,
          items: { $ref: '#/components/schemas/DifferenceLine' },
        }),
      },
      corrected_taxable_base: { description: 'With S; by default the original’s.', ...orNull(number) },
      corrected_tax_amount: { description: 'With S; by default the original’s.', ...orNull(number) },
    },
  },
}
