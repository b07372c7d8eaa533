/** Query parameters that several routes take, and the type of what is read of them. */
import { FORMAT_CODES } from '../../formats/index.ts'
import type { Code } from '../errors/codes.ts'
import { date, flag, integer, oneOf, type Schema, type Static, textOf } from './kinds.ts'

export interface Parameter<S extends Schema = Schema> {
  readonly schema: S
  readonly description: string
  /** The code of its own that a value outside of its list is refused with. */
  readonly unknownValue?: Code
  readonly required?: true
}
export type Parameters = Readonly<Record<string, Parameter>>

/** Values by name: numbers are numbers, defaults are filled in. */
export type QueryOf<Q> = {
  readonly [N in keyof Q]: Q[N] extends Parameter<infer S>
    ?
        | Static<S>
        | (S extends { readonly default: unknown }
            ? never
            : Q[N] extends { readonly required: true }
              ? never
              : undefined)
    : never
}

/** Texts that may stand in a database and in a header: without control characters, and without what is no text. */
export const CLEAN = '^[^\\u0000-\\u001f\\u007f\\ufffd]+$'

const between = (minimum: number, maximum: number, otherwise: number) => ({
  ...integer,
  minimum,
  maximum,
  default: otherwise,
})

export const limitOf = (most: number, otherwise: number) => ({
  schema: between(1, most, otherwise),
  description: `At most this many, 1 to ${most}.`,
})

export const OFFSET = {
  schema: between(0, 2_000_000_000, 0),
  description: 'So many are left out at the start.',
}

export const textLike = (description: string, maxLength = 200) => ({
  schema: textOf({ minLength: 1, maxLength, pattern: CLEAN }),
  description,
})
export const dayLike = (description: string) => ({ schema: date, description })

/** Filters of the three lists of invoices. */
export const FILTERS = {
  series: textLike('Series of the document, also on drafts. Exact.', 60),
  number: textLike('Number, with its series. Exact.', 60),
  external_ref: textLike('`meta.external_ref`. Exact.', 60),
  issue_date_from: dayLike('Issued on this day or later.'),
  issue_date_to: dayLike('Issued on this day or before.'),
}

export const CUSTOMER = {
  customer_tax_id: textLike('Tax id of the customer, with or without country and separators.', 60),
}
export const SUPPLIER = {
  supplier_tax_id: textLike('Tax id of the supplier, with or without country and separators.', 60),
}

export const PAGE = { limit: limitOf(500, 50), offset: OFFSET }

export type Paged = QueryOf<typeof PAGE>

/** What a list of invoices is asked for. */
export type InvoiceQuery = QueryOf<typeof FILTERS> &
  Paged &
  Partial<QueryOf<typeof CUSTOMER & typeof SUPPLIER>>

/** The formats of other systems that an invoice is read from. */
export const READ_FORMAT = {
  format: {
    schema: oneOf(...FORMAT_CODES),
    description: 'What the document is.',
    unknownValue: 'unsupported_invoice_source_transform',
    required: true,
  },
} as const

/** Those that one is written in. */
export const WRITE_FORMAT = {
  format: {
    schema: oneOf('facturae_3_2_2', 'ubl_2_1', 'cii_d16b'),
    description: 'The format of the file.',
    required: true,
  },
  sign: {
    schema: flag,
    description: 'Facturae with the signature of the company’s certificate (XAdES, policy 3.1).',
  },
} as const

export const MONTH_PATTERN = '^\\d{4}-(?:0[1-9]|1[0-2])$'

export const MONTH = {
  period: {
    schema: textOf({ pattern: MONTH_PATTERN, examples: ['2026-11'] }),
    description: 'Month of the operation, else of the issue, `YYYY-MM`.',
    required: true,
  },
} as const

/** Filters of what was sent to the SII. */
export const SII_FILTERS = {
  global_status: textLike('Exact.', 60),
  book_type: { schema: oneOf('ISSUED', 'RECEIVED'), description: 'One of the books.' },
  date_from: dayLike('Sent on this day in Madrid or later.'),
  date_to: dayLike('Sent on this day in Madrid or before.'),
}
export type SiiQuery = QueryOf<typeof SII_FILTERS> & Paged
