/** Shapes of operations that change issued invoices. */
import { catalog } from '#core/catalogs/index.ts'
import {
  either,
  flag,
  integer,
  listOf,
  object,
  oneOf,
  optional,
  PATTERNS,
  text as plainText,
  requiredLine,
  type Schema,
  type Static,
  textOf,
  uuid,
} from './builders.ts'
import { component, named } from './components.ts'

const amount = named<number>('Amount')
const decimal = named<number>('Decimal')
/** Returns the schema of a required text, which may have several lines. */
const text = (maxLength: number) => textOf({ minLength: 1, maxLength, pattern: PATTERNS.text })

const none: Schema = { type: 'null' }

export const DifferenceLine = component('DifferenceLine', {
  description: text(2500),
  quantity: decimal,
  unit_price_without_tax: decimal,
  tax_output_rate: optional({
    description:
      'Required if the corrected invoice has several rates or taxes. This member is an addition to the API specification.',
    ...either(named<number>('Percent')),
  }),
})

export const CorrectiveRequest = component('CorrectiveRequest', {
  correction_type: { description: 'S: by substitution; D: by differences.', ...oneOf('S', 'D') },
  reason_code: { description: 'Code of the catalog correction-reasons, 01 to 25.', ...requiredLine(60) },
  series_code: requiredLine(60),
  external_ref: {
    description: 'Reference of the new draft. It is not copied from the original.',
    ...requiredLine(60),
  },
  reason_description: optional(either(textOf({ maxLength: 2500, pattern: PATTERNS.text }))),
  lines: optional({
    description: 'For `D`, the differences with their sign. For `S`, the lines of the original are copied.',
    ...either(listOf(DifferenceLine, { maxItems: 20_000 })),
  }),
  corrected_taxable_base: optional({
    description: 'Only for `S`. Default: the taxable amount of the original.',
    ...either(amount),
  }),
  corrected_tax_amount: optional({
    description: 'Only for `S`. Default: the tax amount of the original.',
    ...either(amount),
  }),
})
export type DifferenceLine = Static<typeof DifferenceLine>
export type CorrectiveRequest = Static<typeof CorrectiveRequest>

/** Maximum number of recipients of a mail. */
export const MAX_RECIPIENTS = 20

export const SendRequest = component('SendRequest', {
  to: optional({
    description: 'Recipients. Default: the customer’s `electronic_mail`.',
    ...either(listOf(textOf({ maxLength: 320, format: 'email' }), { maxItems: MAX_RECIPIENTS })),
  }),
  subject: optional({
    description:
      'Subject of the mail, a single line. Default: the number of the invoice and the name of the company.',
    ...either(requiredLine(200)),
  }),
  message: optional({
    description:
      'Plain text that replaces the default text. Number, dates and amounts of the invoice follow it.',
    ...either(text(10_000)),
  }),
  attach_xml: optional({ description: 'Whether to attach the invoice also as Facturae 3.2.2.', ...flag }),
})
export type SendRequest = Static<typeof SendRequest>

export const SendResult = component('SendResult', {
  invoice_id: uuid,
  sent_to: listOf(plainText),
  refused: {
    description:
      'Addresses that the mail server refused; the mail was sent to the others. This member is an addition to the API specification.',
    ...listOf(
      object({
        address: plainText,
        permanent: flag,
        smtp_code: optional(integer),
        smtp_response: optional(plainText),
      }),
    ),
  },
})
export type SendResult = Static<typeof SendResult>

/**
 * Requirements of a request for a corrective invoice that its shape does not express. If one is not met, the server
 * returns `corrective_draft_invalid` with the reason.
 */
export const BUILDABLE_CORRECTIVE: Schema = {
  allOf: [
    CorrectiveRequest,
    {
      type: 'object',
      properties: {
        reason_code: { type: 'string', enum: catalog('correction-reasons').map(({ code }) => code) },
      },
    },
    {
      anyOf: [
        {
          properties: { correction_type: { const: 'S' }, lines: either(listOf({}, { maxItems: 0 })) },
        },
        {
          required: ['lines'],
          properties: {
            correction_type: { const: 'D' },
            lines: listOf({}, { minItems: 1 }),
            corrected_taxable_base: none,
            corrected_tax_amount: none,
          },
        },
      ],
    },
  ],
}
